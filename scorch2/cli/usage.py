"""Usage texts: their lines, the blocks of options that commands share, and the words that they allow.

docopt-ng takes prefixes of options for options, ``-5`` for a positional argument, and ``--`` behind the first
of them for a value; it reports an error with Python reprs and status 1. So the words are checked and put in
order before it sees them, and what it refuses becomes a `UsageError` of one line. Where positions take one
word each, it is not asked. Words of neleval become those of the command that does the same.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile, zip_longest
from typing import Any, NamedTuple

from scorch2.analysis.table import DIMENSIONS
from scorch2.formats.table import FORMATS
from scorch2.model.errors import UsageError, nearest, quoted, unknown_name
from scorch2.model.forms import forms_of
from scorch2.model.names import COUNTINGS
from scorch2.model.options import INPUTS, OPTIONS, Option, flag_of
from scorch2.model.settings import SETTINGS, OfTrials
from scorch2.model.values import PROFILES

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


def input_options(
    names: Iterable[str] = INPUTS, formats: Iterable[str] = FORMATS, column: int = COLUMN
) -> str:
    """Return the help text of options about the files of either side; a format is one of `formats`."""
    known = {"formats": formats, "countings": COUNTINGS, "": ()}
    return "\n".join(
        option_lines(
            f"{flag_of(name)}=<{row.value}>",
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


def setting_options(*names: str, what: str = "", known: Iterable[str] = (), column: int = COLUMN) -> str:
    """Return the help text of settings by name; `what` in place of that of the rows, and `known` values."""
    lines = []
    for name in names:
        row, values = SETTINGS[name].row, f": {', '.join(known)}" if known else ""
        several = ", separated by commas" if row.example and row.commas else ""
        several += " (repeatable)" if row.example else ""
        option = f"{flag_of(name)}{f'=<{row.value}>' if row.value else ''}"
        lines.append(option_lines(option, f"{what or row.what}{several}{values}", column))
    return "\n".join(lines)


def confidence_options(where: str = "", column: int = COLUMN) -> str:
    """Return the help text of the options for intervals; `where` says to which reports they are added."""
    what = f"{SETTINGS['confidence'].row.what} {where}"
    first = setting_options("confidence", what=what.strip(), column=column)
    return f"{first}\n{setting_options(*OfTrials.__annotations__, column=column)}"


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


WORKER_USAGE = f"""\
{option_lines("-j, --jobs=<n>", SETTINGS["jobs"].row.what)}
  --dask=<address>          a Dask scheduler (or local) in a trusted network: scorch2 help workers"""


SCORING_USAGE = f"""\
Scoring (the first value is the default; scorch2 help metrics says what each does):
{scoring_options()}
{profile_option("the numbers of that scorer (a typed option wins)")}
{input_options()}"""
RUNNING_USAGE = f"""\
Speed:
{WORKER_USAGE}

Other:
{other_options("no warnings, no progress bar", strict=True)}"""


def by_usage(more: str = "") -> str:
    """Return the lines about classes of mentions: ``--by``, which may also count errors, and how to tell."""
    what = f"scores by (repeatable): {', '.join(DIMENSIONS)}{more}"
    return f"{option_lines('--by=<dimensions>', what)}\n{setting_options('genre')}"


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


def format_usage(kind: str) -> str:
    """Return the lines about the form of a report of a kind of value."""
    forms = forms_of(kind)
    listed = f"{name_list(forms, 'default')}; else the suffix decides"
    latex = "column (default), page: LaTeX tables for one column, or for both" if "latex" in forms else ""
    return option_table({"-f, --format=<name>": listed, "--latex=<width>": latex})


REPORT_USAGE = f"""\
{format_usage("scores")}
  -o, --output=<file>       where the report goes, instead of <out-file>
  --report=<name[:file]>    one more report (repeatable), to a file or standard output
  --force                   overwrite files even if they are documents or read-only
  --per-document            add rows for every document
  --per-file                add rows for every pair of files (with --average=files)
  --sort=<metric>           order these rows: the lowest F1 of this metric first
  --worst=<n>               only rows of the n lowest documents
  --no-signature            leave out the last line, which says how the numbers were made
