"""Usage texts: their lines, and the blocks of options that commands share."""

from collections.abc import Iterable, Mapping

from scorch2.analysis.table import DIMENSIONS
from scorch2.formats.table import FORMATS
from scorch2.model.forms import forms_of
from scorch2.model.names import COUNTINGS
from scorch2.model.options import INPUTS, OPTIONS, Option
from scorch2.model.score import TRIALS
from scorch2.model.settings import PROFILES, SETTINGS

COLUMN = 28  # where the explanation of an option begins
WIDTH = 100


FILES_TEXT = INPUTS["gold_files"].what  # the text about options that choose among the files of a folder
OF_LINKING = tuple(name for name, row in INPUTS.items() if row.for_linking)
"""The options about files that the commands of entity linking have too."""


def option_lines(option: str, what: str, column: int = COLUMN) -> str:
    """Return the lines of a help text about one option, broken between words.

    >>> print(option_lines("-q, --quiet", "no warnings"))
      -q, --quiet               no warnings
    """
    text = f"  {option}".ljust(column - 1)
    lines = []
    for word in what.split():
        if len(text) + 1 + len(word) > WIDTH:
            lines.append(text)
            text = " " * (column - 1)
        text += f" {word}"
    return "\n".join([*lines, text])


def option_table(options: Mapping[str, str], column: int = COLUMN) -> str:
    """Return the lines of a help text about several options."""
    return "\n".join(option_lines(option, what, column) for option, what in options.items() if what)


def name_list(values: Iterable[str], note: str = "") -> str:
    """Return a list of names as help texts have it, the first marked by `note`.

    >>> name_list(["text", "table"], "default")
    'text (default), table'
    """
    first, *others = values
    return ", ".join([f"{first} ({note})" if note else first, *others])


def format_option(option: str, formats: Iterable[str], column: int = COLUMN) -> str:
    """Return the help text of an option that names the format of the only input, one of `formats`."""
    return option_lines(option, f"{INPUTS['gold_format'].what}: {name_list(formats)}", column)


def input_options(names: Iterable[str] = INPUTS, formats: Iterable[str] = (), column: int = COLUMN) -> str:
    """Return the help text of options about the files of either side; a format is one of `formats`."""
    known = {"formats": formats, "countings": COUNTINGS, "": ()}
    return "\n".join(
        option_lines(
            f"--{name.replace('_', '-')}=<{row.value}>",
            f"{row.what}: {name_list(known[row.values])}"
            if row.values and name.startswith("gold")
            else row.what,
            column,
        )
        for name, row in INPUTS.items()
        if name in names
    )


def scoring_options(wanted: Iterable[str] = OPTIONS) -> str:
    """Return the help text of the options that change numbers, by name."""
    return "\n".join(_scoring_option(OPTIONS[name]) for name in wanted)


def _scoring_option(option: Option) -> str:
    """Return the help text of an option that changes numbers."""
    row = option.row
    aliases = ", ".join(f"{alias} is {value}" for alias, value in row.aliases.items())
    spellings = f" ({aliases})" if aliases else ""
    taken = f"{name_list(option.values)}: " if option.values else ""
    return option_lines(f"{option.flag}=<{row.value}>", f"{taken}{row.what}{spellings}")


def confidence_options(where: str = "", column: int = COLUMN) -> str:
    """Return the help text of the options for intervals; `where` says to which reports they are added."""
    options = {
        "--confidence=<percent>": f"add bootstrap confidence intervals {where}",
        "--trials=<n>": f"number of bootstrap samples or permutations (default {TRIALS})",
        "--seed=<n>": "seed of the random numbers (default 0)",
    }
    return option_table(options, column)


def resample_option() -> str:
    """Return the help text of ``--resample``."""
    what = "documents (default), or windows:<tokens>: the unit of intervals and tests"
    return option_lines("--resample=<units>", what)


def setting_options(*names: str, what: str = "") -> str:
    """Return the help text of settings by name; `what` in place of that of the rows."""
    rows = [SETTINGS[name] for name in names]
    return "\n".join(
        option_lines(f"--{name.replace('_', '-')}{f'=<{row.value}>' if row.value else ''}", what or row.what)
        for name, _, row in rows
    )


def output_options(where: str, column: int = COLUMN, *, several: bool = False) -> str:
    """Return the help text of ``--output`` and ``--force``."""
    old = "files even if they are documents" if several else "a file even if it is a document"
    return option_table({"-o, --output=<file>": where, "--force": f"overwrite {old} or read-only"}, column)


