"""README and the guide: every example is run and prints what its page shows, every link leads somewhere."""

import ast
import doctest
import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from every import every
from pages import (
    CONTRIBUTING,
    GUIDE,
    PICTURE,
    ROOT,
    Example,
    console_blocks,
    lay_out,
    mark_of,
    pages,
    pictured,
    python_blocks,
    run,
)

from scorch2 import guide

MOST_LINES = 250
"""Lines of README: a front page."""
MOST_BYTES = 200_000  # of a picture: each clone has it
PAGES = pages()
SETUP = "python3 -m venv "
"""How the two set-up commands begin, which .ci/run takes out of README."""


class Block(NamedTuple):
    """The examples of a console block, which run one after the other in one folder."""

    page: str
    examples: Sequence[Example]


BLOCKS = [Block(name, examples) for name, text in PAGES.items() for examples in console_blocks(text)]
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"`[^`\n]*`")  # in which brackets are no links
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    found = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(text))
    return set(found)


# Examples


@pytest.mark.parametrize(
    "block", BLOCKS, ids=[f"{block.page}: {block.examples[0].command}" for block in BLOCKS]
)
def test_a_console_example_prints_what_the_page_shows(block: Block, tmp_path: Path) -> None:
    folder = lay_out(tmp_path, " ".join(example.command for example in block.examples))
    for example in block.examples:
        done = run(example.command, folder)
        hint = f"{block.page} shows something else; if the new output is right: python tests/support/pages.py"
        assert (done.status, done.printed) == (example.status, example.shown), hint


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if python_blocks(text)])
def test_the_python_examples_print_what_the_page_shows(
    page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("HF_HOME", str(tmp_path))  # where evaluate keeps files
    for block in python_blocks(PAGES[page]):
        needed = set(re.findall(r">>> import (evaluate|spacy)", block))
        if not all(map(importlib.util.find_spec, needed)):
            continue  # an extra that is not installed; the tools for developers have all
        examples = doctest.DocTestParser().get_doctest(block, {}, page, None, 0)
        assert doctest.DocTestRunner().run(examples).failed == 0


def test_readme_and_the_pages_that_promise_examples_have_some() -> None:
    shown = {block.page for block in BLOCKS}
    for name in ("quickstart", "reports", "ci", "statistics", "converting", "linking", "leaderboards"):
        assert f"scorch2/guide/{name}.md" in shown
    assert "README.md" in shown
    assert python_blocks(PAGES["README.md"])
    assert python_blocks(PAGES["scorch2/guide/python.md"])


# Front page


def test_readme_is_a_front_page() -> None:
    assert len(PAGES["README.md"].splitlines()) <= MOST_LINES, "move details to a page of scorch2/guide"


def test_readme_has_the_two_commands_that_set_it_up() -> None:
    first, second = (line for line in PAGES["README.md"].splitlines() if line.startswith(SETUP))
    assert "scorch2 fixtures/example/gold fixtures/example/sys" in first
    assert "pytest" in second


def test_readme_shows_the_page_of_errors_in_a_small_picture() -> None:
    assert f"]({PICTURE.relative_to(ROOT).as_posix()})" in PAGES["README.md"]
    assert PICTURE.stat().st_size < MOST_BYTES, "python tests/support/pages.py --picture makes it"


def test_the_picture_is_of_the_page_as_it_is_written_now(tmp_path: Path) -> None:
    assert mark_of(pictured(tmp_path)) in PICTURE.read_bytes(), "python tests/support/pages.py --picture"


# Links


@every("page", [*PAGES, CONTRIBUTING.relative_to(ROOT).as_posix()])
def test_every_link_to_the_repository_leads_somewhere(page: str) -> None:
    path = ROOT / page
    for link in _LINK.findall(_CODE.sub("", path.read_text("utf-8"))):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{page} links to {link}, which is not there"
        if anchor:
            assert anchor in anchors(target.read_text("utf-8")), f"{page} links to {link}: no such heading"


@every("page", PAGES)
def test_no_page_says_where_it_was_made_or_speaks_of_houses(page: str) -> None:
    assert not re.search(r"\b(house|riddle)\b|\.\./shared|a line a\b", PAGES[page])


OTHER_WORDS = {
    r"\b(un)?packed\b": "compressed",
    r"\b(in|several|its|of) pieces\b": "discontinuous mention, its parts",
    r"\bblanks\b(?!\.jsonl)": "whitespace, spaces",
    r"\b(draws? of|drawn again|same draws)\b": "bootstrap resamples",
    r"\b(swaps? of|swapped between|ways to swap)\b": "approximate randomisation, permutations",
    r"\bpercent of F1\b": "percentage points of F1",
    r"\bsets of entities\b": "split antecedents",
}
"""Words that readers did not know, with the terms of the field."""


def test_pages_help_and_messages_use_the_terms_of_the_field() -> None:
    sources = [path for path in (ROOT / "scorch2").rglob("*.py") if path.parts[-2] != "guide"]
    for name, text in [*PAGES.items(), *((str(path), "\n".join(shown_texts(path))) for path in sources)]:
        for pattern, term in OTHER_WORDS.items():
            assert not re.search(pattern, text), f"{name}: {pattern} (write: {term})"


def shown_texts(path: Path) -> list[str]:
    """Return the string literals of a module that are no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told]
    return [node.value for node in texts if isinstance(node.value, str) and " " in node.value]


# Topics


def test_nothing_installs_scorch2_from_an_index() -> None:
    """README installs a clone. An index has no scorch2, or one day somebody else's."""
    texts = {**PAGES, **{str(path): path.read_text("utf-8") for path in (ROOT / "scorch2").rglob("*.py")}}
    assert [path for path, text in texts.items() if re.search(r"pip install ['\"]?scorch2", text)] == []


def test_every_page_is_a_topic_and_every_topic_a_page() -> None:
    assert {path.stem for path in GUIDE.glob("*.md")} == set(guide.TOPICS), "add a row to TOPICS in guide"


def test_readme_leads_to_every_page_by_a_job() -> None:
    (jobs,) = re.findall(r"^\| job \|.*\n(?:\|.*\n)+", PAGES["README.md"], re.MULTILINE)
    linked = set(re.findall(r"\[`([\w-]+)`\]\(scorch2/guide/\1\.md", jobs))
    assert linked == set(guide.TOPICS), "add a row to the table of jobs in README"


@every("topic", guide.TOPICS)
def test_every_page_has_one_title_and_short_lines(topic: str) -> None:
    text = guide.page(topic)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert len(re.findall(r"^# ", prose, re.MULTILINE)) == 1
    assert text.startswith("# ")
    assert not [line for line in prose.splitlines() if len(line) > 110 and not line.startswith("|")]
