"""The commands that neleval had: its spellings of options, and the options of its figures."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorch2.cli import console, output, outputs
from scorch2.cli.usage import parse_words
from scorch2.formats.source import read_text
from scorch2.formats.target import write_files
from scorch2.model.errors import InputError, Notice, UsageError, quoted, shown_path

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
    """Return what `usage.parse_words` does, neleval's spellings understood."""
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
    rest = list(reversed(words))
    while rest:
        name, equals, value = rest.pop().partition("=")
        if name == "--":
            yield name
            yield from reversed(rest)
            return
        new = RENAMED.get(name, name)
        name = new if _has(usage, new) and not _has(usage, name) else name
        if name in REFUSED and not _has(usage, name):
            raise UsageError(f"{name}: {REFUSED[name]}")
        yield f"{name}{equals}{_ALL_PROCESSORS.get(value, value) if name in _JOBS else value}"
        if equals:
            continue
        if name in _JOBS and "--jobs" in usage and rest and rest[-1] in _ALL_PROCESSORS:
            yield _ALL_PROCESSORS[rest.pop()]
        elif name in _LEVELS and "--percentiles" in usage:
            yield from _joined(rest)
        elif name == _BEST and (not rest or rest[-1].startswith("-")):
            raise UsageError(f"{_BEST} needs a measure: {_BEST}=<measure> chooses systems for all figures")


def _has(usage: str, option: str) -> bool:
    return f"{option}=" in usage or f"{option} " in usage


def _joined(rest: list[str]) -> Iterator[str]:
    """Take the numbers that come next from the end of `rest` and yield them as one list: ``90 95``."""
    numbers: list[str] = []
    while rest and (re.fullmatch(_NUMBER, rest[-1]) or (not numbers and "," in rest[-1])):
        numbers.append(rest.pop().removesuffix(","))
    if numbers:
        yield ",".join(numbers)


_LARGEST = 50  # inches: a larger image would fill the memory


def figure_size(text: str | None) -> tuple[float, float]:
    """Return the size of an image in inches.

    >>> figure_size("8,6")
    (8.0, 6.0)
    """
    if text is None:
        from scorch2.tasks.linking.figures import ChartLook

        return ChartLook().size
    width, height = _two_numbers(text, "--figsize")
    if not (0 < width <= _LARGEST and 0 < height <= _LARGEST):
        raise UsageError(f"--figsize is above 0 and at most {_LARGEST} inches, not {quoted(text)}")
    return width, height


def axis_limits(text: str) -> tuple[float, float] | None:
    """Return the ends of a scale, or None for ``tight``."""
    if text == "tight":
        return None
    low, high = _two_numbers(text, "--limits")
    if not float("-inf") < low < high < float("inf"):
        raise UsageError(f"--limits is a low and a high end, not {quoted(text)}")
    return low, high


def _two_numbers(text: str, option: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"{option} is two numbers with a comma, not {quoted(text)}") from None
    return first, second


def labels_in(path: str | None) -> Mapping[str, str]:
    """Return the strings of a JSON object, in a file or as it is; empty without one."""
    if path is None:
        return {}
    from scorch2.formats.json.strict import parse

    text, place = (path, "the JSON on the command line") if is_json(path) else (read_text(path), path)
    value = parse(text, place)
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value.values()):
        raise InputError(place, "$", "should be an object from names to strings")
    return value


def is_json(text: str | None) -> bool:
    """Return whether an option holds an object itself, and not the path of a file."""
    return text is not None and text.startswith("{")


def image_form(template: str) -> str:
    """Return the format of an image by the suffix of its template."""
    from scorch2.tasks.linking.figures import IMAGE_FORMS

    suffix = os.path.splitext(template)[1].removeprefix(".").casefold()
    if suffix not in IMAGE_FORMS:
        raise UsageError(f"--output ends with .{', .'.join(IMAGE_FORMS)}, not {quoted(template)}")
    if template.replace("{}", "").count("{") or template.replace("{}", "").count("}"):
        raise UsageError("--output may hold {} for the name of the figure, and no other braces")
    return suffix


def group_pattern(text: str | None) -> re.Pattern[str] | None:
    """Return the regular expression that finds the group of a system in its path, if one is given."""
    try:
        return None if text is None else re.compile(text)
    except re.error as error:
        raise UsageError(f"--group-re: {quoted(text)} is not a regular expression: {error}") from None


def save_images(images: Mapping[str, bytes], notices: Sequence[Notice] = ()) -> None:
    """Write images by their paths, all or none, then warn, and say of each where it is."""
    write_files(images)
    console.warn(notices)
    for path in images:
        console.say(f"scorch2: saved {shown_path(path)}")


def image_paths(
    template: str, figures: Sequence[str], inputs: Sequence[str | None], *, force: bool
) -> list[str]:
    """Return where each figure goes."""
    paths = [template.replace("{}", outputs.safe_name(name)) for name in figures]
    if len(set(paths)) < len(paths):
        raise UsageError("several figures go to one file: put {} in --output, it becomes the name of each")
    files = [path for path in inputs if path is not None and not is_json(path)]
    for path in paths:
        output.check_target(path, files, force=force)
    return paths
