"""scorch2 analyze: the errors of linking, one by one or counted."""

from collections.abc import Sequence

from scorch2.cli import arguments, console, neleval, options, output
from scorch2.formats.table import format_names
from scorch2.model.forms import form_of, forms_of, shown
from scorch2.model.options import OPTIONS
from scorch2.tasks.linking.corpus import Sources, read_corpus
from scorch2.tasks.linking.problems import analyze, count_labels

USAGE = f"""Name the errors of entity linking: mentions are aligned by their exact span.

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
{arguments.output_options("where the errors go, instead of <out-file>", 24)}
  --restrict=<path>     only mentions whose document, start and end are in this file or folder
{arguments.input_options(arguments.OF_LINKING, format_names(lambda row: row.places), 24)}
{arguments.option_lines("--pair=<rule>", arguments.PAIR_TEXT, 24)}
{arguments.other_options("no warnings", 24, strict=True, version=True)}

The columns are kind, document, gold, system, start and last unit. Kinds: wrong-link, nil-as-link,
link-as-nil, missing, extra, and wrong-type for mentions of both sides whose types differ.

{arguments.exit_statuses("0 done, 2 error (nothing was written)")}
"""
CHOICES = {"--format": forms_of("findings")}


def run(words: Sequence[str]) -> int:
    """Print the errors that `words` ask for and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    form = form_of(given["--format"], output.report_path(given), "findings")
    sources = Sources(
        given["--gold"],
        given["<sys>"],
        given["--restrict"],
        **options.typed_inputs(given),
        pair=arguments.choice(given["--pair"], OPTIONS["pair"].values, "value of --pair"),
    )
    target = output.report_target(given, (sources.gold, sources.system, sources.restrict))
    analysis = analyze(read_corpus(sources), correct=given["--with-correct"], unique=given["--unique"])
    console.refuse_warnings(analysis.notices, strict=given["--strict"])
    if given["--summary"]:
        text = shown("counts", form, count_labels(analysis.findings))
    else:
        text = shown("findings", form, analysis.findings)
    output.write(target, text)
    console.warn(analysis.notices, quiet=given["--quiet"])
    return 0
