"""The forms of a comparison, from numbers made by hand; names of systems act in none of them."""

import csv
import json
import re
from collections.abc import Sequence
from html import unescape
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scorch2
from scorch2.analysis.systems import Column, Comparison, ScoreTest, SystemRow
from scorch2.cli.main import main
from scorch2.model.errors import escaped
from scorch2.model.forms import forms_of, render
from scorch2.model.results import Confidence, Difference
from scorch2.reports.page.frame import text
from scorch2.reports.systems import caption

LOW = scorch2.score([["a", "b", "c"]], [["a", "b"]], metrics=["muc", "mentions"])  # MUC 1/2, 1, 2/3
HIGH = scorch2.score([["a", "b", "c"]], [["a", "b", "c"]], metrics=["muc", "mentions"])
F1 = Column("muc", "f1", "MUC")
HOSTILE = (
    *("a|b", "*x*", "\n", "\t", "<script>x</script>", "&amp;", "=1+1", "a,b", '"', "::error::x", "[x](y)"),
    *("_", "$", "%", "\\", "{", "}", "\u202e", "`", "ā"),
)
NAMES = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=3), max_size=5).map("".join)


def compared(
    first: str = "base", second: str = "new", *, p: float = 0.01, interval: bool = False
) -> Comparison:
    """Return two systems, 66.67 and 100.00, that differ with a p of that size."""
    found = Difference(1 / 3, p, (0.1, 0.5), p)
    tests = {("muc", "f1"): ScoreTest(first, found)}
    ends = Confidence(95.0, 100, 1, {"muc": {"recall": None, "precision": None, "f1": (0.5, 0.75)}})
    reports = [report._replace(confidence=ends if interval else None) for report in (LOW, HIGH)]
    rows = [SystemRow(first, reports[0], {}), SystemRow(second, reports[1], tests)]
    run: dict[str, str | int] = {"permutations": 1024, "exact": "no"}
    return Comparison(rows, [F1], "first", 0.05, run, "scorch2 made it")


SAID = (
    "the first system (base), p ≤ 0.05: paired approximate randomisation (Noreen 1989), two-sided, 1024 "
    "random permutations, corrected after Holm for 1 comparison in each column."
)
EXPECTED = {
    "table": "system       MUC\n────────────────\nbase     66.67\nnew     100.00*▲\n",
    "markdown": "| system | MUC |\n| :--- | ---: |\n| base | 66.67 |\n| new | **100.00** ▲ |\n",
    "latex": r"""% needs \usepackage{booktabs}
\begin{table}
\centering
\caption{Scores in percent. Bold: best of the column. $\uparrow$ higher, $\downarrow$ lower than SAID}
\label{tab:systems}
\fontsize{8}{9.5}\selectfont
\setlength{\tabcolsep}{2.5pt}
\begin{tabular}{lr}
\toprule
system & MUC \\
\midrule
base & 66.67\phantom{$^\uparrow$} \\
new & \textbf{100.00}$^\uparrow$ \\
\bottomrule
\end{tabular}
\end{table}
% scorch2 made it
""".replace("SAID", SAID.replace("p ≤ 0.05", r"$p \le 0.05$")),
    "tsv": "system\tmuc.f1\tmuc.f1.p\tmuc.f1.p_holm\nbase\t0.6666666666666666\t\t\nnew\t1.0\t0.01\t0.01\n# ",
    "csv": "system,muc.f1,muc.f1.p,muc.f1.p_holm\nbase,0.6666666666666666,,\nnew,1.0,0.01,0.01\n",
    "json": '{\n "schema": 1,',
    "html": "<!DOCTYPE html>\n",
}


@pytest.mark.parametrize("form", forms_of("systems"))
def test_every_form_has_the_scores_the_best_and_what_differs(form: str) -> None:
    told = f"write what `compare -f {form}` shows of 66.67 against 100.00 into EXPECTED in this file"
    assert form in EXPECTED, told
    text = render(compared(), form)
    assert text.startswith(EXPECTED[form]), f"compare -f {form} shows other scores or marks than these"


