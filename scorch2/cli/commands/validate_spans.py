"""scorch2 validate-spans: mentions that are doubled, cross or nest."""

from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output
from scorch2.formats.source import STDIN
from scorch2.formats.table import check_format, format_names
from scorch2.model.forms import form_of, forms_of, shown
from scorch2.scoring.pairing.files import FileChoice
from scorch2.tasks.linking.corpus import read_documents
from scorch2.tasks.linking.problems import DEFAULT_LEVELS, LEVELS, span_problems

USAGE = f"""Find mentions of one document that overlap.

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
{arguments.format_option("--from=<format>", format_names(lambda row: row.places), 23)}
{arguments.option_lines("--files=<glob>", arguments.FILES_TEXT, 23)}
{arguments.output_options("where the problems go; standard output if absent or -", 23)}
{arguments.other_options(column=23, version=True)}

At most five partners of a mention are named for each kind; the others are counted.

{arguments.exit_statuses("0 nothing at the level of errors, 1 errors found, 2 error")}
"""
CHOICES = {
    "--format": forms_of("problems"),
    **dict.fromkeys((f"--{kind}" for kind in DEFAULT_LEVELS), LEVELS),
}


def run(words: Sequence[str]) -> int:
    """Print the problems of the file that `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    form = form_of(given["--format"], output.report_path(given), "problems")
    levels = {
        kind: arguments.choice(given[f"--{kind}"], LEVELS, f"level of --{kind}", default)
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
