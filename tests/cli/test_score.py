"""`arena score`, as a process."""

import json

from command import run_arena

G1 = {"knocker": "4S 5S 6S QH QD QC 2D 3C 4H AC", "defender": "KS KD KH 2H 2C 3S 6D 6C 3H TC"}


def answers(stdin: str) -> list[dict[str, object]]:
    done = run_arena("score", stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_line_is_answered_in_order_and_a_bad_one_does_not_stop_the_rest() -> None:
    bad = '{"knocker": "4S"'
    tie = json.dumps({**G1, "rules": {"preset": "pagat"}, "defender": "KS KD KH 8D 8C 8H 7S QS 4D 6H"})
    first, second, blank, third = answers("\n".join([json.dumps(G1), bad, "", tie]))
    assert (first["winner"], first["kind"], first["points"]) == ("knocker", "knock", 19)
    assert second.keys() == blank.keys() == {"error"}
    assert (third["winner"], third["kind"], third["points"]) == ("defender", "undercut", 10)


def test_bytes_that_are_no_text_are_a_bad_line() -> None:
    (answer,) = answers('{"knocker": "\udcff"}')
    assert answer.keys() == {"error"}


def test_no_lines_have_no_answers() -> None:
    assert answers("") == []
