"""The command: forms, listings, gates on its JSON report, and the same bytes in any order and any process."""

import csv
import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random

import pytest

import scorch2
from scorch2.analysis.kinds import KINDS, LOSES_PRECISION, LOSES_RECALL
from scorch2.analysis.listing import COLUMNS
from scorch2.analysis.table import DIMENSIONS, TYPES
from scorch2.cli.main import main
from scorch2.model.forms import forms_of, forms_with_classes

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
EXAMPLE = str(FIXTURES / "example" / "gold.conll"), str(FIXTURES / "example" / "sys.conll")
CASE = tuple(str(FIXTURES / "errors" / "random-tokens" / f"{side}.conll") for side in ("gold", "sys"))
SPANS = tuple(str(FIXTURES / "errors" / "spans" / f"{side}.conll") for side in ("gold", "sys"))


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["errors", "-q", *words]) == 0
    done = capsys.readouterr()
    assert done.err == ""
    return done.out


def rows(text: str) -> list[dict[str, str]]:
    lines = [line for line in text.split("\n\n", maxsplit=1)[0].splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("form", forms_of("errors"))
def test_every_form_ends_with_the_signature_unless_told_not_to(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, "-f", form, *CASE)
    said = f"scorch2 {scorch2.__version__} | average=mentions | spans=overlap | documents=1 | mentions=36/36"
    assert said in text, f"errors -f {form} has no signature"
    assert text.endswith("\n"), f"errors -f {form} does not end with a line feed"
    unsigned = shown(capsys, "-f", form, "--no-signature", *CASE)
    assert form == "json" or said not in unsigned, f"errors -f {form} --no-signature has the signature"


def test_the_rows_of_tsv_are_the_counts_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(shown(capsys, "-f", "json", *CASE))
    *found, last = rows(shown(capsys, "-f", "tsv", *CASE))
    assert [row["error"] for row in found] == list(KINDS)
    for row in found:
        kind = row["error"]
        expected = report["errors"][kind]
        assert (row["errors"], row["mentions"]) == (str(expected["errors"]), str(expected["mentions"]))
        assert row["lost_recall"] == (str(expected["links"]["recall"]) if kind in LOSES_RECALL else "")
        assert row["lost_precision"] == (
            str(expected["links"]["precision"]) if kind in LOSES_PRECISION else ""
        )
        for how, scores in report["corrected"].items():
            for name, score in scores[kind].items():
                assert float(row[f"{name}_{how}"]) == score["f1"]
    assert last["error"] == "*"
    muc = report["counts"]["muc"]
    assert int(last["lost_recall"]) == muc["recall_den"] - muc["recall_num"]
    assert int(last["lost_precision"]) == muc["precision_den"] - muc["precision_num"]
    assert float(last["conll_in_order"]) == 1


def test_the_table_has_gains_in_percent(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures of the example are those of the specification of the analysis."""
    words = shown(capsys, "--gains=order", *EXAMPLE)
    lines = [" ".join(line.split()) for line in words.splitlines()]
    assert lines[3] == "conflated entities 3 4 3 +14.42 +8.13 +14.42 +8.13"
    assert lines[6] == "divided entity 3 4 3 +10.86 +4.82 +17.93 +11.71"
    assert lines[8] == "missing entity 1 1 0 +2.61 +2.57 +1.89 +2.34"
    assert lines[9] == "singletons 1 1 0"
    assert lines[10] == "all 7 9 3 3 +34.23 +22.17"
    assert "1 of 1 missing entities are singletons, which cost no link" in " ".join(words.split())


def test_markdown_has_the_cells_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "-f", "markdown", "--gains=order", *EXAMPLE).splitlines()
    assert lines[3] == "| conflated entities | 3 | 4 |  | 3 | +14.42 | +8.13 | +14.42 | +8.13 |"
    assert lines[6] == "| divided entity | 3 | 4 | 3 |  | +10.86 | +4.82 | +17.93 | +11.71 |"
    assert lines[9] == "|   singletons | 1 | 1 | 0 |  |  |  |  |  |"
    assert lines[10] == "| all | 7 | 9 | 3 | 3 |  |  | +34.23 | +22.17 |"


@pytest.mark.parametrize(("width", "begin"), [("column", "{table}"), ("page", "{table*}")])
def test_latex_has_the_cells_of_the_table(width: str, begin: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A column has no room for mentions and lost links."""
    lines = shown(capsys, f"--latex={width}", "--gains=order", *EXAMPLE).splitlines()
    counts = "3 & 4 & 3 & " if width == "page" else "3"
    assert lines[1] == rf"\begin{begin}"
    assert r"\label{tab:errors}" in lines
    assert any(line.startswith(f"divided entity & {counts} & +10.86") for line in lines)
    assert any("+17.93 & +11.71" in line or "& +17.93 \\" in line for line in lines)


def test_metrics_that_are_asked_for_are_those_of_the_gains(capsys: pytest.CaptureFixture[str]) -> None:
    head = " ".join(shown(capsys, "-m", "bcub,muc", "--gains=order", *EXAMPLE).splitlines()[0].split())
    assert head.endswith("lost P MUC alone B³ alone MUC in order B³ in order")
    said, _, head = shown(capsys, "-m", "bcub,muc", *EXAMPLE).splitlines()[:3]
    assert head.split()[-4:] == ["MUC", "share", "B³", "share"]
    assert said.endswith("points of MUC F1.")


def test_the_headline_is_the_largest_share(capsys: pytest.CaptureFixture[str]) -> None:
    """The shares themselves are compared with all orders of correction in tests/analysis."""
    report = json.loads(shown(capsys, "-f", "json", *EXAMPLE))
    shares = {kind: share["conll"] for kind, share in report["shares"].items()}
    said = shown(capsys, *EXAMPLE).splitlines()[0]
    most = max(shares.values())
    assert most == shares["conflated"]
    assert said == f"Conflated entities cost most: {100 * most:.1f} of 22.2 points of CoNLL F1."
    assert shown(capsys, "-f", "markdown", *EXAMPLE).startswith(said)
    assert "cost most" not in shown(capsys, EXAMPLE[0], EXAMPLE[0])


@pytest.mark.parametrize("what", COLUMNS)
def test_listings_have_the_same_rows_in_tsv_and_json(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(shown(capsys, "-f", "json", f"--list={what}", *SPANS))
    found = rows(shown(capsys, "-f", "tsv", f"--list={what}", *SPANS))
    assert len(found) == len(report["list"]) > 0
    for row, expected in zip(found, report["list"], strict=True):
        assert tuple(row) == COLUMNS[what]
        for column, cell in row.items():
            if column == "did":  # a sentence made of the others
                assert cell.startswith("The system ")
                continue
            value = expected.get("kind" if column == "error" else column)
            if column.endswith("spans"):
                value = [f"{start}:{end}" for start, end in value or ()]
            assert cell == (
                "" if value is None else " ".join(value) if isinstance(value, list) else str(value)
            )


def test_the_links_of_a_listing_are_the_links_of_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(shown(capsys, "-f", "json", "--list=links", *CASE))
    for side, part in (("gold", "recall"), ("system", "precision")):
        status = [row["status"] for row in report["list"] if row["side"] == side]
        assert {name: status.count(name) for name in report["links"][part]} == report["links"][part]


def test_entities_are_listed_with_their_largest_piece(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: gold 1 has the mentions of system 1 that are equal or a span error, and one more."""
    found = json.loads(shown(capsys, "-f", "json", "--list=entities", "--types=none", *SPANS))["list"]
    assert found[0] == {
        "document": "spans", "side": "gold", "entity": "1", "mentions": 3, "shared": 2, "pieces": 1,
        "best": "1", "overlap": 2, "outside": 1, "merged": [], "merged_texts": [], "text": "the old king",
        "merged_count": 0,
        "aligned": "1", "aligned_mentions": 2, "f1": 2 / 5,
    } | {"document": found[0]["document"]}  # fmt: skip
    assert [row["side"] for row in found] == ["gold"] * 4 + ["system"] * 3


def test_kinds_and_documents_choose_what_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    every = json.loads(shown(capsys, "-f", "json", "--list=errors", *EXAMPLE))
    some = json.loads(
        shown(capsys, "-f", "json", "--list=errors", "--kind=divided", "--document=harbour-000", *EXAMPLE)
    )
    chosen = [r for r in every["list"] if r["kind"] == "divided" and r["document"] == "harbour-000"]
    assert some["list"] == chosen != []
    assert some["errors"] == every["errors"]


def test_several_kinds_and_windows_go_into_one_word(capsys: pytest.CaptureFixture[str]) -> None:
    for one, several in (
        (["--kind=divided,missing_mention"], ["--kind=divided", "--kind=missing_mention"]),
        (["--window=10, 20"], ["--window=10", "--window=20"]),
    ):
        words = ["-f", "json", "--list=errors", *CASE]
        assert shown(capsys, *one, *words) == shown(capsys, *several, *words)


def shuffled(path: str, target: Path, random: Random) -> str:
    """Write clusters in another order, under other names."""
    value = json.loads(Path(path).read_text("utf-8"))
    clusters = [random.sample(members, len(members)) for members in value["clusters"].values()]
    random.shuffle(clusters)
    value["clusters"] = {f"c{number}": members for number, members in enumerate(clusters)}
    target.write_text(json.dumps(value), encoding="utf-8")
    return str(target)


def test_nothing_but_names_depends_on_the_order_of_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = FIXTURES / "errors" / "order-of-correction"
    inputs = [str(folder / "gold.json"), str(folder / "sys.json")]
    words = ("-f", "json", "--list=errors", "--by=size,mentions")
    before = json.loads(shown(capsys, *words, *inputs))
    for seed in range(5):
        random = Random(seed)  # noqa: S311 - any order will do
        others = [shuffled(path, tmp_path / f"gold{i}.json", random) for i, path in enumerate(inputs)]
        after = json.loads(shown(capsys, *words, *others))
        for key in ("errors", "links", "corrected", "breakdown"):
            assert after[key] == before[key]
        places = [
            [(row["kind"], row["mentions"], row["link_to"]) for row in one["list"]] for one in (before, after)
        ]
        assert places[0] == places[1]


def test_workers_give_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(FIXTURES / "example" / side) for side in ("gold", "sys", "other")]
    words = ["-f", "json", "--list=errors", "--by=size", f"--other={folders[2]}", *folders[:2]]
    assert shown(capsys, "-j", "2", *words) == shown(capsys, *words)


def test_the_report_of_errors_is_a_report_of_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "errors.json")
    assert main(["errors", "-q", "--by=size", "-o", path, *EXAMPLE]) == 0
    assert main(["gate", "--fail-under=lea=0.65", "--fail-under=muc[size=3-5].r=0.5", path]) == 0
    assert main(["-q", *EXAMPLE, f"--baseline={path}", "--max-drop=lea=1%"]) == 0
    assert main(["confidence", "--trials=10", path]) == 0
    other = str(tmp_path / "other.json")
    Path(other).write_bytes(Path(path).read_bytes())
    assert main(["significance", "--trials=10", path, other]) == 0
    scores = json.loads(Path(path).read_text("utf-8"))["scores"]
    capsys.readouterr()
    assert main(["-q", "-f", "json", *EXAMPLE]) == 0
    every = json.loads(capsys.readouterr().out)["scores"]
    assert scores == {name: every[name] for name in scores}


def test_one_place_takes_one_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "errors.tsv")
    assert main(["errors", "-o", target, f"--report=json:{target}", *EXAMPLE]) == 2
    assert "two reports go to" in capsys.readouterr().err
    assert main(["errors", "-o", str(tmp_path / "page.pdf"), *EXAMPLE]) == 2
    assert "no form of report for .pdf" in capsys.readouterr().err
    assert main(["errors", "-q", "-o", target, "--report=markdown", *EXAMPLE]) == 0
    assert "\n| error |" in capsys.readouterr().out
    assert Path(target).read_text("utf-8").startswith("error\terrors\t")


def test_a_perfect_system_has_no_errors_and_nothing_to_gain(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(shown(capsys, "-f", "json", "--list=errors", EXAMPLE[0], EXAMPLE[0]))
    assert report["list"] == []
    assert all(one["errors"] == 0 for one in report["errors"].values())
    assert all(scores == report["scores"] for by in report["corrected"].values() for scores in by.values())


# Scores by class, in scorch2 score


def scored(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["-q", "--types=english", *words, *EXAMPLE])
    done = capsys.readouterr()
    return status, done.out, done.err


def test_score_breaks_down_as_errors_does(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(scored(capsys, "--by=type,size", "-f", "json")[1])
    expected = json.loads(shown(capsys, "--types=english", "--by=type,size", "-f", "json", *EXAMPLE))
    assert found["breakdown"] == expected["breakdown"]
    assert found["options"]["types"] == "english"


@pytest.mark.parametrize(
    ("form", "begin"),
    [("table", "type "), ("markdown", "| type |"), ("tsv", "type\t"), ("latex", "type & gold & system & ")],
)
def test_score_shows_classes_in_forms_for_reading(
    form: str, begin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = scored(capsys, "--by=type", "-f", form)[1]
    assert f"\n{begin}" in shown
    assert ("Classes of mentions: counts are added over documents" in shown) == (form != "tsv")


@pytest.mark.parametrize(
    ("spec", "status"),
    [
        ("lea[type=pronoun]=0.76", 0),
        ("lea[type=pronoun]=0.77", 1),
        ("muc[type=pronoun].recall=90%", 0),
        ("bcub[type=nominal].p=0.91", 1),
        ("mentions[type=name]=1", 0),
        ("muc[type=name].p=0", 1),  # 0/0 is no result
    ],
)
def test_a_gate_holds_a_class(spec: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The scores are those of the table in the specification of the analysis."""
    assert scored(capsys, f"--fail-under={spec}", "-m", "muc")[0] == status


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fail-under=ceaf_e[type=name]=0.5"], "ceaf_e has no score for a class of mentions"),
        (
            ["--fail-under=lea[type=nominals]=0.5"],
            f'unknown class of type "nominals", did you mean nominal? (known: {", ".join(TYPES)})',
        ),
        (
            ["--fail-under=lea[size=3-6]=0.5"],
            'unknown class of size "3-6", did you mean 3-5? (known: 1, 2, 3-5,',
        ),
        (
            ["--fail-under=lea[text=differ]=0.5"],
            f"did you mean different? (known: {', '.join(DIMENSIONS['text'].order)})",
        ),
        (["--fail-under=lea[kind=name]=0.5"], 'unknown dimension "kind"'),
        (["--fail-under-doc=lea[type=name]=0.5"], "--fail-under-doc takes no class of mentions"),
        (["--by=type", "-f", "text"], f"--by shows in {', '.join(forms_with_classes())}"),
        ([], "--types needs --by"),
        (["--genre=(.)", "--by=type", "-f", "json"], "--genre says where genres are: it needs --by=genre"),
        (["--genre=(.)", "-f", "html"], "--genre says where genres are: it needs --by=genre"),
    ],
)
def test_gates_on_classes_that_cannot_be_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = scored(capsys, *words)
    assert (status, out) == (2, "")
    assert said in err


@pytest.mark.parametrize(
    "spec", ["lea[type=other]", "muc[size=101+].r", "mentions[antecedent=other ← name].p"]
)
def test_a_class_that_no_mention_is_of_fails_its_gate(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0/0 is no result, also of a class; the class is known."""
    by = spec.partition("[")[2].partition("=")[0]
    status, out, err = scored(capsys, f"--by={by}", "-f", "json", f"--fail-under={spec}=0")
    assert status == 1
    assert err.splitlines()[-2].split("FAILED; ")[1] == "the score is undefined: no mention is of this class"
    assert err.splitlines()[-1] == "scorch2: 1 of 1 gate failed"
    assert json.loads(out)["gates"][0]["value"] is None
    path = tmp_path / "report.json"
    path.write_text(out, encoding="utf-8")
    assert main(["gate", f"--fail-under={spec}=0", str(path)]) == 1
    assert "no mention is of this class" in capsys.readouterr().out


@pytest.mark.parametrize("change", ["rows", "class", "counts", "links"])
def test_a_stored_breakdown_that_was_broken_is_refused(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = json.loads(scored(capsys, "--by=type", "-f", "json")[1])
    row = value["breakdown"]["type"][0]
    if change == "rows":
        value["breakdown"]["type"] = {}
    elif change == "class":
        del row["class"]
    elif change == "counts":
        row["lea"]["recall_num"] = 7
    else:
        row["links"]["recall"]["found"] = "many"
    path = tmp_path / "report.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert main(["gate", "--fail-under=lea[type=name]=0", str(path)]) == 2
    assert "$.breakdown.type" in capsys.readouterr().err


# What cannot be compared, and names that act


def test_twinless_singletons_are_no_extra_mentions_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = []
    for name, clusters in (("gold", {"a": ["m1", "m2"]}), ("sys", {"a": ["m1", "m2", "m3"]})):
        paths.append(str(tmp_path / f"{name}.json"))
        Path(paths[-1]).write_text(json.dumps({"type": "clusters", "clusters": clusters}), encoding="utf-8")
    assert main(["errors", "-f", "json", "--list=errors", "--twinless=singletons", *paths]) == 0
    done = capsys.readouterr()
    found = json.loads(done.out)
    assert "so none is an extra mention" in done.err
    assert {kind: one["errors"] for kind, one in found["errors"].items() if one["errors"]} == {"conflated": 1}
    (row,) = found["list"]
    assert (row["gold"], row["system"], row["mentions"]) == (None, "a", ["m3"])


def test_a_document_with_too_much_overlap_has_no_span_errors_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorch2.analysis.pair.MOST_LOOKS", 0)
    assert main(["errors", "-f", "json", *SPANS]) == 0
    done = capsys.readouterr()
    assert "more than 0 pairs of spans overlap: no span errors were looked for" in done.err
    report = json.loads(done.out)
    assert report["errors"]["span"]["errors"] == 0
    muc = report["counts"]["muc"]
    lost = sum(one["links"]["recall"] for one in report["errors"].values())
    assert lost == muc["recall_den"] - muc["recall_num"]


def test_aligned_documents_are_analysed_by_characters(capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(shown(capsys, "-f", "json", "--spans=none", "--list=errors", *EXAMPLE))
    aligned = json.loads(
        shown(capsys, "-f", "json", "--spans=none", "--list=errors", "--align=characters", *EXAMPLE)
    )
    assert aligned["errors"] == plain["errors"]
    assert [row["gold"] for row in aligned["list"]] == [row["gold"] for row in plain["list"]]


def test_the_text_of_characters_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for name, clusters in (("gold", [[[0, 4], [9, 12]]]), ("sys", [[[0, 4], [5, 12]]])):
        paths.append(str(tmp_path / f"{name}.jsonl"))
        row = {"text": "Anne saw her.", "clusters": clusters}
        Path(paths[-1]).write_text(json.dumps(row) + "\n", encoding="utf-8")
    (row,) = json.loads(shown(capsys, "-f", "json", "--list=errors", *paths))["list"]
    assert (row["kind"], row["mentions"], row["text"]) == ("span", [[9, 12]], "her")
    assert (row["instead"], row["instead_text"]) == ([5, 12], "saw her")


HOSTILE = "x\n\x1b[31m ##[error]<b>`@name` ![](x)|\t::error::"


@pytest.mark.parametrize("what", COLUMNS)
@pytest.mark.parametrize("form", ["table", "tsv", "markdown"])
def test_no_name_and_no_token_acts(
    form: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [HOSTILE, "::error::x", "c", "d"]
    paths = []
    for name, clusters in (("gold", [[[0, 0], [1, 1]], [[3, 3]]]), ("sys", [[[0, 0], [2, 2]]])):
        paths.append(str(tmp_path / f"{name}.jsonl"))
        row = {"doc_key": HOSTILE, "sentences": [words], "clusters": clusters}
        Path(paths[-1]).write_text(json.dumps(row) + "\n", encoding="utf-8")
    out = shown(capsys, "-f", form, f"--list={what}", *paths)
    for line in out.splitlines():
        assert all(cell.isprintable() for cell in line.split("\t"))
        assert not line.lstrip().startswith("::")
        assert "##[" not in line


LONG = "a_novel_" * 15


@pytest.fixture
def long(tmp_path: Path) -> list[str]:
    """Documents, entities and mentions with names and texts of more than 100 characters; one span error."""
    paths = []
    words = ["the", *["very"] * 60, "old", "ship", "sank", "there", "today"]
    last = len(words) - 4
    for side, spans in (("gold", [[0, last], [63, 63], [64, 64]]), ("sys", [[1, last], [63, 63], [65, 65]])):
        path = tmp_path / f"{side}.jsonl"
        row = {"doc_key": f"{LONG}/d", "sentences": [words], "clusters": [spans, [[2, 2], [3, 3]]]}
        other = {"doc_key": "b/d", "sentences": [["a"]], "clusters": []}
        path.write_text(f"{json.dumps(row)}\n{json.dumps(other)}\n", encoding="utf-8")
        paths.append(str(path))
    return paths


@pytest.mark.parametrize("what", COLUMNS)
def test_a_listing_for_reading_fits_a_terminal(
    what: str, long: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    listing = shown(capsys, "-f", "table", f"--list={what}", *long).split("\n\n", maxsplit=1)[0]
    assert 95 < max(map(len, listing.splitlines())) <= 100
    assert "…" in listing
    for form in ("tsv", "markdown", "json"):
        whole = shown(capsys, "-f", form, f"--list={what}", *long)
        assert "…" not in whole
        assert LONG in whole


def test_the_texts_of_an_error_stand_below_it(long: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "-f", "table", "--list=errors", *long).split("\n\n", maxsplit=1)[0].splitlines()
    assert lines[0].split() == [*COLUMNS["errors"][:-3]]
    below = [" ".join(line.split()) for line in lines[2:] if line.startswith("    ")]
    assert below[0].startswith("the very very") and below[0].endswith("very old ship")  # noqa: PT018
    assert "…" in below[0]
    texts = [line for line in below if "." not in line]
    assert texts[1:] == ["today ← sank", "there ← sank"]
    assert "extra_mention.1-word extra_mention.alone" in below
    words = [EXAMPLE[0], EXAMPLE[1], "--list=errors", "--kind=divided"]
    assert "    Mara Lind ← Its captain" in shown(capsys, "-f", "table", *words).splitlines()


def test_errors_are_one_table_where_they_fit_a_column(capsys: pytest.CaptureFixture[str]) -> None:
    """In cmr8 the four columns take 193.7 points, measured by LaTeX; a column has 219 at least."""
    said = shown(capsys, "-f", "latex", *EXAMPLE)
    assert said.count(r"\begin{tabular}{lrrr}") == said.count(r"\begin{tabular}") == 1
    assert r"error & errors & LEA share & CoNLL share \\" in said


def test_arrows_have_plain_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = TextIOWrapper(written := BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    assert main(["errors", "-q", "-f", "table", "--list=errors", *SPANS]) == 0
    stream.flush()
    text = written.getvalue().decode("ascii")
    assert " <- " in text
    assert " <-> " in text
    assert "\\u" not in text


def test_the_text_of_a_span_error_stands_beside_that_of_gold(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "-f", "table", "--list=errors", "--kind=span", *SPANS).splitlines()
    rows_of_json = json.loads(shown(capsys, "-f", "json", "--list=errors", "--kind=span", *SPANS))["list"]
    for row in rows_of_json:
        assert f"    {row['text']} ↔ {row['instead_text']}" in lines
    assert rows_of_json


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "all"],
        ["--by=type,antecedent,genre", "--types=english", "--genre=^(.*)$"],
        ["--window=10", "-m", "all"],
        ["--confidence=95", "--trials=10"],
    ],
)
def test_tables_of_many_columns_and_long_classes_fit(
    words: list[str], long: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A table that is not continued below has 110 characters at most."""
    lines = shown(capsys, "-f", "table", "--no-signature", *words, *long).splitlines()
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("errors", "harbour-000 & divided & 3 & 4 & 1 & 1.3-4 & 1.0-1 &  & Mara Lind"),
        ("links", r"\phantom{0}-\phantom{0}1 & divided \\"),
        ("entities", "harbour-000 & gold & 2 & the harbour & 3 & 2 & 80.00 & 2 & 1"),
        (
            "examples",
            r"\\{} She waved to the harbour as if {[}it] were an old friend .\\{} The system conflates “it”",
        ),
    ],
)
def test_latex_has_the_listing(what: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = shown(capsys, "-f", "latex", "--latex=page", f"--list={what}", "--gains=none", *EXAMPLE)
    assert line in said
