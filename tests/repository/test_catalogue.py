"""Each file in a table's folder is in the table, and each row of a table is in the help and in the guide."""

import importlib
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scorch2
from scorch2 import formats, guide
from scorch2.cli.commands import COMMANDS, evaluate, score
from scorch2.linking.fields import FIELDS
from scorch2.linking.measures import GROUPS, MEASURES
from scorch2.linking.measures.measure import AGGREGATORS
from scorch2.model.options import OPTIONS, OTHERS, PROFILES, Options, options
from scorch2.reports import REPORTS
from scorch2.scoring import matching
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.metrics.metric import Mean, Metric

ROOT = Path(__file__).parent.parent.parent
HELPERS = {"metrics": {"metric", "assignment"}, "reports": set(), "commands": set(), "matching": set()}
"""Files of these folders that are no row of the table: they serve several."""
FOLDERS = {
    "metrics": "scoring/metrics",
    "reports": "reports",
    "commands": "cli/commands",
    "matching": "scoring/matching",
}


FORMATS_FOLDER = ROOT / "scorch2" / "formats"
NO_FORMATS = {"json.documents", "json.mention_table"}
"""What makes documents for several rows, or a part of a document."""


def modules(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / "scorch2" / FOLDERS[folder]).glob("*.py")} - {
        "__init__",
        *HELPERS[folder],
    }


def metrics_in(module: str) -> list[Metric | Mean]:
    return [
        value
        for value in vars(importlib.import_module(f"scorch2.scoring.metrics.{module}")).values()
        if isinstance(value, Metric | Mean)
    ]


# Files and tables


@pytest.mark.parametrize("module", sorted(modules("metrics")))
def test_every_metric_is_registered(module: str) -> None:
    found = metrics_in(module)
    assert found
    for metric in found:
        assert METRICS[metric.name] is metric


def test_every_row_of_metrics_has_a_file() -> None:
    assert {metric.name for module in modules("metrics") for metric in metrics_in(module)} == set(METRICS)


def test_every_report_is_registered() -> None:
    assert modules("reports") == set(REPORTS)
    for name in REPORTS:
        assert callable(importlib.import_module(f"scorch2.reports.{name}").render)


def test_every_command_is_registered() -> None:
    assert modules("commands") == {name.replace("-", "_") for name in COMMANDS}
    for name in modules("commands"):
        module = importlib.import_module(f"scorch2.cli.commands.{name}")
        assert "Usage:\n" in module.USAGE
        assert callable(module.run)


@pytest.mark.parametrize("family", sorted(path.parent.name for path in FORMATS_FOLDER.glob("*/__init__.py")))
def test_every_reader_and_writer_of_a_format_is_registered(family: str) -> None:
    rows = {"read": "reader", "document": "reader", "write": "writer"}
    for path in (FORMATS_FOLDER / family).glob("*.py"):
        name = f"{family}.{path.stem}"
        module = formats.module(name)
        for function in {*rows} & set(vars(module)) if name not in NO_FORMATS else ():
            if getattr(module, function).__module__ == module.__name__:
                there = {getattr(row, rows[function]) for row in formats.FORMATS.values()}
                assert name in there, f"{name}.{function} needs a row in scorch2.formats.FORMATS"


@pytest.mark.parametrize("row", formats.FORMATS.values(), ids=lambda row: row.name)
def test_every_row_of_formats_has_its_modules(row: formats.Format) -> None:
    family = {formats.ROWS: "read", formats.XML: "read", formats.TYPED: "document", formats.KEYED: "document"}
    assert callable(getattr(formats.module(row.reader), family[row.family]))
    assert not row.writer or callable(formats.module(row.writer).write)
    assert not row.writer or row.suffixes, "converted files need a suffix"
    assert all(suffix.startswith(".") for suffix in row.suffixes)


@pytest.mark.parametrize("name", formats.FORMATS)
def test_every_format_has_a_fixture_that_is_detected(name: str) -> None:
    twins = (ROOT / "fixtures" / "formats" / "valid").glob("*.twin.json")
    files = [twin for twin in twins if json.loads(twin.read_text("utf-8"))["format"] == name]
    assert files, "put a small file and what it holds, <file>.twin.json, into fixtures/formats/valid"


def test_no_reader_is_imported_before_it_is_needed() -> None:
    families = [path.parent.name for path in FORMATS_FOLDER.glob("*/__init__.py")]
    code = "import sys, scorch2.formats; print(*(name for name in sys.modules if 'scorch2.formats.' in name))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in shown.stdout.split() if name.split(".")[2] in families]


