"""docs/report.md: the sections of the page, and its limits, as the arena has them."""

from pages import page, section, tables

from arena.tournament.page import _FEWEST, _MOST_COURSES, HANDS

PAGE = page("report.md")
WORDS = {4: "four", 12: "twelve"}


def test_limits_are_those_of_the_arena() -> None:
    told = " ".join(section(PAGE, "Which hands are on it").split())
    assert f"Of a large one {HANDS:,}, the same number of each pairing and {WORDS[_FEWEST]} of it at least" in told
    (rows,) = tables(section(PAGE, "What is on it"))
    course = next(row["what it shows"] for row in rows if row["section"] == "Convergence")
    assert f"for the best {WORDS[_MOST_COURSES]} bots" in course
