// What the bot plays: the policy of `simple`, card by card. README.md says what it is.

import type { Decision } from "./build/generated/arena/v1/Decision";
import type { Turn__Output as Turn } from "./build/generated/arena/v1/Turn";

/** The decision on one turn, without its id. The turn says all there is to know. */
export function decide(turn: Turn): Decision {
  switch (turn.kind) {
    case "TURN_KIND_UPCARD":
      return { action: topMakesMeld(turn) ? "ACTION_TAKE" : "ACTION_PASS" };
    case "TURN_KIND_DRAW":
      return draw(turn);
    case "TURN_KIND_DISCARD":
      return discard(turn);
    case "TURN_KIND_DEFEND":
      return { action: "ACTION_DEFEND" }; // neither melds nor lay-offs: the arena lays down the best
    default:
      return { action: "ACTION_UNSPECIFIED" }; // nothing this bot knows how to answer
  }
}

/** Where to draw. The last discard may be taken only to knock with it, and no hints, no knock: then it is left. */
function draw(turn: Turn): Decision {
  const isLastDiscard = turn.legal.includes("ACTION_PASS");
  const hasHints = turn.deadwood.length > 0;
  if (topMakesMeld(turn) && (hasHints || !isLastDiscard)) {
    return { action: "ACTION_PILE" };
  }
  return { action: isLastDiscard ? "ACTION_PASS" : "ACTION_STOCK" };
}

/** The discard that leaves the least deadwood; of equals the highest rank, then the highest suit. Knocks if it may. */
function discard(turn: Turn): Decision {
  let best = -1;
  let least = Infinity;
  turn.discards.forEach((card, index) => {
    const left = turn.deadwood[index] ?? 0; // without hints all discards count as equal
    if (left < least || (left === least && height(card) > height(best))) {
      [best, least] = [card, left];
    }
  });
  return { action: turn.knocks.includes(best) ? "ACTION_KNOCK" : "ACTION_DISCARD", card: best };
}

/** Whether the top of the discard pile makes a set or a run with two cards in hand. */
function topMakesMeld(turn: Turn): boolean {
  const top = turn.discardPile[turn.discardPile.length - 1];
  const ofRank = turn.hand.filter((card) => rankOf(card) === rankOf(top)).length;
  // Whether the card so many ranks above the top (below it, if negative) is in hand, in its suit.
  const has = (step: number) => suitOf(top + step) === suitOf(top) && turn.hand.includes(top + step);
  return ofRank >= 2 || (has(-2) && has(-1)) || (has(-1) && has(1)) || (has(1) && has(2));
}

/** 0 for an ace to 12 for a king. */
function rankOf(card: number): number {
  return card % 13;
}

/** 0 clubs, 1 diamonds, 2 hearts, 3 spades. */
function suitOf(card: number): number {
  return Math.floor(card / 13);
}

/** Orders cards by rank, then by suit. */
function height(card: number): number {
  return 4 * rankOf(card) + suitOf(card);
}
