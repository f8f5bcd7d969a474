"""Shared tasks: scores counted by hand, files of tasks that are refused, and all that reads their reports."""

import copy
import json
import re
import shutil
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from every import every

from scorch2.cli.main import main
from scorch2.model.forms import forms_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
TASK = FIXTURES / "task"
Capture: TypeAlias = pytest.CaptureFixture[str]
# In each document gold links a with b and c with d. F1 of MUC, B³ and CEAF_e, counted by hand:
SPLIT = Fraction(2, 3), Fraction(6, 7), Fraction(2, 3)  # {a, b}, {c}, {d}
HALF = Fraction(2, 3), Fraction(2, 3), Fraction(2, 3)  # {a, b}
ONE = Fraction(4, 5), Fraction(2, 3), Fraction(4, 9)  # {a, b, c, d}
CROSSED = Fraction(0), Fraction(1, 2), Fraction(1, 2)  # {a, c}, {b, d}
NOTHING = Fraction(0), Fraction(0), Fraction(0)
SUBMISSIONS = {
    "alpha": {"exact": (SPLIT, SPLIT, ONE), "no-singletons": (HALF, HALF, ONE)},
    "beta": {"exact": (HALF, CROSSED, HALF), "no-singletons": (HALF, CROSSED, HALF)},
    "gamma": {"exact": (ONE, NOTHING, SPLIT), "no-singletons": (ONE, NOTHING, HALF)},
}
"""The corpora news, chat and stories of the submissions that can be scored, in both settings."""
CORPORA = ("news", "chat", "stories")


def conll(corpus: tuple[Fraction, ...]) -> Fraction:
    return sum(corpus, Fraction()) / 3


def mean(*corpora: tuple[Fraction, ...]) -> Fraction:
    return sum(map(conll, corpora), Fraction()) / len(corpora)


def scored(capsys: Capture, submission: str, *words: str, task: Path | str = TASK / "task.json") -> str:
    """Return what the command prints about a submission."""
    path = submission if "/" in submission else str(TASK / "submissions" / submission)
    assert main(["task", "score", "-q", *words, str(task), path]) == 0
    return capsys.readouterr().out


