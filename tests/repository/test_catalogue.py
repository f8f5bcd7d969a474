"""Each file in a table's folder is in the table, and each row of a table is in the help and in the guide."""

import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from every import every
from examples import EXAMPLES, WRITTEN, path_of
from pages import LITERALS, with_literals

import scorch2
from scorch2 import guide
from scorch2.analysis import breakdown
from scorch2.analysis.agreement import COEFFICIENTS
from scorch2.analysis.heads import RULES
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.table import DIMENSIONS
from scorch2.cli.commands import COMMANDS, linking, score
from scorch2.cli.dispatch import Command
from scorch2.formats.reading import format_module
from scorch2.formats.recognition import recognised
from scorch2.formats.table import FORMATS, KEYED, ROWS, TYPED, XML, Format, FormatModule
from scorch2.model.forms import FORMS, NOT_WRITTEN, forms_of, function_at, renderer
from scorch2.model.options import INPUTS, OPTIONS, OTHERS, Options, options_from
from scorch2.model.score import AVERAGES
from scorch2.model.values import PROFILES
from scorch2.reports.rows import listings_before
from scorch2.scoring.layout.tables import Listing
from scorch2.scoring.matching.matched import ComparedPair, Matched
from scorch2.scoring.matching.steps import STEPS, function_of
from scorch2.scoring.metrics import DEFAULT, METRICS, OF_CLUSTERS
from scorch2.scoring.metrics.metric import Mean, Metric
from scorch2.tasks.linking.evidence import FIELDS
from scorch2.tasks.linking.measures import (
    AGGREGATORS,
    GROUPS,
    MEASURES,
    count_clusters,
    count_covered,
    count_keys,
)

REPORTS = forms_of("scores")

ROOT = Path(__file__).parent.parent.parent
RUN = "run `python tests/support/pages.py`: it writes the names of the rows into the type above the table"
HELPERS = {"metrics": {"chosen", "metric", "split_antecedents"}, "commands": set()}
"""Files of these folders that are no row of the table: they serve several."""
FOLDERS = {"metrics": "scoring/metrics", "commands": "cli/commands"}


FORMATS_FOLDER = ROOT / "scorch2" / "formats"
NO_FORMATS = {"json.dialects", "json.mention_table"}
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


@every("module", sorted(modules("metrics")))
def test_every_metric_is_registered(module: str) -> None:
    found = metrics_in(module)
    path = f"scorch2/scoring/metrics/{module}.py"
    assert found, f"{path} defines no Metric: add one, or name the file in HELPERS if it serves several"
    for metric in found:
        there = METRICS.get(metric.name)
        assert there is metric, (
            f"add {metric.name} of {path} to METRICS in scorch2/scoring/metrics/__init__.py"
        )


def test_every_row_of_metrics_has_a_file() -> None:
    found = {metric.name for module in modules("metrics") for metric in metrics_in(module)}
    assert sorted(set(METRICS) - found) == [], (
        "a row of METRICS is made in no file of its folder: move it there"
    )


@every("name", [name for name in METRICS if name not in OF_CLUSTERS])
def test_every_metric_of_more_than_clusters_names_a_function_that_is_there(name: str) -> None:
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    assert callable(function_at(metric.evidence)), f"{name} names no function as its evidence"


def test_metrics_of_clusters_come_first() -> None:
    assert [*OF_CLUSTERS] == [*METRICS][: len(OF_CLUSTERS)], (
        "move the row up: metrics.md says what `all` means"
    )
    assert [*DEFAULT] == [*METRICS][: len(DEFAULT)], (
        "move the row down: metrics.md says which are the default"
    )


@every("name", FORMS)
def test_every_form_of_report_names_functions_that_are_there(name: str) -> None:
    for kind in FORMS[name].shows:
        try:
            found = renderer(kind, name)
        except (ImportError, AttributeError):
            found = None
        place = FORMS[name].shows[kind]
        assert callable(found), f"write {kind}_{name} in {place}, which FORMS in scorch2/model/forms.py names"


