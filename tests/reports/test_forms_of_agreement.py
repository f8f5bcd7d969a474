"""The forms of agreement, from annotations counted by hand; the page of two annotators; names act in none."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scorch2
from scorch2.analysis.agreement import Listed
from scorch2.model.errors import escaped
from scorch2.model.forms import forms_of, render
from scorch2.reports.agreement import caption

ANNOTATIONS: Mapping[str, Mapping[str, Sequence[Sequence[str]]]] = {
    "ann": {"d": ["ab", "cd"], "e": ["x"]},
    "bob": {"d": ["ab", "c", "d"], "e": ["x"]},
    "cleo": {"d": ["ab", "cd"], "e": ["y"]},
}
"""Of ann and bob in d: alpha 41/55, kappa 4/7, mentions 1. Document e has one unit, of ann and bob."""
COLUMNS = ["mentions", "alpha", "kappa"]
HOSTILE = (
    *("a|b", "*x*", "\n", "\t", "<script>x</script>", "&amp;", "=1+1", "a,b", '"', "::error::x", "[x](y)"),
    *("_", "$", "%", "\\", "{", "}", "\u202e", "`", "ā"),
)
NAMES = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=3), max_size=5).map("".join)


def agreed(
    annotators: int = 3, *, listed: Listed | None = None, first: str = "ann", **options: Any
) -> scorch2.Agreement:
    names = list(ANNOTATIONS)[:annotators]
    documents = {
        name: {ident: [[*one] for one in some] for ident, some in ANNOTATIONS[name].items()} for name in names
    }
    named = {first if name == "ann" else name: documents[name] for name in names}
    found = scorch2.agreement(named, metrics=COLUMNS, average="pooled", **options)
    return found._replace(listed=listed, provenance="scorch2 made it")


# ann and bob: alpha of d and e: D_o = 2/3 / 5, D_e = (110/3 + 0) / (56 + 2) = 55/87, alpha = 1 - 58/275.
# bob and cleo are the same without e. kappa counts pairs of d, of which e has none.
EXPECTED = {
    "table": """\
first  second  units  Mentions   alpha   kappa
──────────────────────────────────────────────
ann    bob         5    100.00  0.7891  0.5714
ann    cleo        4     80.00  1.0000  1.0000
bob    cleo        4     80.00  0.7455  0.5714
mean                     86.67  0.8448  0.7143

""",
    "markdown": """\
| first | second | units | Mentions | alpha | kappa |
| :--- | :--- | ---: | ---: | ---: | ---: |
| ann | bob | 5 | 100.00 | 0.7891 | 0.5714 |
""",
    "latex": r"""% needs \usepackage{booktabs}