def test_every_step_of_matching_is_taken() -> None:
    source = inspect.getsource(matching)
    assert [name for name in modules("matching") if f"{name}." not in source.partition("def match")[2]] == []


# Rows, help and the guide: each kind has its page

SECTIONS = {
    "Report": "reports",
    "Scoring": "metrics",
    "Gate": "ci",
    "Speed": "workers",
    "Other": "commands",
}
"""The sections of the help of score, and the page that explains the options of each."""
UNIVERSAL = {"--help", "--version"}
"""Options that need no explanation."""


def usage(command: str) -> str:
    text: str = importlib.import_module(f"scorch2.cli.commands.{command.replace('-', '_')}").USAGE
    return text


def declared(text: str) -> set[str]:
    """Return the long options of a help text."""
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE)) - UNIVERSAL


def is_said(name: str, topic: str) -> bool:
    """Return whether a page has a name in code letters, alone or with what follows it."""
    return re.search(rf"`{re.escape(name)}(?![\w-])", guide.page(topic)) is not None


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_documented(name: str) -> None:
    assert re.search(rf"(?<!\w){name}(?!\w)", score.USAGE)
    for spelling in (name, *METRICS[name].aliases):
        assert is_said(spelling, "metrics"), "add it to the table in scorch2/guide/metrics.md"


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_documented(name: str) -> None:
    assert is_said(name, "reports"), "add it to the table in scorch2/guide/reports.md"


@pytest.mark.parametrize("name", formats.FORMATS)
def test_every_format_is_documented(name: str) -> None:
    assert is_said(name, "formats"), "add it to the table in scorch2/guide/formats.md"
    text = " ".join(score.USAGE.split())
    assert re.search(rf"--gold-format=<name> [^-]*\b{name}\b", text)
    assert formats.FORMATS[name].about in text


@pytest.mark.parametrize("name", [name for name, row in formats.FORMATS.items() if row.writer])
def test_every_format_that_is_written_is_in_the_page_on_converting(name: str) -> None:
    assert is_said(name, "converting"), "add it to the table in scorch2/guide/converting.md"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    assert re.search(rf"^  {name} ", guide.page("commands"), re.MULTILINE)
    pages = [guide.page(topic) for topic in guide.TOPICS if topic != "commands"]
    shown = rf"^\$ (scorch2 )?{name}\b|`(scorch2 )?{name}(?![\w-])"
    found = name in ("score", "help") or any(re.search(shown, page, re.MULTILINE) for page in pages)
    assert found, "no page of the guide says what the command is for"
    assert re.search(rf"^\s+(scorch2 )?\[?{name}\b", usage(name), re.MULTILINE) or name == "score"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_in_the_guide(name: str) -> None:
    said = "".join(map(guide.page, guide.TOPICS))
    missing = {option for option in declared(usage(name)) if not re.search(rf"{option}(?![\w-])", said)}
    assert not missing, "say what they are for in the page of the command"


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_that_changes_numbers_is_in_help_and_guide_with_its_values(name: str) -> None:
    values = OPTIONS[name].values
    assert re.search(rf"^  --{name}=<\w+> +{', '.join(values)}\b", score.USAGE, re.MULTILINE)
    row = rf"^\| `--{name}` \|.*\n(?:\| \|.*\n)*"
    found = re.search(row, guide.page("metrics"), re.MULTILINE)
    assert found, "add a row to the table in scorch2/guide/metrics.md"
    first, *others = values
    assert f"**`{first}`**" in found[0]
    assert all(f"`{value}`" in found[0] for value in others)


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_documented(name: str) -> None:
    assert is_said(name, "paper"), "add it to the table in scorch2/guide/paper.md"


def test_the_options_of_score_are_in_the_page_of_their_section() -> None:
    sections = re.split(r"^(\w+)\b[^\n]*(?:\n[^\n-]+)??:\n(?=  -)", score.USAGE, flags=re.MULTILINE)[1:]
    found = dict(zip(sections[::2], sections[1::2], strict=True))
    assert set(found) == set(SECTIONS), "a section of the help needs a page"
    for section, text in found.items():
        said = guide.page(SECTIONS[section])
        assert {option for option in declared(text) if option not in said} == set(), SECTIONS[section]


