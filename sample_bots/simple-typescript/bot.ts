// A bot as a process: it listens where ARENA_LISTEN says, answers the arena, and ends when there is no more to do.
// What it plays is in policy.ts; join.ts dials in where nobody can dial.

import { writeSync } from "node:fs";
import { join } from "node:path";

import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

import type { Decision } from "./build/generated/arena/v1/Decision";
import type { PlayerHandlers } from "./build/generated/arena/v1/Player";
import type { PlayRequest__Output as PlayRequest } from "./build/generated/arena/v1/PlayRequest";
import type { Turn__Output as Turn } from "./build/generated/arena/v1/Turn";
import type { ProtoGrpcType } from "./build/generated/join";
import { joinArena } from "./join";
import { decide } from "./policy";

const INTRODUCTION = { protocolVersion: 1, name: "simple-typescript", version: "1.0" };
const GOODBYE_MS = 1000; // for the last answers to leave

/** Where to listen. A private address is one for a single arena, the one that has started the bot. */
interface Address {
  host: string; // empty for a unix socket
  target: string; // as gRPC writes it
  isPrivate: boolean;
}

function main(): void {
  // The options are those of the script `generate` in package.json: what one makes, the other describes.
  // 64-bit ids are texts of decimal digits: as numbers they would be rounded.
  const definition = loadSync(join(__dirname, "..", "join.proto"), { longs: String, enums: String, defaults: true });
  const { arena } = grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType;
  process.on("SIGTERM", () => process.exit(0));
  process.on("SIGINT", () => process.exit(0));
  const { ARENA_LISTEN, ARENA_JOIN } = process.env;
  if (ARENA_JOIN && !ARENA_LISTEN) {
    joinArena(ARENA_JOIN, arena.v1.Door, { introduction: INTRODUCTION, answer: decisionsOn, leave });
    return;
  }
  const address = parseAddress(ARENA_LISTEN ?? "");
  const server = new grpc.Server();
  const hangUp = () => {
    server.tryShutdown(() => process.exit(0));
    setTimeout(() => process.exit(0), GOODBYE_MS);
  };
  server.addService(arena.v1.Player.service, handlers(address.isPrivate ? hangUp : () => {}));
  server.bindAsync(address.target, grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) {
      leave(2, `cannot listen: ${error.message}`);
    }
    if (address.host) {
      writeSync(1, `ARENA-READY ${address.host}:${port}\n`);
    }
  });
}

/** The bot's side of the conversation. hangUp is called when no stream is open any more. */
function handlers(hangUp: () => void): PlayerHandlers {
  let streams = 0;
  return {
    Hello(_call, callback) {
      callback(null, INTRODUCTION);
    },
    Play(call) {
      streams += 1;
      let isOpen = true;
      const close = () => {
        if (isOpen) {
          isOpen = false;
          streams -= 1;
          if (streams === 0) {
            hangUp();
          }
        }
      };
      call.on("data", (request: PlayRequest) => {
        const decisions = decisionsOn(request);
        if (decisions.length > 0) {
          call.write({ decisions });
        }
      });
      call.on("end", () => {
        call.end();
        close();
      });
      call.on("cancelled", close); // the arena has gone without a goodbye
      call.on("error", close);
    },
  };
}

/** The decisions on a request. Its notices, handsOver and gamesOver, are for a bot with a memory: before the turns. */
function decisionsOn(request: PlayRequest): Decision[] {
  return request.turns.map(answer);
}

/** ARENA_LISTEN is unix:/path or tcp:host:port, with port 0 for one that the system chooses. */
function parseAddress(listen: string): Address {
  if (/^unix:./.test(listen)) {
    return { host: "", target: listen, isPrivate: true };
  }
  const found = /^tcp:(.+):(\d+)$/.exec(listen);
  if (!found) {
    const wanted = "set ARENA_LISTEN to unix:/path or tcp:host:port, as the arena does, or ARENA_JOIN to host:port of one";
    leave(2, `${wanted}; ARENA_LISTEN is '${listen}'`);
  }
  return { host: found[1], target: `${found[1]}:${found[2]}`, isPrivate: Number(found[2]) === 0 };
}

/** The decision on a turn, or the end of the process: gRPC would swallow what goes wrong and leave a silent bot. */
function answer(turn: Turn): Decision {
  try {
    return { ...decide(turn), turnId: turn.id };
  } catch (error) {
    const stack = error instanceof Error ? `${error.stack}\n` : "";
    leave(1, `${stack}the policy failed: ${error}`);
  }
}

function leave(code: number, message: string): never {
  writeSync(2, `${message}\n`);
  process.exit(code);
}

main();
