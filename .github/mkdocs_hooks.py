"""The parts of the site that are made when it is built: see mkdocs.yml beside this file.

The guide is read where it is. README is the first page, and its table of jobs gives the navigation.
CONTRIBUTING and the licence are pages, too. Links between them stay in the site; those to other files of the
repository lead to its source. scorch2 itself writes the live pages, and the page of the API has what
`scorch2.__all__` names.
"""

import posixpath
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc, isfunction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import scorch2
from scorch2.guide import TOPICS

ROOT = Path(__file__).parent.parent
PAGES = {
    "index.md": "README.md",
    "contributing.md": ".github/CONTRIBUTING.md",
    "licence.md": "LICENSE.md",
    **{f"{topic}.md": f"scorch2/guide/{topic}.md" for topic in TOPICS},
}
"""The pages that the repository has, and where."""
FILES = {"site.css": ".github/site.css"} | {
    path.name: f".github/{path.name}" for path in (ROOT / ".github").glob("*.png")
}
LIVE = {
    "errors.html": ("error-page", "scorch2 errors --types=english gold.conll sys.conll errors.html"),
    "board.html": (
        "leaderboards",
        (
            "scorch2 gold sys ann.json\nscorch2 gold other bob.json\n"
            "scorch2 leaderboard ann.json bob.json -o board.html"
        ),
    ),
}
"""Pages that scorch2 writes in fixtures/example: the topic that speaks of them, and the command."""
_IN_SITE = {path: name for name, path in [*PAGES.items(), *FILES.items()]}
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"(?ms)^```.*?^```|`[^`\n]*`|(?<=\]\()(?!https?:)(?P<path>[^)\s#]+)(?=[#)])")
_ROW = re.compile(r"^\|.*$", re.MULTILINE)
_JOBS = re.compile(r"^\| \*\*(?P<group>.+)\*\* \| \||\]\(scorch2/guide/(?P<page>[\w-]+\.md)", re.MULTILINE)
_NAME = re.compile(r"(?<!`)`(?:scorch2\.)?(\w+)`(?!`)")  # in docstrings

_POLICY = (
    """<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'unsafe-inline' data: blob:">"""
)


def project_link(name: str) -> str:
    """Return a link of the project: pyproject.toml has them by name."""
    text = (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.urls]")[2]
    return str(re.findall(rf'^{name} = "(.+)"$', text, re.MULTILINE)[0])


def navigation() -> list[Any]:
    """Return the pages by the jobs of README, in its order; a topic without a job ends the build."""
    table = (ROOT / "README.md").read_text("utf-8").partition("\n| job |")[2].partition("\n\n")[0]
    shown: list[Any] = [{"Overview": "index.md"}]
    seen = set()
    group = shown
    for job in _JOBS.finditer(table):
        if job["group"]:
            group = []
            shown.append({job["group"]: group})
        elif job["page"] not in seen:
            seen.add(job["page"])
            group += [job["page"], "api.md"] if job["page"] == "python.md" else [job["page"]]
    if missing := [topic for topic in TOPICS if f"{topic}.md" not in seen]:
        raise PluginError(f"README's table of jobs lacks {', '.join(missing)}")
    return [*shown, {"Project": ["live.md", "contributing.md", {"Licence": "licence.md"}]}]


