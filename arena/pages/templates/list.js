/* The list of hands: those of two bots, by their places in the standings as in "0.2", or of all. */
const chosen = { pair: "", order: "played" };

function showList() {
  const [one, other] = chosen.pair.split(".").map(Number);
  const meets = (bots) => chosen.pair === "" || (bots.includes(one) && bots.includes(other));
  const pairings = data.pairings.filter((part) => meets(part.bots));
  const seen = pairings.reduce((sum, part) => sum + part.seen, 0);
  const hands = data.hands.filter((hand) => meets(data.games[hand.game].bots));
  if (chosen.order === "swing") hands.sort((a, b) => swingOf(b) - swingOf(a) || a.game - b.game || a.hand - b.hand);
  if (chosen.order === "errors")
    hands.sort((a, b) => errorsOf(b)[1] - errorsOf(a)[1] || a.game - b.game || a.hand - b.hand);
  const all = hands.length === seen;
  const note =
    seen === 0
      ? "No hand can be shown yet."
      : all
        ? `All ${seen.toLocaleString("en")} hands.`
        : `${hands.length.toLocaleString("en")} of ${seen.toLocaleString("en")} hands: ` +
          "those with faults, those with the largest swings, and the first. For any other: arena replay DIR GAME HAND.";
  const mirrored = data.hands.some((hand) => hand.swing !== undefined);
  const heading = [
    "game",
    "hand",
    "bots",
    "won by",
    "how",
    "points",
    ...(mirrored ? ["swing"] : []),
    "worst error",
    ...(all ? [] : ["shown as"]),
  ];
  const words = new Set(["bots", "won by", "how", "shown as"]);
  const most = chosen.pair ? Infinity : 500;
  const rows = hands.slice(0, most).map((hand) => {
    const names = namesOf(hand);
    const [whose, lost] = errorsOf(hand);
    return make(
      "tr",
      { "data-hand": `${hand.game}.${hand.hand}` },
      make("td", {}, make("a", { href: `#hand=${hand.game}.${hand.hand}` }, String(hand.game))),
      make("td", {}, String(hand.hand)),
      make("td", { class: "text" }, names.join(" – ")),
      make("td", { class: "text" }, hand.winner < 0 ? "nobody" : names[hand.winner]),
      make(
        "td",
        { class: "text" },
        KINDS[hand.kind],
        ...(hand.faults ? [make("span", { class: "fault" }, " fault")] : []),
      ),
      make("td", {}, String(hand.points)),
      ...(mirrored ? [make("td", {}, swingText(hand))] : []),
      make("td", {}, lost ? `${whose} ${lost}` : ""),
      ...(all ? [] : [make("td", { class: "text" }, WHY[hand.why])]),
    );
  });
  const options = pairChoices().map(([value, text]) =>
    make("option", { value, selected: value === chosen.pair }, text),
  );
  list.replaceChildren(
    make(
      "div",
      { class: "bar-of-controls" },
      make(
        "label",
        {},
        "Hands of",
        make(
          "select",
          { id: "pair", change: (event) => go(event.target.value ? `#hands=${event.target.value}` : "#hands=all") },
          ...options,
        ),
      ),
      make(
        "label",
        {},
        "in the order",
        make(
          "select",
          {
            id: "order",
            change: (event) => {
              chosen.order = event.target.value;
              showList();
            },
          },
          make("option", { value: "played", selected: chosen.order === "played" }, "played"),
          ...(mirrored
            ? [make("option", { value: "swing", selected: chosen.order === "swing" }, "of their swings")]
            : []),
          make("option", { value: "errors", selected: chosen.order === "errors" }, "of their worst errors"),
        ),
      ),
    ),
    make(
      "p",
      { class: "small", id: "hands-note" },
      note +
        (mirrored
          ? " The swing is what a bot made of the same cards in all seatings together: the luck of the deal is not in it."
          : "") +
        " Worst error: the points lost by the decision that cost a bot the most and was wrong by what it knew; " +
        "arena audit counts them all.",
    ),
    make(
      "div",
      { class: "listed", tabindex: "0", role: "region", "aria-label": "List of hands" },
      make(
        "table",
        {},
        make("caption", { class: "visually-hidden" }, "Hands"),
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            ...heading.map((text) => make("th", { scope: "col", class: words.has(text) ? "text" : "" }, text)),
          ),
        ),
        make("tbody", {}, ...rows),
      ),
    ),
    ...(hands.length > most
      ? [make("p", { class: "small" }, `The first ${most} of them; choose two bots to see the others.`)]
      : []),
  );
  markCurrent();
}
const swingOf = (hand) => (hand.swing ? hand.swing[1] : 0);
const swingText = (hand) => (!hand.swing ? "" : swingOf(hand) ? `${data.bots[hand.swing[0]]} +${swingOf(hand)}` : "0");

function pairChoices() {
  const pairs = new Map([["", "everybody"]]);
  for (const { bots } of data.pairings)
    for (const one of [...bots].sort((a, b) => a - b))
      for (const other of bots)
        if (one < other) pairs.set(`${one}.${other}`, `${data.bots[one]} – ${data.bots[other]}`);
  return [...pairs].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}