"""


_MOST_PATHS = 3  # gold, the system, and where the report goes
_REPEATABLE = "(repeatable)"  # mark in the help text of an option that may be given more than once


class DeclaredOption(NamedTuple):
    """An option of a usage text."""

    long: str
    short: str
    value: str  # how the usage writes its value, ``=<name>``; empty for a flag
    help: str
    values: Sequence[str] = ()  # its values if it is a choice, for completion

    @property
    def takes_value(self) -> bool:
        """True if it is no flag."""
        return bool(self.value)

    @property
    def repeatable(self) -> bool:
        """True if it can be given more than once."""
        return _REPEATABLE in self.help

    @property
    def untyped(self) -> Any:
        """The value from `parse_words` if it was not typed."""
        return [] if self.repeatable else None if self.value else False


def parse_words(usage: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the values of positional arguments and options by their names in `usage`, or raise a UsageError.

    An option that was not typed is None, False if it takes no value, or an empty list if it is repeatable.
    """
    typed, positional = split_words(usage, words)
    places = _in_their_places(_pattern(usage), positional)
    options = {option.long: option for option in declared_options(usage).values()}
    values: dict[str, Any] = {name: option.untyped for name, option in options.items()}
    if places is None:
        return values | found_by_docopt(usage, typed, positional)
    for word in typed:
        name, equals, value = word.partition("=")
        values[name] = [*values[name], value] if options[name].repeatable else value if equals else True
    return values | places


def _in_their_places(pattern: str, positional: Sequence[str]) -> dict[str, Any] | None:
    """Return positional arguments by name; None if docopt-ng has to say how, or why not."""
    # It takes 2 ms to import: a run with a gold and a system path, an output or none, goes without it
    names = [word for word in pattern.split() if word.startswith(("<", "[<"))]
    if len(names) < len(positional) or "..." in pattern or "=<" in pattern:
        return None
    if any(name.startswith("<") for name in names[len(positional) :]):
        return None
    return dict(zip_longest((name.strip("[]") for name in names), positional))


def found_by_docopt(usage: str, typed: Sequence[str], positional: Sequence[str]) -> dict[str, Any]:
    """Return what docopt-ng finds of the words, by name.

    docopt-ng compares each option that it is shown with every other, and ``score`` has more than 40: so it is
    shown those that were typed.
    """
    from docopt import DocoptExit, docopt

    shown = _for_docopt(usage, {word.partition("=")[0] for word in typed})
    program, word = _pattern(usage).split()[:2]
    command = [word.strip("[]")] if program == "scorch2" else []  # conll2json is a program of its own
    try:
        values = docopt(shown, [*command, *typed, "--", *positional], default_help=False)
    except DocoptExit:
        several = len(positional) > _MOST_PATHS and "[--] <gold> <sys>" in _pattern(usage)
        hint = f"{len(positional)} paths: give the two folders, gold and system; " if several else ""
        raise UsageError(f"{hint}expected: {_pattern(usage)} (see --help)") from None
    del values["--"]
    return {name: value for name, value in values.items() if name.startswith(("<", "--"))}


