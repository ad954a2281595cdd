"""Fuzzed: the paths of a series that is submitted to an arena that serves."""

from glob import glob
from pathlib import Path

from fuzz.documents import YAML_WORDS
from fuzz.target import Target, check_message

from arena.documents import parse_document
from arena.errors import InputError
from arena.isolation.values import Mode
from arena.server.submitted import settled

_SERIES = """\
# a cup
name: cup
bots:
- ann
- "../cid"
- {path: /srv/dan, name: dan-2}
- path: >-
    b*
- '../c*'
- %(allowed)s/eve
- sample: greedy
secret_file: %(allowed)s/secret
isolation: required
"""
_PATHS = (b"../", b"/", b"..", b"./", b"*", b"a", b"_up/", b"_root", b"?", b"[a-z]", b"//", b"\\", b"ann/..", b"/..")


def submission_targets(folder: Path) -> dict[str, Target]:
    """The paths. folder: where bots can lie."""
    here, allowed = folder / "submission", folder / "allowed"
    for bot in (
        "submission/ann",
        "submission/bee",
        "submission/_up/cid",
        "submission/_root/srv/dan",
        "allowed/eve",
        "out",
    ):
        (folder / bot).mkdir(parents=True)
        (folder / bot / "bot.yaml").write_text("name: x\nrun: [x]\n")
    (allowed / "link").symlink_to(folder / "out")
    words = (*_PATHS, *(f"{folder}/{name}".encode() for name in ("allowed", "allowed/link", "out", "*")), *YAML_WORDS)
    series = (_SERIES % {"allowed": allowed}).encode()
    return {"submission": Target(_SubmissionCheck(here, allowed), (series,), words)}


class _SubmissionCheck:
    """Its paths lead to what came along, or to what is allowed, or it is refused; and settled again it is the same."""

    def __init__(self, here: Path, allowed: Path) -> None:
        self._here, self._allowed = here, allowed

    def __call__(self, data: bytes) -> None:
        try:
            text = data.decode()
            settled_once = self._settled(text)
        except UnicodeDecodeError:
            return
        except InputError as error:
            check_message(str(error), longest=1200)
            return
        assert self._settled(settled_once) == settled_once
        for path in _paths(settled_once):
            leads = [self._here / match for match in glob(path, root_dir=self._here)] or [self._here / path]  # noqa: PTH207 - as a series
            assert all(any(lead.resolve().is_relative_to(top) for top in (self._here, self._allowed)) for lead in leads)

    def _settled(self, text: str) -> str:
        return settled(text, "x.yaml", self._here, (self._allowed,), Mode.BEST_EFFORT)


def _paths(text: str) -> list[str]:
    """The paths of the bots, as who loads the series reads them."""
    bots = parse_document(text, "x.yaml").value.get("bots")
    entries = (
        [entry.get("path") if isinstance(entry, dict) else entry for entry in bots] if isinstance(bots, list) else []
    )
    return [path for path in entries if isinstance(path, str)]
