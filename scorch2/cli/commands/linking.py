"""Commands of entity linking with neleval's options and text: evaluate, list-measures, analyze, spans."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from scorch2.cli import console, options, output, usage
from scorch2.formats.source import STDIN, fingerprint
from scorch2.formats.table import check_format, format_names
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.forms import form_of, forms_of, shown
from scorch2.model.names import NIL
from scorch2.model.options import OPTIONS, separated
from scorch2.scoring.pairing.files import FileChoice, side_of
from scorch2.tasks.linking.corpus import Sources, read_corpus, read_documents, read_type_weights
from scorch2.tasks.linking.evaluation import (
    DEFAULT_LEVELS,
    LEVELS,
    Grouping,
    adds_up,
    analyze,
    count_labels,
    evaluate,
    linking_report,
    span_problems,
)
from scorch2.tasks.linking.evidence import FIELDS, Nil, Rules
from scorch2.tasks.linking.measures import DEFAULT, MEASURES, Measure, named, single

_REPORTS = "a report of documents (repeatable), to a file or standard output: "
_REPORTS += usage.name_list(forms_of("scores"))
EVALUATE_USAGE = f"""Evaluate entity linking: mentions, links, types and clusters of a system against gold.

Usage:
  scorch2 evaluate [options] --gold=<path> [--] <sys> [<out-file>]

  <sys>       a file or a folder: annotations TSV, or any format that says where mentions are;
              - for standard input
  <out-file>  where the report goes; standard output if absent or -

Options:
  -g, --gold=<path>        the gold annotations, in the same forms as <sys>
  -m, --measure=<name>     measures, groups of measures, or aggregator:filter:key, separated by
                           commas (repeatable); default all, see scorch2 list-measures
  -f, --format=<name>      tab (default, but json for a file called .json), json, table, none
{usage.output_options("where the report goes, instead of <out-file>", 27, several=True)}
  -b, --group-by=<field>   score each value of a field by itself (repeatable)
  --by-doc                 the same as --group-by=docid
  --by-type                the same as --group-by=type
  --overall                no rows of groups, only their averages
  --groups=<whose>         union (default), gold: groups for values of both sides, or of gold only
  --empty-groups=<what>    keep (default), skip: groups without any count, in macro averages
  --undefined=<what>       skip (default), zero: a score that is 0/0 in a group has no weight in
                           macro averages, or is worth 0 there (as in neleval)
  --type-weights=<file>    partial credit for types that differ: gold type, system type, weight
  --restrict=<path>        score only mentions whose document, start and end are in this file
  --duplicates=<what>      error (default), first, merge: policy for a mention in two clusters
  --nil=<prefix>           prefix of ids outside the knowledge base (default NIL)
  --nil-singletons         a mention whose id is just the prefix is a cluster of its own
{usage.input_options(usage.OF_LINKING, format_names(lambda row: row.places), 27)}
{usage.option_lines("--pair=<rule>", usage.PAIR_TEXT, 27)}
{usage.option_lines("--report=<name[:file]>", _REPORTS, 27)}
  --per-document           add rows for every document to these reports
  --sort=<measure>         order these rows: the lowest F1 of this measure first
  --worst=<n>              only rows of the n lowest documents (default: by the first measure)
{usage.confidence_options("to these reports", 27)}

{usage.GATE_USAGE}
Gates and reports add up the counts of documents. Measures that do not add up (clusters, keys
without docid or span) need --by-doc there.

Other:
{usage.other_options("no warnings", 27, version=True)}

