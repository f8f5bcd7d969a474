"""Map from source files to their tests, by folder.

``scorch2/<room>/x.py`` is tested by ``tests/<room>``: first by its own tests, which are the files with ``x``
in their name and those that `TESTED_BY` has for it, then by the other files of the room. `TESTED_BY`,
`UNTESTED`, `ELSEWHERE`, `SLOW` and `calls` are all the exceptions.
"""

import ast
import re
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePosixPath

NO_ROOMS = {"benchmarks", "campaigns", "models", "repository", "support"}
"""Folders of tests that mirror no room."""
SLOW = {
    "test_dask.py"  # starts clusters: half a minute for a file of fifty lines
}
"""Not run for each mutant."""
ELSEWHERE = {
    # Values do not know what they are for: which fields a reader fills and how a score counts shows there.
    "scorch2/model/*.py": ("model", "formats", "scoring", "audit"),
    # What becomes of a report, its gates and forms, is in another file of cli that several commands use.
    "scorch2/cli/commands/score.py": ("cli", "audit", "reports", "scoring", "formats"),
    "scorch2/cli/options.py": ("cli", "audit", "reports"),
    # Its texts and tables are what Python programs and forms of reports show.
    "scorch2/scoring/report.py": ("scoring", "api", "reports"),
    # What a writer writes must be read again: conversion tries all pairs of formats.
    "scorch2/formats/*/*_writer.py": ("formats", "cli"),
    # Large files are cut into pieces for workers, and for nobody else.
    "scorch2/formats/chunks.py": ("formats", "workers"),
    # The pages are text: their examples are run, and `help` shows them.
    "scorch2/guide/*.py": ("repository", "cli"),
    # The names that Python users import are those of the library.
    "scorch2/__init__.py": ("api",),
}
"""Rooms whose tests test a file, by pattern, where the path alone would say something else."""
TESTED_BY: dict[str, str] = {
    "scorch2/__init__.py": "api/test_library api/test_report",
    "scorch2/analysis/table.py": "analysis/test_breakdown",
    "scorch2/analysis/corpus.py": "analysis/test_errors analysis/test_laws_of_corpora",
    "scorch2/analysis/error_report.py": "analysis/test_errors analysis/test_laws_of_corpora",
    "scorch2/analysis/findings.py": "analysis/test_errors analysis/test_breakdown",
    "scorch2/analysis/kinds.py": "analysis/test_errors",
    "scorch2/analysis/patterns.py": "analysis/test_places",
    "scorch2/analysis/links.py": "analysis/test_link_changes analysis/test_errors",
    "scorch2/analysis/listing.py": "reports/test_forms_of_errors analysis/test_entities",
    "scorch2/analysis/chosen_errors.py": "analysis/test_what_if analysis/test_examples "
    "reports/test_page_address_in_browser",
    "scorch2/analysis/second.py": "analysis/test_link_changes reports/test_page_of_two_in_browser",
    "scorch2/analysis/heads.py": "analysis/test_breakdown",
    "scorch2/analysis/pair.py": "analysis/test_breakdown analysis/test_aligned analysis/test_link_changes",
    "scorch2/analysis/systems.py": "cli/test_compare reports/test_systems_forms",
    "scorch2/tasks/anaphora.py": "tasks/test_are_properties tasks/test_are tasks/test_are_command",
    "scorch2/audit/differences.py": "audit/test_verify",
    "scorch2/api/audit.py": "audit/test_verify audit/test_board audit/test_explain",
    "scorch2/api/requests.py": "api/test_arguments_of_python api/test_library_analysis",
    "scorch2/cli/commands/*.py": "cli/test_worked_commands",
    "scorch2/cli/commands/annotations.py": "tasks/test_converters",
    "scorch2/cli/commands/audit.py": "audit/test_gate_command audit/test_explain audit/test_verify",
    "scorch2/cli/commands/compare.py": "audit/test_board cli/test_agreement_command",
    "scorch2/cli/commands/other_scorers.py": "tasks/test_conll_command tasks/test_are_command",
    "scorch2/cli/commands/convert.py": "cli/test_conll2json",
    "scorch2/cli/commands/linking.py": "tasks/test_evaluation tasks/test_shared_spans",
    "scorch2/cli/commands/rankings.py": "tasks/test_plots tasks/test_leaderboards",
    "scorch2/cli/commands/score.py": "cli/test_cli reports/test_reports",
    "scorch2/cli/dispatch.py": "cli/test_signals cli/test_cli",
    "scorch2/cli/console.py": "cli/test_cli model/test_messages",
    "scorch2/cli/options.py": "audit/test_gate_command cli/test_overwriting cli/test_report_suffix",
    "scorch2/cli/gates.py": "audit/test_gate_command",
    "scorch2/cli/main.py": "cli/test_cli cli/test_process cli/test_conll2json",
    "scorch2/cli/output.py": "cli/test_streams cli/test_overwriting cli/test_signals",
    "scorch2/tasks/reference_scorer/scorer.py": "tasks/test_conll_command tasks/test_links",
    "scorch2/tasks/reference_scorer/reader.py": "tasks/test_conll_reference tasks/test_conll_command",
    "scorch2/reports/figures/charts.py": "reports/test_figures",
    "scorch2/reports/lists.py": "analysis/test_examples analysis/test_entities",
    "scorch2/reports/figures/kit.py": "reports/test_figures reports/test_raster tasks/test_plots",
    "scorch2/cli/score_extras.py": "cli/test_cli cli/test_terminal cli/test_help cli/test_arguments",
    "scorch2/cli/outputs.py": "cli/test_overwriting cli/test_convert",
    "scorch2/cli/progress.py": "cli/test_terminal",
    "scorch2/cli/usage.py": "cli/test_help cli/test_completion cli/test_arguments tasks/test_neleval_habits",
    "scorch2/formats/chunks.py": "workers/test_large_files workers/test_pieces_of_documents",
    "scorch2/formats/conllu/corefud_lines.py": "formats/test_corefud formats/test_rare_lines",
    "scorch2/formats/conllu/corefud_writer.py": "formats/test_corefud formats/test_fitting",
    "scorch2/formats/conllu/shared.py": "formats/test_corefud formats/test_ua",
    "scorch2/formats/conllu/ua_lines.py": "formats/test_ua formats/test_parts_of_speech",
    "scorch2/formats/copies.py": "cli/test_convert cli/test_convert_losses formats/test_formats_writing",
    "scorch2/formats/json/corpora.py": "formats/test_annotation_tools formats/test_formats",
    "scorch2/formats/fields.py": "formats/test_annotation_tools formats/test_formats",
    "scorch2/formats/json/jsonlines.py": "formats/test_marked scoring/test_copied_text",
    "scorch2/formats/marked/*.py": "formats/test_marked",
    "scorch2/scoring/shortest_paths.py": "scoring/test_assignment scoring/test_partners",
    "scorch2/scoring/pairing/readers.py": "scoring/test_copied_text",
    "scorch2/formats/json/clusters.py": "formats/test_formats formats/test_formats_writing",
    "scorch2/formats/json/dialects.py": "formats/test_sources formats/test_jsonlines",
    "scorch2/formats/json/mention_table.py": "formats/test_formats cli/test_convert_round_trips",
    "scorch2/formats/json/texts.py": "formats/test_sources formats/test_jsonlines formats/test_offsets",
    "scorch2/formats/json/refusals.py": "formats/test_cost formats/test_bad_input formats/test_untyped_json",
    "scorch2/model/memory.py": "analysis/test_memory",
    "scorch2/formats/json/strict.py": "formats/test_cost formats/test_bad_input",
    "scorch2/formats/reading.py": "formats/test_formats formats/test_recognition",
    "scorch2/formats/detection.py": "formats/test_formats formats/test_recognition",
    "scorch2/formats/rows/*.py": "formats/test_formats",
    "scorch2/formats/rows/books.py": "formats/test_annotation_tools formats/test_formats",
    "scorch2/formats/rows/brat.py": "formats/test_annotation_tools cli/test_convert_texts",
    "scorch2/formats/rows/conll.py": "formats/test_refusals formats/test_parts_of_speech",
    "scorch2/formats/rows/columns.py": "formats/test_annotation_tools cli/test_convert_losses",
    "scorch2/formats/rows/webanno.py": "formats/test_tool_formats",
    "scorch2/formats/xml/*.py": "formats/test_formats",
    "scorch2/formats/xml/corpora.py": "formats/test_tool_formats scoring/test_joined",
    "scorch2/formats/xml/standoff.py": "formats/test_tool_formats formats/test_annotation_tools",
    "scorch2/formats/xml/sgml.py": "formats/test_markup formats/test_formats",
    "scorch2/formats/xml/safe_xml.py": "formats/test_are_refusals formats/test_bad_input",
    "scorch2/guide/__init__.py": "repository/test_readme cli/test_help",
    "scorch2/tasks/linking/annotation_rows.py": "tasks/test_converters",
    "scorch2/tasks/linking/corpus.py": "tasks/test_evaluation tasks/test_companion_bounds",
    "scorch2/tasks/linking/evidence.py": "tasks/test_evaluation tasks/test_type_weights",
    "scorch2/tasks/linking/figures.py": "tasks/test_plots",
    "scorch2/tasks/linking/measures.py": "tasks/test_evaluation tasks/test_laws_of_evaluation",
    "scorch2/tasks/linking/evaluation.py": "tasks/test_linking tasks/test_shared_spans",
    "scorch2/tasks/linking/text.py": "tasks/test_linking tasks/test_evaluation",
    "scorch2/model/besides.py": "scoring/test_copied_text scoring/test_categories",
    "scorch2/model/names.py": "model/test_document analysis/test_examples",
    "scorch2/model/errors.py": "model/test_messages formats/test_bad_input scoring/test_guards",
    "scorch2/scoring/layout/escaping.py": "reports/test_hostile_names reports/test_hostile_commands",
    "scorch2/scoring/layout/sheets.py": "reports/test_forms_of_agreement reports/test_systems_forms",
    "scorch2/model/forms.py": "reports/test_forms reports/test_worked_forms",
    "scorch2/model/values.py": "model/test_options scoring/test_coval_oracle",
    "scorch2/model/results.py": "audit/test_judge analysis/test_resampling reports/test_systems_forms",
    "scorch2/model/score.py": "scoring/test_averages",
    "scorch2/reports/ci.py": "reports/test_reports",
    "scorch2/reports/json.py": "reports/test_reports api/test_report",
    "scorch2/audit/printed.py": "audit/test_explain",
    "scorch2/audit/tries.py": "audit/test_explain",
    "scorch2/reports/audit.py": "audit/test_board audit/test_explain audit/test_verify",
    "scorch2/reports/page/systems.py": "audit/test_board",
    "scorch2/reports/page/documents.py": "reports/test_page reports/test_page_texts",
    "scorch2/reports/page/frame.py": "reports/test_page reports/test_page_safety reports/test_page_colours",
    "scorch2/reports/page/overview.py": "reports/test_page analysis/test_places",
    "scorch2/reports/rows.py": "reports/test_reports",
    "scorch2/reports/text.py": "reports/test_reports reports/test_ua_report",
    "scorch2/analysis/uncertainty.py": "analysis/test_systems analysis/test_resampling",
    "scorch2/analysis/bootstrap.py": "analysis/test_resampling analysis/test_quantiles",
    "scorch2/analysis/paired_tests.py": "analysis/test_resampling",
    "scorch2/reports/resampling.py": "analysis/test_resampling_commands",
    "scorch2/scoring/evidence.py": "scoring/test_bridging scoring/test_mention_overlap",
    "scorch2/scoring/counting.py": "scoring/test_lookups analysis/test_token_windows",
    "scorch2/scoring/looks.py": "scoring/test_near_misses scoring/test_provenance scoring/test_notices",
    "scorch2/scoring/remarks.py": "scoring/test_notices scoring/test_provenance",
    "scorch2/scoring/flow.py": "scoring/test_pairing_folders scoring/test_lookups api/test_library",
    "scorch2/scoring/matching/partners.py": "scoring/test_assignment scoring/test_split_antecedents",
    "scorch2/scoring/matching/matched.py": "scoring/test_matching scoring/test_steps",
    "scorch2/scoring/matching/phrases.py": "scoring/test_coval_oracle scoring/test_matchers",
    "scorch2/scoring/matching/preprocessing.py": "scoring/test_pieces scoring/test_alignment",
    "scorch2/scoring/matching/lookups.py": "scoring/test_partners scoring/test_laws_of_matching",
    "scorch2/scoring/metrics/*.py": "scoring/test_metrics scoring/test_worked_examples",
    "scorch2/scoring/pairing/by_name.py": "scoring/test_pairing scoring/test_pairing_rules",
    "scorch2/scoring/pairing/pairs.py": "scoring/test_pairing scoring/test_joined",
    "scorch2/workers/engine.py": "workers/test_tasks workers/test_lost_workers",
    "scorch2/workers/processes.py": "workers/test_lost_workers workers/test_tasks workers/test_determinism",
}
"""The test files of source files, by pattern, whose names do not say it: ``<room>/<file>``, by spaces.

A pattern with a star is only for the files of a table of which a test tries every row.
"""
UNTESTED: dict[str, str] = {}
"""Source files without tests of their own, each with the reason."""


