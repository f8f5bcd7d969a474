"""Metrics and measures as users type them: lists with commas, any case, all of them."""

import json
from pathlib import Path

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.scoring.metrics import OF_CLUSTERS
from scorch2.scoring.metrics.chosen import chosen_metrics, metric_row
from scorch2.tasks.linking.measures import GROUPS

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM, OTHER = (str(EXAMPLE / name) for name in ("gold", "sys", "other"))
LINKED = ["-g", str(EXAMPLE / "gold.tsv"), str(EXAMPLE / "sys.tsv")]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    return (status, *capsys.readouterr())


@pytest.fixture
def stored(tmp_path: Path) -> dict[str, str]:
    """Return the paths of reports of a system: JSON, and the table of evaluate."""
    paths = {"report": str(tmp_path / "sys.json"), "table": str(tmp_path / "sys.tab")}
    assert main(["-q", "-f", "json", "-m", "muc", "-m", "lea", GOLD, SYSTEM, paths["report"]]) == 0
    assert main(["evaluate", "-q", *LINKED, paths["table"]]) == 0
    return paths


@pytest.mark.parametrize(
    "words",
    [
        ["score", GOLD, SYSTEM],
        ["confidence", "-n", "9", "-g", GOLD, SYSTEM],
        ["confidence", "-n", "9", "report"],
        ["significance", "-n", "9", "-g", GOLD, SYSTEM, OTHER],
        ["evaluate", *LINKED],
        ["list-measures"],
        ["compare-measures", *LINKED],
        ["compare-measures", "-e", "table"],
        ["rank-systems", "table"],
        ["plot-systems", "--table", "table"],
    ],
    ids=lambda words: " ".join(word for word in words if "/" not in word),
)
def test_a_list_is_as_good_as_an_option_for_each(
    words: list[str], stored: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [stored.get(word, word) for word in words]
    second = "lea" if words[0] in ("score", "confidence", "significance") else "mention_ceaf"
    one = run(capsys, *words, "-m", second, "-m", "muc")
    assert one[0] == 0
    for asked in ([f"-m{second},muc"], [f"--m{words_long(words[0])}={second}, muc"], ["-m", f"{second},muc"]):
        assert run(capsys, *words, *asked) == one


def words_long(command: str) -> str:
    return "etric" if command in ("score", "confidence", "significance") else "easure"


def test_the_metrics_of_a_leaderboard_in_a_list(
    stored: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["rank-systems", "-m", "muc", stored["table"]]
    one = run(capsys, *words, "--metric=recall", "--metric=precision")
    assert one[0] == 0
    assert run(capsys, *words, "--metric=recall,precision") == one


def test_a_row_whose_name_has_a_comma_is_one_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "e.tab").write_text(
        "ptp\tfp\trtp\tfn\tprecis\trecall\tfscore\tmeasure\n1\t0\t1\t0\t1.0\t1.0\t1.0\tmuc;type=A,B\n",
        encoding="utf-8",
    )
    status, out, err = run(capsys, "rank-systems", "-m", "muc;type=A,B", str(tmp_path / "e.tab"))
    assert (status, err) == (0, "")
    assert "muc;type=A,B" in out


@pytest.mark.parametrize("name", ["all", "ALL", "muc,all", "all,md"])
def test_all_metrics(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "-m", name, "-f", "json", GOLD, SYSTEM)
    assert status == 0
    assert list(json.loads(out)["scores"]) == list(OF_CLUSTERS)
    one_by_one = [word for metric in OF_CLUSTERS for word in ("-m", metric)]
    assert run(capsys, *one_by_one, "-f", "json", GOLD, SYSTEM)[1] == out


def test_all_metrics_that_a_report_holds(stored: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["confidence", "-n", "9", stored["report"]]
    assert run(capsys, *words, "-m", "all") == run(capsys, *words)


def test_all_is_of_linking_if_gold_is(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["confidence", "-f", "json", "-n", "9", "-m", "all"]
    linking, coreference = (
        {row["measure"] for row in json.loads(run(capsys, *words, *rest)[1])}
        for rest in (LINKED, ["-g", GOLD, SYSTEM])
    )
    assert linking == set(GROUPS["all"])
    assert coreference == set(OF_CLUSTERS)


@pytest.mark.parametrize("metrics", ["all", ["All"], ["muc", "all"], OF_CLUSTERS, ",".join(OF_CLUSTERS)])
def test_all_metrics_in_python(metrics: "str | list[str]") -> None:
    clusters = [["a", "b"], ["c"]]
    assert list(scorch2.score(clusters, clusters, metrics=metrics).scores) == list(OF_CLUSTERS)
    scorer = scorch2.CorefScorer(metrics)
    scorer.update(gold=clusters, system=clusters)
    assert list(scorer.compute().scores) == list(OF_CLUSTERS)


def test_a_name_that_is_none_in_a_list() -> None:
    for asked in ("muc,mucc", ["all", "mucc"], ["muc", "mucc"]):
        with pytest.raises(scorch2.UsageError, match=r'^unknown metric "mucc", did you mean muc'):
            chosen_metrics(asked)


def test_all_is_not_a_metric(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A gate is on one metric, and a stored report names each."""
    with pytest.raises(scorch2.UsageError, match=r'^unknown metric "all"'):
        metric_row("all")
    report = scorch2.score([["a", "b"]], [["a", "b"]]).to_dict()
    report["options"]["metrics"] = ["all"]
    (tmp_path / "r.json").write_text(json.dumps(report), encoding="utf-8")
    status, _, err = run(capsys, "gate", "--fail-under=muc=1", str(tmp_path / "r.json"))
    assert status == 2
    assert '$.options.metrics: unknown metric "all"' in err