@every("name", [name for name, form in FORMS.items() if form.listing])
def test_every_form_with_lists_shows_a_table_by_what_is_there(name: str) -> None:
    form = FORMS[name]
    try:
        shown = listings_before([Listing("x", ("a", "b"), [("1", "y")])], form)
    except (ImportError, AttributeError) as error:
        pytest.fail(f"write {form.listing}, which FORMS in scorch2/model/forms.py names for {name}: {error}")
    assert shown.endswith("\n\n"), f"{form.listing} has to return the text of a table"


def test_no_suffix_of_a_form_is_one_that_is_refused() -> None:
    both = {suffix for form in FORMS.values() for suffix in form.suffixes} & {*NOT_WRITTEN}
    assert sorted(both) == [], "take it out of NOT_WRITTEN in scorch2/model/forms.py: a form writes it now"


@every("name", DIMENSIONS)
def test_every_dimension_has_a_function_and_is_documented(name: str) -> None:
    function = DIMENSIONS[name].classes
    assert callable(vars(breakdown).get(function)), (
        f"DIMENSIONS names {function} for {name}: write it in scorch2/analysis/breakdown.py"
    )
    assert is_said(name, "error-analysis"), f"say in scorch2/guide/error-analysis.md what --by={name} tells"


@every(("name", "page"), [*product(COEFFICIENTS, ["annotators"]), *product(RULES, ["statistics"])])
def test_every_coefficient_and_rule_is_documented(name: str, page: str) -> None:
    assert is_said(name, page), f"say in scorch2/guide/{page}.md what {name} is"


@every("name", KINDS)
def test_every_kind_of_error_has_a_mark_and_is_documented(name: str) -> None:
    assert [kind.look.mark for kind in KINDS.values()].count(KINDS[name].look.mark) == 1, "take another mark"
    assert is_said(name, "error-analysis"), f"say in scorch2/guide/error-analysis.md what a {name} is"


def assert_registered(folder: str, names: set[str], table: str) -> None:
    """Compare the files of a folder with the rows of its table."""
    assert sorted(modules(folder) - names) == [], (
        f"add it to {table}, or to HELPERS here if it serves several"
    )
    assert sorted(names - modules(folder)) == [], (
        f"no file of scorch2/{FOLDERS[folder]} has this name of {table}"
    )


def test_every_command_is_registered() -> None:
    files = {row.file for row in COMMANDS.values()}
    assert_registered("commands", files, "GROUPS in scorch2/cli/commands/__init__.py")
    registered = [(Command(name).usage, Command(name).run) for name in COMMANDS]
    assert all("Usage:\n" in text and callable(run) for text, run in registered)
    there = [vars(importlib.import_module(f"scorch2.cli.commands.{file}")) for file in files]
    functions = [names[name] for names in there for name in names if re.match(r"run(_|$)", name)]
    lacking = [function.__name__ for function in functions if function not in [run for _, run in registered]]
    assert lacking == [], "each function from words to an exit status needs a row in GROUPS"


@every("family", sorted(path.parent.name for path in FORMATS_FOLDER.glob("*/__init__.py")))
def test_every_reader_and_writer_of_a_format_is_registered(family: str) -> None:
    rows = {"documents": "reader", "document": "reader", "write": "writer"}
    for path in (FORMATS_FOLDER / family).glob("*.py"):
        name = f"{family}.{path.stem}"
        module = importlib.import_module(f"scorch2.formats.{name}")
        for function, found in vars(module).items() if name not in NO_FORMATS else ():
            prefix, _, part = function.rpartition("_")
            if part in rows and function[0] != "_" and found.__module__ == module.__name__:
                there = {getattr(row, rows[part]) for row in FORMATS.values()}
                called = f"{name}:{prefix}" if prefix else name
                assert called in there, f"{name}.{function} needs a row in FORMATS (scorch2/formats/table.py)"


