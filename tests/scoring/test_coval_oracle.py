"""Scores by the phrases of mentions, against coval and the reader of columns of the UA scorer 2.0.

Their numbers are in `fixtures/universal_anaphora`, with the minimum span of each mention.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import peer_runs
import pytest
from every import every
from peer_runs import FOLDER

import scorch2
from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.formats.rows.conll import CLOSED_FIRST
from scorch2.model.options import options_from
from scorch2.scoring.matching.matched import ComparedPair, ComparedSide
from scorch2.scoring.matching.phrases import read_phrases

METRICS = peer_runs.metrics("mentions muc lea bcub ceafe ceafm")
CHOICES = {
    "min": {"match": "mina"},
    "NP_only": {"phrases": "np"},
    "remove_nested": {"nested": "drop"},
    "remove_singletons": {"singletons": "drop"},
    "-s": {"singletons": "keep"},
}
TWICE = "conll-05-span-in-two-chains"
SHARED = {f"conll-r0{number}" for number in range(1, 6)}
"""Cases in which two mentions of a side have one minimum span."""
FAILED = "conll-06-missing-document"
"""Both scorers end with a KeyError."""


def runs() -> list[tuple[str, peer_runs.Run]]:
    return [(case, run) for case, run in peer_runs.runs("conll-*") if "scores" in run]


def sides(case: str) -> tuple[Path, Path]:
    return FOLDER / case / "key.conll", FOLDER / case / "sys.conll"


def choices(run: peer_runs.Run) -> dict[str, Any]:
    """Return the options that the words of the run's command line stand for."""
    found = {key: value for word in run["args"] for key, value in CHOICES.get(word, {}).items()}
    if run["peer"] == "coval":
        return {"profile": "coval", **found}
    return {"profile": "ua-2.0", **found}


def test_all_runs_are_there() -> None:
    assert (len(runs()), len(UNIQUE)) == (90, 71)


@every(("case", "run"), runs())
def test_scores_are_those_of_the_profile(case: str, run: peer_runs.Run) -> None:
    check(case, run)


def check(case: str, run: peer_runs.Run, **more: Any) -> None:
    names = {name: METRICS[name] for name in run["scores"] if name in METRICS}
    gold, system = sides(case)
    report = scorch2.score(gold, system, metrics=list(names.values()), **choices(run), **more)
    peer_runs.check(report, run["scores"], names)


@pytest.mark.parametrize("run", peer_runs.runs("coval-*"), ids=lambda case: "-".join(case[1]["args"]))
def test_an_entity_opens_mentions_on_a_token_before_it_closes_others(run: tuple[str, peer_runs.Run]) -> None:
    check(*run)


def test_a_note_says_how_brackets_on_one_token_are_read() -> None:
    key = FOLDER.parent / "formats" / "valid" / "touching.conll"
    notes = {
        lookup: [notice.message for notice in scorch2.score(key, key, lookup=lookup).notices]
        for lookup in ("pairs", "reference")
    }
    assert any(f"on 1 token {CLOSED_FIRST}" in one for one in notes["pairs"])
    assert not any(CLOSED_FIRST in one for one in notes["reference"])
    read = "on 1 token a mention opened before the one before it of its entity closed, as coval reads it"
    assert any(read in one for one in notes["reference"])


