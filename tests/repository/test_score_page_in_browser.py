"""The page that scores in the browser: its numbers are the command line's, and nothing leaves."""

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from browser import CSS, Browser, requests
from pages import EXAMPLE
from score_page import asked, build, in_worker, open_worker, python_in_worker, served

from scorch2.cli.main import main

SIDES = {
    "gold": {"gold.conll": (EXAMPLE / "gold.conll").read_bytes()},
    "system": {"sys.conll": (EXAMPLE / "sys.conll").read_bytes()},
}
NAMES = ("gold.conll", "sys.conll")
READY = "document.body.dataset.python === 'ready'"
ROWS = "[...document.querySelector('#result table').rows]"
TYPED = "box.dispatchEvent(new Event('input'))"
DROP = """
const file = { isFile: true, name: "gold.conll", file: done => done(new File([arguments[0]], "gold.conll")) };
const folder = (name, inside) => ({ name, createReader: () => {
  const left = [inside, []];
  return { readEntries: done => done(left.shift()) };
} });
const event = new Event("drop", { cancelable: true });
const hidden = { isFile: true, name: ".DS_Store", file: done => done(new File(["x"], ".DS_Store")) };
const corpus = folder("corpus", [hidden, folder("deep", [file])]);
event.dataTransfer = { items: [{ webkitGetAsEntry: () => corpus }] };
document.getElementById("gold").dispatchEvent(event);
"""
SHOWN = "document.querySelector('#result > *')"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site")
    build(folder)
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Browser:
    """Have the page open as it begins, with Python ready."""
    browser.chrome.switch_to.default_content()
    if browser.chrome.current_url.partition("#")[0] != address:
        visit(browser, address)
    browser.run(
        "location.hash = ''; for (const button of document.querySelectorAll('.clear')) button.click();"
    )
    browser.run(
        "document.getElementById('options').value = ''; document.getElementById('result').replaceChildren()"
    )
    browser.log("browser")
    browser.wait_for(READY)
    return browser


def visit(browser: Browser, address: str) -> None:
    browser.chrome.get("about:blank")
    browser.log("browser")
    browser.chrome.get(address)
    browser.chrome.set_script_timeout(60)
    browser.wait_for(READY)


def give(page: Browser, side: str, *paths: Path, kind: str = "input:not([webkitdirectory])") -> None:
    page.chrome.find_element(CSS, f"#{side} {kind}").send_keys("\n".join(map(str, paths)))


def scored(page: Browser) -> list[list[str]]:
    """Press the button, and return the table of scores."""
    page.click("#run")
    page.wait_for(SHOWN)
    assert page.count("#result table"), page.run("return document.body.innerText")
    found: list[list[str]] = page.run(f"return {ROWS}.map(row => [...row.cells].map(one => one.innerText))")
    return found


def printed(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*words]) == 0
    return capsys.readouterr().out


