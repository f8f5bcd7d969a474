"""The page that scores in the browser, built once and served from this machine.

`python tests/support/score_page.py` takes the picture of it in README.
"""

import functools
import http.server
import importlib.util
import json
import tempfile
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from browser import Browser, start
from pages import ROOT

asked: list[str] = []
"""What any page, worker or service worker asked this machine for."""


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files by their suffix, and notes what is asked for; types are not this machine's."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        asked.append(self.path)


class Result(NamedTuple):
    """The result of a run in the worker: its status, what it wrote to both streams, and its files."""

    status: int
    out: str
    err: str
    files: dict[str, bytes]


def build(site: Path) -> None:
    """Build the page as the site does."""
    spec = importlib.util.spec_from_file_location("score_page_build", ROOT / ".github" / "score" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.build(site)


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder; the value is the address of the page in it."""
    handler = functools.partial(_Handler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/score.html"
        finally:
            server.shutdown()


_WORKER = """
const script = new URL("worker.js", document.querySelector("script[src]").src).href;
const text = `import { loaded } from ${JSON.stringify(script)}; ${arguments[0]}`;
if (window.tested?.script === arguments[0]) return;
window.tested?.terminate();
const blob = new Blob([text], { type: "text/javascript" });
window.tested = new Worker(URL.createObjectURL(blob), { type: "module" });
tested.script = arguments[0];
"""
_RUN = """
const [sides, words, done] = arguments;
const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
const parts = Object.entries(sides).map(([side, files]) =>
  [side, Object.entries(files).map(([path, text]) => ({ path, bytes: bytes(text) }))]);
const heard = ({ data }) => {
  if (data.kind === "progress" || data.kind === "ready") return;
  tested.removeEventListener("message", heard);
  const text = content => btoa(Array.from(content, byte => String.fromCharCode(byte)).join(""));
  done({ ...data, files: (data.files ?? []).map(([path, content]) => [path, text(content)]) });
};
tested.addEventListener("message", heard);
tested.postMessage({ sides: Object.fromEntries(parts), words });
"""


def open_worker(browser: Browser, then: str = "") -> None:
    """Start a worker as the page does, if none is there; `then` is more script of it."""
    browser.run(_WORKER, then)


def in_worker(browser: Browser, words: Sequence[str], sides: Mapping[str, Mapping[str, bytes]]) -> Result:
    """Run words of the command line in the worker, on files of sides by their paths."""
    texts = {
        side: {path: b64encode(content).decode() for path, content in files.items()}
        for side, files in sides.items()
    }
    found: dict[str, Any] = browser.chrome.execute_async_script(_RUN, texts, list(words))
    assert found["kind"] == "done", found
    files = {path: b64decode(content) for path, content in found["files"]}
    return Result(found["status"], found["out"], found["err"], files)


def python_in_worker(browser: Browser, code: str) -> Any:
    """Return the value of a text of Python, as JSON, in a worker that has given up the network."""
    failed = "error => JSON.stringify(String(error))"
    value = f"await (await loaded).runPythonAsync({json.dumps(code)}).catch({failed})"
    open_worker(browser, f"postMessage({{ kind: 'value', value: {value} }});")
    listen = (
        "tested.addEventListener('message', ({ data }) => data.kind === 'value' && arguments[0](data.value))"
    )
    return json.loads(browser.chrome.execute_async_script(listen))


def take_picture(path: Path) -> None:
    """Write a picture of the page with the scores of the example."""
    with tempfile.TemporaryDirectory() as folder, start("--hide-scrollbars") as chrome:
        build(Path(folder))
        with served(Path(folder)) as address:
            browser = Browser(chrome)
            browser.resize(1160, 1010)
            chrome.get(address)
            browser.wait_for("document.body.dataset.python === 'ready'")
            browser.click("#example")
            browser.wait_for("document.querySelector('#result table')")
            browser.run("document.activeElement.blur(); scrollTo(0, 0)")
            path.write_bytes(chrome.get_screenshot_as_png())


if __name__ == "__main__":
    take_picture(ROOT / ".github" / "score-page.png")
