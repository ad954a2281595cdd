/* Playing through a hand, and what the address of the page leads to. */
/* The hand that is shown, at which step, and seen by which seat (null for both hands). */
let shown = null;
let four = false;
let noting = 0;
let routed = "";
const where = (hand, step, seat) =>
  `#hand=${hand.game}.${hand.hand}&step=${step}${seat === null ? "" : `&seat=${seat}`}`;

function go(hash) {
  if (location.hash === hash) route();
  else location.hash = hash;
}

function step(to) {
  if (!shown) return;
  shown.step = Math.max(0, Math.min(to, lastOf(shown.hand)));
  clearTimeout(noting); // browsers allow no more than so many changes of the address in a second
  noting = setTimeout(note, 150);
  showStep();
}

function note() {
  if (location.hash !== routed) return; // it leads elsewhere already
  history.replaceState(null, "", where(shown.hand, shown.step, shown.seat));
  routed = location.hash;
}

/* A hand, or another view of it: all but what changes from step to step, which `showStep` fills in. */
function showHand(focus) {
  const { hand, seat } = shown;
  const game = data.games[hand.game];
  const names = namesOf(hand);
  const at = data.hands.indexOf(hand);
  const button = (text, to) =>
    make("button", { type: "button", id: `go-${text.toLowerCase()}`, click: () => step(to()) }, text);
  const links = [
    ...(at > 0 ? [[data.hands[at - 1], "Hand before"]] : []),
    ...(data.hands[at + 1] ? [[data.hands[at + 1], "Next hand"]] : []),
    ...twinsOf(hand).map((twin, number) => [twin, `${number ? "" : "The same cards, other seats: "}game ${twin.game}`]),
  ];
  const seats = [
    make("option", { value: "", selected: seat === null }, "both hands"),
    ...names.map((name, number) => make("option", { value: number, selected: seat === number }, `what ${name} saw`)),
  ];
  const seen = (event) => go(where(hand, shown.step, event.target.value === "" ? null : Number(event.target.value)));
  const coloured = (event) => {
    four = event.target.checked;
    replay.classList.toggle("four", four);
  };
  const focused = replay.contains(document.activeElement) ? document.activeElement.id : "";
  replay.hidden = false;
  replay.replaceChildren(
    make(
      "h3",
      { id: "hand-heading", tabindex: "-1" },
      `Game ${hand.game}, hand ${hand.hand} of ${game.hands}: ${names.join(" – ")}`,
    ),
    make(
      "p",
      { class: "small" },
      `Deal group ${game.group}; ${hand.terms}.${hand.roles.length === 3 ? ` ${nameAt(hand, 2)} sits out with ${hand.before[hand.roles[2]]} points.` : ""}`,
    ),
    make(
      "div",
      { class: "bar-of-controls" },
      button("First", () => 0),
      button("Back", () => shown.step - 1),
      button("Next", () => shown.step + 1),
      button("Last", () => Infinity),
      make("input", {
        type: "range",
        id: "slider",
        min: 0,
        max: lastOf(hand),
        "aria-label": "Step",
        input: (event) => step(Number(event.target.value)),
      }),
      make("span", { class: "small", id: "step-count" }),
    ),
    make(
      "div",
      { class: "bar-of-controls" },
      make("label", {}, "Show", make("select", { id: "view", change: seen }, ...seats)),
      make(
        "label",
        {},
        make("input", { type: "checkbox", id: "four", checked: four, change: coloured }),
        "four colours",
      ),
    ),
    make(
      "div",
      { class: "play" },
      make("div", { class: "board", id: "board" }),
      make("ol", { class: "steps", id: "steps", "aria-label": "Steps" }, ...stepLines(hand, seat)),
    ),
    make(
      "p",
      { class: "bar-of-controls" },
      ...links.map(([to, text]) => make("a", { href: `#hand=${to.game}.${to.hand}` }, text)),
    ),
  );
  showStep();
  if (focused) document.getElementById(focused)?.focus();
  if (focus) {
    document.getElementById("hand-heading").focus({ preventScroll: true });
    replay.scrollIntoView({ block: "start" });
  }
  markCurrent();
}

