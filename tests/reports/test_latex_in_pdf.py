r"""Every LaTeX form of every value in a two-column article: pdfLaTeX finds no error and no overfull box."""

import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import scorch2
from scorch2.analysis.kinds import KINDS
from scorch2.model.forms import FORMS, PAPERS, Shown, render

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM, OTHER = (str(EXAMPLE / name) for name in ("gold", "sys", "other"))
TEXTS: Any = {"gold": f"{GOLD}.conll", "system": f"{SYSTEM}.conll"}
RANDOM: Any = {
    side: str(EXAMPLE.parent / "errors" / "random-tokens" / f"{name}.conll")
    for side, name in (("gold", "gold"), ("system", "sys"))
}
SEVERAL = ",".join(f"kind:{kind}" for kind in KINDS)
LONG = [f"experiments/2026/{'mention_ranking_with_span_' * 3}{letter}/output.conll" for letter in "AB"]
NAMES = [*LONG, "W" * 50, "mmmmmmmmmmmmmmm m_m%&#$^~<>", "n"]
DRAWN: Any = {"confidence": 90, "trials": 20}
CLASSES: Any = {"by": ["type", "size", "mentions"], "types": "english"}


def systems(names: list[str]) -> dict[str, str]:
    return {name: OTHER if place % 2 else SYSTEM for place, name in enumerate(names)}


VALUES: dict[str, Callable[[], Shown]] = {
    "scores": lambda: scorch2.score(**TEXTS),
    "scores with intervals and classes": lambda: scorch2.errors(**TEXTS, **CLASSES, **DRAWN).report,
    "compare": lambda: scorch2.compare(systems(NAMES[:2]), gold=GOLD, trials=20),
    "compare, all parts": lambda: scorch2.compare(
        systems(NAMES), gold=GOLD, parts="all", metrics="all", **DRAWN
    ),
    "compare, letters": lambda: scorch2.compare(
        systems(NAMES), gold=GOLD, parts="all", letters=True, **DRAWN
    ),
    "compare, bootstrap": lambda: scorch2.compare(
        systems(NAMES), gold=GOLD, test="bootstrap", against="best", **DRAWN
    ),
    "compare, many": lambda: scorch2.compare(
        systems([f"{LONG[0]}{n}" for n in range(60)]), gold=GOLD, against="none"
    ),
    "compare, errors": lambda: scorch2.compare(systems(NAMES), gold=GOLD, errors=True, trials=20),
    "errors": lambda: scorch2.errors(**TEXTS),
    "errors in order": lambda: scorch2.errors(**TEXTS, gains="order", windows=[5, 50], **CLASSES, **DRAWN),
    "errors, counted": lambda: scorch2.errors(
        **RANDOM, by=["pattern", "place"], what_if=SEVERAL, list="errors"
    ),
    "errors, entities": lambda: scorch2.errors(**RANDOM, list="entities", gains="none"),
    "errors, links": lambda: scorch2.errors(**RANDOM, list="links", gains="none"),
    "errors, examples": lambda: scorch2.errors(**RANDOM, list="examples", gains="none"),
    "errors of two": lambda: scorch2.errors(GOLD, SYSTEM, OTHER, list="examples", **DRAWN),
    "board": lambda: scorch2.leaderboard(
        {name: scorch2.score(GOLD, path) for name, path in systems(NAMES).items()}, parts="all", trials=20
    ),
    "agreement": lambda: scorch2.agreement(systems(NAMES[:3]), **DRAWN),
}
"""One value of every kind that has the form, and of each more that has other columns."""
ARTICLE = r"""\documentclass[twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\newenvironment{exe}{\begin{enumerate}}{\end{enumerate}}
\let\ex\item\let\mathrm\rmfamily % as in gb4e
\usepackage[textwidth=6.75in,columnsep=0.15in,textheight=9in]{geometry}
\begin{document}
TABLES
\end{document}
"""


def problems(tables: Mapping[str, str], folder: Path) -> dict[str, list[str]]:
    """Return what pdfLaTeX says of each table of a document, by their names."""
    begin = "\\clearpage\\typeout{TABLE %d}\n%s\n"
    text = "".join(begin % row for row in enumerate(tables.values()))
    (folder / "paper.tex").write_text(ARTICLE.replace("TABLES", text), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "paper.tex"]
    for _ in range(2):  # references are known in the second run
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = (folder / "paper.log").read_text("latin-1").replace("\n", " ")
    _, *parts = re.split(r"TABLE \d+ ", log)
    assert len(parts) == len(tables), "pdfLaTeX did not come to the end"
    wrong = r"Overfull .{60}|! .{60}|Float too large.{40}|Reference .{40} undefined"
    return {name: re.findall(wrong, part) for name, part in zip(tables, parts, strict=True)}


def test_tables_compile_and_fit(tmp_path: Path) -> None:
    """All in one document, of which each begins a page; a table refers to its own labels alone."""
    values = {what: make() for what, make in VALUES.items()}
    lacking = {*FORMS["latex"].shows} - {value.shown_as for value in values.values()}
    assert lacking == set(), "add a value of this kind, which has the form, to VALUES"
    tables = {
        f"{what} --latex={width}": render(value, "latex", paper=width)
        for what, value in values.items()
        for width in PAPERS
    }
    documents = {f"{LONG[0]}{number}": [["a", "b"], ["c"]] for number in range(50)}
    tables["documents"] = render(scorch2.score(documents, documents), "latex", per_document=True)
    tables["last"] = ""  # what is told of a float that comes at the end
    assert {name: found for name, found in problems(tables, tmp_path).items() if found} == {}
    for name, table in tables.items():
        here, there = (set(re.findall(rf"\\{kind}{{(.*?)}}", table)) for kind in ("ref", "label"))
        assert here <= there, f"{name} refers to a label of another table"


def test_problems_are_found(tmp_path: Path) -> None:
    fine = render(scorch2.score(**TEXTS), "latex")
    wide, unknown = fine.replace("MUC &", f"{'M' * 60} &"), fine.replace("LEA &", r"\no &")
    found = problems({"fine": fine, "wide": wide, "unknown": unknown, "last": fine}, tmp_path)
    assert {name: {words.split()[0] for words in told} for name, told in found.items()} == {
        "fine": set(), "wide": {"Overfull"}, "unknown": {"!"}, "last": set()
    }  # fmt: skip
