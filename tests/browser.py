"""A real browser without a window, spoken to over a pipe: Debian's chromium and its DevTools protocol.

https://chromedevtools.github.io/devtools-protocol/: messages of JSON, each ended by a NUL, on descriptors 3 and 4.
"""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Enter": 13}


def chromium() -> str:
    """The browser. Skips the test where there is none, and fails it in CI."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        if "CI" in os.environ:
            pytest.fail("the page is tested in chromium, not installed here")
        pytest.skip("the page is tested in chromium, not installed here")
    return found


@dataclass
class Browser:
    """One tab. What went wrong in it, and what it asked of the network, gathers in `errors` and `requests`."""

    _to: int
    _from: int
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    _last: int = 0
    _session: str | None = None
    _read: bytes = b""
    _loaded: bool = False

    def begin(self) -> Self:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def open(self, page: Path, hash_: str = "") -> None:
        """Load a file anew, whatever stood there."""
        self._loaded = False
        self.call("Page.navigate", url="about:blank")
        self._wait()
        self.errors.clear()
        self.requests.clear()
        self._loaded = False
        self.call("Page.navigate", url=page.resolve().as_uri() + hash_)
        self._wait()

    def js(self, expression: str) -> Any:  # noqa: ANN401 - whatever the page says
        """The value of an expression; a promise is waited for."""
        told = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def text(self, selector: str) -> str:
        """The text of the first element that a selector finds."""
        return str(self.js(f"document.querySelector({json.dumps(selector)}).textContent"))

    def click(self, selector: str) -> None:
        """A real click into the middle of an element, which is scrolled to."""
        find = f"document.querySelector({json.dumps(selector)})"
        self.js(f"{find}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        box = self.js(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({find}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.settle()

    def press(self, key: str) -> None:
        """A key, by its name."""
        typed = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=_KEYS[key], **typed)
        self.settle()

    def settle(self) -> None:
        """Wait until what was begun has been drawn."""
        self.js("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")

    def screen(self, width: int, height: int, *, dark: bool = False, media: str = "") -> None:
        """Be a screen of this size; `media` is `print` or nothing."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def picture(self, file: Path, *, whole: bool = False) -> None:
        """Save what is seen, or the whole page, as PNG."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(shot["data"]))

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send a command, and wait for its answer."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        while True:
            told = self._next()
            if told.get("id") == self._last:
                assert "error" not in told, (method, told["error"])
                result: dict[str, Any] = told["result"]
                return result

    def _wait(self) -> None:
        while not self._loaded:
            self._next()

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            data = os.read(self._from, 1 << 16)
            assert data, "the browser has ended"
            self._read += data
        line, _, self._read = self._read.partition(b"\0")
        told: dict[str, Any] = json.loads(line)
        self._note(told.get("method"), told.get("params", {}))
        return told

    def _note(self, event: str | None, told: dict[str, Any]) -> None:
        if event == "Page.loadEventFired":
            self._loaded = True
        elif event == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(told["exceptionDetails"]))
        elif (event == "Runtime.consoleAPICalled" and told["type"] in {"error", "warning", "assert"}) or (
            event == "Log.entryAdded" and told["entry"]["level"] in {"error", "warning"}
        ):
            self.errors.append(json.dumps(told))


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser of its own, with a fresh profile, which is gone afterwards."""
    program = chromium()
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        read_there, write_here = os.pipe()
        read_here, write_there = os.pipe()
        script = f'exec "$0" "$@" 3<&{read_there} 4>&{write_there}'
        flags = [
            "--headless=new",
            "--no-sandbox",  # which needs more rights than a container gives; the page is our own
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--hide-scrollbars",
            "--remote-debugging-pipe",
        ]
        process = subprocess.Popen(
            ["bash", "-c", script, program, *flags, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(read_there, write_there),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": profile},
        )
        os.close(read_there)
        os.close(write_there)
        try:
            tab = Browser(write_here, read_here).begin()
            yield tab
            tab._session = None
            with suppress(OSError, AssertionError):
                tab.call("Browser.close")
        finally:
            os.close(write_here)
            os.close(read_here)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