def test_the_example_has_the_numbers_of_the_command_line(
    page: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    page.click("#example")
    page.wait_for(SHOWN)
    table = printed(
        "-f", "table", *(str(EXAMPLE / name) for name in ("gold.conll", "sys.conll")), capsys=capsys
    )
    expected = [line.split() for line in table.splitlines() if line.startswith(("MUC", "B³", "LEA"))]
    shown = page.run("return document.getElementById('result').innerText")
    assert all("\t".join(row[:4]) in shown for row in expected)
    assert "scorch2 gold.conll sys.conll" in shown
    assert page.log("browser") == []


def test_the_report_is_the_command_lines_and_verify_holds_it(page: Browser, tmp_path: Path) -> None:
    open_worker(page)
    found = in_worker(page, ["--report=json:report.json", "{gold}", "{system}"], SIDES)
    (tmp_path / "report.json").write_bytes(found.files["report.json"])
    assert (found.status, found.err) == (0, "")
    assert (
        main(["verify", "-q", str(tmp_path / "report.json"), *(str(EXAMPLE / name) for name in NAMES)]) == 0
    )


def test_files_folders_archives_and_pasted_text_are_taken(page: Browser, tmp_path: Path) -> None:
    for name in ("gold", "sys"):
        shutil.copytree(EXAMPLE / name, tmp_path / name)
    give(page, "gold", EXAMPLE / "gold.conll")
    give(page, "system", EXAMPLE / "sys.conll")
    expected = scored(page)
    give(page, "gold", tmp_path / "gold", kind="input[webkitdirectory]")
    give(page, "system", tmp_path / "sys", kind="input[webkitdirectory]")
    assert scored(page) == expected
    assert page.run("return document.querySelector('.command code').innerText") == "scorch2 gold sys"
    give(page, "system", Path(shutil.make_archive(str(tmp_path / "sys"), "zip", tmp_path, "sys")))
    assert scored(page) == expected
    give(page, "gold", EXAMPLE / "gold.conll")
    text = (EXAMPLE / "sys.conll").read_text("utf-8")
    page.run(
        f"const box = document.querySelector('#system textarea'); box.value = {json.dumps(text)}; {TYPED}"
    )
    assert scored(page) == expected


def test_a_dropped_folder_is_read_with_all_that_is_in_it(page: Browser) -> None:
    """A folder is told as the browser tells it: Chromium makes no entries of what a script drops."""
    page.run(DROP, (EXAMPLE / "gold.conll").read_text("utf-8"))
    give(page, "system", EXAMPLE / "sys.conll")
    page.wait_for("document.querySelector('#gold .files').textContent.startsWith('corpus/deep/gold.conll')")
    assert scored(page)[1][0] == "MUC"


def test_errors_open_below_with_their_script(page: Browser) -> None:
    page.click("#example")
    page.wait_for(SHOWN)
    page.click("#further")
    page.wait_for("document.querySelector('#result iframe')")
    page.chrome.switch_to.frame(page.chrome.find_element(CSS, "iframe"))
    page.wait_for("document.querySelector('#tools:not([hidden])')")
    seen = "one.checkVisibility() && one.querySelector('.only')"
    kind = f"[...document.querySelectorAll('.choice')].find(one => {seen})"
    page.run(f"{kind}.querySelector('.only').click()")  # seen when the pointer or the focus is there
    assert page.run("return location.hash").startswith("#kind=")
    page.chrome.switch_to.default_content()
    assert page.log("browser") == []


def test_the_page_of_agreement_has_its_style(page: Browser) -> None:
    page.run("location.hash = 'command=agreement'")
    page.wait_for("document.getElementById('command').value === 'agreement'")
    page.click("#example")
    page.wait_for("document.querySelector('#result iframe')")
    assert page.run("return document.querySelector('#result h2').innerText") == "Where the annotators differ"
    page.chrome.switch_to.frame(page.chrome.find_element(CSS, "iframe"))
    page.wait_for("document.querySelector('#tools:not([hidden])')")
    assert page.run("return document.styleSheets.length") == 1
    page.chrome.switch_to.default_content()
    assert page.log("browser") == []


def test_an_error_stands_at_its_side_and_the_page_goes_on(page: Browser, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{", "utf-8")
    give(page, "gold", EXAMPLE / "gold.conll")
    give(page, "system", tmp_path / "bad.json")
    page.click("#run")
    page.wait_for("!document.getElementById('system-problem').hidden")
    assert page.run("return document.getElementById('system-problem').innerText").startswith(
        "bad.json: line 1, column 2"
    )
    give(page, "system", EXAMPLE / "sys.conll")
    assert scored(page)[1][0] == "MUC"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--confidence=95", "NumPy"),
        ("-j2", "process"),
        ("--dask=localhost:1", "needs"),
        ("--plot=x.png", "--plot"),
    ],
)
def test_what_is_not_there_is_one_line(page: Browser, option: str, said: str) -> None:
    open_worker(page)
    found = in_worker(page, [option, "{gold}", "{system}"], SIDES)
    assert found.status == 2
    assert len(found.err.splitlines()) == 1
    assert said in found.err


def test_json_that_ends_the_engine_is_said_and_python_starts_again(page: Browser, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000, "utf-8")
    give(page, "gold", EXAMPLE / "gold.conll")
    give(page, "system", tmp_path / "deep.json")
    page.click("#run")
    page.wait_for("document.querySelector('#result .problem')")
    said = page.run("return document.querySelector('#result .problem').innerText")
    assert said == (
        "The files are nested too deep for the browser. In a terminal: scorch2 gold.conll deep.json"
    )
    page.wait_for(READY)
    give(page, "system", EXAMPLE / "sys.conll")
    assert scored(page)[1][0] == "MUC"


def test_stop_ends_a_run_and_says_so(page: Browser) -> None:
    give(page, "gold", EXAMPLE / "gold.conll")
    give(page, "system", EXAMPLE / "sys.conll")
    page.run("document.getElementById('run').click(); document.getElementById('stop').click()")
    page.wait_for(SHOWN)
    assert page.run("return document.getElementById('result').innerText") == "Stopped."
    page.wait_for(READY)
    assert scored(page)[1][0] == "MUC"


def test_a_page_of_errors_of_a_book_says_how_long_it_takes(page: Browser, tmp_path: Path) -> None:
    (tmp_path / "book.conll").write_bytes(SIDES["gold"]["gold.conll"] + b"# \n" * 2_000_000)
    page.run("location.hash = 'command=errors'")
    page.wait_for("document.getElementById('command').value === 'errors'")
    give(page, "gold", tmp_path / "book.conll")
    give(page, "system", EXAMPLE / "sys.conll")
    page.run("document.getElementById('run').click()")
    said = page.run("return document.getElementById('state').innerText")
    page.run("document.getElementById('stop').click()")
    assert said == "Working … The page of errors of 6.0 MB takes about 10 seconds."


def test_a_link_sets_the_page_up_and_has_no_data(page: Browser, address: str) -> None:
    visit(page, f"{address}#profile=conll&metric=conll,lea&options=--singletons%3Ddrop")
    page.run("location.reload()")
    page.wait_for(READY)
    page.click("#example")
    page.wait_for(SHOWN)
    said = page.run("return document.querySelector('.command code').innerText")
    assert said == "scorch2 --profile=conll --metric=lea,conll --singletons=drop gold.conll sys.conll"
    assert page.run("return location.hash") == "#profile=conll&options=--singletons%3Ddrop&metric=lea,conll"


def test_a_link_that_asks_for_what_is_not_here_says_so(page: Browser, address: str) -> None:
    visit(page, f"{address}#profile=corefud-9&metric=muc,conl")
    said = page.run("return document.getElementById('result').innerText")
    assert said == "The link asks for what is not here: conl, corefud-9."


WAYS = """
import asyncio, json, js, pyodide_js, socket, urllib.request
from pyodide import http
from pyodide.code import run_js
address = %r
ways = {
    "import by eval": lambda: js.eval(f"import('{address}')"),
    "import by Function": lambda: js.Function(f"return import('{address}')")(),
    "import by run_js": lambda: run_js(f"import('{address}')"),
    "pyfetch": lambda: http.pyfetch(address),
    "pyxhr": lambda: http.pyxhr.get(address),
    "open_url": lambda: http.open_url(address),
    "loadBinaryFile": lambda: pyodide_js._api.loadBinaryFile(address),
    "loadDynlib": lambda: pyodide_js._api.loadDynlib(address, True),
    "readAsync": lambda: pyodide_js._module.readAsync(address),
    "urllib": lambda: urllib.request.urlopen(address, timeout=2),
    "socket": lambda: socket.create_connection(("127.0.0.1", urllib.request.urlparse(address).port)),
    "kept fetch": lambda: pyodide_js._api.config.jsglobals.fetch(address),
    "buckets": lambda: js.navigator.storageBuckets.open("kept"),
}
async def works(way):
    try:
        if hasattr(value := way(), "__await__"):
            await asyncio.wait_for(value, 5)
    except Exception:
        return False
    return True
found = [name for name, way in ways.items() if await works(way)]
found += [name for name in %r if getattr(js, name, None) is not None]
found += [name for name in %r if getattr(js.navigator, name, None) is not None]
js.setTimeout(f"import('{address}')", 0)
await pyodide_js.loadPackage(f"{address}.whl")  # says what fails, and goes on
await asyncio.sleep(0.5)
json.dumps(found)
"""
NETWORK = (
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "WebSocketStream",
    "WebTransport",
    "EventSource",
    "importScripts",
    "Worker",
    "SharedWorker",
    "BroadcastChannel",
    "RTCPeerConnection",
    "caches",
    "indexedDB",
    "cookieStore",
    "webkitRequestFileSystemSync",
    "webkitResolveLocalFileSystemSyncURL",
    "FontFace",
    "fonts",
    "Notification",
)
OF_NAVIGATOR = ("storage", "storageBuckets", "serviceWorker", "sendBeacon", "locks", "usb", "serial", "hid")


@pytest.mark.parametrize("host", ["its own", "another"])
def test_python_cannot_send_anything(page: Browser, site: Path, address: str, host: str) -> None:
    """Each way is tried from Python; servers and the log of page, worker and service worker saw none."""
    (site / "other.mjs").write_text("export default 1;", "utf-8")
    page.run("return navigator.serviceWorker.ready.then(() => 1)")
    with served(site) as other:
        target = (address if host == "its own" else other).replace("score.html", "other.mjs?data")
        requests(page)
        asked.clear()
        found = python_in_worker(page, WAYS % (target, NETWORK, OF_NAVIGATOR))
    assert found == []
    assert [one for one in (*asked, *requests(page)) if "data" in one and "blob:" not in one] == []


def test_there_is_something_to_take_away(page: Browser) -> None:
    """Another worker has it: the test above does not pass because this browser lacks it all."""
    names = ("fetch", "indexedDB", "navigator.storageBuckets", "FontFace")
    script = f"postMessage([{', '.join(f'typeof {name}' for name in names)}].join())"
    listened = (
        "const worker = new Worker(URL.createObjectURL(new Blob([arguments[0]])));"
        "worker.onmessage = ({ data }) => arguments[1](data);"
    )
    found = page.chrome.execute_async_script(listened, script)
    assert found == "function,object,object,function"


def test_nothing_is_asked_for_while_files_are_scored(page: Browser) -> None:
    page.run("return navigator.serviceWorker.ready.then(() => 1)")
    requests(page)
    asked.clear()
    for name, side in zip(NAMES, SIDES, strict=True):
        give(page, side, EXAMPLE / name)
    scored(page)
    page.click("#further")
    page.wait_for("document.querySelector('#result iframe')")
    assert [one for one in requests(page) if not one.startswith("blob:")] == []
    assert asked == []
    stored = "Promise.all([caches.keys(), indexedDB.databases()]).then(([a, b]) => a.length + b.length)"
    assert page.run(f"return {stored}") == 1, "the files of the page alone"
    assert page.run("return localStorage.length + sessionStorage.length + document.cookie.length") == 0


def test_the_second_visit_needs_no_network(browser: Browser, site: Path) -> None:
    with served(site) as address:
        visit(browser, address)
        browser.wait_for("navigator.serviceWorker.controller !== undefined")
        browser.run("return navigator.serviceWorker.ready.then(() => 1)")
    visit(browser, address)
    browser.click("#example")
    browser.wait_for(SHOWN)
    assert "MUC" in browser.run("return document.getElementById('result').innerText")


def folder_of(browser: Browser) -> str:
    """Return the folder of the page's own script and style, which is one."""
    script = (
        "return [...document.querySelectorAll('script[src], link[rel=stylesheet]')].map(e => e.src ?? e.href)"
    )
    (folder,) = {one.split("/")[-2] for one in browser.run(script)}
    return str(folder)


def renewed(site: Path, old: str, new: str) -> None:
    """Have a new version take the place of the old one, whose files are gone: the site is built anew."""
    (site / "score" / old).rename(site / "score" / new)
    for name in ("score.html", "offline.js"):
        path = site / name
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def test_a_new_version_is_used_at_the_next_load_and_versions_never_meet(
    browser: Browser, tmp_path: Path, site: Path
) -> None:
    shutil.copytree(site, tmp_path / "site")
    with served(tmp_path / "site") as address:
        visit(browser, address)
        browser.run("return navigator.serviceWorker.ready.then(() => 1)")
        browser.wait_for("navigator.serviceWorker.controller")
        old, (kept,) = folder_of(browser), browser.run("return caches.keys()")
        assert kept.endswith(old)
        first = browser.chrome.current_window_handle
        renewed(tmp_path / "site", old, "next")
        browser.chrome.switch_to.new_window("tab")
        asked.clear()
        visit(browser, address)
        assert folder_of(browser) == "next"
        assert not [path for path in asked if old in path]
        browser.wait_for("(async () => (await navigator.serviceWorker.getRegistration()).waiting)()")
        browser.chrome.close()
        browser.chrome.switch_to.window(first)
        assert kept in browser.run("return caches.keys()"), "the open page keeps its files"
        give(browser, "gold", EXAMPLE / "gold.conll")
        give(browser, "system", EXAMPLE / "sys.conll")
        browser.run("document.getElementById('run').click(); document.getElementById('stop').click()")
        browser.wait_for(READY)  # from the files of its version, which the site lacks now
        assert scored(browser)[1][0] == "MUC"
        browser.chrome.get("about:blank")
        visit(browser, address)
        browser.wait_for(f"(async () => (await caches.keys()).join() === '{kept.replace(old, 'next')}')()")


def test_everybody_can_read_the_page_and_its_result(page: Browser) -> None:
    page.click("#example")
    page.wait_for(SHOWN)
    page.open_all()
    page.assert_everybody_can_read()


def test_tables_are_sorted_by_their_heads_with_the_keyboard(page: Browser) -> None:
    page.click("#example")
    page.wait_for(SHOWN)
    page.run("document.querySelectorAll('#result thead button')[3].focus()")
    for order in (True, False):
        page.press("\ue007")
        column = page.run(f"return {ROWS}.slice(1).map(row => +row.cells[3].innerText)")
        assert column == sorted(column, reverse=order)


def result(page: Browser) -> str:
    """Press the button, and return the text of what is shown then."""
    page.click("#run")
    page.wait_for(f"{SHOWN} && {READY}")
    return str(page.run("return document.getElementById('result').innerText"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("command=validate", "scorch2 validate gold.conll"),
        ("command=convert&to=clusters&options=--lossy", "scorch2 convert --to=clusters --lossy gold.conll"),
        ("command=agreement", "scorch2 agreement -o agreement.html gold.conll sys.conll"),
        ("command=explain&number=77.83", "scorch2 explain 77.83 gold.conll sys.conll"),
        ("command=errors", "scorch2 errors gold.conll sys.conll errors.html"),
    ],
)
def test_each_command_says_what_does_the_same_in_a_terminal(page: Browser, command: str, said: str) -> None:
    page.run(f"location.hash = '{command}'")
    page.wait_for(f"document.getElementById('command').value === '{command[8:].partition('&')[0]}'")
    for name, side in zip(NAMES, SIDES, strict=True):
        if page.count(f"#{side}"):
            give(page, side, EXAMPLE / name)
    assert said in result(page)
    assert not page.count(".problem")


def test_a_folder_is_converted_into_one_zip_that_is_read_again(page: Browser) -> None:
    open_worker(page)
    files = {path.name: path.read_bytes() for path in (EXAMPLE / "gold").iterdir()}
    found = in_worker(page, ["convert", "--to=graph", "{gold}", "converted"], {"gold": files})
    assert (found.status, [*found.files]) == (0, ["converted.zip"]), found.err
    again = in_worker(page, ["validate", "{gold}"], {"gold": found.files})
    assert (again.status, again.err) == (0, "")


def test_a_folder_of_many_files_shows_how_many_are_done(page: Browser) -> None:
    """The worker has no clock that interrupts: after each document it looks whether it is time."""
    text = (EXAMPLE / "gold" / "bridge-000.json").read_bytes()
    files = {f"d{number}.json": text for number in range(60)}
    open_worker(page, "(await loaded).runPython('import scorch2.cli.progress as p; p.PATIENCE = 0');")
    page.run(
        "window.told = []; tested.addEventListener('message', "
        "({ data }) => data.kind === 'progress' && told.push([data.done, data.total]))"
    )
    in_worker(page, ["--report=json:report.json", "{gold}", "{system}"], {"gold": files, "system": files})
    told = page.run("return told")
    assert told, "no progress"
    assert told == sorted(told)
    assert {total for _, total in told} == {len(files)}
    assert 0 < told[-1][0] <= len(files)


@pytest.mark.parametrize(
    ("form", "called"),
    [("conll", "gold-converted.conll"), ("jsonlines", "gold.jsonl"), ("corefud", "gold.conllu")],
)
def test_a_converted_file_is_called_after_its_input(page: Browser, form: str, called: str) -> None:
    page.run(f"location.hash = 'command=convert&to={form}&options=--lossy'")
    page.wait_for(f"document.getElementById('to').value === '{form}'")
    give(page, "gold", EXAMPLE / "gold.conll")
    assert f"scorch2 convert --to={form} --lossy gold.conll {called}\n" in result(page)
    assert page.run("return document.querySelector('#result a[download]').download") == called


def test_numbers_stay_on_one_line_on_a_telephone(page: Browser) -> None:
    page.click("#example")
    page.wait_for(SHOWN)
    page.resize(400)
    script = (
        "return [...document.querySelectorAll('#result td')].map(cell => { "
        "const range = document.createRange(); range.selectNodeContents(cell); "
        "return range.getClientRects().length; })"
    )
    lines, width = page.run(script), page.run("return document.documentElement.scrollWidth")
    page.resize(1280)
    assert max(lines) == 1
    assert width <= 400


def test_names_that_are_equal_on_both_sides_are_told_apart(page: Browser) -> None:
    for side in SIDES:
        give(page, side, EXAMPLE / "gold.conll")
    assert "scorch2 gold/gold.conll system/gold.conll" in result(page)


def test_every_error_stands_at_its_side(page: Browser, tmp_path: Path) -> None:
    for side, names in (("gold", ("a", "b", "c")), ("sys", ("a", "b"))):
        (tmp_path / side).mkdir()
        for name in names:
            shutil.copyfile(EXAMPLE / "gold" / "bridge-000.json", tmp_path / side / f"{name}.json")
    for side, folder in (("gold", "gold"), ("system", "sys")):
        give(page, side, tmp_path / folder, kind="input[webkitdirectory]")
    page.click("#run")
    page.wait_for("!document.getElementById('system-problem').hidden")
    lacking = page.run("return document.getElementById('system-problem').innerText")
    assert lacking.startswith("no system file for 1 gold file: c")
    for name in "ab":
        (tmp_path / "gold" / f"{name}.json").write_text("{", "utf-8")
    (tmp_path / "sys" / "c.json").write_text("{", "utf-8")
    for side, folder in (("gold", "gold"), ("system", "sys")):
        give(page, side, tmp_path / folder, kind="input[webkitdirectory]")
    page.click("#run")
    page.wait_for("!document.getElementById('gold-problem').hidden")
    lines = page.run("return document.getElementById('gold-problem').innerText.split('\\n')")
    assert [line.partition(":")[0] for line in lines] == ["gold/a.json", "gold/b.json"]


def test_a_broken_archive_is_an_error_of_its_side(page: Browser, tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\3\4")
    give(page, "gold", tmp_path / "broken.zip")
    give(page, "system", EXAMPLE / "sys.conll")
    page.click("#run")
    page.wait_for("!document.getElementById('gold-problem').hidden")
    said = page.run("return document.getElementById('gold-problem').innerText")
    assert said.startswith("broken.zip: cannot be unpacked: ")


def test_what_a_system_adds_to_an_archive_is_left_out(page: Browser) -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name in ("corpus/gold.conll", "__MACOSX/corpus/._gold.conll", ".DS_Store"):
            archive.writestr(name, SIDES["gold"]["gold.conll"] if name.startswith("corpus") else b"x")
    open_worker(page)
    found = in_worker(page, ["validate", "{gold}"], {"gold": {"corpus.zip": packed.getvalue()}})
    assert (found.status, found.err) == (0, "")


LARGE = """
const file = { isFile: true, name: "large.json", file: done => done({ size: 3e8 + 1 }) };
const event = new Event("drop", { cancelable: true });
event.dataTransfer = { items: [{ webkitGetAsEntry: () => file }] };
document.getElementById("gold").dispatchEvent(event);
"""


def test_a_file_that_is_too_large_is_said_and_the_page_goes_on(page: Browser) -> None:
    give(page, "system", EXAMPLE / "sys.conll")
    page.run(LARGE)
    page.wait_for("!document.getElementById('run').disabled")
    assert result(page) == (
        "300.0 MB are too much for a browser. In a terminal: scorch2 large.json sys.conll"
    )
    give(page, "gold", EXAMPLE / "gold.conll")
    assert scored(page)[1][0] == "MUC"


FULL = """globalThis.Worker = class {
  constructor() {
    const data = { kind: "died", reason: "RangeError: Array buffer allocation failed" };
    setTimeout(() => this.onmessage({ data }));
  }
  terminate() {}
};"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("delete globalThis.WebAssembly", "This browser has no WebAssembly, which Python needs here."),
        (FULL, "The files are too large for the memory that a page may have."),
    ],
)
def test_a_browser_that_cannot_names_the_command(
    browser: Browser, address: str, before: str, said: str
) -> None:
    key = browser.command("Page.addScriptToEvaluateOnNewDocument", source=before)["identifier"]
    try:
        browser.chrome.get("about:blank")
        browser.chrome.get(address)
        browser.wait_for(SHOWN)
        shown = browser.run("return document.getElementById('result').innerText")
    finally:
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=key)
        browser.chrome.get("about:blank")
    assert shown == f"{said} In a terminal: scorch2 gold system"


def test_the_keyboard_alone_scores_and_reads_the_errors(page: Browser) -> None:
    from selenium.webdriver import ActionChains

    page.run("document.getElementById('example').focus()")
    page.press(" ")
    page.wait_for(SHOWN)
    page.run("document.activeElement.blur(); document.getElementById('command').focus()")
    reached = set()
    for _ in range(60):
        ActionChains(page.chrome).send_keys("\ue004").perform()
        found = page.focus()
        reached |= {name for name in ("options", "run", "further") if f'id="{name}"' in found}
        if "further" in reached:
            break
    assert reached == {"options", "run", "further"}
    page.press(" ")
    page.wait_for("document.querySelector('#result iframe')")