STRICT = "a warning is an error"


def other_options(
    quiet: str = "", column: int = COLUMN, *, strict: bool = False, version: bool = False
) -> str:
    """Return the help text of the options about the run itself; without `quiet` there is no such option."""
    options = {
        "-q, --quiet": quiet,
        "--strict": STRICT if strict else "",
        "--debug": "show where an error came from",
        "-h, --help": "show this text",
        "--version": "show the version" if version else "",
    }
    return option_table(options, column)


def exit_statuses(own: str = "0 done, 2 error") -> str:
    """Return the paragraph about the exit status of a command."""
    return f"Exit status: {own},\n128 + the signal if ended by one (130 Ctrl-C, 143 SIGTERM, 129 SIGHUP)."


def profile_option(what: str = "") -> str:
    """Return the help text of ``--profile``."""
    return option_lines("--profile=<name>", f"{name_list(PROFILES)}{f': {what}' if what else ''}")


PAIR_TEXT = f"{name_list(OPTIONS['pair'].values, 'default')}: {OPTIONS['pair'].row.what}"
"""The text about ``--pair`` in the help of commands where the first value of other options is no default."""


WORKER_USAGE = """\
  -j, --jobs=<n>            number of worker processes (default 1; 0 = one per CPU)
  --dask=<address>          a Dask scheduler (or local) in a trusted network: scorch2 help workers"""


SCORING_USAGE = f"""\
Scoring (the first value is the default; scorch2 help metrics says what each does):
{scoring_options()}
{profile_option("the numbers of that scorer (a typed option wins)")}
{input_options(formats=FORMATS)}"""
RUNNING_USAGE = f"""\
Speed:
{WORKER_USAGE}

Other:
{other_options("no warnings, no progress bar", strict=True)}"""


_BY = f"scores by (repeatable): {', '.join(DIMENSIONS)}"
BY_USAGE = f"{option_lines('--by=<dimensions>', _BY)}\n{setting_options('genre')}"
TYPES_USAGE = setting_options("types")


GATE_USAGE = """\
Gate (<spec> is METRIC=VALUE or METRIC.PART=VALUE: conll=0.75, muc.r=80%; see scorch2 help ci):
  --fail-under=<spec>       exit status 1 if the score is below this bound (repeatable)
  --fail-under-doc=<spec>   the same for every document (repeatable)
  --baseline=<file>         a JSON report to compare with
  --max-drop=<spec>         largest allowed drop below the baseline's score (repeatable)
  --max-drop-rel=<spec>     the same, as a share of the baseline's score (repeatable)
  --significant=<alpha>     a drop fails only if a paired permutation test gives p <= alpha
  --update-baseline         store the report as the baseline if all gates pass and none is lower
  --allow-lower             store it also if one is lower, or the old baseline cannot be compared
  --strict                  a warning is an error
  --exit-zero               exit status 0 though gates fail
"""
_FORMS = f"{name_list(forms_of('scores'), 'default')}; else the suffix decides"
LATEX_USAGE = "  --latex=<width>           column (default), page: LaTeX tables for one column, or for both"
REPORT_USAGE = f"""\
{option_lines("-f, --format=<name>", _FORMS)}
{LATEX_USAGE}
  -o, --output=<file>       where the report goes, instead of <out-file>
  --report=<name[:file]>    one more report (repeatable), to a file or standard output
  --force                   overwrite files even if they are documents or read-only
  --per-document            add rows for every document
  --per-file                add rows for every pair of files (with --average=files)
  --sort=<metric>           order these rows: the lowest F1 of this metric first
  --worst=<n>               only rows of the n lowest documents
  --no-signature            leave out the last line, which says how the numbers were made
"""
CONFIDENCE_USAGE = f"{confidence_options()}\n"


def plot_option(figures: Iterable[str]) -> str:
    """Return the help text of ``--plot`` of a command that draws some figures."""
    from scorch2.reports.figures import SUFFIXES

    what = (
        f"write a figure to a file (repeatable): {', '.join(figures)}; the suffix of the file says the "
        f"format: {', '.join(SUFFIXES)} (all but svg need matplotlib); "
        "for a paper name,width=column,title=none:file"
    )
    return option_lines("--plot=<name:file>", what)
