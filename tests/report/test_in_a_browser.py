"""The page in a real browser: what is clicked leads where it should, and nothing else happens."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from browser import Browser, browser
from playing import FORMATS
from report_bench import data_of, played_run

from arena.cards import CARD_TEXT, cards_of
from arena.records.course import HandScored, course
from arena.records.store import Run
from arena.rules.actions import ActionKind
from arena.rules.hand import Hand
from arena.rules.result import ResultKind
from arena.rules.view import HIDDEN
from arena.tournament.page import Wanted, page_of, write_page
from arena.tournament.results import write_results

MINUS, DASH = "\N{MINUS SIGN}", " \N{EN DASH} "
HOSTILE = ('<img src=x onerror="hacked=1">', "</script><script>hacked=1</script>", "'\"><b>`${hacked=1}`\u2028&amp;")
_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SPOKEN = [f"{_RANKS.get(text[0], text[0])} of {_SUITS[text[1]]}" for text in CARD_TEXT]
"""What a card is called on the page, by its number."""


@dataclass(frozen=True)
class Shown:
    """A run and its page."""

    folder: Path
    page: Path

    def hands(self) -> list[tuple[str, HandScored]]:
        """Every hand of the run, by its place in an address."""
        with Run.open(self.folder) as run:
            return [
                (f"{spec.index}.{one.hand.number}", one)
                for spec, record in run.records()
                for one in course(run.info, spec, record)
            ]


def _shown(folder: Path) -> Shown:
    page = folder / "report.html"
    with Run.open(folder) as run:
        write_results(run)
        write_page(run, page)
    return Shown(folder, page)


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def gin(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return _shown(played_run(tmp_path_factory.mktemp("gin") / "run", groups=3, faults=0.005))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Three-hand, played by strangers with bad names."""
    folder = tmp_path_factory.mktemp("three") / "run"
    return _shown(played_run(folder, names=HOSTILE, format_=FORMATS["three-hand"], groups=1))


@pytest.fixture
def desk(tab: Browser) -> Browser:
    tab.screen(1200, 900)
    return tab


def test_it_loads_without_an_error_and_asks_the_network_for_nothing(desk: Browser, gin: Shown, three: Shown) -> None:
    for shown in (gin, three):
        desk.open(shown.page, "#hand=0.1&step=3")
        desk.settle()
        assert desk.text("#step-count").startswith("step 3 of ")
        assert (desk.errors, desk.requests) == ([], [shown.page.resolve().as_uri()])


def test_its_policy_lets_nothing_in(desk: Browser, gin: Shown) -> None:
    """A script or a style put into the page does not run, and an address is not asked."""
    desk.open(gin.page)
    desk.js("document.body.append(Object.assign(document.createElement('script'), {textContent: 'hacked = 1'}))")
    desk.js(
        "document.body.insertAdjacentHTML('beforeend', '<p id=p style=\"color: red\"><img src=https://example.org/>')"
    )
    desk.js("fetch('https://example.org/').catch(() => 0)")
    assert desk.js("typeof hacked") == "undefined"
    assert desk.js("getComputedStyle(document.getElementById('p')).color") != "rgb(255, 0, 0)"
    assert len([error for error in desk.errors if "Content Security Policy" in error]) >= 4


def test_the_numbers_of_the_tables_are_those_of_the_result_files(desk: Browser, gin: Shown) -> None:
    desk.open(gin.page)
    rows = json.loads((gin.folder / "standings.json").read_text())["standings"]
    for section in ("standings", "ends"):
        table = desk.js(
            f"[...document.querySelectorAll('#{section} .scroll tbody tr')].map((row) => ["
            "row.querySelector('th').textContent, "
            "Object.fromEntries([...row.querySelectorAll('td')].map((one) => [one.dataset.key, one.textContent]))])"
        )
        assert [name for name, _ in table] == [row["bot"] for row in rows]
        for (_, cells), row in zip(table, rows, strict=True):
            for key, text in cells.items():
                numbers = [row[key], row[f"{key}_pm"]] if f"{key}_pm" in row else [row[key]]
                for told, number in zip(text.split(" ± "), numbers, strict=True):
                    decimals = len(told.partition(".")[2])
                    assert float(told.replace(MINUS, "-")) == pytest.approx(number, abs=0.51 * 10**-decimals)
    crosstable = json.loads((gin.folder / "standings.json").read_text())["crosstable"]
    names = [row["bot"] for row in rows]
    for meeting in crosstable:
        at = names.index(meeting["bot"]) + 1, names.index(meeting["against"]) + 2
        text = desk.text(f".grid tbody tr:nth-child({at[0]}) > :nth-child({at[1]})")
        assert text == f"{meeting['margin_a_hand']:+.2f} ± {meeting['margin_a_hand_pm']:.2f}".replace("-", MINUS)


