"""Errors along the texts: by hand, against a plain count on random texts, and the same in every form."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import share_of
from test_patterns import named, random_spans, shared_out, written

import scorch2
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.patterns import MANY_DOCUMENTS, MOST_WINDOWS
from scorch2.cli.main import main
from scorch2.model.document import Document
from scorch2.model.errors import InputError, UsageError

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
EXAMPLE = [str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys")]


def errors(*paths: Any, **options: Any) -> scorch2.ErrorReport:
    return scorch2.errors(*paths, by="place", gains="none", **options)


def shown(report: scorch2.ErrorReport) -> list[tuple[int, int, int]]:
    return [(place.start, place.end, sum(place.errors.values())) for place in report.places]


def book(folder: Path, size: int, missing: list[int]) -> list[str]:
    """Write a text of single words, all of one entity, of which the system lacks some."""
    text = [" ".join(["she/PRP"] * size)]
    sides = [[(n, n + 1) for n in range(size)], [(n, n + 1) for n in range(size) if n not in missing]]
    return [written(folder / f"{n}.conll", text, [side]) for n, side in enumerate(sides)]


def test_windows_by_hand(tmp_path: Path) -> None:
    paths = book(tmp_path, 26, [0, 9, 10, 19, 25])
    assert shown(errors(*paths, windows=[10])) == [(0, 10, 2), (10, 20, 2), (20, 26, 1)]
    assert shown(errors(*paths, windows=[12])) == [(0, 12, 3), (12, 26, 2)], "a rest of less than half"
    assert shown(errors(*paths, windows=[4, 10])) == [
        *((0, 4, 1), (4, 8, 0), (8, 12, 2), (12, 16, 0), (16, 20, 1), (20, 24, 0), (24, 26, 1)),
    ], "the first length counts"
    assert shown(errors(*paths)) == [(0, 10, 2), (10, 20, 2), (20, 26, 1)], "in tens, as there are few"
    (first, *_) = errors(*paths, windows=[10]).places
    assert (first.size, first.rate, first.errors["missing_mention"]) == (10, 200.0, 2)


def test_a_long_text_has_round_windows(tmp_path: Path) -> None:
    """By hand: in fifties there would be 160 windows, in hundreds there are 80."""
    report = errors(*book(tmp_path, 8000, [7999]))
    assert len(report.places) == 80 <= MOST_WINDOWS
    assert shown(report)[0] == (0, 100, 0)
    assert shown(report)[-1] == (7900, 8000, 1)


def test_more_documents_than_windows_are_counted_to_an_end() -> None:
    documents = [Document(f"d{n}", {"a": [(0, 1), (1, 2)]}, sentences=[2]) for n in range(MOST_WINDOWS + 1)]
    system = [document._replace(clusters={}) for document in documents]
    assert len(errors(documents, system).places) == MOST_WINDOWS + 1


def test_many_documents_are_places_and_those_with_most_errors_come_first(tmp_path: Path) -> None:
    for number in range(MANY_DOCUMENTS):
        clusters = {"a": ["0.0-0", "0.1-1", "0.2-2"], "b": ["0.3-3"]}
        for side, its in (("gold", clusters), ("sys", {"a": clusters["a"][: 1 + number % 3]})):
            (tmp_path / side).mkdir(exist_ok=True)
            value = {"type": "clusters", "sentences": [["w"] * (24 + number)], "clusters": its}
            (tmp_path / side / f"d{number}.json").write_text(json.dumps(value), encoding="utf-8")
    places = errors(str(tmp_path / "gold"), str(tmp_path / "sys")).places
    # Missing: a mention each that is cut off and the whole entity b
    expected = sorted((-(3 - n % 3) / (24 + n), f"d{n}") for n in range(MANY_DOCUMENTS))
    assert [place.document for place in places] == [name for _, name in expected]
    assert [(place.start, place.end) for place in places] == [(0, 24 + int(p.document[1:])) for p in places]
    cut = errors(str(tmp_path / "gold"), str(tmp_path / "sys"), windows=[4]).places
    assert [place.document for place in cut] == sorted(place.document for place in cut)
    assert len(cut) > MANY_DOCUMENTS


def test_without_tokens_mentions_are_what_errors_are_counted_per() -> None:
    (place,) = errors([["a", "b", "c"], ["d"]], [["a", "b"]]).places
    assert (place.end, place.size, place.rate) == (0, 4, 500.0)
    with pytest.raises(InputError, match="no tokens"):
        errors([["a", "b"]], [["a", "b"]], windows=[10])


def test_places_of_random_texts_are_those_of_a_plain_count(tmp_path: Path) -> None:
    random = Random(40)  # noqa: S311 - no secret
    for _ in range(share_of(40)):
        sentences = [" ".join(["w/NN"] * random.randint(3, 9)) for _ in range(9)]
        starts = [sum(len(s.split()) for s in sentences[:n]) for n in range(10)]
        golds, systems = ({*random_spans(random, sentences)} for _ in range(2))
        systems = {
            s for s in systems if not any(a < s[0] < b < s[1] or s[0] < a < s[1] < b for a, b in golds)
        }
        sides = [shared_out(random, sorted(spans)) for spans in (golds, systems)]
        paths = [written(tmp_path / f"{n}.conll", sentences, side) for n, side in enumerate(sides)]
        length = random.choice((3, 10, 16, 100))
        report = errors(*paths, windows=[length], list="errors")
        number = max(1, int(starts[-1] / length + 0.5))
        counts: Counter[tuple[int, str]] = Counter()
        places = {named(sentences, span): span[0] for span in (*golds, *systems)}
        for row in report.list:
            counts[min(places[row["mentions"][0]] // length, number - 1), row["kind"]] += 1
        assert [place.errors for place in report.places] == [
            {kind: counts[window, kind] for kind in KINDS} for window in range(number)
        ]
        assert [place.start for place in report.places] == [n * length for n in range(number)]
        assert sum(place.size for place in report.places) == starts[-1]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["errors", "-q", "--gains=none", "--no-signature", *words, *EXAMPLE]) == 0
    return capsys.readouterr().out


def test_all_forms_have_the_same_places(capsys: pytest.CaptureFixture[str]) -> None:
    plain = json.loads(run(capsys, "--by=place", "--window=20", "-f", "json"))["places"]
    assert sum(place["errors"] for place in plain) == 7  # as the guide has it
    assert all(place["errors"] == sum(place[kind] for kind in KINDS) for place in plain)
    rows = [[*map(str, place.values())] for place in plain]
    tables = run(capsys, "--by=place", "--window=20", "-f", "tsv").split("\n\n")
    (tsv,) = [table.strip().split("\n") for table in tables if table.startswith("document\t")]
    assert tsv[0].split("\t") == ["document", "start", "end", "size", "errors", *KINDS]
    assert [line.split("\t") for line in tsv[1:]] == rows
    lines = [line.split() for line in run(capsys, "--by=place", "--window=20").split("\n")]
    known = {row[0] for row in rows}
    assert [line for line in lines if line and line[0] in known] == rows
    assert "places" not in json.loads(run(capsys, "-f", "json"))


@pytest.mark.parametrize("lengths", ["20", "20,50"])
def test_windows_that_errors_are_counted_by_are_not_scored_too(
    lengths: str, capsys: pytest.CaptureFixture[str]
) -> None:
    scored = lengths.split(",")
    plain = json.loads(run(capsys, f"--window={lengths}", "-f", "json"))
    assert [str(row["tokens"]) for row in plain["windows"]] == scored
    counted = json.loads(run(capsys, "--by=place", f"--window={lengths}", "-f", "json"))
    assert [str(row["tokens"]) for row in counted.get("windows", [])] == scored[1:]
    assert len(counted["places"]) == 5  # of 20 tokens each, as the guide has them


def test_the_figure_has_a_bar_for_each_kind_at_each_place(tmp_path: Path) -> None:
    from scorch2.reports.figures.charts import draw
    from scorch2.reports.figures.kit import Bar

    report = errors(*EXAMPLE, windows=[20])
    bars = [shape for shape in draw(report, "places").shapes if isinstance(shape, Bar) and not shape.is_hatch]
    drawn = bars[len(KINDS) :]  # behind those of the key
    errors_there = [(kind, n, p.size) for p in report.places for kind, n in p.errors.items() if n]
    assert [bar.ink for bar in drawn] == [kind for kind, _, _ in errors_there]
    scale = drawn[0].height / (errors_there[0][1] / errors_there[0][2])
    for bar, (_, number, size) in zip(drawn, errors_there, strict=True):
        assert bar.height == pytest.approx(scale * number / size)
    path = tmp_path / "places.svg"
    assert main(["errors", "-q", f"--plot=places:{path}", *EXAMPLE]) == 0
    assert "Errors per 1 000 tokens" in path.read_text("utf-8")
    with pytest.raises(UsageError, match='needs by="place"'):
        scorch2.errors(*EXAMPLE).image("places")
