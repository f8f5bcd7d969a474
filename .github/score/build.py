"""The page that scores in the browser: `python .github/score/build.py <folder>` adds it to a site.

It needs npm and node, which bring Python for the browser and start it once, and `python -m build`. The page,
its style and its scripts are the files beside this one; their lists (profiles, metrics, formats) and their
policy are filled in. All but the page lie in a folder of their hash: files of two versions never meet.
"""

import html
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import files
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import scorch2
from scorch2.cli.main import main
from scorch2.formats import table
from scorch2.model.values import PROFILES
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXAMPLE = ROOT / "fixtures" / "example"
PYODIDE = ("314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0")
"""Python for the browser: the version of the package `pyodide` of npm, and the SHA-256 of what npm brings."""
ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PAGE = ("score.css", "score.js", "worker.js")
TRIED = ("gold.conll", "sys.conll")
"""The two files of fixtures/example that the page offers to try."""
COMMANDS = {
    "score": "Score",
    "errors": "Read the errors",
    "agreement": "Compare two annotators",
    "validate": "Check files",
    "convert": "Convert files",
    "explain": "Explain a printed number",
}
"""What the page does: commands of scorch2, whose sides and words `score.js` has."""
POLICY = (
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval' {hashes}",
    "style-src 'self' {hashes}",
    "img-src data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
)
"""What the browser allows: the files of the page, and what a page of errors in its frame has inside."""


def build(site: Path) -> None:
    """Write the page into the folder of a site: `score.html`, its service worker, and `score/<hash>`."""
    folder = site / "score" / "new"
    shutil.rmtree(folder.parent, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in PAGE:
        shutil.copyfile(HERE / name, folder / name)
    for name in TRIED:
        shutil.copyfile(EXAMPLE / name, folder / name)
    engine(folder / "pyodide")
    (folder / "scorch2.whl").write_bytes(wheel())
    zipped(folder / "docopt.whl", "docopt-ng")
    command = ["node", *map(str, (HERE / "snapshot.mjs", folder, HERE / "worker.py"))]
    subprocess.run(command, check=True)
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    text, worker = page(), (HERE / "offline.js").read_text("utf-8")
    parts = [text.encode(), worker.encode(), *((folder / name).read_bytes() for name in names)]
    digest = sha256(b"".join(parts)).hexdigest()[:12]
    folder.rename(folder.with_name(digest))
    fills = {
        "{folder}": f"score/{digest}",
        "{name}": f"scorch2 {scorch2.__version__} {digest}",
        "{files}": "\n".join(["score.html", *(f"score/{digest}/{name}" for name in names)]),
    }
    for name, content in (("score.html", text), ("offline.js", worker)):
        filled = re.sub("|".join(fills), lambda found: fills[found[0]], content)
        (site / name).write_text(filled, encoding="utf-8", newline="\n")


def engine(folder: Path) -> None:
    """Unpack Python for the browser, which npm brings, into a folder."""
    version, digest = PYODIDE
    folder.mkdir()
    with TemporaryDirectory() as name:
        command = ["npm", "pack", "--silent", f"pyodide@{version}"]
        subprocess.run(command, cwd=name, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(name).iterdir()
        if (found := sha256(archive.read_bytes()).hexdigest()) != digest:
            sys.exit(f"pyodide {version} has the SHA-256 {found}, not {digest}: look at it first")
        with tarfile.open(archive) as members:
            for part in ENGINE:
                member = members.getmember(f"package/{part}")
                member.name = part
                members.extract(member, folder)
    listed = folder / "pyodide-lock.json"
    lock = json.loads(listed.read_text("utf-8"))
    listed.write_text(json.dumps({**lock, "packages": {}}), "utf-8")  # of packages there are none


def wheel() -> bytes:
    """Return the wheel of scorch2, as it is released."""
    with TemporaryDirectory() as name:
        source, built = Path(name) / "source", Path(name) / "built"
        shutil.copytree(ROOT / "scorch2", source / "scorch2", ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("pyproject.toml", "README.md", "LICENSE.md"):
            shutil.copyfile(ROOT / part, source / part)
        # from a copy, for two builds at a time would share the folder `build` of the checkout
        command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(built), str(source)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return next(built.iterdir()).read_bytes()


def zipped(path: Path, distribution: str) -> None:
    """Write an installed distribution of Python files alone as a wheel would have it."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for file in sorted(files(distribution) or (), key=str):
            if file.suffix == ".py" or file.name == "LICENSE":
                archive.writestr(ZipInfo(str(file)), file.read_binary(), ZIP_DEFLATED)


def page() -> str:
    """Return the page with its lists filled in."""
    fills = {
        "policy": "; ".join(POLICY).format(hashes=" ".join(hashes())),
        "version": scorch2.__version__,
        "profiles": options(PROFILES),
        "metrics": "".join(map(metric_box, OF_CLUSTERS)),
        "commands": "".join(f'<option value="{name}">{what}</option>' for name, what in COMMANDS.items()),
        "targets": "".join(map(target, table.format_names(lambda row: row.writer))),
    }
    text = (HERE / "score.html").read_text("utf-8")
    return re.sub(r"\{(\w+)\}", lambda found: fills.get(found[1], found[0]), text)


def options(names: Iterable[str]) -> str:
    """Return names as the choices of a list."""
    return "".join(f"<option>{html.escape(name)}</option>" for name in names)


def target(name: str) -> str:
    """Return a format to convert to as a choice of a list, with the suffix of its files."""
    return f'<option data-suffix="{table.FORMATS[name].suffixes[0]}">{html.escape(name)}</option>'


def metric_box(name: str) -> str:
    """Return a metric as a box to tick."""
    return f'<label><input type="checkbox" value="{name}"> {html.escape(METRICS[name].label)}</label>'


def hashes() -> list[str]:
    """Return the hashes of styles and scripts of pages of errors and agreement, from their policies."""
    found: dict[str, None] = {}
    with TemporaryDirectory() as name:
        for command in ("errors", "agreement"):
            written = Path(name, f"{command}.html")
            main([command, "-q", "-o", str(written), *(str(EXAMPLE / side) for side in TRIED)])
            head = html.unescape(written.read_text("utf-8")).partition("<body>")[0]
            found |= dict.fromkeys(re.findall(r"\'sha256-[^\']+\'", head))
    return [*found]


if __name__ == "__main__":
    build(Path(sys.argv[1]))