def refused(capsys: Capture, *words: str) -> str:
    assert main(["task", *words]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.count("\n") == 1
    return found.err


@every("name", SUBMISSIONS)
def test_scores_are_those_counted_by_hand(name: str, capsys: Capture) -> None:
    found = json.loads(scored(capsys, name, "-f", "json"))
    expected = SUBMISSIONS[name]
    assert found["scores"]["conll"]["f1"] == pytest.approx(float(mean(*expected["exact"])), abs=1e-12)
    by_name = {row["id"]: row["scores"] for row in found["files"]}
    assert sorted(by_name) == sorted(CORPORA)
    for corpus, counted in zip(CORPORA, expected["exact"], strict=True):
        scores = [by_name[corpus][metric]["f1"] for metric in ("muc", "b_cubed", "ceaf_e", "conll")]
        assert scores == pytest.approx([*map(float, counted), float(conll(counted))], abs=1e-12)
    by_corpus = {
        corpus: {setting: conll(corpora[place]) for setting, corpora in expected.items()}
        for place, corpus in enumerate(CORPORA)
    }
    by_corpus["all"] = {setting: mean(*corpora) for setting, corpora in expected.items()}
    assert found["settings"] == [
        {"corpus": corpus, "documents": 6 if corpus == "all" else 2}
        | {setting: round(float(score), 4) for setting, score in scores.items()}
        for corpus, scores in by_corpus.items()
    ]


def edited(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """Return the file of a changed task, with its gold beside it."""
    shutil.copytree(TASK, folder, dirs_exist_ok=True)
    task = json.loads((TASK / "task.json").read_text("utf-8"))
    change(task)
    path = folder / "task.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    return path


def test_a_corpus_may_be_called_like_the_row_of_all(tmp_path: Path, capsys: Capture) -> None:
    task = edited(tmp_path, lambda task: task["corpora"][0].update(name="all"))
    rows = json.loads(scored(capsys, "beta", "-f", "json", task=task))["settings"]
    assert [row["documents"] for row in rows] == [2, 2, 2, 6]


def test_pooled_counts_are_added_over_corpora(tmp_path: Path, capsys: Capture) -> None:
    task = edited(tmp_path, lambda task: task["primary"].update(average="pooled"))
    found = json.loads(scored(capsys, "beta", "-f", "json", task=task))
    # MUC finds one link of each document of two corpora, of 2 in gold and 1 there; none of the third, of 2
    muc = found["scores"]["muc"]
    assert (muc["recall"], muc["precision"]) == pytest.approx((4 / 12, 4 / 8))


def test_the_primary_number_is_that_of_the_official_scorer(tmp_path: Path, capsys: Capture) -> None:
    """The CorefUD scorer 1.2 prints 79.26 and 81.24 for these files; their mean is 80.25."""
    for corpus in ("news", "novels"):
        for side in ("gold", "sys"):
            (tmp_path / side).mkdir(exist_ok=True)
            shutil.copy(FIXTURES / "shared-task" / side / f"{corpus}.conllu", tmp_path / side)
    corpora = [{"name": name, "gold": f"gold/{name}.conllu"} for name in ("news", "novels")]
    settings = [{"name": "head", "profile": "corefud-1.2"}]
    task = tmp_path / "crac.json"
    task.write_text(json.dumps({"name": "crac", "corpora": corpora, "settings": settings}), encoding="utf-8")
    lines = scored(capsys, str(tmp_path / "sys"), task=task).splitlines()
    rows = [line.split() for line in lines[2:5]]
    assert rows == [["news", "1", "0.7926"], ["novels", "1", "0.8124"], ["all", "2", "0.8025"]]


FORMS = {
    "text": ["news\t2\t0.7302\t0.6667\n", "all\t6\t0.6991\t0.6568\n", "CoNLL-2012 average score: 0.6991"],
    "table": ["2  0.7302         0.6667\n", "6  0.6991         0.6568\n", "  69.91\n"],
    "markdown": ["| news | 2 | 0.7302 | 0.6667 |\n", "| all | 6 | 0.6991 | 0.6568 |\n"],
    "json": ['{"corpus": "news", "documents": 2, "exact": 0.7302, "no-singletons": 0.6667}', '"f1": 0.6991'],
    "html": ["69.91", "73.02", "63.70"],
    "flat": ['"primary": 0.6991', '"stories_muc_f1": 0.8'],
    "scores": ["primary: 0.6991", "\nmuc_f1: 0.7111", "\nnews_conll_f1: 0.7301", "\nstories_muc_f1: 0.8\n"],
}
"""Parts of forms, of numbers counted by hand."""


@every("form", FORMS)
def test_forms_have_the_scores_by_hand(form: str, capsys: Capture) -> None:
    text = scored(capsys, "alpha", "-f", form)
    for part in FORMS[form]:
        assert part in text
    assert "news/n1" in text or form != "json", "the report of the keeper names documents"


SECRETS = re.compile(r"\b(?:n1|n2|c1|c2|s1|s2|Tom|Joan|Max|She|him)\b|[0-9a-f]{40}")
"""What participants may not see: names of documents, words, hashes of gold."""


@every("form", sorted(forms_of("scores")))
def test_no_form_for_participants_names_a_document_or_a_word(form: str, capsys: Capture) -> None:
    for name in SUBMISSIONS:
        text = scored(capsys, name, "--participants", "-f", form)
        assert not SECRETS.search(re.sub(r"(?s)<(style|script)\b.*?</\1>", "", text))
    assert all(part in scored(capsys, "alpha", "--participants", "-f", form) for part in FORMS.get(form, ()))


def test_warnings_for_participants_name_no_document(tmp_path: Path, capsys: Capture) -> None:
    task = edited(tmp_path, lambda _: None)
    (tmp_path / "submissions" / "gamma" / "stories" / "s2.conll").unlink()
    words = ["task", "score", str(task), str(tmp_path / "submissions" / "gamma"), "-f", "json"]
    assert main(words) == 0
    assert "stories/s2: " in capsys.readouterr().err
    assert main([*words, "--participants"]) == 0
    found = capsys.readouterr()
    assert found.err == "scorch2: warning: chat: the submission has no chat.jsonl: the corpus counts 0\n"
    assert not SECRETS.search(found.out)


def test_numbers_for_participants_are_those_of_corpora(capsys: Capture) -> None:
    """In each of two documents MUC of alpha finds both links of gold in news, with one link there of two."""
    found = json.loads(scored(capsys, "alpha", "--participants", "-f", "json"))
    assert [row["id"] for row in found["documents"]] == [*CORPORA]
    counts = found["documents"][0]["counts"]["muc"]
    assert (counts["recall_num"], counts["recall_den"]) == (2, 4)
    assert found["scores"]["conll"]["f1"] == pytest.approx(float(mean(*SUBMISSIONS["alpha"]["exact"])))
    assert "inputs" not in found


def test_participants_see_the_documents_of_a_development_set(tmp_path: Path, capsys: Capture) -> None:
    task = edited(tmp_path, lambda task: task.update(visible="documents"))
    assert scored(capsys, "alpha", "--participants", "-f", "json", task=task) == scored(
        capsys, "alpha", "-f", "json", task=task
    )


READERS: dict[str, Callable[[str, str], list[str]]] = {
    "verify": lambda one, _: ["verify", f"--task={TASK / 'task.json'}", one, str(TASK / "submissions/alpha")],
    "compare": lambda one, other: ["compare", "--reports", one, other],
    "significance": lambda one, other: ["significance", one, other],
    "confidence": lambda one, _: ["confidence", one],
    "leaderboard": lambda one, other: ["leaderboard", one, other],
    "gate": lambda one, other: ["gate", "--max-drop=conll=1%", "--significant=5%", "--baseline", other, one],
}


@every("reader", READERS)
def test_what_needs_documents_says_that_participants_have_none(
    reader: str, tmp_path: Path, capsys: Capture
) -> None:
    paths = [str(tmp_path / f"{name}.json") for name in ("beta", "alpha")]
    for path in paths:
        scored(capsys, Path(path).stem, "--participants", "-o", path)
    assert main(READERS[reader](*paths)) == 2
    found = capsys.readouterr()
    assert (found.out, found.err.count("\n")) == ("", 1)
    assert "a report for participants has no documents" in found.err
    assert main(["gate", "-q", "--fail-under=conll=50%", paths[0]]) == 0, "a gate judges what it has"


def test_undefined_scores_are_zero_and_said_to_be_undefined(tmp_path: Path, capsys: Capture) -> None:
    for name, text in (
        ("gold", '{"type": "clusters", "clusters": {}}'),
        ("sys", '{"type": "clusters", "clusters": {}}'),
    ):
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    paths = [str(tmp_path / f"{name}.json") for name in ("gold", "sys")]
    assert main(["-q", "-m", "muc", "-f", "scores", *paths]) == 0
    parts = [f"muc_{part}" for part in ("recall", "precision", "f1")]
    assert capsys.readouterr().out == "".join(f"{part}: 0.0\n{part}_defined: 0\n" for part in parts)


# All that reads a report


@pytest.fixture
def stored(tmp_path: Path, capsys: Capture) -> dict[str, str]:
    """Return the paths of the reports of the submissions."""
    paths = {name: str(tmp_path / f"{name}.json") for name in SUBMISSIONS}
    for name, path in paths.items():
        scored(capsys, name, "-o", path)
    return paths


@every("form", FORMS)
def test_a_report_replaces_an_older_one(form: str, tmp_path: Path, capsys: Capture) -> None:
    for name in SUBMISSIONS:
        scored(capsys, name, "-f", form, "-o", str(tmp_path / "report"))


def test_a_gate_judges_the_primary_setting(stored: dict[str, str], capsys: Capture) -> None:
    assert main(["gate", "-q", "--fail-under=conll=69.9%", stored["alpha"]]) == 0
    assert main(["gate", "-q", "--fail-under=conll=70%", stored["alpha"]]) == 1
    capsys.readouterr()


def test_systems_are_compared_over_all_corpora(stored: dict[str, str], capsys: Capture) -> None:
    assert main(["compare", "-q", "--reports", "-m", "conll", "-f", "csv", *stored.values()]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    expected = [float(mean(*by["exact"])) for by in SUBMISSIONS.values()]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx(expected, abs=1e-12)


def test_documents_are_resampled_inside_corpora(stored: dict[str, str], capsys: Capture) -> None:
    """The documents of a corpus are alike here, so that each resample of them has the same score."""
    assert main(["confidence", "-q", "-f", "json", "--metrics=fscore", stored["alpha"]]) == 0
    (found,) = (row for row in json.loads(capsys.readouterr().out) if row["measure"] == "conll")
    score, *ends = {float(number) for number in re.findall(r"0\.\d{6,}", json.dumps(found))}
    assert score == pytest.approx(float(mean(*SUBMISSIONS["alpha"]["exact"])))
    assert ends == pytest.approx([score] * len(ends))


def test_a_board_ranks_submissions(stored: dict[str, str], capsys: Capture) -> None:
    assert main(["leaderboard", "-q", "-f", "json", *stored.values()]) == 0
    (ranking,) = json.loads(capsys.readouterr().out)["rankings"]
    assert {row["system"]: row["rank"] for row in ranking["systems"]} == {"alpha": 1, "beta": 2, "gamma": 3}
    assert [*ranking["systems"][0]["files"]] == [*CORPORA], "corpora have columns without being asked"


def test_a_board_has_a_column_for_each_corpus_and_blanks_for_missing_ones(
    stored: dict[str, str], capsys: Capture
) -> None:
    words = ["leaderboard", "-q", *stored.values()]
    assert main([*words, "-f", "json"]) == 0
    (ranking,) = json.loads(capsys.readouterr().out)["rankings"]
    for row in ranking["systems"]:
        found = {name: scores["conll"]["f1"] for name, scores in row["files"].items()}
        counted = zip(CORPORA, SUBMISSIONS[row["system"]]["exact"], strict=True)
        expected = {corpus: float(conll(f1)) for corpus, f1 in counted if f1 is not NOTHING}
        assert found == pytest.approx(expected)
    assert main(words) == 0
    lines = [re.split(r" {2,}", line) for line in capsys.readouterr().out.splitlines()]
    assert lines[2] == ["system", "rank", "CoNLL", "group", "news", "chat", "stories", "system mentions"]
    assert lines[4] == ["alpha", "1", "69.91*", "a", "73.02*", "73.02*", "63.70", "24"]
    assert lines[6] == ["gamma", "3", "45.57", "a", "63.70", "73.02*", "16"], "it has no score of chat"
    for form in ("html", "markdown", "latex"):
        assert main([*words, "-f", form]) == 0
        assert "stories" in capsys.readouterr().out


def test_a_changed_report_is_refused(stored: dict[str, str], capsys: Capture) -> None:
    report = json.loads(Path(stored["alpha"]).read_text("utf-8"))
    report["documents"][2]["counts"]["muc"]["recall_num"] = 0
    path = Path(stored["alpha"]).with_name("changed.json")
    path.write_text(json.dumps(report), encoding="utf-8")
    assert main(["gate", "--fail-under=conll=0.1", str(path)]) == 2
    why = "$.scores.muc.recall: is not what the counts come to: the report was changed"
    assert capsys.readouterr().err.endswith(f"/changed.json: {why}\n")


def test_reports_of_two_tasks_are_not_compared(
    stored: dict[str, str], tmp_path: Path, capsys: Capture
) -> None:
    task = edited(tmp_path / "other", lambda task: task.update(name="Other"))
    scored(capsys, "beta", "-o", stored["beta"], task=task)
    assert main(["compare", "--reports", stored["alpha"], stored["beta"]]) == 2
    assert "shared_task" in capsys.readouterr().err


def verified(
    capsys: Capture, report: str, submission: str, task: Path = TASK / "task.json"
) -> tuple[int, str]:
    """Return the exit status of `verify` with a task, and what it prints."""
    status = main(["verify", "-q", f"--task={task}", report, str(TASK / "submissions" / submission)])
    return status, capsys.readouterr().out


def test_verify_scores_a_submission_again(stored: dict[str, str], capsys: Capture) -> None:
    for name, path in stored.items():
        status, said = verified(capsys, path, name)
        assert status == 0
        assert f"{name}.json holds: " in said
    status, said = verified(capsys, stored["alpha"], "beta")
    assert status == 1
    assert '"chat/c1" is changed' in said


def test_verify_names_settings_that_are_not_those_of_the_task(
    stored: dict[str, str], tmp_path: Path, capsys: Capture
) -> None:
    lenient = {"options": {"singletons": "drop"}, "profile": "conll"}
    task = edited(tmp_path / "other", lambda task: task["settings"][0].update(lenient))
    scored(capsys, "alpha", "-o", stored["alpha"], task=task)
    status, said = verified(capsys, stored["alpha"], "alpha")
    assert status == 1
    assert "singletons is drop, and has to be keep" in said
    task = edited(tmp_path / "pooled", lambda task: task["primary"].update(average="pooled"))
    scored(capsys, "alpha", "-o", stored["alpha"], task=task)
    status, said = verified(capsys, stored["alpha"], "alpha")
    assert status == 1
    assert "average is pooled, and has to be files" in said


def test_verify_wants_a_task_for_reports_of_tasks_alone(
    stored: dict[str, str], tmp_path: Path, capsys: Capture
) -> None:
    paths = [str(TASK / "gold" / "chat.jsonl"), str(TASK / "submissions" / "alpha" / "chat.jsonl")]
    assert main(["verify", stored["alpha"], *paths]) == 2
    assert "$: a report of a shared task (give it with --task)\n" in capsys.readouterr().err
    plain = str(tmp_path / "plain.json")
    assert main(["-q", "--profile=conll", *paths, plain]) == 0
    assert main(["verify", f"--task={TASK / 'task.json'}", plain, paths[1]]) == 2
    assert "$: of no shared task\n" in capsys.readouterr().err
    for words in ([plain, paths[0]], [f"--task={TASK / 'task.json'}", plain, *paths]):
        assert main(["verify", *words]) == 2
        assert "give gold and a system, or --task=<task.json> and a submission" in capsys.readouterr().err


# Files of tasks


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a field that there is not": (
        lambda task: task.update(corpus=[]),
        '$.corpus: unknown field "corpus", did you mean corpora? (known: name, ',
    ),
    "no corpora": (lambda task: task.pop("corpora"), '$: no "corpora": what is scored'),
    "an empty list": (
        lambda task: task.update(settings=[]),
        "$.settings: should be a list that is not empty: how it is scored; the first is primary",
    ),
    "a number for a name": (
        lambda task: task.update(name=3),
        "$.name: should be a string that is not empty: name of the task",
    ),
    "a list for a corpus": (
        lambda task: task["corpora"].insert(0, []),
        "$.corpora[0]: should be an object: a corpus",
    ),
    "numbers as options": (
        lambda task: task["settings"][1].update(options={"singletons": 3}),
        "$.settings[1].options.singletons: should be a string that is not empty: the value of an option",
    ),
    "an unknown option": (
        lambda task: task["settings"][1].update(options={"singeltons": "drop"}),
        "$.settings[1].options.singeltons: is no option of score",
    ),
    "an unknown value": (
        lambda task: task["settings"][1].update(options={"singletons": "out"}),
        '$.settings[1]: singletons cannot be "out" (known: keep, drop, e2e)',
    ),
    "an unknown format": (
        lambda task: task["settings"][0].update(options={"gold-format": "conl"}),
        '$.settings[0]: unknown format "conl", did you mean conll? (known: ',
    ),
    "an unknown profile": (
        lambda task: task["settings"][0].update(profile="colln"),
        '$.settings[0]: unknown profile "colln", did you mean conll? (known: scorch, ',
    ),
    "an average of a setting": (
        lambda task: task["settings"][0].update(options={"average": "macro"}),
        "$.settings[0].options.average: is said by $.primary.average for all settings",
    ),
    "an unknown metric": (
        lambda task: task["settings"][0].update(metrics=["muk"]),
        '$.settings[0]: unknown metric "muk", did you mean muc?',
    ),
    "a metric that is not scored": (
        lambda task: task["primary"].update(metric="mor"),
        "$.primary.metric: mention_overlap is not scored in the first setting, which is primary (muc, ",
    ),
    "no metric": (lambda task: task["primary"].update(metric="b"), '$.primary.metric: unknown metric "b"'),
    "an unknown rule": (
        lambda task: task.update(missing="skip"),
        '$.missing: unknown value "skip" (known: zero, refused)',
    ),
    "two corpora of one name": (
        lambda task: task["corpora"][2].update(name="news"),
        '$.corpora[2].name: a second one is called "news"',
    ),
    "two corpora of one name in scores for platforms": (
        lambda task: (task["corpora"][0].update(name="a b"), task["corpora"][1].update(name="a_b")),
        '$.corpora[1].name: a second one is called "a_b", which forms for platforms write like "a b"',
    ),
    "a path outside": (
        lambda task: task["corpora"][2].update(submission="../stories"),
        "$.corpora[2].submission: should be a path inside a submission, with / between folders",
    ),
    "all of a submission": (
        lambda task: task["corpora"][2].update(submission="."),
        "$.corpora[2].submission: should be a path inside a submission, with / between folders",
    ),
    "a control character in a path": (
        lambda task: task["corpora"][2].update(submission="a\x1b"),
        "$.corpora[2].submission: should be a path inside a submission, with / between folders",
    ),
    "a control character in a name": (
        lambda task: task["settings"][1].update(name="a\nb"),
        '$.settings[1].name: a name has no control characters, and no folder ".."',
    ),
    "a folder above in a name": (
        lambda task: task["corpora"][1].update(name="../chat"),
        '$.corpora[1].name: a name has no control characters, and no folder ".."',
    ),
    "gold on standard input": (
        lambda task: task["corpora"][2].update(gold="-"),
        '$.corpora[2]: gold and blind are files or folders, not standard input ("-")',
    ),
    "neither gold nor blind": (
        lambda task: task["corpora"][2].pop("gold"),
        '$.corpora[2]: no "gold", and no "blind", which participants have',
    ),
}  # fmt: skip


@every("what", WRONG)
def test_a_wrong_file_is_refused_with_its_place(what: str, tmp_path: Path, capsys: Capture) -> None:
    change, why = WRONG[what]
    task = edited(tmp_path, change)
    said = refused(capsys, "score", str(task), str(TASK / "submissions" / "alpha"))
    assert f"/task.json: {why}" in said, said


def test_other_formats_of_a_task_are_refused_with_a_hint(capsys: Capture) -> None:
    said = refused(capsys, "score", "task.toml", "x")
    assert (
        said == "scorch2: error: task.toml: a task is JSON (scorch2 task --schema says which fields it has)\n"
    )


def test_what_a_submission_lacks_is_zero_or_refused(tmp_path: Path, capsys: Capture) -> None:
    task = edited(tmp_path, lambda task: task.update(missing="refused"))
    gamma = tmp_path / "submissions" / "gamma"
    said = refused(capsys, "score", str(task), str(gamma))
    assert said.endswith(
        'submissions/gamma: holds not all of the corpora of "Tiny": there is no chat.jsonl\n'
    )
    (tmp_path / "none").mkdir()
    said = refused(capsys, "score", str(TASK / "task.json"), str(tmp_path / "none"))
    assert "holds none of the corpora" in said
    (tmp_path / "submissions" / "alpha" / "stories" / "s2.conll").unlink()
    said = refused(capsys, "score", str(task), str(tmp_path / "submissions" / "alpha"))
    assert said.startswith("scorch2: error: stories: ")
    assert "s2" in said


def test_a_missing_document_counts_nothing(tmp_path: Path, capsys: Capture) -> None:
    task = edited(tmp_path, lambda _: None)
    (tmp_path / "submissions" / "alpha" / "stories" / "s2.conll").unlink()
    found = json.loads(scored(capsys, str(tmp_path / "submissions" / "alpha"), "-f", "json", task=task))
    (stories,) = (row for row in found["files"] if row["id"] == "stories")
    # Of 4 links 2 are found, both in s1, where the system makes 3
    muc = stories["scores"]["muc"]
    assert (muc["recall"], muc["precision"]) == pytest.approx((2 / 4, 2 / 3))


def test_words_of_the_command_are_checked(capsys: Capture) -> None:
    assert "what shall be done with the task?" in refused(capsys)
    assert 'unknown action of scorch2 task "scroe", did you mean score?' in refused(capsys, "scroe")
    assert "expected: scorch2 task score <task.json> <path>" in refused(capsys, "score", "task.json")
    task = str(TASK / "task.json")
    assert "is no zip or tar, or a broken one: " in refused(capsys, "score", task, task)
    assert "a submission is a folder" in refused(capsys, "score", task, "nowhere")


def test_gold_is_needed_to_score(tmp_path: Path, capsys: Capture) -> None:
    task = edited(tmp_path, lambda task: task["corpora"][0].update(blind=task["corpora"][0].pop("gold")))
    said = refused(capsys, "score", str(task), str(TASK / "submissions" / "alpha"))
    assert said == "scorch2: error: news: the task names no gold of this corpus: it cannot be scored\n"


def places(schema: dict[str, Any], place: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each place of a schema of objects, and what may stand there."""
    yield place, schema
    for name, row in schema.get("properties", {}).items():
        yield from places(row, f"{place}.{name}")
    if "items" in schema:
        yield from places(schema["items"], f"{place}[0]")


FULL = {
    "name": "x",
    "corpora": [{"name": "a", "gold": "g", "blind": "b", "submission": "s", "sha256": {"s": "0"}}],
    "settings": [{"name": "a", "profile": "conll", "options": {"match": "head"}, "metrics": ["muc"]}],
    "primary": {"metric": "muc", "average": "pooled"},
    "missing": "zero",
    "visible": "documents",
}
"""A task with all fields."""


def test_the_schema_says_what_is_read(tmp_path: Path, capsys: Capture) -> None:
    """A value of another type is refused at each place of the schema, and so is a field that it has not."""
    assert main(["task", "--schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"].startswith("https://json-schema.org/")
    found = dict(places(schema))
    assert len(found) > len(FULL)
    path = tmp_path / "task.json"
    for place, row in found.items():
        task = copy.deepcopy(FULL)
        steps = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", place)]
        inside: Any = task
        for step in steps[:-1]:
            inside = inside[step]
        wrong: list[object] = [3, None, {} if row["type"] != "object" else []]
        for value in wrong:
            if steps:
                inside[steps[-1]] = value
            path.write_text(json.dumps(task if steps else value), encoding="utf-8")
            said = refused(capsys, "check", str(path), str(tmp_path))
            assert f"task.json: {place}: should be a" in said
            assert row["description"] in said
    path.write_text(json.dumps(FULL), encoding="utf-8")
    assert "is no zip or tar" in refused(capsys, "check", str(path), str(path))
