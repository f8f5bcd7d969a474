"""A worked case for every command: here, or in the test of its subject that counts by hand or by a peer."""

import re
from pathlib import Path

import pytest
from every import every
from worked import TESTS, assert_worked, text_with

from scorch2.cli.commands import COMMANDS
from scorch2.cli.main import main

FILES = {"gold.json": ("abcd",), "one.json": ("ab", "cd"), "two.json": ("abcd",)}
"""One document: clusters, each a word with a letter for each mention.

MUC of *one* is R = (4 - 2) / 3, P = 2 / 2, F1 = 4/5; *two* is perfect.
"""
MUC = ["-q", "-m", "muc"]
WORKED = {
    "score": (
        [*MUC, "--no-signature", "gold.json", "one.json"],
        "MUC:\tR=0.6666666666666666\tP=1.0\tF₁=0.8\n",
    ),
    # A resample of one document is that document: the ends of all intervals are the score.
    "confidence": (
        [*MUC, "--metrics=fscore", "-n", "9", "-g", "gold.json", "one.json"],
        "measure\tmetric\t99%(\t95%(\t90%(\tscore\t)90%\t)95%\t)99%\n"
        + "\t".join(["muc    ", "fscore", *["0.800"] * 7])
        + "\n",
    ),
    # Whether or not its outputs are swapped, one document gives the same distance: p is 2 of 2.
    "significance": (
        [*MUC, "--metrics=fscore", "-g", "gold.json", "one.json", "two.json"],
        "sys1    \tsys2    \tmeasure\tΔ-fscore\tp-fscore\none.json\ttwo.json\tmuc    \t  -0.200\t   1.000\n",
    ),
    "compare": (
        [*MUC, "-f", "csv", "gold.json", "one.json", "two.json"],
        "system,muc.f1,muc.f1.p,muc.f1.p_holm\none.json,0.8,,\ntwo.json,1.0,1.0,1.0\n",
    ),
    # MUC of *one* is 4/5 either way. Of 6 pairs gold links all, *one* 2: they agree as often as by chance.
    "agreement": (
        ["-q", "-m", "muc,kappa", "-f", "tsv", "gold.json", "one.json"],
        "first\tsecond\tmuc.f1\tkappa\ngold.json\tone.json\t0.8\t0.0\n",
    ),
}
"""Words after the command, and what it prints, but for lines of remarks."""
WORKED_ELSEWHERE = {
    "errors": "analysis/test_errors.py::test_a_case_is_answered_to_the_last_count",
    "resolve": "analysis/test_resolvers.py::test_rules_put_mentions_together",
    "conll": "tasks/test_conll_command.py::test_the_printed_totals_are_those_of_the_reference_scorer",
    "are": "tasks/test_are_command.py::test_text",
    "gate": "audit/test_gate_command.py::test_status",
    "leaderboard": "audit/test_board.py::test_equal_scores_share_a_rank_and_letters_tell_who_differs",
    "task": "audit/test_shared_task.py::test_scores_are_those_counted_by_hand",
    "explain": "audit/test_explain.py::test_a_number_that_is_found_ends_with_0_and_another_with_1",
    "cite": "audit/test_cite.py::test_a_command_prints_the_papers_of_its_options",
    "verify": "audit/test_verify.py::test_a_changed_file_is_named_with_the_numbers_that_it_changes",
    "validate": "cli/test_validate.py::test_files_are_validated",
    "convert": "cli/test_convert.py::test_mentions_are_called_by_sentence_and_tokens",
    "conll2json": "cli/test_conll2json.py::test_mention_ids_are_sentence_and_tokens_counted_from_0",
    "evaluate": "tasks/test_linking.py::test_evaluate_gives_the_expected_counts_and_scores",
    "list-measures": "tasks/test_evaluation.py::test_list_measures_knows_all",
    "analyze": "tasks/test_linking.py::test_analyze_counts_the_errors_of_the_peer",
    "validate-spans": "tasks/test_linking.py::test_validate_spans_finds_every_pair",
    **dict.fromkeys(
        ("prepare-brat", "prepare-conll-coref", "prepare-tac", "prepare-tac15", "select-alternatives"),
        "tasks/test_converters.py::test_a_converter",
    ),
    **dict.fromkeys(("to-weak", "weights-for-hierarchy"), "tasks/test_converters.py::test_a_converter"),
    **dict.fromkeys(
        ("rank-systems", "compose-measures", "compare-measures"),
        "tasks/test_leaderboards.py::test_a_report_command",
    ),
    "plot-systems": "tasks/test_plots.py::test_the_numbers_behind_a_plot",
    "help": "cli/test_help.py::test_a_topic_prints_its_page",
}
"""File and test of the commands whose cases are files of `fixtures`, or need a text of their own."""
PLACE = "WORKED in tests/cli/test_worked_commands.py, or name the test that does in WORKED_ELSEWHERE there"


def test_every_command_has_a_worked_case() -> None:
    assert_worked(COMMANDS, [*WORKED, *WORKED_ELSEWHERE], PLACE)
    assert WORKED.keys().isdisjoint(WORKED_ELSEWHERE), "one case is enough"


@pytest.mark.parametrize("command", WORKED)
def test_a_command_prints_what_was_counted_by_hand(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, clusters in FILES.items():
        lists = str({f"e{number}": [*members] for number, members in enumerate(clusters)}).replace("'", '"')
        Path(name).write_text(f'{{"type": "clusters", "clusters": {lists}}}', "utf-8")
    words, expected = WORKED[command]
    assert main([command, *words]) == 0
    lines = capsys.readouterr().out.splitlines(keepends=True)
    printed = "".join(line for line in lines if line.strip() and not line.startswith("# "))
    assert printed == expected, f"scorch2 {command} does not print what was counted by hand"


@every("command", WORKED_ELSEWHERE)
def test_the_case_of_a_command_is_where_the_table_says(command: str) -> None:
    """In the file, or in files of the folder of `fixtures` that it reads."""
    text = text_with(WORKED_ELSEWHERE[command], "WORKED_ELSEWHERE")
    path = WORKED_ELSEWHERE[command].partition("::")[0]
    folders = re.findall(r'"fixtures" / "(\w+)"', text) or [Path(path).stem.removeprefix("test_")]
    read = [
        case.read_text("utf-8") for one in folders for case in TESTS.parent.glob(f"fixtures/{one}/*/*.json")
    ]
    said = re.compile(rf"\b{command}\b")
    assert any(said.search(one) for one in (text, *read)), f"tests/{path} does not try {command}"