@every("row", FORMATS.values())
def test_every_row_of_formats_has_its_modules(row: Format) -> None:
    family = {ROWS: "documents", XML: "documents", TYPED: "document", KEYED: "SOURCES"}
    wanted = {row.reader: {family[row.family]}}
    if row.writer:
        write = "write_file" if row.written_together else "write"
        wanted.setdefault(row.writer, set()).update({write, "fitting"})
    if row.text_beside:
        wanted[row.writer].add("plain_text")
    if row.problems:
        wanted[row.problems] = {"problems"}
    for name, parts in wanted.items():
        for part in parts:
            assert hasattr(FormatModule, part) or part in FormatModule.__annotations__
            assert hasattr(format_module(name), part), f"formats.{name} needs {part}: see FormatModule"
    assert not row.writer or row.suffixes, "converted files need a suffix"
    assert all(suffix.startswith(".") for suffix in row.suffixes), "a suffix begins with a dot"


@every("name", FORMATS)
def test_every_format_has_an_example_and_what_it_holds(name: str) -> None:
    assert EXAMPLES[name]
    twin = path_of(name, "example").name + ".twin.json"
    assert path_of(name, "example").with_name(twin).exists(), (
        f"make fixtures/formats/{name}/{twin}: what the example holds, like those of other formats"
    )
    assert name not in WRITTEN or WRITTEN[name]
    known = recognised(str(path_of(name, "example")))
    assert known == name, f"its example is taken for {known}: tell it by `begins`, or `is_surely`, of its row"


def test_no_reader_is_imported_before_it_is_needed() -> None:
    families = [path.parent.name for path in FORMATS_FOLDER.glob("*/__init__.py")]
    code = "import sys, scorch2.formats.reading; print(*(x for x in sys.modules if 'scorch2.formats.' in x))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    early = [name for name in shown.stdout.split() if name.split(".")[2] in families]
    assert early == [], "import it inside the function that needs it: every run would wait for it"


def test_every_step_of_matching_is_a_row() -> None:
    rows = {step.function for step in STEPS}
    folder = ROOT / "scorch2" / "scoring" / "matching"
    for path in folder.rglob("*.py"):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        module = importlib.import_module(f"scorch2.scoring.matching.{name}".removesuffix(".__init__"))
        for function in filter(inspect.isfunction, vars(module).values()):
            *taken, made = function.__annotations__.values() or [None]
            is_step = taken in ([ComparedPair, Options], [Matched, Options]) and made in (
                ComparedPair,
                Matched,
            )
            if is_step and function.__module__ == module.__name__:
                row = f"{name}.{function.__name__}"
                assert row in rows, f"add {row} to a list of steps in scorch2/scoring/matching/steps.py"
    assert all(callable(function_of(step)) for step in STEPS)
    assert len({step.name for step in STEPS}) == len(STEPS), "two steps have one name"


# Rows, help and the guide: each kind has its page

SECTIONS = {"Report": "reports", "Scoring": "metrics", "Gate": "ci", "Speed": "workers", "Other": "commands"}
"""The sections of the help of score, and the page that explains the options of each."""
UNIVERSAL = {"--help", "--version"}
"""Options that need no explanation."""


def usage(command: str) -> str:
    return Command(command).usage


def declared(text: str) -> set[str]:
    """Return the long options of a help text."""
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE)) - UNIVERSAL


def is_said(name: str, topic: str) -> bool:
    """Return whether a page has a name in code letters, alone or with what follows it."""
    return re.search(rf"`{re.escape(name)}(?![\w-])", guide.page(topic)) is not None


@every("command", COMMANDS)
def test_a_help_text_that_lists_statuses_names_those_of_signals(command: str) -> None:
    text = usage(command)
    signals = "128 + the signal if ended by one (130 Ctrl-C, 143 SIGTERM, 129 SIGHUP)"
    assert text.count("Exit status: ") == text.count(f",\n{signals}."), "end the list by usage.ENDED"


