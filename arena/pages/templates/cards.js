"use strict";
/* The hands of the page as the arena tells them (arena/pages/hands.py), and how a card looks. No rule of the game is in
   here: cards move as the steps say. All text of strangers is set as text, never as HTML. */
const data = JSON.parse(document.getElementById("data").textContent);
const list = document.getElementById("hands");
const replay = document.getElementById("replay");
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const RANK_NAMES = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];
const SUITS = [
  ["c", "♣", "clubs"],
  ["d", "♦", "diamonds"],
  ["h", "♥", "hearts"],
  ["s", "♠", "spades"],
];
const DID = { p: "passes", t: "takes", s: "draws", d: "discards", k: "knocks with", b: "declares big gin" };
const KINDS = {
  knock: "knock",
  gin: "gin",
  big_gin: "big gin",
  undercut: "undercut",
  tie: "tie",
  wall: "wall",
  forfeit: "forfeit",
};
const WHY = { first: "first played", swing: "large swing", fault: "fault" };
const byKey = new Map(data.hands.map((hand) => [`${hand.game}.${hand.hand}`, hand]));

/* An element: `make("p", {class: "small"}, "text", child)`. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/* Cards. */
const suitOf = (letter) => SUITS[Math.floor(LETTERS.indexOf(letter) / 13)];
const rankOf = (letter) => LETTERS.indexOf(letter) % 13;

function card(letter, more = "") {
  const [suit, glyph, name] = suitOf(letter);
  const text = `${RANK_NAMES[rankOf(letter)]} of ${name}`;
  return make(
    "span",
    { class: `card ${suit} ${more}`, role: "img", "aria-label": text, title: text },
    make("span", { "aria-hidden": "true" }, RANKS[rankOf(letter)]),
    make("span", { "aria-hidden": "true" }, glyph + "\uFE0E"),
  );
}
const back = () => make("span", { class: "card back", role: "img", "aria-label": "a hidden card" }, "❖");

function cardText(letter) {
  const [suit, glyph, name] = suitOf(letter);
  return make(
    "span",
    {
      class: "dh".includes(suit) ? "red" : "",
      role: "img",
      "aria-label": `${RANK_NAMES[rankOf(letter)]} of ${name}`,
    },
    RANKS[rankOf(letter)] + glyph + "\uFE0E",
  );
}

/* "ABC.DEF./GHI 24" -> {melds: ["ABC", "DEF"], loose: "GHI", count: 24} */
function heldOf(text) {
  const [melds, rest] = text.split("/");
  const [loose, count] = rest.split(" ");
  return { melds: melds.split(".").filter(Boolean), loose, count: Number(count) };
}

/* The state of a hand after so many steps. */
function stepsOf(hand) {
  return hand.steps
    ? hand.steps.split("|").map((text) => ({
        position: Number(text[0]),
        kind: text[1],
        card: text[2] === "-" ? "" : text[2],
        held: text.slice(3),
      }))
    : [];
}

function stateAt(hand, count) {
  const state = {
    held: hand.dealt.map(heldOf),
    drawn: ["", ""],
    known: ["", ""],
    pile: hand.upcard,
    stock: 31,
    last: null,
  };
  for (const step of stepsOf(hand).slice(0, count)) {
    const { position: at, kind, card: moved } = step;
    if (kind === "s") {
      state.stock -= 1;
      state.drawn[at] = moved;
    }
    if (kind === "t") {
      state.pile = state.pile.slice(0, -1);
      state.drawn[at] = moved;
      state.known[at] += moved;
    }
    if (kind === "d" || kind === "k") {
      state.pile += moved;
      state.known[at] = state.known[at].replace(moved, "");
    }
    if (step.held) {
      state.held[at] = heldOf(step.held);
      state.drawn[at] = "";
    }
    state.last = step;
  }
  return state;
}

const lastOf = (hand) => stepsOf(hand).length + 1;
const namesOf = (hand) => data.games[hand.game].bots.map((bot) => data.bots[bot]);
const nameAt = (hand, position) => namesOf(hand)[hand.roles[position]];

function partsOf(hand) {
  return hand.roles.length === 3 ? ["captain", "box", "sits out"] : ["non-dealer", "dealer"];
}

/* The other hands on the same cards, in the other seatings of their deal group. */
function twinsOf(hand) {
  const game = data.games[hand.game];
  const same = (bots) => [...bots].sort().join() === [...game.bots].sort().join();
  return data.hands.filter(
    (other) =>
      other !== hand &&
      other.hand === hand.hand &&
      data.games[other.game].group === game.group &&
      same(data.games[other.game].bots),
  );
}
/* Who sits out sees what the captain sees where the rules have it so. */
const sees = (hand, seat, position) =>
  seat === null ||
  hand.roles[position] === seat ||
  (data.adviser_sees && hand.roles[2] === seat && position === 0);

/* What the audit has found, [move, position, hindsight, points, words]: of one seat's view only its own errors by what
   it knew, for the others tell of cards that it has not seen. */
const remarksAt = (hand, move, seat) =>
  (hand.remarks || []).filter(
    ([at, position, hindsight]) => at === move && (seat === null || (!hindsight && hand.roles[position] === seat)),
  );
const remarkWords = (hand, [, position, hindsight, , words]) =>
  `${hindsight ? "With all cards open, " : "An error of "}${nameAt(hand, position)}: ${words}`;
const remarkClass = ([, , hindsight]) => (hindsight ? "remark hindsight" : "remark");

/* The error of a hand that cost the most, as errors overlap: who made it, and its points. */
function errorsOf(hand) {
  const lost = [0, 0];
  for (const [, position, hindsight, points] of hand.remarks || [])
    if (!hindsight) lost[position] = Math.max(lost[position], points);
  const most = lost[1] > lost[0] ? 1 : 0;
  return [nameAt(hand, most), lost[most]];
}
