"""Names come from files of others: in no report form do they act, or break a line or a column."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import NamedTuple
from unicodedata import category
from xml.etree import ElementTree as ET

import pytest
from effort import share_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

import scorch2
from scorch2.model.errors import escaped
from scorch2.model.forms import forms_of, render
from scorch2.model.results import Verdict
from scorch2.scoring.layout.escaping import xml_text
from scorch2.scoring.layout.tables import Listing, Table, padded

REPORTS = forms_of("scores")

HOSTILE = (
    *(
        "\n",
        "\r\n",
        "\t",
        "\x1b[31m",
        "\x00",
        "\x85",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\ud800",
    ),
    *(
        "::error::x",
        "  ::stop-commands::x",
        "##[error]x",
        "##vso[task.setvariable variable=x]y",
        "%0A::error::x",
    ),
    *("![x](https://e.x/p.png)", "[a](b)", "[1]", "(javascript:x)", "@name", "#1", "https://e.x", "www.e.x"),
    *(
        "GH-12",
        "<b>",
        "<script>x</script>",
        "<!--",
        "-->",
        "]]>",
        "&lt;",
        '"',
        "'",
        "`",
        "``",
        "```",
        "|",
        "\\",
    ),
    *(
        "\\|",
        "*a*",
        "_a_",
        "~~c~~",
        "$x$",
        "=1+1",
        "+1",
        "-1",
        "-x",
        "@SUM(1)",
        "{}",
        "%s",
        "plain",
        "a b",
        "東京",
    ),
)
NAMES = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=3), max_size=6).map("".join)
COMMAND = re.compile(r"^\s*::|##\w*\[")
"""What GitHub and Azure take for a command in a line of a log."""
LONG = "a|b" * 10_000
SCORED = scorch2.score([["a", "b"], ["c"]], [["a", "b", "c"]], metrics=["muc"])
EVIL = "\n".join(HOSTILE)


class Case(NamedTuple):
    """The same report with a hostile name wherever a name can stand, and with a tame one."""

    wild: scorch2.Report
    tame: scorch2.Report


def case(name: str) -> Case:
    return Case(called(name), called("name"))


def called(name: str) -> scorch2.Report:
    """Return a report whose documents, metrics, facts, gates, warnings and mentions have that name."""
    muc = SCORED.metrics[0]._replace(name=name, label=name)
    first = SCORED.documents[0]._replace(id=name)
    gate = Verdict("fail-under", name, "f1", 0.9, 0.5, 0.9, passed=False)
    below = gate._replace(gate="fail-under-doc", document=name, below=[(name, 0.5)], undefined=[name])
    return SCORED._replace(
        scores={name: SCORED.scores["muc"]},
        rows=[muc],
        metrics=[muc],
        documents=[first, first._replace(id="other")],
        notices=[scorch2.Notice(name, name, name)],
        gates=[gate, below],
        facts=[(name, name)],
        listings=[Listing("items", ("document", name), [(name, (1, 2)), ("other", 3)])],
    )


def shape(text: str) -> list[int]:
    """Return how many cells each line has."""
    return [line.count("\t") for line in text.split("\n")]


def acts(text: str) -> list[str]:
    """Return the lines of a log that a CI system would take for a command."""
    return [line for line in text.split("\n") if COMMAND.search(line)]


# Every form


@pytest.mark.parametrize("form", REPORTS)
@settings(max_examples=share_of(60))
@given(name=NAMES)
@example(name=LONG)
@example(name=EVIL)
@example(name="::error::x")
def test_no_name_adds_a_line_a_cell_or_a_command(form: str, name: str) -> None:
    like_it = re.sub(r"[^-+\[(0-9]", "n", escaped(name))  # as long, and a number where it looks like one
    each = form != "latex"  # whose columns stand below each other where names leave less room
    wild, tame = (render(called(one), form, per_document=each, paper="page") for one in (name, like_it))
    assert shape(wild) == shape(tame)
    assert acts(wild) == (wild.splitlines() if form == "github" else [])
    clean = seen(wild) if form == "html" else wild
    assert all(cell.isprintable() for line in clean.split("\n") for cell in line.split("\t"))


def seen(page: str) -> str:
    """Return a page without what it may hold besides: blanks, joiners, and what has no shape as yet."""
    return "".join(c for c in page if c not in _JOINERS and category(c) not in _HARMLESS)


_JOINERS = "\u200b\u200c\u200d\u200e\u200f"

_HARMLESS = ("Zs", "Cn", "Co")
"""Categories of blanks, of what Unicode has not assigned, and of private use."""


@given(name=NAMES)
def test_the_commands_of_github_are_those_of_scorch2(name: str) -> None:
    lines = render(called(name), "github").splitlines()
    kinds = [re.fullmatch(r"::(\w+) title=[^:,\n]*::[^\n]*", line) for line in lines]
    assert [kind and kind[1] for kind in kinds] == ["error", "error", "warning"]


# Markdown


def outside_code(line: str) -> str:
    """Return a line of Markdown without its code spans."""
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", line)


def columns(line: str) -> int:
    """Return how many cells a row of a table in Markdown has; 1 for any other line."""
    return len(re.split(r"(?<!\\)\|", line)) if line.startswith("|") else 1


@settings(max_examples=share_of(300))
@given(name=NAMES)
@example(name=EVIL)
@example(name="`" * 9)
def test_names_in_markdown_are_inert(name: str) -> None:
    wild, tame = (render(report, "markdown", per_document=True).splitlines() for report in case(name))
    assert [columns(line) for line in wild] == [columns(line) for line in tame]
    for line in wild:
        bare = outside_code(line).replace("**", "")
        assert not re.search(
            r"[@#!`<>*\\~$&{}]|://|www\.|GH-\d|(?<!\w)_|_(?!\w)|\]\(", bare, re.IGNORECASE
        ), line


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("bc/cctv/00/cctv_0001", "bc/cctv/00/cctv_0001"),
        ("d1 (part 2)", "d1 (part 2)"),
        ("81.0 [66.67, 100.00]", "81.0 [66.67, 100.00]"),
        ("@name", "`@name`"),
        ("fixes #1", "`fixes #1`"),
        ("![](x)", "`![](x)`"),
        ("[1](x)", "`[1](x)`"),
        ("a|b", "`a\\|b`"),
        ("`a`", "`` `a` ``"),
    ],
)
def test_only_names_that_could_act_become_code(name: str, shown: str) -> None:
    assert Table(("document",), [(name,)]).markdown().splitlines()[2] == f"| {shown} |"


# HTML and XML


class Page(HTMLParser):
    """Collects the elements and the cells of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        assert [*attrs] in ([], [("style", "text-align: right")])
        if tag in ("th", "td"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        self.cells[-1] += data


@given(name=NAMES)
@example(name=EVIL)
def test_html_shows_names_as_text(name: str) -> None:
    page = Page(Table((name, "score"), [(name, "1")]).html())
    assert page.elements == {"table", "tr", "th", "td"}
    assert page.cells == [escaped(name), "score", escaped(name), "1"]


@given(name=NAMES)
@example(name=EVIL)
def test_junit_is_xml_with_names_as_text(name: str) -> None:
    suite = ET.fromstring(render(called(name), "junit").encode())  # noqa: S314 - ours
    assert [element.tag for element in suite.iter()] == [
        element.tag for element in ET.fromstring(render(called("name"), "junit").encode()).iter()  # noqa: S314 - ours
    ]  # fmt: skip
    names = [element.get("name") for element in suite.iter("property")]
    assert names == ["signature", *(xml_text(f"{name}.{part}") for part in ("recall", "precision", "f1"))]
    assert [case.get("name") for case in suite.iter("testcase")] == [
        xml_text(str(gate)) for gate in called(name).gates
    ]


# For programs


@given(name=NAMES)
@example(name=EVIL)
def test_json_keeps_names_exactly(name: str) -> None:
    whole = json.loads(render(called(name), "json"))
    assert [document["id"] for document in whole["documents"]] == [name, "other"]
    assert list(whole["scores"]) == [name]
    lines = [json.loads(line) for line in render(called(name), "jsonl").splitlines()]
    assert [line["document"] for line in lines] == [name, "other", None]


@given(name=NAMES)
@example(name=EVIL)
def test_every_gauge_is_one_line_of_its_syntax(name: str) -> None:
    label = r'\w+="(?:[^"\\]|\\.)*"'
    for line in render(called(name), "openmetrics", per_document=True).splitlines():
        assert re.fullmatch(rf"# .*|scorch2_\w+(?:\{{{label}(?:,{label})*\}})? [\w.+-]+", line)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(1)", "'@SUM(1)"),
        ("-x", "'-x"),
        ("+x", "'+x"),
        ("-1", "-1"),
        ("+0.5e3", "+0.5e3"),
        ("-1_0", "'-1_0"),
        ("a=b", "a=b"),
        ("\t=1", r"\t=1"),
        ("'=1", "'=1"),
    ],
)
def test_a_name_that_begins_like_a_formula_gets_an_apostrophe(name: str, shown: str) -> None:
    assert Table(("document",), [(name,)]).tsv() == f"document\n{shown}"


# Aligned columns


def test_one_long_name_does_not_widen_every_row() -> None:
    rows = [("x" * 10_000, "1"), *[("y", "1")] * 999]
    assert len(str(Table(("document", "score"), rows))) < 10_000 + 1_000 * 300
    assert len(padded(rows, 1)) < 10_000 + 1_000 * 300
    assert str(Table(("a", "b"), rows)).splitlines()[2] == f"{'x' * 10_000}  1"


@given(name=NAMES)
def test_padded_lines_hold_each_name_in_its_cell(name: str) -> None:
    text = padded([["measure", "score"], [name, "1"]], 1)
    assert shape(text) == [1, 1, 0]
    assert text.split("\n")[1].split("\t")[0].rstrip() == escaped(name).rstrip()
