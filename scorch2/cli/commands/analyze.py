"""scorch2 analyze: the errors of linking, one by one or counted."""

from collections.abc import Sequence

from scorch2.cli import arguments, console, neleval, output, usage
from scorch2.formats import check_format, names
from scorch2.linking import analysis
from scorch2.linking.corpus import Sources, read_corpus
from scorch2.linking.text.analysis import COUNTS, FINDINGS

USAGE = f"""Name the errors of entity linking: mentions are aligned by their exact span.

Usage:
  scorch2 analyze [options] --gold=<path> [--] <sys> [<out-file>]

  <sys>       a file or a folder: annotations TSV, or any format that says where mentions are;
              - for standard input
  <out-file>  where the errors go; standard output if absent or -

Options:
  -g, --gold=<path>     what is right, as <sys>
  -s, --summary         how many of each kind, instead of each
  -u, --unique          the same document, gold and system once
  -c, --with-correct    correct links and NILs too
  -f, --format=<name>   tab (default, but json for an <out-file>.json), json
  --restrict=<path>     only mentions whose document, start and end stand in it
{usage.input_format("--gold-format=<name>", names(lambda row: row.places), 24)}
  --sys-format=<name>   the same for the system
  -q, --quiet           no warnings
  --debug               show where an error came from
  -h, --help            show this text
  --version             show the version

A line is kind, document, gold, system, start and last unit. Kinds: wrong-link, nil-as-link,
link-as-nil, missing, extra, and wrong-type for mentions of both sides whose types differ.

Exit status: 0 done, 2 error (nothing was written), 130 interrupted.
"""


def run(words: Sequence[str]) -> int:
    """Print the errors that `words` ask for and return the exit status."""
    given = neleval.parse(USAGE, words)
    form = arguments.choice(given["--format"], FINDINGS, "report format")
    formats = [check_format(given[side]) for side in ("--gold-format", "--sys-format")]
    sources = Sources(given["--gold"], given["<sys>"], given["--restrict"])
    sources = sources._replace(gold_format=formats[0], sys_format=formats[1])
    target = output.STDOUT if given["<out-file>"] is None else given["<out-file>"]
    output.check_target(target, [path for path in sources[:3] if path is not None])
    found = analysis.analyze(read_corpus(sources), correct=given["--with-correct"], unique=given["--unique"])
    if given["--summary"]:
        text = COUNTS[form](analysis.counts(found.findings))
    else:
        text = FINDINGS[form](found.findings)
    output.write(target, text)
    if not given["--quiet"]:
        console.warn(found.notices)
    return 0