def test_errors_of_three_systems_are_one_float_with_kinds_in_rows(tmp_path: Path) -> None:
    folder = Path(__file__).parent.parent.parent / "fixtures" / "example"
    words = [str(folder / name) for name in ("gold", "sys", "other", "gold")]
    for _ in range(2):  # what it wrote is known as its own, and replaced
        assert main(["compare", "-q", "--errors", "-o", str(tmp_path / "t.tex"), *words]) == 0
    shown = (tmp_path / "t.tex").read_text("utf-8")
    assert shown.count(r"\begin{table}") == 1
    heads = re.findall(r"\\toprule\n(\w+) & ([^&]+) & ([^&]+) & ([^&]+) \\\\", shown)
    assert [head[0] for head in heads] == ["errors", "share"]
    assert all(len({*head}) == 4 for head in heads), "shortened names stay different"
    rows = [line.split(" & ") for line in shown.split("\n") if line.startswith("divided")]
    # As the guide has them: three divided entities of the first system, none of the others
    assert [re.sub(r"[^0-9.]", "", cell) for cell in rows[0]] == ["", "3", "0", "0"]
    assert "Bold: best of the row." in shown


def test_a_caption_says_how_it_was_tested() -> None:
    said = caption(compared(), "* best", ("▲", "▼"))
    assert said == f"Scores in percent. * best of the column. ▲ higher, ▼ lower than {SAID}"
    assert caption(compared()) == (
        "Scores in 0..1. p: difference from the first system (base), paired approximate randomisation "
        "(Noreen 1989), two-sided, 1024 random permutations, corrected after Holm for 1 comparison in each "
        "column."
    )
    best = compared()._replace(against="best", run={"permutations": 8, "exact": "yes"})
    assert "▼ lower than the best of the column, p ≤ 0.05:" in caption(best, "*", ("▲", "▼"))
    assert "exact paired permutation test, two-sided, all 8 permutations," in caption(best, "*", ("▲", "▼"))


def test_what_is_not_significant_has_no_mark() -> None:
    for form, mark in (("table", "*▲"), ("markdown", "** ▲"), ("latex", "}$^"), ("html", "<sup>")):
        assert mark in render(compared(), form)
        assert mark not in render(compared(p=0.2), form)


def test_intervals_stand_beside_the_scores() -> None:
    asked = compared(interval=True)
    assert "66.67 [50.00, 75.00]" in render(asked, "table")
    assert r"66.67 {[}50.00, 75.00]" in render(asked, "latex", paper="page")
    assert render(asked, "csv").splitlines()[1] == "base,0.6666666666666666,0.5,0.75,,"
    assert caption(asked, "*", ("▲", "▼")).endswith(
        " In brackets: 95 % intervals over 100 bootstrap resamples of the documents."
    )


def test_the_signature_can_be_left_out() -> None:
    for form in ("table", "markdown", "latex", "tsv", "html"):
        assert "scorch2 made it" in render(compared(), form)
        assert "scorch2 made it" not in render(compared()._replace(shows_signature=False), form)


def test_the_value_shows_itself() -> None:
    value = compared()
    assert f"{value}\n" == render(value, "table")
    assert (value.to_latex(), value.to_markdown()) == (render(value, "latex"), render(value, "markdown"))
    assert value._repr_html_().startswith("<table>")
    assert json.loads(value.to_json()) == json.loads(json.dumps(value.to_dict()))


# Names


class Page(HTMLParser):
    """Collects elements, attributes, links, the title and the cells of the first column."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.names: list[str] = []
        self._in_name = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag == "bdi":
            self._in_name = True
            self.names.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_name = self._in_name and tag != "bdi"

    def handle_data(self, data: str) -> None:
        if self._in_name:
            self.names[-1] += data


@given(name=NAMES)
@example(name="".join(HOSTILE))
def test_names_are_text_on_the_page(name: str) -> None:
    wild, tame = Page(render(compared(name), "html")), Page(render(compared(), "html"))
    assert wild.elements == tame.elements
    assert wild.names == ["Systems side by side", unescape(text(name)), "new"]
    assert not {one for one in wild.attributes if one.startswith("on") or one in ("style", "src")}
    assert {link[:1] for link in wild.links} == {"#"}


@given(name=NAMES)
@example(name="".join(HOSTILE))
def test_names_break_no_line_and_no_cell(name: str) -> None:
    for form in ("markdown", "latex", "tsv", "json"):
        assert render(compared(name), form).count("\n") == render(compared(), form).count("\n")
    cells = [*csv.reader(StringIO(render(compared(name), "csv")))]
    assert [len(row) for row in cells] == [4, 4, 4]
    assert cells[1][0].removeprefix("'") in (escaped(name), escaped(name).removeprefix("'"))
    columns = [
        len(re.split(r"(?<!\\)\|", line)) for line in render(compared(name), "markdown").split("\n")[:4]
    ]
    assert columns == [4, 4, 4, 4]
    assert json.loads(render(compared(name), "json"))["systems"][0]["system"] == name