def test_a_cell_leads_to_its_hands_and_a_hand_through_its_steps_to_the_points_of_the_record(
    desk: Browser, gin: Shown
) -> None:
    desk.open(gin.page)
    pair = {desk.text(f".grid {place}") for place in ("thead th:nth-child(3)", "tbody tr:nth-child(1) th")}
    desk.click(".grid tbody tr:nth-child(1) td:nth-child(3) a")
    bots = desk.js("[...document.querySelectorAll('.listed tbody tr')].map((row) => row.cells[2].textContent)")
    assert {frozenset(text.split(DASH)) for text in bots} == {frozenset(pair)}
    desk.click(".listed tbody tr:nth-child(2) a")
    key = desk.js("document.querySelector('.listed tr[aria-current]').dataset.hand")
    scored = dict(gin.hands())[key]
    with Run.open(gin.folder) as run:
        seats = run.record(int(key.split(".")[0]))[0].seats
    last = int(desk.text("#step-count").split()[-1])
    for step in range(1, last + 1):
        desk.press("ArrowRight") if step % 2 else desk.click("#go-next")
        assert desk.text("#step-count") == f"step {step} of {last}"
    assert desk.text("#after") == "After the hand: " + ", ".join(
        f"{name} {points}" for name, points in zip(seats, scored.totals, strict=True)
    )
    assert desk.text("#said").endswith(f" = {scored.hand.result.points}")
    assert desk.js("document.querySelector('#go-next').disabled")
    desk.press("ArrowRight")  # leads nowhere
    assert desk.text("#step-count") == f"step {last} of {last}"
    assert desk.js("new Promise((done) => setTimeout(() => done(location.hash), 300))") == f"#hand={key}&step={last}"
    desk.press("Home")
    assert desk.text("#said") == "The deal."
    assert desk.errors == []


@pytest.mark.parametrize("each", [9, pytest.param(1, marks=pytest.mark.thorough)])
def test_hands_end_on_the_page_as_in_the_record(desk: Browser, gin: Shown, three: Shown, each: int) -> None:
    """The address alone leads there. All cards of both hands are on the board, and what was scored."""
    for shown in (gin, three):
        desk.open(shown.page)
        told = desk.js(
            f"const each = {each};"
            """(async () => {
              const told = [], {hands} = JSON.parse(document.getElementById("data").textContent);
              for (const {game, hand} of hands.filter((_, at) => at % each === 0)) {
                location.hash = `#hand=${game}.${hand}&step=999`;
                await new Promise((done) => addEventListener("hashchange", done, {once: true}));
                const cards = [...document.querySelectorAll(".board .cards .card")].map((card) => card.ariaLabel);
                const text = (id) => document.getElementById(id).textContent;
                told.push([`${game}.${hand}`, cards, text("after"), text("said")]);
              }
              return told;
            })()"""
        )
        hands = dict(shown.hands())
        assert [key for key, *_ in told] == list(hands)[::each]
        for key, cards, after, said in told:
            scored = hands[key]
            final = Hand(FORMATS["gin"].rules, scored.hand.deck).deal
            held = set(cards_of(final.masks[0] | final.masks[1]))
            for move in range(0, len(scored.hand.moves), 2):
                card, kind = scored.hand.moves[move + 1], scored.hand.moves[move] & 15
                if card != HIDDEN:
                    (held.discard if kind in (ActionKind.DISCARD, ActionKind.KNOCK) else held.add)(card)
            assert sorted(cards) == sorted(SPOKEN[card] for card in held)
            assert re.findall(r" (\d+)(?:,|$)", after) == [str(points) for points in scored.totals]
            result = scored.hand.result
            assert said.endswith(f"= {result.points}" if result.winner is not None else "nobody scores")
        assert desk.errors == []


SPOKEN_AT_EVERY_STEP = """
async (hash) => {
  const told = [], next = () => document.getElementById("go-next");
  location.hash = hash;
  await new Promise((done) => addEventListener("hashchange", done, {once: true}));
  for (;;) {
    told.push([...document.querySelectorAll("#replay [aria-label*=' of ']")].map((one) => one.ariaLabel));
    if (next().disabled) return told;
    next().click();
  }
}
"""