def on_config(config: MkDocsConfig) -> None:
    """Set what follows from README and pyproject.toml."""
    config.nav = navigation()
    config.site_url = project_link("Documentation")
    config.extra["social"] = [
        {"icon": "fontawesome/brands/github", "link": project_link("Source"), "name": "source"}
    ]


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages and pictures that are not in the folder of the guide."""
    for name, path in [*PAGES.items(), *FILES.items()]:
        if files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, content=(ROOT / path).read_bytes()))
    for name, page in live_pages():
        files.append(File.generated(config, name, content=page))
    files.append(File.generated(config, "live.md", content=live_list()))
    files.append(File.generated(config, "api.md", content=api()))


def live_pages() -> Iterator[tuple[str, bytes]]:
    """Yield the pages that scorch2 writes, with their names."""
    with TemporaryDirectory() as name:
        folder = shutil.copytree(ROOT / "fixtures" / "example", Path(name) / "example")
        for page, (_, commands) in LIVE.items():
            for command in commands.splitlines():
                words = shlex.split(command)[1:]
                subprocess.run([sys.executable, "-m", "scorch2", *words], cwd=folder, check=True)
            yield page, (folder / page).read_bytes()


def live_list() -> str:
    """Return the page that leads to the live pages."""
    rows = (
        f"[{page}]({page}), explained in [{topic}]({topic}.md):\n\n```sh\n{command}\n```\n"
        for page, (topic, command) in LIVE.items()
    )
    return "# Live pages\n\nscorch2 wrote these pages in the folder `fixtures/example`:\n\n" + "\n".join(rows)


def api() -> str:
    """Return the page of the API: a line for mkdocstrings for each public name, by kind."""
    groups: dict[str, list[str]] = {"Functions": [], "Classes and tables": [], "Errors and warnings": []}
    for name in scorch2.__all__:
        value = getattr(scorch2, name)
        is_error = isinstance(value, type) and issubclass(value, Exception)
        title = (
            "Functions" if isfunction(value) else "Errors and warnings" if is_error else "Classes and tables"
        )
        groups[title] += [] if name.startswith("__") else [f"::: scorch2.{name}"]
    lines = [line for title, names in groups.items() for line in (f"## {title}", *names)]
    return "\n\n".join(["# API reference", *lines])


class Docstrings(griffe.Extension):
    """Docstrings as programs see them, with the names of tables in them, and links between public names."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Change the docstring of an object."""
        if obj.docstring is None:
            return
        text = obj.docstring.value
        if isinstance(obj.parent, griffe.Module) and obj.is_function and "{" in text:
            text = cleandoc(getattr(import_module(obj.parent.path), obj.name).__doc__)
            text = re.sub(r"^( +)(``\w+`` : )", r"\1- \2", text, flags=re.MULTILINE)
        obj.docstring.value = _NAME.sub(_reference, text)


def _reference(found: re.Match[str]) -> str:
    return f"[{found[0]}][scorch2.{found[1]}]" if found[1] in scorch2.__all__ else found[0]


def on_post_page(output: str, **_: object) -> str:
    """Forbid other hosts, and name the search for those who hear the page."""
    return output.replace("<head>", f"<head>{_POLICY}", 1).replace(
        'role="dialog"', 'role="dialog" aria-label="Search"', 1
    )


def on_post_template(output_content: str, **_: object) -> str:
    """Do the same for the page that says that there is no such page."""
    return on_post_page(output_content)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Write a page as this site needs it: its links, bars in the code of tables, a link to its live page."""
    name = page.file.src_uri
    if name not in PAGES:
        return markdown
    folder = posixpath.dirname(PAGES[name])
    text = _LINK.sub(
        lambda found: found[0] if found["path"] is None else _target(found["path"], folder), markdown
    )
    text = _ROW.sub(lambda row: _CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), text)
    for live, (topic, _commands) in LIVE.items():
        if name == f"{topic}.md":
            text = text.replace("\n", f"\n\n[Live: what scorch2 writes for the example]({live})\n", 1)
        text = re.sub(rf"!\[[^]]*\]\({Path(live).stem}-page\.png\)", rf"[\g<0>]({live})", text)
    return text


def _target(link: str, folder: str) -> str:
    """Return the page or source that a link in a folder leads to; one to nowhere stays, and is reported."""
    path = posixpath.normpath(posixpath.join(folder, link))
    source = f"{project_link('Source')}/blob/main/{path}" if (ROOT / path).exists() else link
    return _IN_SITE.get(path, source)
