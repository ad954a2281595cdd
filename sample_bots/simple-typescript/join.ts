// How the bot dials in to an arena that cannot reach it: the other way round, by arena.v1.Door.

import { readFileSync } from "node:fs";

import * as grpc from "@grpc/grpc-js";

import type { Decision } from "./build/generated/arena/v1/Decision";
import type { DoorClient } from "./build/generated/arena/v1/Door";
import type { HelloResponse } from "./build/generated/arena/v1/HelloResponse";
import type { JoinRequest } from "./build/generated/arena/v1/JoinRequest";
import type { JoinResponse__Output as JoinResponse } from "./build/generated/arena/v1/JoinResponse";
import type { PlayRequest__Output as PlayRequest } from "./build/generated/arena/v1/PlayRequest";

const MOST_CONVERSATIONS = 100;
const FIRST_PAUSE_MS = 100; // before a broken stream is dialled again: longer each time
const LONGEST_PAUSE_MS = 5000;
const STEADY_MS = 5000; // a stream that has held for so long is dialled again as quickly as at first
const OPTIONS = {
  "grpc.enable_http_proxy": 0,
  "grpc.keepalive_time_ms": 15000, // else it would take long to notice that the network is gone
  "grpc.keepalive_timeout_ms": 5000,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
};

/** What it is no use to try again after. */
const REFUSALS = [
  grpc.status.UNAUTHENTICATED,
  grpc.status.PERMISSION_DENIED,
  grpc.status.FAILED_PRECONDITION,
  grpc.status.INVALID_ARGUMENT,
  grpc.status.UNIMPLEMENTED,
];
/** How a stream ends that nobody wanted to end. */
const BREAKS = [grpc.status.UNAVAILABLE, grpc.status.CANCELLED, grpc.status.INTERNAL, grpc.status.UNKNOWN];

/** What the bot is for the arena. answer decides all turns of a request; leave ends the process with a message. */
interface Bot {
  introduction: HelloResponse;
  answer: (request: PlayRequest) => Decision[];
  leave: (code: number, message: string) => never;
}
/** How a stream ends that came back too early: too many did at once, or its introduction was too slow. */
const LATER = [grpc.status.RESOURCE_EXHAUSTED, grpc.status.DEADLINE_EXCEEDED];

type DoorConstructor = new (address: string, credentials: grpc.ChannelCredentials, options: object) => DoorClient;

/** One conversation, over as many streams as it takes. */
interface Conversation {
  id: string; // as the arena calls it
  graceMs: number;
  playing: boolean; // whether something was asked
  latest: Map<string, Decision>; // what was answered last, by turn
  brokenAt: number; // when the last stream broke; 0 from the welcome of the next
  pauseMs: number;
}

/** Dial in to the arena at an address, for good. */
export function joinArena(address: string, Door: DoorConstructor, bot: Bot): void {
  const environment = process.env;
  const door = new Door(address, credentials(bot), OPTIONS);
  const metadata = new grpc.Metadata();
  metadata.set("arena-protocol", "1");
  if (environment.ARENA_TOKEN) {
    metadata.set("authorization", `Bearer ${environment.ARENA_TOKEN}`);
  }
  const name = environment.ARENA_NAME || bot.introduction.name || "";
  let open = 0; // conversations
  let waiting = 0; // those of them on which nothing was asked yet
  let isAway = false;

  /** Keep one conversation waiting beside those in which something is asked. */
  function another(): void {
    if (waiting === 0 && open < MOST_CONVERSATIONS) {
      open += 1;
      waiting += 1;
      dial({ id: "", graceMs: 0, playing: false, latest: new Map(), brokenAt: 0, pauseMs: FIRST_PAUSE_MS });
    }
  }

  function close(conversation: Conversation): void {
    open -= 1;
    waiting -= conversation.playing ? 0 : 1;
    another();
  }

  /** Open a stream for a conversation, the first or one that goes on with it. */
  function dial(conversation: Conversation): void {
    const begun = Date.now();
    const stream = door.Join(metadata);
    const say = (message: JoinRequest) => stream.write(message);
    say({ introduction: { hello: bot.introduction, bot: name, conversation: conversation.id } });
    stream.on("data", (message: JoinResponse) => {
      if (message.welcome) {
        conversation.id = message.welcome.conversation;
        conversation.graceMs = message.welcome.graceMs;
        conversation.brokenAt = 0;
        tell(isAway, "the arena is there again");
        isAway = false;
      } else if (message.probe) {
        say({ echo: { id: message.probe.id } });
      } else if (message.play) {
        if (!conversation.playing) {
          conversation.playing = true;
          waiting -= 1;
          another();
        }
        const decisions = answered(conversation, message.play, bot);
        if (decisions.length > 0) {
          say({ play: { decisions } });
        }
      }
    });
    stream.on("error", () => {}); // the status says it as well
    stream.on("status", (status: grpc.StatusObject) => {
      stream.end();
      ended(conversation, status, begun);
    });
  }

  /** A stream has ended: so has its conversation, or it is dialled again. */
  function ended(conversation: Conversation, { code, details }: grpc.StatusObject, begun: number): void {
    const now = Date.now();
    if (!conversation.playing && REFUSALS.includes(code)) {
      bot.leave(2, details);
    }
    const comesBack = BREAKS.includes(code) || (conversation.brokenAt > 0 && LATER.includes(code));
    if (conversation.playing && !comesBack) {
      tell(code !== grpc.status.OK, `the arena has ended a conversation: ${details}`);
      close(conversation);
      return;
    }
    if (code === grpc.status.NOT_FOUND && conversation.id) {
      conversation.id = ""; // nobody had begun it yet
      dial(conversation);
      return;
    }
    if (code !== grpc.status.OK) {
      tell(!isAway, `${details}; trying again`);
      isAway = true;
    }
    conversation.brokenAt ||= now;
    if (conversation.playing && now - conversation.brokenAt > conversation.graceMs) {
      tell(true, `a conversation is lost: it was broken for more than ${conversation.graceMs / 1000} s`);
      close(conversation);
      return;
    }
    if (now - begun > STEADY_MS) {
      conversation.pauseMs = FIRST_PAUSE_MS;
    }
    setTimeout(() => dial(conversation), conversation.pauseMs);
    conversation.pauseMs = Math.min(conversation.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  another();
}

/** The decisions on a request; what is asked again after a break has the answer that it had. */
function answered(conversation: Conversation, request: PlayRequest, bot: Bot): Decision[] {
  const known = request.turns.flatMap((turn) => conversation.latest.get(turn.id) ?? []);
  if (known.length > 0 && known.length === request.turns.length) {
    return known;
  }
  const decisions = bot.answer(request);
  conversation.latest = new Map(decisions.map((decision) => [String(decision.turnId), decision]));
  return decisions;
}

/** TLS where ARENA_CA names a certificate to trust, or ARENA_TLS=1 says that the system knows it. */
function credentials(bot: Bot): grpc.ChannelCredentials {
  const { ARENA_CA, ARENA_TLS } = process.env;
  if (!ARENA_CA) {
    return ARENA_TLS === "1" ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
  }
  try {
    return grpc.credentials.createSsl(readFileSync(ARENA_CA));
  } catch (error) {
    return bot.leave(2, `ARENA_CA: ${error}`);
  }
}

function tell(wanted: boolean, line: string): void {
  if (wanted) {
    console.error(line);
  }
}