@every("name", METRICS)
def test_every_metric_is_documented(name: str) -> None:
    assert re.search(rf"(?<!\w){name}(?!\w)", score.USAGE), f"the help of --metric must list {name}"
    for spelling in (name, *METRICS[name].aliases):
        assert is_said(spelling, "metrics"), "add it to the table in scorch2/guide/metrics.md"


@every("name", REPORTS)
def test_every_report_is_documented(name: str) -> None:
    assert is_said(name, "reports"), "add it to the table in scorch2/guide/reports.md"
    lacking = [suffix for suffix in REPORTS[name].suffixes if not is_said(suffix, "reports")]
    assert lacking == [], (
        "say in scorch2/guide/reports.md, in its first paragraph, that this suffix asks for it"
    )


@every("name", FORMATS)
def test_every_format_is_documented(name: str) -> None:
    assert is_said(name, "formats"), "add it to the table in scorch2/guide/formats.md"
    text = " ".join(score.USAGE.split())
    assert re.search(rf"--gold-format=<name> [^-]*\b{name}\b", text), "the help of --gold-format must list it"
    assert FORMATS[name].about, "say in `about` what it is"


@every("name", [name for name, row in FORMATS.items() if row.writer])
def test_every_format_that_is_written_is_in_the_page_on_converting(name: str) -> None:
    assert is_said(name, "converting"), "add it to the table in scorch2/guide/converting.md"