{usage.exit_statuses("0 done, 1 a gate failed, 2 error (nothing was written)")}
"""
CHECKED = {
    "--groups": ("union", "gold"),
    "--empty-groups": ("keep", "skip"),
    "--undefined": OPTIONS["undefined"].values,
    "--duplicates": OPTIONS["duplicates"].values,
    "--pair": OPTIONS["pair"].values,
}
EVALUATE_CHOICES = {"--format": forms_of("linking"), **CHECKED}


def run_evaluate(given: dict[str, Any]) -> int:
    """Evaluate what `given` asks for and return the exit status."""
    form = form_of(given["--format"], output.report_path(given), "linking")
    measures = named(separated(given["--measure"]) or [DEFAULT])
    chosen = {name: usage.choice(given[name], values, f"value of {name}") for name, values in CHECKED.items()}
    grouping = Grouping(
        fields=_fields(given),
        of=chosen["--groups"],
        overall=given["--overall"],
        empty=chosen["--empty-groups"],
        undefined=chosen["--undefined"],
    )
    if not grouping.fields:
        of_groups = ("--overall", "--groups", "--empty-groups", "--undefined")
        options.refuse(given, of_groups, "is for groups: it needs --group-by")
    if not given["--report"]:
        why = "is for reports of documents: it needs --report"
        options.refuse(given, ("--confidence", "--per-document"), why)
    sources = _sources(given, chosen["--pair"])
    given_paths = (sources.gold, sources.system, sources.restrict, given["--type-weights"])
    inputs = [path for path in given_paths if path is not None]
    usage.share_no_stream(*inputs)
    target = output.report_target(given, [*inputs, given["--baseline"]])
    asked = _asked(given, target, inputs)
    gated = _gated(measures, asked, grouping)
    weights = None if given["--type-weights"] is None else read_type_weights(given["--type-weights"])
    rules = Rules(chosen["--duplicates"], weights)
    corpus = read_corpus(sources)
    evaluation = evaluate(corpus, measures, grouping, rules)
    text = output.laid_out(target, partial(shown, "linking", form, evaluation.rows))
    if not _is_judged(asked):
        output.write(target, text)
        console.warn(evaluation.notices, quiet=given["--quiet"])
        return 0
    whole = linking_report(corpus, gated, rules, _facts(given))._replace(notices=evaluation.notices)
    return options.deliver(whole, asked, [(target, text)])


def _facts(given: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the options that change numbers and that no other part of a report holds; files by content."""
    facts = [] if given["--nil"] is None else [("nil", given["--nil"])]
    facts += [("nil-singletons", "yes")] if given["--nil-singletons"] else []
    for name in ("type-weights", "restrict"):
        if given[f"--{name}"] is not None:
            facts.append((name, fingerprint(*sorted(side_of(given[f"--{name}"]).files.values()))))
    return facts


def _asked(given: dict[str, Any], target: str, inputs: Sequence[str]) -> options.Delivery:
    others = {name: value for name, value in given.items() if name != "--format"}
    return options.delivery_request(others, inputs, lambda name: single(name).metric(), target)


def _is_judged(asked: options.Delivery) -> bool:
    return bool(asked.thresholds or asked.targets or asked.strict or asked.gates)


def _gated(measures: Sequence[Measure], asked: options.Delivery, grouping: Grouping) -> list[Measure]:
    if _is_judged(asked) and (set(grouping.fields) - {"docid"} or grouping.of == "gold"):
        raise UsageError("gates and reports are of all documents: they go with --by-doc and no other groups")
    by_document = "docid" in grouping.fields
    limits = [single(limit.metric) for limit in asked.thresholds]
    for measure in limits:
        if not (by_document or adds_up(measure)):
            raise UsageError(f"{measure.name} is counted over the whole corpus: gate it with --by-doc")
    wanted = {measure.name: measure for measure in (*measures, *limits)}
    return [measure for measure in wanted.values() if by_document or adds_up(measure)]


def _fields(given: dict[str, Any]) -> tuple[str, ...]:
    fields = list(given["--group-by"])
    fields += ["docid"] if given["--by-doc"] else []
    fields += ["type"] if given["--by-type"] else []
    known = [name for name, row in FIELDS.items() if row.comparable]
    for field in fields:
        if not field or (field in FIELDS and field not in known):
            raise UsageError(unknown_name(field, "field to group by", known))
    return tuple(dict.fromkeys(fields))


def _sources(given: dict[str, Any], pair: str) -> Sources:
    if given.get("--nil") == "":
        raise UsageError("--nil needs a prefix that is not empty")
    nil = Nil(given.get("--nil") or NIL, given.get("--nil-singletons", False))
    paths = given["--gold"], given["<sys>"], given["--restrict"]
    return Sources(*paths, nil, **options.typed_inputs(given), pair=pair)


LIST_MEASURES_USAGE = f"""List the measures of entity linking, and what custom ones are made of.

Usage:
  scorch2 list-measures [options] [--]

Options:
  -m, --measure=<name>  measures, groups of measures, or aggregator:filter:key, separated by commas
                        (repeatable); default all
  -f, --format=<name>   table (default, but json for a file called .json), json
{usage.output_options("where the list goes; standard output if absent or -", 24)}
{usage.other_options(column=24, version=True)}

The metrics of coreference are those of scorch2 score --help.

{usage.exit_statuses()}
"""
LIST_MEASURES_CHOICES = {"--format": forms_of("measures")}


def run_list_measures(given: dict[str, Any]) -> int:
    """Print the measures that `given` asks for and return the exit status."""
    form = form_of(given["--format"], output.report_path(given), "measures")
    measures = named(separated(given["--measure"]) or MEASURES)
    target = output.report_target(given, [])
    output.write(target, output.laid_out(target, partial(shown, "measures", form, measures)))
    return 0