def split_words(usage: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options with their values, and what is left; after ``--`` everything is left."""
    options = declared_options(usage)
    typed: list[str] = []
    positional: list[str] = []
    names = set()
    rest = iter(words)
    for word in rest:
        if word == "--":
            positional.extend(rest)
        elif not word.startswith("-") or word == "-":
            positional.append(word)
        else:
            name, value = _parts(word)
            option = options.get(name)
            if option is None:
                near = _nearest(name, options, usage)
                raise UsageError(f"unknown option {quoted(name)}{near} (see --help)")
            if option.long in names and not option.repeatable:
                raise UsageError(f"{option.long} is given twice")
            names.add(option.long)
            typed.append(_with_value(option, value, rest))
    return typed, positional


@cache
def declared_options(usage: str) -> dict[str, DeclaredOption]:
    """Return the options of a usage text by each of their names."""
    options = {}
    for part in usage.split("\n  -")[1:]:  # a regular expression would take longer to compile than this runs
        first, *others = part.split("\n")
        short, first = ("", f"-{first}") if first.startswith("-") else (f"-{first[0]}", first[3:])
        word, _, text = first.partition(" ")
        long, equals, value = word.partition("=")
        more = takewhile(lambda line: line.startswith("    "), others)
        options[long] = DeclaredOption(long, short, equals + value, "\n".join([text, *more]))
        if short:
            options[short] = options[long]
    return options


def choice(value: str | None, names: Collection[str], what: str, default: str | None = None) -> str:
    """Return the value of an option that is one of `names`; if absent the default, or the first of them."""
    if value is None:
        return next(iter(names)) if default is None else default
    if value not in names:
        raise UsageError(unknown_name(value, what, names))
    return value


def share_no_stream(*paths: str | None) -> None:
    """Refuse standard input (``-``) for more than one of the inputs: the second would find nothing in it."""
    if paths.count("-") > 1:
        raise UsageError("only one input can be standard input (-)")


def _pattern(usage: str) -> str:
    return " ".join(usage[usage.index("Usage:") :].split("\n\n", maxsplit=1)[0].split()[1:])


def _for_docopt(usage: str, typed: Collection[str]) -> str:
    """Return the usage with the options of these names; a repeatable one is in the pattern too."""
    options = sorted({option for option in declared_options(usage).values() if option.long in typed})
    several = [f"[{option.long}{option.value}]..." for option in options if option.repeatable]
    pattern = _pattern(usage).replace("[options]", " ".join(["[options]", *several]))
    lines = [f"  {option.long}{option.value}" for option in options]
    return "\n".join([f"Usage: {pattern}", "", "Options:", *lines])


def _parts(word: str) -> tuple[str, str | None]:
    """Split an option from the value written with it: ``--x=v`` or ``-xv``."""
    if word.startswith("--"):
        name, equals, value = word.partition("=")
        return name, value if equals else None
    return word[:2], word[2:] or None


def _with_value(option: DeclaredOption, value: str | None, rest: Iterator[str]) -> str:
    if not option.value:
        if value is not None:
            raise UsageError(f"{option.long} takes no value")
        return option.long
    if value is None:
        value = next(rest, None)
    if value is None:
        raise UsageError(f"{option.long} needs a value")
    return f"{option.long}={value}"


_ELSEWHERE = {
    "-a": "--match",
    "-d": "--layer=deixis",
    "-l": "--split-antecedents=keep",
    "-s": "--singletons=keep",
    "-t": "--profile",
    "-x": "--match=exact",
    "-z": "--zeros",
    "--exact-match": "--match=exact",
    "--keep-singletons": "--singletons=keep",
    "--keep-split-antecedents": "--split-antecedents=keep",
    "--keep-zeros": "--zeros=place",
    "--np-only": "--phrases=np",
    "--only-split-antecedent": "--split-antecedents=only",
    "--remove-nested-mentions": "--nested=drop",
    "--zero-match-method": "--zeros",
}
"""Options of the CorefUD and Universal Anaphora scorers, and what they are called here."""


def _nearest(name: str, known: Collection[str], usage: str) -> str:
    """Return the option that is meant, if one can be guessed: as other scorers call it, or nearly so."""
    if name in ("-g", "--gold") and "<gold>" in _pattern(usage):
        return ": gold is the first path"
    here = _ELSEWHERE.get(name, "")
    if here.partition("=")[0] in known:
        return f", did you mean {here}?"
    if "-f" in known and name.removeprefix("--") in forms_of("scores"):
        return f", did you mean -f {name.removeprefix('--')}?"
    near = nearest(name, [other for other in known if other.startswith("--")])
    return f", did you mean {near}?" if near else ""


# The words of neleval

RENAMED: Mapping[str, str] = {
    "--fmt": "--format",
    "--measure": "--metric",
    "--n_jobs": "--jobs",
    "--sort-by": "--sort",
    "--out-fmt": "--output",
    "--input-type": "--input",
    "--evaluation-files": "--evaluated",
    "--excluded-spans": "--excluded",
}
"""Options by neleval's name, with the name here; translated where the command has that option."""
REFUSED: Mapping[str, str] = {
    "--verbose": "warnings are always shown; --debug shows where an error came from",
    "--bootstrap": "the test is a permutation test, in neleval too; scorch2 confidence computes bootstrap "
    "intervals, and --format=table shows that of each difference",
    "--interactive": "no shell is opened; --table prints what is drawn",
    "--run-code": "no code is run; --table prints what is drawn, for a script of your own",
    "--sort-by": "only figures are sorted (plot-systems, compare-measures); rank-systems ranks by score, and "
    "--measure and --metric choose which",
    "--at-most": "only plot-systems has it; --limit keeps the first systems of a ranking",
    "--fmt": "the output has one form, text with tabs; evaluate, confidence and significance have others",
    "--n_jobs": "this command takes one process; confidence and significance have --jobs",
    "--metrics": "of confidence and significance: what is shown of each measure; rank-systems has --metric",
    "--group-by": "of evaluate: its reports have a row for each group",
    "--type-weights": "of evaluate, confidence and significance, which count measures",
}
"""Options of neleval that a command does not have, in neleval or here, with what there is instead."""
_JOBS, _LEVELS, _BEST = ("-j", "--jobs"), ("-p", "--percentiles"), "--best-in-group"
_ALL_PROCESSORS = {"-1": "0"}  # neleval's number of jobs for all processors, and the one here
_TYPED = "(typed)"  # the key of the names of options that neleval has, by those here, if they were typed
_NUMBER = r"[0-9]+(?:\.[0-9]+)?%?,?"


def parse_neleval(usage: str, words: Sequence[str]) -> dict[str, Any]:
    """Return what `parse_words` does, neleval's spellings understood."""
    given = parse_words(usage, list(_translated(usage, words)))
    typed = {word.partition("=")[0] for word in words}
    given[_TYPED] = {new: name for name, new in RENAMED.items() if name in typed}
    if given.get("--format") == "no_tab":
        raise UsageError("--format=no_tab: there is only tab, with a header (| tail -n +2 cuts it off)")
    return given


def spelled(given: Mapping[str, Any], option: str) -> str:
    """Return the name of an option as it was typed: neleval's, if it was that."""
    return str(given[_TYPED].get(option, option))


def _translated(usage: str, words: Sequence[str]) -> Iterator[str]:
    rest, options = list(reversed(words)), declared_options(usage)
    while rest:
        name, equals, value = rest.pop().partition("=")
        if name == "--":
            yield name
            yield from reversed(rest)
            return
        new = RENAMED.get(name, name)
        name = new if new in options and name not in options else name
        if name in REFUSED and name not in options:
            raise UsageError(f"{name}: {REFUSED[name]}")
        yield f"{name}{equals}{_ALL_PROCESSORS.get(value, value) if name in _JOBS else value}"
        if equals:
            continue
        if name in _JOBS and "--jobs" in options and rest and rest[-1] in _ALL_PROCESSORS:
            yield _ALL_PROCESSORS[rest.pop()]
        elif name in _LEVELS and "--percentiles" in options:
            yield from _joined(rest)
        elif name == _BEST and (not rest or rest[-1].startswith("-")):
            raise UsageError(f"{_BEST} needs a measure: {_BEST}=<measure> chooses systems for all figures")


def _joined(rest: list[str]) -> Iterator[str]:
    """Take the numbers that come next from the end of `rest` and yield them as one list: ``90 95``."""
    numbers: list[str] = []
    while rest and (re.fullmatch(_NUMBER, rest[-1]) or (not numbers and "," in rest[-1])):
        numbers.append(rest.pop().removesuffix(","))
    if numbers:
        yield ",".join(numbers)