def test_a_document_that_the_system_lacks_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(path) for path in sides(FAILED)]
    assert main(["--profile=coval", *paths]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "no system document for 1 gold document: h2-000" in err


def test_phrases_of_the_scorer_that_fails_on_them_are_those_of_coval() -> None:
    """The UA scorer ends with a TypeError."""
    every = [(case, run) for case, run in runs() if run["args"] == ["NP_only"]]
    assert len(every) == 10
    for case, run in every:
        report = scorch2.score(*sides(case), profile="ua-2.0", singletons="keep", phrases="np")
        assert report.b_cubed.f1 == pytest.approx(run["scores"]["bcub"]["f"], abs=1e-9), case


@pytest.mark.parametrize("case", sorted({case for case, _ in runs() if case != TWICE}))
def test_minimum_spans_are_those_of_the_scorer(case: str) -> None:
    documents = {one.id: one for one in read(str(sides(case)[0]))}
    every = peer_runs.runs(case)
    listed: dict[str, Any] = next((run["min_spans"] for _, run in every if "min_spans" in run), {})
    seen = 0
    for name, mentions in listed.items():
        document = documents["-".join(re.fullmatch(r"\((.*)\); part (\d+)", name).groups())]  # type: ignore[union-attr]
        starts = [sum((document.sentences or [])[:number]) for number in range(len(document.sentences or []))]
        places = [tuple(map(int, re.split("[:-]", place))) for place, _ in mentions]
        spans = [(starts[sentence] + first, starts[sentence] + last + 1) for sentence, first, last in places]
        side = ComparedSide(document._replace(clusters={"every": spans}), document)
        keyed = read_phrases(ComparedPair("d", side, side), options_from(match="mina"))
        found = [one.what[1] for one in keyed.gold.document.clusters["every"]]  # type: ignore[attr-defined]
        assert found == [{tuple(leaf) for leaf in leaves} for _, leaves in mentions]
        seen += len(found)
    assert seen > 0


UNIQUE = [
    (case, run) for case, run in runs() if case != TWICE and not ("min" in run["args"] and case in SHARED)
]
"""Runs in which no two mentions of a side are the same."""


@every(("case", "run"), UNIQUE)
def test_pairs_are_those_of_the_scorer(case: str, run: peer_runs.Run) -> None:
    check(case, run, lookup="pairs")


def test_a_shared_minimum_span_is_a_repeat() -> None:
    with pytest.raises(scorch2.InputError, match="is already in cluster"):
        scorch2.score(*sides("conll-r01"), match="mina")
    report = scorch2.score(*sides("conll-r01"), match="mina", duplicates="first", metrics=["mentions"])
    assert 0 < report.mentions.f1 < 1


@pytest.mark.parametrize(
    ("choice", "asked"), [({"match": "mina"}, 'match="mina"'), ({"phrases": "np"}, 'phrases="np"')]
)
@pytest.mark.parametrize("name", ["example/gold.conll", "universal_anaphora/ua-08-min-spans/key.ua"])
def test_files_without_a_parse_are_refused(name: str, choice: dict[str, Any], asked: str) -> None:
    path = FOLDER.parent / name
    with pytest.raises(scorch2.InputError, match=f"has no parse in a 6th column, which {asked} needs"):
        scorch2.score(path, path, **choice)


@pytest.mark.parametrize("choice", [{"match": "mina"}, {"phrases": "np"}, {"nested": "drop"}])
@pytest.mark.parametrize("lacking", ["gold", "system"])
def test_names_are_no_spans(choice: dict[str, Any], lacking: str, tmp_path: Path) -> None:
    names = tmp_path / "h-000.json"
    names.write_text('{"type": "clusters", "clusters": {"a": ["0.0-1", "0.4-4"]}}', "utf-8")
    columns = sides("conll-02-vp-mentions")[0]
    paths = (names, columns) if lacking == "gold" else (columns, names)
    ((name, value),) = choice.items()
    with pytest.raises(scorch2.InputError, match=f'are not spans of a text, which {name}="{value}" needs'):
        scorch2.score(*paths, **choice)


@pytest.mark.parametrize("choice", [{"match": "mina"}, {"phrases": "np"}])
def test_gold_without_a_text_has_no_parse(choice: dict[str, Any], tmp_path: Path) -> None:
    empty = tmp_path / "h-000.json"
    empty.write_text('{"type": "clusters", "clusters": {}}', "utf-8")
    with pytest.raises(scorch2.InputError, match=r"no parse in a 6th column|not spans of a text"):
        scorch2.score(empty, sides("conll-02-vp-mentions")[0], **choice)
    assert scorch2.score(empty, empty, metrics=["mentions"], **choice).mentions.f1 == 0, "nothing to look at"


@pytest.mark.parametrize(
    ("parses", "is_there"),
    [
        (("-", "-"), False),
        (("_", "_"), False),
        (("-", "(NP*)"), False),  # the first row tells, as in coval
        (("(NP*)", "-"), True),
        (("(NP*)", ""), False),  # a row has fewer columns
        (("", ""), False),
    ],
)
def test_a_parser_that_was_not_at_work_is_told(
    parses: tuple[str, str], is_there: bool, tmp_path: Path
) -> None:
    cells = [[f"d\t0\t{i}\tw\tNN", parse, "-", "(1)"] for i, parse in enumerate(parses)]
    rows = ["\t".join(row if row[1] else [row[0], row[3]]) for row in cells]
    path = tmp_path / "d.conll"
    path.write_text("\n".join(["#begin document (d);", *rows, "#end document", ""]), "utf-8")
    if is_there:
        assert scorch2.score(path, path, match="mina").b_cubed.f1 == 1
    else:
        with pytest.raises(scorch2.InputError, match=r"d\.conll: .*has no parse in a 6th column"):
            scorch2.score(path, path, match="mina")


def test_documents_without_a_file_are_named() -> None:
    names = {"none": [], "a": ["m"]}
    with pytest.raises(scorch2.InputError, match=r'^gold: mentions of "gold" are not spans of a text'):
        scorch2.score(names, names, nested="drop")
    (gold,) = read(str(sides("conll-02-vp-mentions")[0]))[:1]
    plain = gold._replace(path="", words=None)
    with pytest.raises(scorch2.InputError, match=f"^{re.escape(gold.id)}: .*has no parse"):
        scorch2.score(plain, plain, phrases="np")


@pytest.mark.parametrize(
    ("rows", "gold", "system"),
    [
        # tokens 0 to 2, over the break, against the word called 0, the fourth of the second sentence
        ("a(NP*) b(NP*) | c(NP*) d(NP*) e(NP*) 0(NP*)", {0: "(1", 3: "1)"}, {6: "(1)"}),
        # token 1, which has no parse, against the word called 1 behind it
        ("a(NP*) b- 1(NP*)", {1: "(1)"}, {2: "(1)"}),
    ],
)
def test_a_mention_without_a_tree_is_no_other_mention(
    rows: str, gold: dict[int, str], system: dict[int, str], tmp_path: Path
) -> None:
    paths = []
    for name, cells in {"gold": gold, "sys": system}.items():
        lines = [
            f"d\t0\t0\t{row[0]}\tNN\t{row[1:]}\t-\t{cells.get(i, '-')}" if row != "|" else ""
            for i, row in enumerate(rows.split())
        ]
        paths.append(tmp_path / f"{name}.conll")
        paths[-1].write_text("\n".join(["#begin document (d);", *lines, "#end document", ""]), "utf-8")
    assert scorch2.score(*paths, match="mina", metrics=["mentions"]).mentions.f1 == 0


def test_a_mention_over_a_sentence_break_equals_its_span_alone(tmp_path: Path) -> None:
    rows = ["d\t0\t0\ta\tNN\t(NP*)\t-\t{}\n", "\n", "d\t0\t0\tb\tNN\t(NP*)\t-\t{}\n"]
    paths = []
    for name, cells in {"gold": ("(1", "1)|(2)"), "sys": ("(1|(2)", "1)")}.items():
        text = rows[0].format(cells[0]) + rows[1] + rows[2].format(cells[1])
        paths.append(tmp_path / f"{name}.conll")
        paths[-1].write_text(f"#begin document (d);\n{text}#end document\n", "utf-8")
    report = scorch2.score(*paths, match="mina", metrics=["mentions"], average="pooled")
    assert report.mentions.f1 == 0.5, "the long one matches, a and b do not"


@pytest.mark.parametrize("choice", ["--match=mina", "--phrases=np", "--nested=drop"])
def test_errors_are_counted_on_the_same_mentions(choice: str, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(path) for path in sides("conll-02-vp-mentions")]
    assert main(["errors", "-q", choice, *paths]) == 0
    assert "mentions=" in capsys.readouterr().out


def test_the_last_chain_of_a_mention_is_that_of_all_mentions_in_the_file(tmp_path: Path) -> None:
    """Chain 1 closes first, at a verb phrase that does not count.

    coval (commit 87071a6) prints with NP_only: bcub 75.00 37.50 50.00, muc 50.00 0.00 0.00.
    """
    parse = ["(S*", "(VP*)", "(NP*)", "(NP*)", "(NP*)", "(NP*)", "*)"]
    paths = []
    for side, cells in {"gold": "- (1) (2) (1)|(2) - (1) -", "sys": "- - (2) (1) (2) (1) -"}.items():
        rows = [
            f"d\t0\t0\tw\tNN\t{tree}\t-\t{cell}\n" for tree, cell in zip(parse, cells.split(), strict=True)
        ]
        paths.append(tmp_path / f"{side}.conll")
        paths[-1].write_text(f"#begin document (d);\n{''.join(rows)}#end document\n", "utf-8")
    report = scorch2.score(*paths, profile="coval", phrases="np")
    assert tuple(report.b_cubed) == (0.75, 0.375, 0.5)
    assert tuple(report.muc) == (0.5, 0.0, 0.0)


def columns(folder: Path, length: int, mentions: Sequence[tuple[int, int]]) -> Path:
    """Return a file of one sentence, in which each word is a phrase, with mentions from word to word."""
    cells: list[list[str]] = [[] for _ in range(length)]
    for number, (first, last) in enumerate(mentions):
        cells[first].append(f"({number}" + ")" * (first == last))
        if first < last:
            cells[last].append(f"{number})")
    rows = [f"d\t0\t0\tw\tNN\t(NP*)\t-\t{'|'.join(cell) or '-'}\n" for cell in cells]
    path = folder / "d.conll"
    path.write_text(f"#begin document (d);\n{''.join(rows)}#end document\n", "utf-8")
    return path


@pytest.mark.parametrize("choice", [{"match": "mina"}, {"phrases": "np"}])
def test_mentions_that_are_all_inside_each_other_are_refused(choice: dict[str, Any], tmp_path: Path) -> None:
    number = 550  # they have 2 + 4 + ... + 1100 = 303 050 words
    (tmp_path / "long").mkdir()
    path = columns(tmp_path / "long", 2 * number, [(n, 2 * number - 1 - n) for n in range(number)])
    why = r"long/d\.conll: the mentions of .* have 303050 words in all"
    with pytest.raises(scorch2.InputError, match=why):
        scorch2.score(columns(tmp_path, 2 * number, [(0, 0)]), path, **choice)
    path = columns(tmp_path, 2 * number, [(n, 2 * number - 1 - n) for n in range(10, number)])
    assert scorch2.score(path, path, metrics=["mentions"], **choice).mentions.f1 == 1


def test_every_span_of_a_text_may_be_a_mention(tmp_path: Path) -> None:
    length, longest = 750, 30  # 339 760 words in 22 065 mentions
    spans = [(n, n + more) for more in reversed(range(longest)) for n in range(length - more)]
    path = columns(tmp_path, length, spans)
    assert scorch2.score(path, path, phrases="np", metrics=["mentions"]).mentions.f1 == 1
