"""The board of a shared task: teams, dates and corpora, by scores that were counted by hand."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import scorch2
from scorch2.cli.main import main

TASK = Path(__file__).parents[2] / "fixtures" / "task"
Capture: TypeAlias = pytest.CaptureFixture[str]
# F1 of MUC, B³ and CEAF_e in the corpora of the submissions, as `test_shared_task.py` counts them by hand:
SPLIT = (Fraction(2, 3) + Fraction(6, 7) + Fraction(2, 3)) / 3
ONE = (Fraction(4, 5) + Fraction(2, 3) + Fraction(4, 9)) / 3
HALF = Fraction(2, 3)
CROSSED = (Fraction(0) + Fraction(1, 2) + Fraction(1, 2)) / 3
CORPORA = {
    "alpha": {"news": SPLIT, "chat": SPLIT, "stories": ONE},
    "beta": {"news": HALF, "chat": CROSSED, "stories": HALF},
    "gamma": {"news": ONE, "stories": SPLIT},  # it lacks chat, which counts 0
}
RUNS = (
    ("gamma", "North", "2026-05-01", "first run"),
    ("beta", "South", "2026-05-02", "rules"),
    ("alpha", "North", "2026-05-03", "second run"),
)


@pytest.fixture
def runs(tmp_path: Path) -> str:
    """Return the folder of the reports of three submissions by two teams."""
    for number, (name, team, date, note) in enumerate(RUNS):
        said = [f"--team={team}", f"--date={date}", f"--note={note}", "-o", str(tmp_path / f"{number}.json")]
        paths = [str(TASK / "task.json"), str(TASK / "submissions" / name)]
        assert main(["task", "score", "-q", *said, *paths]) == 0
    return str(tmp_path)


def systems(capsys: Capture, *words: str) -> list[dict[str, Any]]:
    """Return the rows of the only ranking of the board as JSON."""
    assert main(["leaderboard", "-q", "-f", "json", *words]) == 0
    (ranking,) = json.loads(capsys.readouterr().out)["rankings"]
    found: list[dict[str, Any]] = ranking["systems"]
    return found


def assert_scores(row: dict[str, Any], name: str) -> None:
    corpora = CORPORA[name]
    assert row["scores"]["conll"]["f1"] == pytest.approx(float(sum(corpora.values()) / 3))
    assert {corpus: scores["conll"]["f1"] for corpus, scores in row["files"].items()} == {
        corpus: pytest.approx(float(score)) for corpus, score in corpora.items()
    }


def test_a_team_has_one_row_with_its_best_submission(runs: str, capsys: Capture) -> None:
    rows = systems(capsys, runs)
    assert [(row["system"], row["rank"], row["submission"]["note"]) for row in rows] == [
        ("North", 1, "second run"),
        ("South", 2, "rules"),
    ]
    for row, name in zip(rows, ("alpha", "beta"), strict=True):
        assert_scores(row, name)


def test_the_history_has_a_row_for_each_submission(runs: str, capsys: Capture) -> None:
    rows = systems(capsys, "--history", runs)
    shown = [(row["system"], row["rank"], row["submission"]["date"]) for row in rows]
    assert shown == [
        ("North 2026-05-03", 1, "2026-05-03"),
        ("South 2026-05-02", 2, "2026-05-02"),
        ("North 2026-05-01", 3, "2026-05-01"),
    ]
    for row, name in zip(rows, ("alpha", "beta", "gamma"), strict=True):
        assert_scores(row, name)


def test_two_submissions_of_a_day_have_names_of_their_own(runs: str, capsys: Capture) -> None:
    text = Path(runs, "2.json").read_text("utf-8").replace("2026-05-03", "2026-05-01")
    Path(runs, "2.json").write_text(text, encoding="utf-8")
    names = {row["system"] for row in systems(capsys, "--history", runs)}
    assert names == {"North 2026-05-01", "North 2026-05-01 (2)", "South 2026-05-02"}


def test_a_frozen_board_has_what_was_submitted_until_then(runs: str, capsys: Capture) -> None:
    rows = systems(capsys, "--until=2026-05-02", runs)
    assert [(row["system"], row["submission"]["note"]) for row in rows] == [
        ("South", "rules"),
        ("North", "first run"),
    ]
    assert_scores(rows[1], "gamma")
    assert main(["leaderboard", "--until=2026-05-02", runs]) == 0
    assert "1 submission after 2026-05-02: left out" in capsys.readouterr().err
    for day, why in (
        ("2026-04-30", "no report was submitted until 2026-04-30"),
        ("May", '--until is a day, such as 2026-05-01, not "May"'),
        ("20260502", '--until is a day, such as 2026-05-01, not "20260502"'),
        ("", '--until is a day, such as 2026-05-01, not ""'),
    ):
        assert main(["leaderboard", f"--until={day}", runs]) == 2
        assert capsys.readouterr().err == f"scorch2: error: {why}\n"


def test_a_report_without_a_date_is_not_on_a_frozen_board(runs: str, capsys: Capture) -> None:
    paths = [str(TASK / "task.json"), str(TASK / "submissions" / "beta")]
    assert main(["task", "score", "-q", "-o", f"{runs}/3.json", *paths]) == 0
    assert main(["leaderboard", "--until=2026-05-02", runs]) == 2
    assert "3.json: $: has no date (task score writes one with --team or --date)" in capsys.readouterr().err
    assert {row["system"] for row in systems(capsys, runs)} == {"North", "South", "3"}


def test_the_table_has_a_column_for_each_corpus_and_blanks(runs: str, capsys: Capture) -> None:
    assert main(["leaderboard", "-q", "--history", runs]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()[2:7]
    assert head.split() == [
        *("system", "rank", "CoNLL", "group", "news", "chat", "stories", "date", "system", "mentions")
    ]
    assert rows[2][head.index("group") + 5 :].split() == ["63.70", "73.02*", "2026-05-01", "16"]


@pytest.mark.parametrize("form", ["table", "html", "markdown", "latex"])
def test_every_form_shows_dates(form: str, runs: str, capsys: Capture) -> None:
    assert main(["leaderboard", "-q", "-f", form, runs]) == 0
    text = capsys.readouterr().out
    assert "North" in text
    assert "2026-05-03" in text
    assert "2026-05-01" not in text


def test_a_date_that_is_none_is_refused(runs: str, capsys: Capture) -> None:
    text = Path(runs, "1.json").read_text("utf-8").replace("2026-05-02", "<script>")
    Path(runs, "1.json").write_text(text, encoding="utf-8")
    assert main(["leaderboard", runs]) == 2
    assert (
        '1.json: $.submission.date: date is a day, such as 2026-05-01, not "<script>"'
        in capsys.readouterr().err
    )


def test_teams_change_no_number(runs: str, capsys: Capture) -> None:
    stored = json.loads(Path(runs, "1.json").read_text("utf-8"))
    assert stored.pop("submission") == {"team": "South", "note": "rules", "date": "2026-05-02"}
    paths = [str(TASK / "task.json"), str(TASK / "submissions" / "beta")]
    assert main(["task", "score", "-q", "-f", "json", *paths]) == 0
    assert json.loads(capsys.readouterr().out) == stored
    assert main(["verify", "-q", f"--task={paths[0]}", f"{runs}/1.json", paths[1]]) == 0
    assert main(["gate", "-q", "--fail-under=conll=50%", f"{runs}/1.json"]) == 0


def test_python_scores_a_submission_as_the_command_does(runs: str) -> None:
    words: Any = {"team": "North", "note": "second run", "date": "2026-05-03"}
    paths = TASK / "task.json", TASK / "submissions" / "alpha"
    report = scorch2.score_task(*paths, **words)
    assert report.to_json() == Path(runs, "2.json").read_text("utf-8")
    assert report.submission == words
    stored = scorch2.read_report(f"{runs}/2.json")
    assert (stored.scores, stored.submission) == (report.scores, report.submission)
    seen = scorch2.score_task(*paths, participants=True)
    assert [document.id for document in seen.documents] == ["news", "chat", "stories"]
    assert seen.submission == {}
    with pytest.raises(scorch2.InputError, match=r"tsk\.json"):
        scorch2.score_task("tsk.json", paths[1])
    with pytest.raises(scorch2.UsageError, match='date is a day, such as 2026-05-01, not "May"'):
        scorch2.score_task("tsk.json", paths[1], date="May")  # before anything is read
    with pytest.raises(scorch2.UsageError, match="team is a text, not 7"):
        scorch2.score_task("tsk.json", paths[1], team=7)  # type: ignore[arg-type]
    with pytest.raises(scorch2.UsageError, match="submission is the path of a file"):
        scorch2.score_task(paths[0], [["a", "b"]])  # type: ignore[arg-type]
    with pytest.raises(scorch2.UsageError, match="date is a day, such as 2026-05-01, not 20260502"):
        scorch2.score_task(*paths, date=20260502)  # type: ignore[arg-type]
    with pytest.raises(scorch2.UsageError, match="participants is True or False, not 1"):
        scorch2.score_task(*paths, participants=1)  # type: ignore[arg-type]


def test_python_has_the_same_board(runs: str) -> None:
    board = scorch2.leaderboard([runs], until="2026-05-02")
    assert board.rankings[0].ranks == {"South": 1, "North": 2}
    assert [*scorch2.leaderboard([runs], history=True).rankings[0].ranks.values()] == [1, 2, 3]
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"history": "no"}, 'history is True or False, not "no"'),
        ({"until": ""}, 'until is a day, such as 2026-05-01, not ""'),
        ({"pages": b"x"}, "pages is the path of a file"),
    )
    for settings, why in wrong:
        with pytest.raises(scorch2.UsageError, match=why):
            scorch2.leaderboard([runs], **settings)


def test_python_refuses_rules_of_submissions_for_systems_with_names() -> None:
    named = {"one": scorch2.score([["a", "b"]], [["a", "b"]])}
    wrong: tuple[Any, ...] = ({"until": "2026-05-02"}, {"history": True})
    for rules in wrong:
        with pytest.raises(scorch2.UsageError, match="until and history are for paths of reports"):
            scorch2.leaderboard(named, **rules)