function showStep() {
  const { hand, seat } = shown;
  const last = lastOf(hand);
  const ended = shown.step === last;
  const state = stateAt(hand, shown.step);
  const lower = seat === null ? (hand.roles[0] < hand.roles[1] ? 0 : 1) : hand.roles[1] === seat ? 1 : 0;
  const [low, lowCount] = heldView(hand, state, lower, seat, ended);
  const [high, highCount] = heldView(hand, state, 1 - lower, seat, ended);
  const said = make(
    "p",
    { class: "said", id: "said" },
    ...(shown.step === 0 ? ["The deal."] : ended ? [hand.told] : stepWords(hand, state.last, seat)),
  );
  const advised = ended
    ? []
    : adviceAt(hand, shown.step, seat).map((one) => make("p", { class: "small" }, adviceWords(hand, one)));
  const remarks = remarksAt(hand, shown.step, seat).map((one) =>
    make("p", { class: remarkClass(one) }, remarkWords(hand, one)),
  );
  const pile = state.pile ? [...state.pile].map((letter) => card(letter)) : [make("span", { class: "card none" })];
  document
    .getElementById("board")
    .replaceChildren(
      playerLine(hand, 1 - lower, highCount, state, ended),
      high,
      make(
        "div",
        { class: "middle" },
        make("figure", {}, back(), make("figcaption", { id: "stock" }, `stock ${state.stock}`)),
        make(
          "figure",
          {},
          make("div", { class: "pile" }, ...pile),
          make("figcaption", {}, "discard pile, top card last"),
        ),
      ),
      low,
      playerLine(hand, lower, lowCount, state, ended),
      ...(ended ? layoffLine(hand) : []),
      said,
      ...remarks,
      ...advised,
      ...(ended ? endLines(hand, data.games[hand.game]) : []),
    );
  document.getElementById("slider").value = shown.step;
  document.getElementById("step-count").textContent = `step ${shown.step} of ${last}`;
  for (const [id, off] of [
    ["go-first", shown.step === 0],
    ["go-back", shown.step === 0],
    ["go-next", ended],
    ["go-last", ended],
  ]) {
    const button = document.getElementById(id);
    if (off && button === document.activeElement)
      document.getElementById("hand-heading").focus({ preventScroll: true });
    button.disabled = off;
  }
  const steps = document.getElementById("steps");
  steps.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = steps.querySelector(`[data-step="${shown.step}"]`);
  current.setAttribute("aria-current", "step");
  steps.scrollTop = current.offsetTop - steps.clientHeight / 2;
  document.getElementById("told").textContent = said.textContent;
}

function markCurrent() {
  const key = shown ? `${shown.hand.game}.${shown.hand.hand}` : "";
  for (const row of list.querySelectorAll("tbody tr")) {
    if (row.dataset.hand === key) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

/* What the address asks for: #hands=0.1, or #hand=12.3&step=5&seat=0. */
function route() {
  clearTimeout(noting);
  routed = location.hash;
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("hands")) {
    const pair = asked.get("hands");
    chosen.pair =
      pair === "all"
        ? ""
        : pair
            .split(".")
            .sort((a, b) => a - b)
            .join(".");
    if (!pairChoices().some(([value]) => value === chosen.pair)) chosen.pair = "";
    showList();
    document.getElementById("replays").scrollIntoView();
  } else if (asked.has("hand")) {
    const hand = byKey.get(asked.get("hand"));
    if (!hand) {
      shown = null;
      replay.hidden = false;
      replay.replaceChildren(
        make(
          "p",
          { role: "status" },
          `Hand ${asked.get("hand")} is not on this page. On a terminal: arena replay DIR GAME HAND.`,
        ),
      );
      return;
    }
    const number = (text) => (/^\d{1,4}$/.test(text || "") ? Number(text) : null);
    const seat = number(asked.get("seat"));
    const again = shown && shown.hand === hand;
    shown = {
      hand,
      step: Math.min(number(asked.get("step")) || 0, lastOf(hand)),
      seat: seat !== null && seat < namesOf(hand).length ? seat : null,
    };
    showHand(!again);
  }
}
document.addEventListener("keydown", (event) => {
  if (
    !shown ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.target.closest("input, select, textarea, .scroll, .listed")
  )
    return;
  const to = { ArrowLeft: shown.step - 1, ArrowRight: shown.step + 1, Home: 0, End: Infinity }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  step(to);
});
window.addEventListener("hashchange", route);
showList();
route();