def test_the_help_names_defaults_first() -> None:
    first, *others = REPORTS
    assert f"{first} (default), {', '.join(others)}" in " ".join(score.USAGE.split())
    assert f"all, {', '.join(METRICS)} " in " ".join(score.USAGE.split())
    assert tuple(METRICS)[: len(DEFAULT)] == DEFAULT
    assert re.search(rf"--profile=<name> +{', '.join(PROFILES)}\b", score.USAGE)


def test_the_help_lists_all_commands_and_topics() -> None:
    for name, what in {**COMMANDS, **guide.TOPICS}.items():
        assert re.search(rf"^  {name} +{re.escape(what)}$", usage("help"), re.MULTILINE)


def test_no_topic_is_called_like_a_command() -> None:
    assert not {*guide.TOPICS} & {*COMMANDS}, "scorch2 help <word> could not tell them apart"


@pytest.mark.parametrize("name", scorch2.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert is_said(name, "python"), "add it to a table in scorch2/guide/python.md"


def test_every_key_of_the_json_report_is_documented() -> None:
    report = scorch2.score([["a", "b"]], [["a", "b"]]).to_dict()
    document = report["documents"][0]
    for key in (*report, *document, *report["counts"]["muc"], *report["counts"]["blanc"]):
        assert is_said(key, "reports"), "add it to the table in scorch2/guide/reports.md"


# Options


def test_defaults_are_the_first_values() -> None:
    assert Options().choices == {name: option.values[0] for name, option in OPTIONS.items()}
    assert Options() == options()
    assert Options().changed() == {}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_says_what_older_reports_were_made_with(name: str) -> None:
    assert OPTIONS[name].row.before in OPTIONS[name].values


@pytest.mark.parametrize("profile", PROFILES)
def test_profiles_set_options_to_what_they_can_be(profile: str) -> None:
    chosen = PROFILES[profile]
    assert set(chosen) <= {*OPTIONS, *OTHERS}
    assert all(value in OPTIONS[name].values for name, value in chosen.items() if name in OPTIONS)
    assert set(chosen.get("metrics", ())) <= set(METRICS)  # type: ignore[arg-type]


def test_the_library_takes_every_option() -> None:
    parameters = inspect.signature(scorch2.score).parameters
    assert {"choices", "metrics", "profile", "gold_format", "sys_format"} <= set(parameters)


# Metrics


def test_aliases_are_folded_and_mean_one_metric() -> None:
    names = [name for metric in METRICS.values() for name in (metric.name, *metric.aliases)]
    assert len(names) == len(set(names))
    assert all(name == name.casefold() for name in names)


@pytest.mark.parametrize("module", sorted(modules("metrics")))
def test_every_metric_says_what_it_is(module: str) -> None:
    text = importlib.import_module(f"scorch2.scoring.metrics.{module}").__doc__ or ""
    wanted = ["Formula", "Units", "Edge cases", "Source"] + (["Cost"] if module != "conll" else [])
    assert [field for field in wanted if not re.search(rf"^{field} ", text, re.MULTILINE)] == []
    assert all(metric.source for metric in metrics_in(module))


# Linking


@pytest.mark.parametrize("name", [*AGGREGATORS])
def test_every_aggregator_is_documented(name: str) -> None:
    assert is_said(name, "linking") or is_said(name.removeprefix("overlap"), "linking")


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_documented(name: str) -> None:
    assert is_said(name, "linking"), "add it to the table in scorch2/guide/linking.md"


@pytest.mark.parametrize("module", ["sets", "overlap", "clustering"])
def test_every_aggregator_says_what_it_is(module: str) -> None:
    text = importlib.import_module(f"scorch2.linking.measures.{module}").__doc__ or ""
    wanted = ["Formula", "Units", "Edge cases", "Cost", "Source"]
    assert [field for field in wanted if not re.search(rf"^{field} ", text, re.MULTILINE)] == []


def test_every_measure_is_called_like_its_row() -> None:
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.aggregator in AGGREGATORS
        assert {measure.field or "span", *measure.key} <= set(FIELDS)
    names = [one for measure in MEASURES.values() for one in (measure.name, *measure.aliases)]
    assert len({*names, *GROUPS}) == len(names) + len(GROUPS)


def test_every_option_of_evaluate_is_checked_against_its_choices() -> None:
    for option, choices in evaluate.CHOICES.items():
        assert re.search(
            rf"^  {option}=<\w+> +{choices[0]} \(default\), {', '.join(choices[1:])}:",
            evaluate.USAGE,
            re.MULTILINE,
        )