def test_a_seats_view_shows_no_card_that_it_has_not_seen(desk: Browser, gin: Shown) -> None:
    """On the whole replay, steps, labels and all, at every step; what was laid down is seen at the end."""
    desk.open(gin.page)
    for key, scored in gin.hands()[:: 1 + len(gin.hands()) // 3]:
        hand = scored.hand
        for seat in (0, 1):
            position = hand.roles.index(seat)
            seen = set(hand.deck[10 * position : 10 * position + 10]) | {hand.deck[20]}
            for at in range(0, len(hand.moves), 2):
                head, card = hand.moves[at : at + 2]
                if card != HIDDEN and (head & 15 != ActionKind.STOCK or head >> 4 == position):
                    seen.add(card)
            laid_down = hand.result.knocker is not None and hand.result.kind is not ResultKind.FORFEIT
            told = desk.js(f"({SPOKEN_AT_EVERY_STEP})('#hand={key}&step=0&seat={seat}')")
            assert len(told) > 2
            for step, labels in enumerate(told[:-1] if laid_down else told):
                assert set(labels) <= {SPOKEN[card] for card in seen}, (key, seat, step)


def test_remarks_of_the_audit_stand_at_their_steps_and_in_a_seats_view_its_own_errors_alone(
    desk: Browser, gin: Shown
) -> None:
    data = data_of(gin.page.read_text())
    hand = max(data["hands"], key=lambda hand: len({remark[2] for remark in hand.get("remarks", [])}))
    assert {remark[2] for remark in hand["remarks"]} == {0, 1}
    move, position, _, _, told = next(remark for remark in hand["remarks"] if not remark[2])
    seat = hand["roles"][position]
    address = f"#hand={hand['game']}.{hand['hand']}&step={move}"
    for seen, own in (("", len(hand["remarks"])), (f"&seat={seat}", None), (f"&seat={1 - seat}", None)):
        desk.open(gin.page, address + seen)
        desk.settle()
        remarks = desk.js("[...document.querySelectorAll('.steps .remark')].map((one) => one.textContent)")
        mine = [one for one in hand["remarks"] if not one[2] and f"&seat={hand['roles'][one[1]]}" == seen]
        assert len(remarks) == (len(mine) if own is None else own)
        at_step = desk.js("[...document.querySelectorAll('.board .remark')].map((one) => one.textContent)")
        assert any(text.endswith(told) for text in at_step) == (seen != f"&seat={1 - seat}")


def test_the_list_tells_the_worst_error_of_a_hand_for_errors_overlap(desk: Browser, gin: Shown, tmp_path: Path) -> None:
    text = gin.page.read_text()
    data = data_of(text)
    hand = data["hands"][0]
    hand["remarks"] = [
        [1, 0, 0, 7, "one"],
        [3, 0, 0, 5, "another"],
        [4, 1, 0, 9, "its opponent"],
        [5, 0, 1, 20, "open"],
    ]
    page = tmp_path / "report.html"
    page.write_text(text.replace(data_text(text), json.dumps(data)))
    desk.open(page)
    whose = data["bots"][data["games"][str(hand["game"])]["bots"][hand["roles"][1]]]
    row = f"tr[data-hand='{hand['game']}.{hand['hand']}']"
    assert desk.text(f"#hands {row} td:nth-child(8)") == f"{whose} 9"


@pytest.mark.parametrize("view", ["captain", "public"])
def test_who_sits_out_sees_the_captains_hand_where_the_rules_have_it_so(
    desk: Browser, tmp_path: Path, view: str
) -> None:
    format_ = FORMATS["three-hand-deals"]
    format_ = replace(format_, rules=replace(format_.rules, adviser_view=view))
    shown = _shown(played_run(tmp_path / "run", format_=format_, groups=1))
    key, scored = shown.hands()[0]
    desk.open(shown.page, f"#hand={key}&step=0&seat={scored.hand.roles.out}")
    desk.settle()
    told = desk.js("[...document.querySelectorAll('#board .cards [aria-label]')].map((one) => one.ariaLabel)")
    captains = [SPOKEN[card] for card in scored.hand.deck[:10]] if view == "captain" else []
    assert sorted(told) == sorted([*captains, *["a hidden card"] * (20 - len(captains))])


def test_what_strangers_wrote_is_text(desk: Browser, three: Shown) -> None:
    text = three.page.read_text()
    assert text.count("<script") == text.count("</script>") == 2
    assert "\u2028" not in data_text(text)
    desk.open(three.page, "#hand=0.1&step=999")
    desk.settle()
    assert desk.js("typeof hacked") == "undefined"
    assert desk.errors == []
    names = desk.js("[...document.querySelectorAll('#standings .scroll tbody th')].map((one) => one.textContent)")
    assert sorted(names) == sorted(HOSTILE)
    assert desk.js("document.querySelectorAll('img, main b img').length") == 0
    shown = desk.text("#hand-heading")
    assert all(name in shown for name in HOSTILE)


def data_text(page: str) -> str:
    return page.partition('id="data">')[2].partition("</script>")[0]


def test_advice_and_roles_are_told(desk: Browser, three: Shown) -> None:
    desk.open(three.page, "#hand=0.1")
    desk.settle()
    players = desk.js("[...document.querySelectorAll('.player span:first-child')].map((one) => one.textContent)")
    assert sorted(text.rpartition(" ")[2] for text in players) == ["box", "captain"]
    data = data_of(three.page.read_text())
    first = data["hands"][0]
    advised = desk.js("[...document.querySelectorAll('.adviser')].map((one) => one.textContent)")
    assert len(advised) == len(first["advice"]) > 0
    assert any('saying “so "he" said\\n”' in text for text in advised)


@pytest.mark.parametrize("hash_", ["", "#hands=0.1", "#hand=0.1&step=999", "#hand=0.1&step=6&seat=1"])
def test_on_a_phone_only_tables_scroll_sideways(tab: Browser, gin: Shown, three: Shown, hash_: str) -> None:
    tab.screen(360, 740)
    for shown in (gin, three):
        tab.open(shown.page, hash_)
        tab.settle()
        assert tab.js("[document.documentElement.scrollWidth, innerWidth]") == [360, 360]


def test_on_paper_there_are_no_controls_and_the_hand_is_whole(tab: Browser, gin: Shown) -> None:
    tab.screen(794, 1123, media="print")
    tab.open(gin.page, "#hand=0.1&step=4")
    tab.settle()
    assert tab.js("[...document.querySelectorAll('button, select, input, nav')].every((one) => !one.offsetWidth)")
    assert tab.js("document.querySelector('.listed').offsetWidth") == 0
    assert tab.js("document.querySelector('.board').offsetWidth") > 300
    steps = tab.js("(({scrollHeight, clientHeight}) => [scrollHeight, clientHeight])(document.querySelector('.steps'))")
    assert steps[0] == steps[1] > 100
    tab.open(gin.page)
    assert tab.js("document.getElementById('replays').offsetHeight") == 0


CONTRAST = """
(selector) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  return [...document.querySelectorAll(selector)].filter((one) => one.offsetWidth && !one.disabled).map((one) => {
    let under = one;
    while (under && (parse(getComputedStyle(under).backgroundColor)[3] ?? 1) === 0) under = under.parentElement;
    const both = [parse(getComputedStyle(one).color), parse(getComputedStyle(under).backgroundColor)].map(light);
    return [(Math.max(...both) + 0.05) / (Math.min(...both) + 0.05), `${one.className} ${one.textContent}`];
  }).sort((a, b) => a[0] - b[0])[0];
}
"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_can_be_read_in_light_and_in_the_dark(tab: Browser, gin: Shown, dark: bool) -> None:
    """At least 4.5 to 1, as WCAG 2.2 asks in 1.4.3; shades of the crosstable, marks and cards included."""
    tab.screen(1200, 900, dark=dark)
    tab.open(gin.page, "#hand=0.1&step=5")
    tab.settle()
    for selector in (
        "p",
        "li",
        "th, td",
        "a",
        "button, select, label",
        ".card:not(.back)",
        ".legend span",
        ".steps a, .steps .red",
    ):
        least, where = tab.js(f"({CONTRAST})({json.dumps(selector)})")
        assert least >= 4.5, (selector, where)


def test_everything_is_reached_with_the_keyboard_alone(desk: Browser, gin: Shown) -> None:
    desk.open(gin.page, "#hand=0.1")
    desk.settle()
    assert desk.js("document.activeElement.id") == "hand-heading"
    desk.js("document.getElementById('go-next').focus()")
    desk.press("Enter")
    assert desk.text("#step-count").startswith("step 1 of ")
    assert desk.js("document.activeElement.id") == "go-next"
    assert desk.text("[role=status]#told") == desk.text("#said")
    desk.js("document.getElementById('slider').focus()")
    desk.press("ArrowRight")  # is the slider's own, which stays under the finger
    assert desk.text("#step-count").startswith("step 2 of ")
    assert desk.js("document.activeElement.id") == "slider"
    desk.press("ArrowLeft")
    desk.js("document.getElementById('view').focus()")
    desk.press("ArrowRight")  # is the list's own
    assert desk.text("#step-count").startswith("step 1 of ")
    assert desk.js("[...document.querySelectorAll('table')].every((table) => table.caption || table.closest('figure'))")
    levels = desk.js("[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_an_address_of_a_hand_that_is_not_there_says_so(desk: Browser, gin: Shown) -> None:
    for hash_ in ("#hand=99.1", "#hand=x", "#hand=0.1&step=x&seat=9", "#hands=7.9", "#hand=__proto__"):
        desk.open(gin.page, hash_)
        desk.settle()
        assert desk.errors == []
    desk.open(gin.page, "#hand=99.1")
    assert "Hand 99.1 is not on this page" in desk.text("#replay")


def test_the_same_record_makes_the_same_page(gin: Shown, tmp_path: Path) -> None:
    with Run.open(gin.folder) as run:
        first = page_of(run, Wanted(times=False))
        assert page_of(run, Wanted(times=False)) == first
        assert 'id="times"' not in first
        assert 'id="times"' in page_of(run)
