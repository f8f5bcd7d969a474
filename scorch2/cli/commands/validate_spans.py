"""scorch2 validate-spans: mentions that are doubled, cross or nest."""

from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output, usage
from scorch2.formats import check_format, names
from scorch2.formats.source import STDIN
from scorch2.linking.corpus import read_documents
from scorch2.linking.shared_spans import DEFAULTS, LEVELS, problems
from scorch2.linking.text.shared_spans import REPORTS

USAGE = f"""Find mentions of one document that overlap.

Usage:
  scorch2 validate-spans [options] [--] [<path>]

  <path>  a file or a folder: annotations TSV, or any format that says where mentions are;
          standard input if absent or -

Options:
  --duplicate=<level>  ignore, warn, error (default): two mentions with the same start and end
  --crossing=<level>   ignore, warn (default), error: they overlap, and neither contains the other
  --nested=<level>     ignore (default), warn, error: one contains the other
  -f, --format=<name>  text (default; one line per pair, nothing if all is well), json
{usage.input_format("--from=<format>", names(lambda row: row.places), 23)}
  --debug              show where an error came from
  -h, --help           show this text
  --version            show the version

Of each kind the first 20 pairs of a document are listed, the others are counted.

Exit status: 0 nothing at the level of errors, 1 errors found, 2 error, 130 interrupted.
"""


def run(words: Sequence[str]) -> int:
    """Print the problems of the file that `words` name and return the exit status."""
    given = neleval.parse(USAGE, words)
    form = arguments.choice(given["--format"], REPORTS, "report format")
    levels = {
        kind: arguments.choice(given[f"--{kind}"], LEVELS, f"level of --{kind}", default)
        for kind, default in DEFAULTS.items()
    }
    origin = check_format(given["--from"])
    documents = read_documents(STDIN if given["<path>"] is None else given["<path>"], origin)
    found = list(problems(documents, levels))
    output.write(output.STDOUT, REPORTS[form](found))
    return int(any(one.level == "error" for one in found))