def sources(root: Path) -> list[str]:
    """Return the source files that are in a room, or have tests elsewhere."""
    found = sorted(path.relative_to(root).as_posix() for path in (root / "scorch2").rglob("*.py"))
    return [path for path in found if path.count("/") > 1 or path in ELSEWHERE]


def rooms_of(path: str, text: str) -> tuple[str, ...]:
    """Return the rooms whose tests test the source file `path`, which reads `text`."""
    for pattern, rooms in ELSEWHERE.items():
        if fnmatch(path, pattern):
            return rooms
    room = PurePosixPath(path).parts[1]
    return tuple(dict.fromkeys([room, *calls(text)])) if fnmatch(path, "*/commands/*.py") else (room,)


def calls(text: str) -> list[str]:
    """Return the rooms that a command calls: it only hands words on, and is tested with what it calls."""
    found = re.findall(r"^ *from scorch2(?:\.| import )(\w+)", text, re.MULTILINE)
    return [room for room in found if room != "model"]


def tests_of_rooms(path: str, root: Path) -> list[str]:
    """Return the test files of the rooms of a source file."""
    rooms = rooms_of(path, (root / path).read_text("utf-8"))
    return [file for room in rooms for file in _tests_of(root / "tests" / room)]


@cache
def _tests_of(folder: Path) -> Sequence[str]:
    names = sorted(file.name for file in folder.glob("test_*.py") if file.name not in SLOW)
    return [f"tests/{folder.name}/{name}" for name in names]


def own_by_name(path: str, root: Path) -> list[str]:
    """Return the test files that are called like a source file, or like the folder that it is the map of."""
    *_, folder, name = PurePosixPath(path).with_suffix("").parts
    word = folder if name == "__init__" else name
    return [one for one in tests_of_rooms(path, root) if f"_{word}_" in f"{PurePosixPath(one).stem}_"]


def own_by_table(path: str) -> list[str]:
    """Return the test files that `TESTED_BY` has for a source file."""
    tests = [files for pattern, files in TESTED_BY.items() if fnmatch(path, pattern)]
    return [f"tests/{name}.py" for files in tests for name in files.split()]


def stages_of(path: str, root: Path) -> tuple[list[str], list[str]]:
    """Return the test files of a source file: its own, and the others of its rooms."""
    first = list(dict.fromkeys([*own_by_name(path, root), *own_by_table(path)]))
    return first, [name for name in tests_of_rooms(path, root) if name not in first]


def is_map(text: str) -> bool:
    """Return whether a file defines nothing: a docstring, imports and lists of names."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.If, ast.Try)
    return not any(isinstance(node, kinds) for node in ast.parse(text).body)