ANALYZE_USAGE = f"""Name the errors of entity linking: mentions are aligned by their exact span.

Usage:
  scorch2 analyze [options] --gold=<path> [--] <sys> [<out-file>]

  <sys>       a file or a folder: annotations TSV, or any format that says where mentions are;
              - for standard input
  <out-file>  where the errors go; standard output if absent or -

Options:
  -g, --gold=<path>     the gold annotations, in the same forms as <sys>
  -s, --summary         count the errors of each kind instead of listing them
  -u, --unique          list errors with the same document, gold and system only once
  -c, --with-correct    list correct links and NILs, too
  -f, --format=<name>   tab (default, but json for a file called .json), json
{usage.output_options("where the errors go, instead of <out-file>", 24)}
  --restrict=<path>     only mentions whose document, start and end are in this file or folder
{usage.input_options(usage.OF_LINKING, format_names(lambda row: row.places), 24)}
{usage.option_lines("--pair=<rule>", usage.PAIR_TEXT, 24)}
{usage.other_options("no warnings", 24, strict=True, version=True)}

The columns are kind, document, gold, system, start and last unit. Kinds: wrong-link, nil-as-link,
link-as-nil, missing, extra, and wrong-type for mentions of both sides whose types differ.

{usage.exit_statuses("0 done, 2 error (nothing was written)")}
"""
ANALYZE_CHOICES = {"--format": forms_of("findings")}


def run_analyze(given: dict[str, Any]) -> int:
    """Print the errors that `given` asks for and return the exit status."""
    form = form_of(given["--format"], output.report_path(given), "findings")
    sources = _sources(given, usage.choice(given["--pair"], OPTIONS["pair"].values, "value of --pair"))
    target = output.report_target(given, (sources.gold, sources.system, sources.restrict))
    analysis = analyze(read_corpus(sources), correct=given["--with-correct"], unique=given["--unique"])
    console.refuse_warnings(analysis.notices, strict=given["--strict"])
    if given["--summary"]:
        text = shown("counts", form, count_labels(analysis.findings))
    else:
        text = shown("findings", form, analysis.findings)
    output.write(target, text)
    if not (analysis.findings or given["--quiet"]):
        console.say("scorch2: no errors found")
    console.warn(analysis.notices, quiet=given["--quiet"])
    return 0


VALIDATE_SPANS_USAGE = f"""Find mentions of one document that overlap.

Usage:
  scorch2 validate-spans [options] [--] [<path>]

  <path>  a file or a folder: annotations TSV, or any format that says where mentions are;
          standard input if absent or -

Options:
  --duplicate=<level>  ignore, warn, error (default): two mentions with the same start and end
  --crossing=<level>   ignore, warn (default), error: they overlap, and neither contains the other
  --nested=<level>     ignore (default), warn, error: one contains the other
  -f, --format=<name>  text (default, but json for a file called .json; one line per pair, nothing
                       if all is well), json
{usage.format_option("--from=<format>", format_names(lambda row: row.places), 23)}
{usage.option_lines("--files=<glob>", usage.FILES_TEXT, 23)}
{usage.output_options("where the problems go; standard output if absent or -", 23)}
{usage.other_options(column=23, version=True)}

At most five partners of a mention are named for each kind; the others are counted.

{usage.exit_statuses("0 nothing at the level of errors, 1 errors found, 2 error")}
"""
VALIDATE_SPANS_CHOICES = {
    "--format": forms_of("problems"),
    **dict.fromkeys((f"--{kind}" for kind in DEFAULT_LEVELS), LEVELS),
}


def run_validate_spans(given: dict[str, Any]) -> int:
    """Print the problems of the file that `given` names and return the exit status."""
    form = form_of(given["--format"], output.report_path(given), "problems")
    levels = {
        kind: usage.choice(given[f"--{kind}"], LEVELS, f"level of --{kind}", default)
        for kind, default in DEFAULT_LEVELS.items()
    }
    origin = check_format(given["--from"])
    path = STDIN if given["<path>"] is None else given["<path>"]
    target = output.report_target(given, [path])
    documents = read_documents(path, origin, "--from", FileChoice(given["--files"], "--files"))
    levels_found = {
        problem.level for problem in span_problems(documents, levels)
    }  # all, so that what is refused is refused now
    output.write(
        target, shown("problems", form, span_problems(documents, levels))
    )  # again: they are too many to be kept
    return int("error" in levels_found)