\begin{table}
\centering
\caption{SAID}
\label{tab:agreement}
\fontsize{8}{9.5}\selectfont
\setlength{\tabcolsep}{2.5pt}
\begin{tabular}{llrrrr}
\toprule
first & second & units & Mentions & alpha & kappa \\
\midrule
ann & bob & 5 & 100.00 & 0.7891 & 0.5714 \\
""",
    "tsv": "first\tsecond\tmentions.f1\talpha\tkappa\nann\tbob\t1.0\t0.7890909090909091\t0.571428571",
    "json": '{\n "schema": 1,',
    "html": "<!DOCTYPE html>\n",
}
SAID = (
    "F1 in percent, the same whoever is taken for gold; counts added over documents, then divided. "
    "alpha, kappa: 1 is perfect, 0 is chance, counts added over documents. Units: mentions that both "
    "annotators marked."
)


@pytest.mark.parametrize("form", forms_of("annotators"))
def test_every_form_has_the_numbers_of_every_pair_and_the_mean(form: str) -> None:
    text = render(agreed(), form)
    assert text.startswith(EXPECTED[form].replace("SAID", SAID)), f"agreement -f {form} shows other numbers"
    assert "scorch2 made it" in text
    assert "0.8448" in text or "0.844848484848484" in text
    assert "scorch2 made it" not in render(agreed()._replace(shows_signature=False), form) or form == "json"


def test_the_caption_says_what_the_numbers_are() -> None:
    assert caption(agreed()) == SAID
    assert caption(agreed(), in_percent=False) == SAID.replace("percent", "0..1")
    every_unit = agreed(2, units="all", listed=Listed("alpha"))
    assert "Units: all mentions, those of one annotator as singletons of the other." in caption(every_unit)
    assert caption(every_unit).endswith("Documents: the lowest alpha first.")


def test_a_metric_with_a_gold_side_is_said_to_have_one() -> None:
    found = scorch2.agreement({"ann": [["a", "b"]], "bob": [["a", "b"]]}, metrics=["muc", "blanc"])
    assert caption(found) == (
        "F1 in percent, the first annotator is taken for gold. Units: mentions that both annotators marked."
    )


def test_json_has_counts_and_scores_of_every_pair_and_document() -> None:
    value = json.loads(render(agreed(), "json"))
    assert value["annotators"] == ["ann", "bob", "cleo"]
    first = value["pairs"][0]
    assert (first["annotators"], first["documents"], first["mentions"], first["units"]) == (
        ["ann", "bob"],
        2,
        [5, 5],
        5,
    )
    assert first["counts"]["alpha"] == {
        "observed_num": 2,
        "observed_den": 15,
        "expected_num": 110,
        "expected_den": 174,
    }
    assert first["counts"]["kappa"] == {"both": 1, "first": 2, "second": 1, "pairs": 6}
    assert first["scores"]["kappa"] == 4 / 7
    assert first["confidence"] is None
    assert list(value["mean"]["scores"]) == COLUMNS
    rows = {(row["id"], *row["annotators"]): row["scores"] for row in value["documents"]}
    assert rows["e", "ann", "bob"] == {"mentions": 1.0, "alpha": 1.0, "kappa": None}
    assert rows["e", "ann", "cleo"] == {"mentions": 0.0, "alpha": None, "kappa": None}
    assert value["documents"][0]["scores"]["mentions"] == 0


def test_documents_are_listed_where_they_are_asked_for() -> None:
    found = agreed(listed=Listed("kappa", 2))
    shown = "document  first  second  units  Mentions   alpha   kappa\n"
    row = "d         ann    bob         4    100.00  0.7455  0.5714\n"
    text = render(found, "table")
    assert text.partition(shown)[2].splitlines()[1:3] == [
        row.rstrip(),
        row.rstrip().replace("ann    bob ", "bob    cleo"),
    ]
    tsv = render(found, "tsv").splitlines()
    assert [line.split("\t")[:3] for line in tsv if not line.startswith("#")][:3] == [
        ["document", "first", "second"],
        ["d", "ann", "bob"],
        ["d", "bob", "cleo"],
    ]
    assert "| d | ann | bob | 4 | 100.00 |" in render(found, "markdown")
    assert "d & ann & bob & 4 & 100.00" in render(found, "latex")
    two = render(agreed(2, listed=Listed()), "table")
    assert "document  units  Mentions   alpha   kappa\n" in two


def test_intervals_stand_beside_the_numbers() -> None:
    found = agreed(confidence=90, trials=50)
    ends = found.pairs[0].intervals[found.column("alpha")]
    assert ends is not None
    assert f"0.7891 [{ends[0]:.4f}, {ends[1]:.4f}]" in render(found, "table")
    head, first, *_ = (line.split("\t") for line in render(found, "tsv").splitlines())
    assert head[2:] == [
        f"{name}{end}" for name in ("mentions.f1", "alpha", "kappa") for end in ("", ".low", ".high")
    ]
    assert tuple(map(float, first[6:8])) == ends
    plain = json.loads(render(found, "json"))["pairs"][0]["confidence"]
    assert (plain["level"], plain["trials"], plain["seed"]) == (90, 50, 0)
    assert tuple(plain["intervals"]["alpha"]) == ends
    assert "In brackets: 90 % intervals over 50 bootstrap resamples of the documents." in caption(found)
    assert "low, high: 90 % intervals" in caption(found, in_percent=False)


def test_the_value_shows_itself(tmp_path: Path) -> None:
    value = agreed()
    assert f"{value}\n" == render(value, "table")
    mean = "{'mentions': 0.8667, 'alpha': 0.8448, 'kappa': 0.7143}"
    assert repr(value) == f"Agreement(annotators=['ann', 'bob', 'cleo'], mean={mean})"
    assert (value.to_latex(), value.to_markdown()) == (render(value, "latex"), render(value, "markdown"))
    assert value._repr_html_().startswith("<table>")
    records = value.to_records()
    names = {"first": "ann", "second": "bob", "document": None}
    assert records[0] == {**names, "metric": "mentions", "value": 1.0, "low": None, "high": None}
    assert [one["metric"] for one in records if one["first"] is None] == COLUMNS
    assert sum(one["document"] is not None for one in records) == 3 * 2 * 3
    value.save(tmp_path / "report.json")
    assert (tmp_path / "report.json").read_text("utf-8") == render(value, "json")


# The page of two annotators


TEXT = Path(__file__).parent.parent.parent / "fixtures" / "agreement"


def test_the_page_of_two_annotators_speaks_of_a_and_b(tmp_path: Path) -> None:
    found = scorch2.agreement(
        {name: TEXT / f"{name}.conll" for name in ("ann", "cleo")}, title="Visit <b>", gold_format="conll"
    )
    found.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    said = re.sub(r"<style>.*?</style>|<script>.*?</script>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert re.findall(r"(?:\w+ )*(?:[Gg]old|[Ss]ystem)\b", said) == ["the same whoever is taken for gold"]
    calls_wrong = (
        r"(?:missing|extra) (?:mention|entit)|span error|the wrong|conflated|mentions? extra|too many"
    )
    assert not re.findall(f"(?i){calls_wrong}", said)
    labels = "span difference", "joined entities", "mention of A alone", "entity of B alone"
    assert all(label in said for label in labels)
    assert "There are 3." in said, "the number of units is in the caption, not in a column of percent"
    for words in (
        *(
            "Visit &lt;b&gt;",
            "A is ann, B is cleo.",
            "A on the left, B on the right.",
            "A entity",
            "B entity",
        ),
        *(
            "a mention that B lacks, of an entity that it has",
            "A mentions",
            "B mentions",
            "A links",
            "Agreement",
        ),
    ):
        assert words in page, words
    assert '.text td.gold::before { content: "A: "' in page
    assert '<th scope="col" class="gold">A</th>' in page


def test_the_page_of_errors_still_speaks_of_gold_and_system() -> None:
    paths = [TEXT / f"{name}.conll" for name in ("ann", "cleo")]
    page = scorch2.errors(*paths, title="x").to_html()
    assert "Gold on the left, system on the right." in page
    assert '.text td.gold::before { content: "A: "' not in page


def test_a_row_of_singletons_tells_of_no_copy() -> None:
    gold, system = (TEXT.parent / "example" / f"{name}.conll" for name in ("gold", "sys"))
    page = scorch2.errors(gold, system, title="x").to_html()
    assert '<span class="part">singletons</span>' in page
    assert "the copy has no word" not in page


def test_three_annotators_have_tables_and_no_texts() -> None:
    page = render(agreed(), "html")
    assert page.count("<table>") == 2
    assert page.count("<script>") == 1
    assert 'class="text"' not in page
    assert '<th scope="row"><bdi>mean</bdi></th>' in page
    assert page.index("<bdi>d</bdi>") > page.index("<bdi>mean</bdi>")


# Names


@given(name=NAMES.filter(lambda name: name not in ANNOTATIONS))
@example(name="".join(HOSTILE))
def test_names_act_in_no_form(name: str) -> None:
    wild, tame = agreed(2, first=name), agreed(2)
    assert render(wild, "latex", paper="page").count(" \\\\\n") == 2  # the head and the only pair
    for form in ("markdown", "tsv", "json", "html"):
        assert render(wild, form).count("\n") == render(tame, form).count("\n")
    elements = [re.findall(r"<(\w+)", render(one, "html")) for one in (wild, tame)]
    assert elements[0] == elements[1]
    assert [len(re.split(r"(?<!\\)\|", line)) for line in render(wild, "markdown").split("\n")[:3]] == [
        8,
        8,
        8,
    ]
    cells = render(wild, "tsv").splitlines()[1].split("\t")
    assert cells[0].removeprefix("'") == escaped(name).removeprefix("'")
    assert json.loads(render(wild, "json"))["annotators"][0] == name
