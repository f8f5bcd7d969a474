"""The commands beside evaluate at their bounds: one stream, read once; inputs that could fill the memory."""

import io
import json
from pathlib import Path
from unittest.mock import Mock

import pytest
from score_reports import run

from scorch2.tasks.linking import converters

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
TEAMS = [str(FIXTURES / "leaderboards" / "rank-01" / f"{name}.tab") for name in ("teamA_run0", "teamB_run1")]
GOLD, SYSTEM = (str(FIXTURES / "example" / f"{side}.tsv") for side in ("gold", "sys"))


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


@pytest.mark.parametrize(
    "words",
    [
        ["select-alternatives", "-g", "-", "-"],
        ["prepare-tac", "-q", "-", "-"],
        ["prepare-tac", "-q", "q", "-x", "-", "-m", "-", "l"],
        ["prepare-tac15", "-m", "-", "-"],
        ["rank-systems", "-", "-"],
        ["compose-measures", "-r", "muc", "muc", "--in-place", "-", "-"],
        ["compare-measures", "-e", "-", "-"],
        ["compare-measures", "-g", "-", "-"],
        ["plot-systems", "--table", "-", "-"],
    ],
    ids=" ".join,
)
def test_one_input_is_standard_input_at_most(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, Path(TEAMS[0]).read_bytes())
    status, out, err = run(capsys, *words)
    assert (status, out, err) == (2, "", "scorch2: error: only one input can be standard input (-)\n")


@pytest.mark.parametrize("name", ["rank-systems", "compare-measures -e", "plot-systems --table --anon"])
def test_a_report_from_standard_input_is_one_from_a_file(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [*name.split(), "-m", "muc", "-m", "b_cubed"]
    status, expected, _ = run(capsys, *words, *TEAMS)
    feed(monkeypatch, Path(TEAMS[0]).read_bytes())
    assert run(capsys, *words, "-", TEAMS[1]) == (status, expected.replace(TEAMS[0], "-"), "")


def test_gold_from_standard_input_is_compared_with_every_system(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["compare-measures", "-m", "strong_link_match", "-m", "muc", SYSTEM, GOLD]
    expected = run(capsys, *words, "-g", GOLD)
    assert expected[0] == 0
    feed(monkeypatch, Path(GOLD).read_bytes())
    assert run(capsys, *words, "-g", "-")[:2] == expected[:2]


def test_what_evaluate_warns_of_is_said_once_for_several_systems(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Mentions of gold that are called NIL and nothing more, and a precision of 0/0 in both systems."""
    gold, one, other = (str(tmp_path / name) for name in ("gold", "one", "other"))
    Path(gold).write_text("d\t0\t4\tNIL\nd\t6\t8\tNIL\n")
    Path(one).write_text("d\t0\t4\tE1\n")
    Path(other).write_text("d\t0\t4\tE2\nd\t6\t8\tE3\n")
    words = ["-m", "muc", "-m", "strong_mention_match", "-g", gold]
    warned = [run(capsys, "evaluate", *words, system)[2] for system in (one, other)]
    assert warned[0] == warned[1]
    assert warned[0].count("warning") == 2
    assert run(capsys, "compare-measures", *words, one, other)[2] == warned[0]


def test_long_mentions_among_short_ones_are_cut_up(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "in"
    path.write_text("d\t1\t100000\tE\n" + "d\t0\t0\tF\n" * 3)
    status, out, _ = run(capsys, "to-weak", str(path))
    assert (status, out.count("\n")) == (0, 100_003)
    assert out.endswith("d\t100000\t100000\tE\nd\t0\t0\tF\nd\t0\t0\tF\nd\t0\t0\tF\n")


def test_a_few_lines_do_not_fill_the_memory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_text("d\t1\t90000\tE\n" * 1000)
    why = "2 mentions of 180000 units so far: more than 1000 units each"
    assert run(capsys, "to-weak", str(path)) == (2, "", f"scorch2: error: {path}: line 2: {why}\n")


def test_a_long_row_is_not_written_for_every_unit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of 1 600 candidates and 99 999 units that would be 1.8 GB."""
    path = tmp_path / "in"
    row = "d\t1\t99999" + "".join(f"\tE{i}\t1.0\tX" for i in range(1600))
    path.write_text(f"d\t0\t0\tE\n{row}\n")
    size = 100_000 * 1000 + 1000 * path.stat().st_size
    taken = len("d.0.0.E") + 99_999 * len(row)
    assert taken > size
    why = f"100000 rows of {taken} characters so far: more than 1000 times the file"
    assert run(capsys, "to-weak", str(path)) == (2, "", f"scorch2: error: {path}: line 2: {why}\n")


def test_a_long_chain_of_types_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chain of n links takes 1 + 2 + ... + n steps: 15 for five links."""
    tree = json.dumps({f"t{i}": [f"t{i + 1}"] for i in range(5)})
    monkeypatch.setattr("scorch2.tasks.linking.annotation_rows.USUAL_STEPS", 1)
    words = ["weights-for-hierarchy", tree]
    monkeypatch.setattr("scorch2.tasks.linking.annotation_rows.MOST_STEPS", 10)
    assert run(capsys, *words)[1].count("\n") == 15
    monkeypatch.setattr("scorch2.tasks.linking.annotation_rows.MOST_STEPS", 9)
    why = "more than 14 steps from types up to their ancestors (1 for each link, and 9)"
    assert run(capsys, *words) == (2, "", f"scorch2: error: <tree>: $: {why}\n")


def test_each_cell_is_searched_once_for_its_mentions_of_one_span(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = Mock(wraps=converters.closings_of)
    monkeypatch.setattr(converters, "closings_of", searched)
    opens, closes = ("|".join(shape.format(i) for i in range(1000)) for shape in ("({}", "{})"))
    path = tmp_path / "in"
    path.write_text(f"#begin document d\na\t{opens}\nb\t{closes}\n#end document\n")
    (row,) = converters.from_conll(str(path), with_kb=True, cross_doc=False)
    assert row.choices[0].id == "999"
    assert searched.call_count == 1
