"""A worked case for every form of report of every kind of value: the tests that have them, in one table."""

import pytest
from every import every
from worked import assert_worked, text_with

from scorch2.model.forms import FORMS, shown

COUNTED = "reports/test_reports.py::test_rendered"
"""The bytes of files in `fixtures/reports`, whose counts are fractions by hand."""
WORKED = {
    "scores": {
        **dict.fromkeys(("text", "table", "json", "jsonl", "tsv", "markdown", "latex"), COUNTED),
        **dict.fromkeys(("junit", "github", "openmetrics"), COUNTED),
        "html": "reports/test_page.py::test_scores_that_were_asked_for_are_shown_by_class",
        "scores": "audit/test_shared_task.py::test_undefined_scores_are_zero_and_said_to_be_undefined",
        "flat": COUNTED,
        "ua": "reports/test_ua_report.py::test_lines_are_those_of_the_scorer",
    },
    "errors": {
        "table": "reports/test_forms_of_errors.py::test_the_table_has_gains_in_percent",
        "json": "analysis/test_errors.py::test_a_case_is_answered_to_the_last_count",
        "tsv": "reports/test_forms_of_errors.py::test_the_rows_of_tsv_are_the_counts_of_json",
        "markdown": "reports/test_forms_of_errors.py::test_markdown_has_the_cells_of_the_table",
        "latex": "reports/test_forms_of_errors.py::test_latex_has_the_cells_of_the_table",
        "html": "reports/test_page.py::test_every_error_has_a_row_and_a_mark",
    },
    "systems": dict.fromkeys(
        ("table", "json", "tsv", "csv", "markdown", "latex", "html"),
        "reports/test_systems_forms.py::test_every_form_has_the_scores_the_best_and_what_differs",
    ),
    "board": dict.fromkeys(
        ("table", "html", "markdown", "latex", "json"),
        "audit/test_board.py::test_every_form_has_ranks_letters_and_scores",
    ),
    "annotators": dict.fromkeys(
        ("table", "json", "tsv", "markdown", "latex", "html"),
        "reports/test_forms_of_agreement.py::test_every_form_has_the_numbers_of_every_pair_and_the_mean",
    ),
    "confidence": {
        "tab": "cli/test_worked_commands.py::test_a_command_prints_what_was_counted_by_hand",
        "table": "analysis/test_resampling_commands.py::test_tables_are_for_reading",
        "json": "analysis/test_resampling_commands.py::test_json_has_the_shape_of_neleval",
        "markdown": "analysis/test_resampling_commands.py::test_tables_are_for_reading",
    },
    "significance": {
        "tab": "cli/test_worked_commands.py::test_a_command_prints_what_was_counted_by_hand",
        "table": "analysis/test_resampling_commands.py::test_tables_of_differences",
        "json": "analysis/test_resampling_commands.py::test_json_of_differences",
        "markdown": "analysis/test_resampling_commands.py::test_tables_of_differences",
    },
    "linking": {
        "tab": "tasks/test_linking.py::test_evaluate_prints_the_text_of_the_peer",
        "table": "tasks/test_evaluation.py::test_a_table_can_be_read",
        "json": "tasks/test_linking.py::test_evaluate_gives_the_expected_counts_and_scores",
    },
    "measures": dict.fromkeys(("table", "json"), "tasks/test_evaluation.py::test_list_measures_knows_all"),
    "findings": {
        "tab": "tasks/test_linking.py::test_analyze_names_the_errors_of_the_peer",
        "json": "tasks/test_evaluation.py::test_findings_can_be_json_and_quiet",
    },
    "counts": {
        "tab": "tasks/test_linking.py::test_analyze_counts_the_errors_of_the_peer",
        "json": "tasks/test_evaluation.py::test_analyze_says_which_of_several_mentions_counts",
    },
    "problems": dict.fromkeys(
        ("text", "json"), "tasks/test_linking.py::test_validate_spans_finds_every_pair"
    ),
    "explanation": {
        "text": "audit/test_explain.py::test_a_number_that_is_found_ends_with_0_and_another_with_1",
        "json": "audit/test_explain.py::test_json_and_python_say_the_same",
    },
    "explanations": {
        "text": "audit/test_explain.py::test_each_of_several_rows_has_its_first_answer",
        "json": "audit/test_explain.py::test_json_has_the_readings_of_each_of_several_rows",
    },
    "verification": {
        "text": "audit/test_verify.py::test_a_changed_file_is_named_with_the_numbers_that_it_changes",
        "json": "audit/test_verify.py::test_json_has_all_that_differs",
    },
    "agreements": {
        "tab": "tasks/test_leaderboards.py::test_a_report_command",
        "json": "tasks/test_leaderboards.py::test_measures_that_do_not_vary_agree_with_nothing",
    },
}
"""By kind of value and form, the test that has a case; ``none`` has no text."""
SILENT = "none"
KINDS = list(dict.fromkeys(kind for form in FORMS.values() for kind in form.shows))


def test_every_kind_of_value_has_worked_cases() -> None:
    assert_worked(KINDS, WORKED, "WORKED in tests/reports/test_worked_forms.py")


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_of_a_value_has_a_worked_case(kind: str) -> None:
    forms = [name for name, form in FORMS.items() if kind in form.shows and name != SILENT]
    place = f'WORKED["{kind}"] in tests/reports/test_worked_forms.py, where its test is named'
    assert_worked(forms, WORKED[kind], place)


@every("test", sorted({test for row in WORKED.values() for test in row.values()}))
def test_the_case_of_a_form_is_where_the_table_says(test: str) -> None:
    text_with(test, "WORKED in tests/reports/test_worked_forms.py")


@pytest.mark.parametrize("kind", FORMS[SILENT].shows)
def test_the_form_without_text_has_none(kind: str) -> None:
    assert shown(kind, SILENT, object()) == ""
