/* What is seen of a hand at one of its steps: cards, words, and what they came to. */
function heldView(hand, state, position, seat, ended) {
  const box = make("div", { class: "cards", "data-position": position });
  const held = state.held[position];
  const down = ended ? hand.down : undefined;
  if (down) {
    const laid = heldOf(down.knocker === position ? down.melds : down.defence);
    box.append(...cardsOf(laid));
    if (down.knocker !== position && down.layoffs)
      box.append(
        make("span", { class: "meld off", id: "layoffs" }, ...[...down.layoffs].map((letter) => card(letter))),
      );
    return [box, laid.count];
  }
  if (!sees(hand, seat, position)) {
    const known = [...state.known[position]];
    const count = 10 + (state.drawn[position] ? 1 : 0) - known.length;
    box.append(
      make(
        "span",
        { class: "loose" },
        ...known.map((letter) => card(letter, "known")),
        ...Array.from({ length: count }, back),
      ),
    );
    return [box, null];
  }
  box.append(...cardsOf(held));
  if (state.drawn[position]) box.lastChild.append(card(state.drawn[position], "new"));
  return [box, held.count];
}

function cardsOf(held) {
  const melds = held.melds.map((meld) => make("span", { class: "meld" }, ...[...meld].map((letter) => card(letter))));
  return [...melds, make("span", { class: "loose" }, ...[...held.loose].map((letter) => card(letter)))];
}

function stepWords(hand, one, seat) {
  const hidden = one.kind === "s" && !sees(hand, seat, one.position);
  const words = [`${nameAt(hand, one.position)} ${DID[one.kind]}`];
  if (hidden) words.push(" a card");
  else if (one.card) words.push(" ", cardText(one.card));
  return words;
}

function adviceAt(hand, move, seat) {
  if (seat !== null && hand.roles[1] === seat) return [];
  return (hand.advice || []).filter(([at]) => at === move);
}

function adviceWords(hand, [, action, text]) {
  return `${nameAt(hand, 2)} advises ${action}${text ? `, saying “${text}”` : ""}`;
}

function playerLine(hand, position, count, state, ended) {
  const turn = !ended && state.last && state.last.position === position;
  const part = partsOf(hand)[position];
  const before = hand.before[hand.roles[position]],
    after = hand.after[hand.roles[position]];
  return make(
    "p",
    { class: `player${turn ? " turn" : ""}` },
    make("span", {}, make("b", {}, nameAt(hand, position)), ` ${part}`),
    make(
      "span",
      {},
      `${count === null ? "" : `deadwood ${count} · `}${ended && after !== before ? `${before} → ${after}` : before} points`,
    ),
  );
}

function layoffLine({ down, ...hand }) {
  if (!down || !down.layoffs) return [];
  return [
    make(
      "p",
      { class: "end" },
      `${nameAt(hand, 1 - down.knocker)} lays off `,
      ...[...down.layoffs].flatMap((letter) => [cardText(letter), " "]),
    ),
  ];
}

function endLines(hand, game) {
  const points = (totals) =>
    namesOf(hand)
      .map((name, seat) => `${name} ${totals[seat]}`)
      .join(", ");
  const lines = [make("p", { class: "end small", id: "after" }, `After the hand: ${points(hand.after)}`)];
  if (hand.columns)
    lines.push(
      make(
        "p",
        { class: "end small" },
        hand.columns.map((column, number) => `column ${number + 1}: ${column.join("–")}`).join("; "),
      ),
    );
  lines.push(...(hand.faults || []).map((text) => make("p", { class: "end small fault" }, text)));
  if (hand.hand === game.hands)
    lines.push(
      make(
        "p",
        { class: "end small" },
        `The game is over (${game.ending.replace("_", " ")}): ${points(game.totals)}${game.bonuses ? " with bonuses" : ""}`,
      ),
    );
  return lines;
}

function stepLines(hand, seat) {
  const steps = stepsOf(hand);
  const line = (number, ...words) =>
    make(
      "li",
      {},
      make(
        "a",
        { href: where(hand, number, seat), "data-step": number },
        make("span", { class: "n" }, number === 0 ? "" : String(number)),
        make("span", {}, ...words),
      ),
    );
  const lines = [line(0, "The deal; upcard ", cardText(hand.upcard))];
  steps.forEach((one, at) => {
    for (const advice of adviceAt(hand, at, seat))
      lines.push(make("li", { class: "adviser" }, make("span", {}, adviceWords(hand, advice))));
    lines.push(line(at + 1, ...stepWords(hand, one, seat)), ...remarkLines(hand, at + 1, seat));
  });
  lines.push(line(steps.length + 1, hand.told), ...remarkLines(hand, steps.length + 1, seat));
  return lines;
}

function remarkLines(hand, move, seat) {
  return remarksAt(hand, move, seat).map((one) => make("li", { class: remarkClass(one) }, remarkWords(hand, one)));
}