@every("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    listed = re.search(rf"^  {name} ", guide.page("commands"), re.MULTILINE)
    assert listed, "run `python tests/support/pages.py`: it writes the list in scorch2/guide/commands.md"
    pages = [guide.page(topic) for topic in guide.TOPICS if topic not in ("commands", "changes")]
    shown = rf"^\$ (scorch2 )?{name}\b|`(scorch2 )?{name}(?![\w-])"
    found = name in ("score", "help") or any(re.search(shown, page, re.MULTILINE) for page in pages)
    assert found, f"say what `scorch2 {name}` is for in the page of its subject, in scorch2/guide"
    called = re.search(rf"^\s+(scorch2 )?\[?{name}\b", usage(name), re.MULTILINE)
    assert called or name == "score", f"a line after 'Usage:' in USAGE must begin with 'scorch2 {name}'"


@every("name", COMMANDS)
def test_every_option_of_a_command_is_in_the_guide(name: str) -> None:
    said = "".join(guide.page(topic) for topic in guide.TOPICS if topic != "changes")
    missing = {option for option in declared(usage(name)) if not re.search(rf"{option}(?![\w-])", said)}
    assert not missing, f"say in the page of the command, in scorch2/guide, what {sorted(missing)} are for"


@every("name", OPTIONS)
def test_every_option_that_changes_numbers_is_in_help_and_guide_with_its_values(name: str) -> None:
    values, flag = OPTIONS[name].values, OPTIONS[name].flag
    shown = re.search(rf"^  {flag}=<\w+>\s+{', '.join(values)}\b", score.USAGE, re.MULTILINE)
    assert shown, f"the help of score must list {flag} with its values on one line: are there too many?"
    row = rf"^\| `{flag}` \|.*\n(?:\| \|.*\n)*"
    found = re.search(row, guide.page("metrics"), re.MULTILINE)
    assert found, f"add a row for `{flag}` to the table of options in scorch2/guide/metrics.md"
    first, *others = values or ("none",)  # a text is empty by default
    assert f"**`{first}`**" in found[0], f"mark the default in that row of metrics.md: **`{first}`**"
    lacking = [value for value in others if f"`{value}`" not in found[0]]
    assert lacking == [], f"say in the row of `{flag}` in scorch2/guide/metrics.md what these values do"


@every("name", PROFILES)
def test_every_profile_is_documented(name: str) -> None:
    assert is_said(name, "paper"), "add it to the table in scorch2/guide/paper.md"


def test_every_average_is_a_value_of_the_option() -> None:
    assert tuple(AVERAGES) == OPTIONS["average"].values, RUN


@every("path", {path for path, _ in LITERALS})
def test_types_name_the_rows_of_their_tables(path: str) -> None:
    text = (ROOT / path).read_text("utf-8")
    assert with_literals(path, text) == text, RUN


@every("name", OPTIONS)
def test_every_value_of_an_option_is_documented(name: str) -> None:
    said = guide.page("metrics") + guide.page("pairing")
    missing = [value for value in OPTIONS[name].values if f"`{value}`" not in said]
    assert not missing, f"write {missing} into the row of --{name} in scorch2/guide/metrics.md"


def test_the_options_of_score_are_in_the_page_of_their_section() -> None:
    sections = re.split(r"^(\w+)\b[^\n]*(?:\n[^\n-]+)??:\n(?=  -)", score.USAGE, flags=re.MULTILINE)[1:]
    found = dict(zip(sections[::2], sections[1::2], strict=True))
    assert set(found) == set(SECTIONS), "a section of the help of score needs a page: add it to SECTIONS here"
    for section, text in found.items():
        said = guide.page(SECTIONS[section])
        lacking = sorted(option for option in declared(text) if option not in said)
        assert lacking == [], f"say in scorch2/guide/{SECTIONS[section]}.md what these options are for"


def test_the_help_names_defaults_first() -> None:
    first, *others = REPORTS
    said = " ".join(score.USAGE.split())
    assert f"{first} (default), {', '.join(others)}" in said, "the help of --format lists all of REPORTS"
    assert f"{', '.join(DEFAULT)} (these are the default), " in said, (
        "the help of --metric begins with DEFAULT"
    )
    assert tuple(METRICS)[: len(DEFAULT)] == DEFAULT, (
        "METRICS begins with the metrics of DEFAULT: add others below"
    )
    assert f"--profile=<name> {', '.join(PROFILES)}: " in said, "the help of --profile lists all of PROFILES"


def test_the_help_lists_all_commands_and_topics() -> None:
    commands = {name: row.what for name, row in COMMANDS.items()}
    for name, what in {**commands, **guide.TOPICS}.items():
        listed = re.search(rf"^  {name} +{re.escape(what)}$", usage("help"), re.MULTILINE)
        assert listed, f"`scorch2 help` must list {name} and what it is, on one line: is it too long?"


def test_no_topic_is_called_like_a_command() -> None:
    assert not {*guide.TOPICS} & {*COMMANDS}, "scorch2 help <word> could not tell them apart"


@every("name", scorch2.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert is_said(name, "python"), "add it to a table in scorch2/guide/python.md"


def test_every_key_of_the_json_report_is_documented() -> None:
    report = scorch2.score([["a", "b"]], [["a", "b"]]).to_dict()
    document = report["documents"][0]
    for key in (*report, *document, *report["counts"]["muc"], *report["counts"]["blanc"]):
        assert is_said(key, "reports"), "add it to the table in scorch2/guide/reports.md"


# Options


def test_defaults_are_the_first_values() -> None:
    wrong = "an option's default is its first value, and nothing else makes defaults"
    assert Options().choices == {name: option.default for name, option in OPTIONS.items()}, wrong
    assert Options() == options_from(), wrong
    assert Options().changed() == {}, wrong


@every("name", OPTIONS)
def test_every_option_says_what_older_reports_were_made_with(name: str) -> None:
    option = OPTIONS[name]
    before, values = option.row.before, option.values
    known = before in values if values else option.checked(before) == before
    assert known, f"`before` of {name} is {before!r}, which is none of its values {values}"


@every("profile", PROFILES)
def test_profiles_set_options_to_what_they_can_be(profile: str) -> None:
    chosen = PROFILES[profile].settings
    assert sorted(set(chosen) - {*OPTIONS, *OTHERS}) == [], f"profile {profile} sets an option that is none"
    wrong = [
        name for name in set(chosen) & set(OPTIONS) if OPTIONS[name].checked(chosen[name]) != chosen[name]
    ]
    assert wrong == [], f"profile {profile} sets this option to what is none of its values"
    metrics = set(chosen.get("metrics", ()))  # type: ignore[arg-type]  # names: the option is no text
    assert sorted(metrics - set(METRICS)) == [], f"profile {profile} names an unknown metric"


def test_the_library_takes_every_option() -> None:
    parameters = inspect.signature(scorch2.score).parameters
    wanted = {*OPTIONS, *INPUTS, "metrics", "profile"}
    missing = wanted - set(parameters)
    assert sorted(missing) == [], "scorch2.score must take what the command line takes"


# Metrics


def test_aliases_are_folded_and_mean_one_metric() -> None:
    names = [name for metric in METRICS.values() for name in (metric.name, *metric.aliases)]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert twice == [], "two metrics have this name or alias: take it from one of them"
    assert [name for name in names if name != name.casefold()] == [], (
        "write names and aliases in small letters"
    )


@every("module", sorted(modules("metrics")))
def test_every_metric_says_what_it_is(module: str) -> None:
    text = importlib.import_module(f"scorch2.scoring.metrics.{module}").__doc__ or ""
    wanted = ["Formula", "Units", "Edge cases", "Source"] + (["Cost"] if module != "conll" else [])
    missing = [field for field in wanted if not re.search(rf"^{field} ", text, re.MULTILINE)]
    assert missing == [], (
        f"the docstring of scorch2/scoring/metrics/{module}.py needs a line for each of these"
    )
    nameless = [metric.name for metric in metrics_in(module) if not metric.source]
    assert nameless == [], "say in `source` where the metric comes from"


# Linking


@every("name", [*AGGREGATORS])
def test_every_aggregator_is_documented(name: str) -> None:
    found = is_said(name, "linking") or is_said(name.removeprefix("overlap"), "linking")
    assert found, f"say in scorch2/guide/linking.md what the aggregator `{name}` counts"


@every("name", MEASURES)
def test_every_measure_is_documented(name: str) -> None:
    assert is_said(name, "linking"), "add it to the table in scorch2/guide/linking.md"


@every("counts", [count_keys, count_covered, count_clusters])
def test_every_aggregator_says_what_it_is(counts: Callable[..., object]) -> None:
    text = inspect.getdoc(counts) or ""
    wanted = ["Formula", "Units", "Edge cases", "Cost", "Source"]
    missing = [field for field in wanted if not re.search(rf"^{field} ", text, re.MULTILINE)]
    assert missing == [], (
        f"the docstring of {counts.__name__} in tasks/linking/measures.py needs a line for each of these"
    )


def test_every_measure_is_called_like_its_row() -> None:
    for name, measure in MEASURES.items():
        assert measure.name == name, "a measure is called like its row of MEASURES"
        assert measure.aggregator in AGGREGATORS, f"{name} has an unknown aggregator"
        fields = {measure.field or "span", *measure.key}
        assert sorted(fields - set(FIELDS)) == [], f"{name} compares a field that FIELDS does not have"
    names = [one for measure in MEASURES.values() for one in (measure.name, *measure.aliases)]
    twice = sorted({name for name in [*names, *GROUPS] if [*names, *GROUPS].count(name) > 1})
    assert twice == [], "two measures or groups have this name or alias: take it from one of them"


def test_every_option_of_evaluate_is_checked_against_its_choices() -> None:
    for option, choices in linking.CHECKED.items():
        shown = rf"^  {option}=<\w+> +{choices[0]} \(default\), {', '.join(choices[1:])}:"
        listed = re.search(shown, linking.EVALUATE_USAGE, re.MULTILINE)
        assert listed, f"the help of evaluate must list {option} with {choices}, the default first"
