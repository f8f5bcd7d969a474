"""Values of options as users type them, which of them exclude each other, and profiles.

A profile is named settings that give the numbers of another scorer. A typed option wins over its profile.
"""

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias, TypeVar, cast

from scorch2.model.errors import UsageError, counted, quoted

_Absent = TypeVar("_Absent", int, None)
Settings: TypeAlias = Mapping[str, str | bool | tuple[str, ...]]  # values of options by name


class Profile(NamedTuple):
    """The settings of another scorer, and the papers of it, or of the task that it belongs to."""

    papers: tuple[str, ...]  # keys of `scorch2.audit.cite.PAPERS`
    settings: Settings


_COREFUD: Settings = {
    "average": "pooled",
    "extra": "skip",
    "match": "head",
    "singletons": "drop",
    "blanc": "both",
    "undefined": "zero",
    "metrics": (
        *("muc", "b_cubed", "ceaf_e", "ceaf_m", "blanc", "lea", "conll", "mention_overlap", "zero_anaphora"),
    ),
}
ProfileName = Literal[
    "scorch", "conll", "e2e", "corefud-1.2", "corefud-1.1", "crac-llm", "ua-2.0", "ua-1.0", "coval"
]
"""The names of the rows below, for type checkers: `tests/support/pages.py` writes them."""
PROFILES: Mapping[str, Profile] = {
    # scorch, the predecessor of this package.
    "scorch": Profile(("pradhan-etal-2014",),
        {"twinless": "singletons", "average": "mentions", "missing": "skip", "undefined": "zero",
         "metrics": ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "conll"), "signature": False,
         "mark_undefined": False}),
    # The reference scorer of the CoNLL tasks (scorer.pl).
    "conll": Profile(("pradhan-etal-2014",),
        {"average": "pooled", "missing": "empty", "extra": "skip", "duplicates": "first",
         "blanc": "reference", "undefined": "zero"}),
    # The copies of metrics.py that neural systems print their scores with (e2e-coref, AllenNLP, fastcoref).
    "e2e": Profile(("lee-etal-2017",),
        {"average": "pooled", "missing": "error", "extra": "error", "duplicates": "error",
         "singletons": "e2e", "undefined": "zero", "metrics": ("muc", "b_cubed", "ceaf_e", "conll")}),
    # The CorefUD scorer 1.2, of the CRAC tasks of 2024 and later.
    "corefud-1.2": Profile(("zabokrtsky-etal-2022",),
        {**_COREFUD, "zeros": "dependency", "lookup": "reference"}),
    # Its version 1.1, of 2023; with match=partial also 1.0, of 2022.
    "corefud-1.1": Profile(("zabokrtsky-etal-2022",), {**_COREFUD, "zeros": "place", "lookup": "nearest"}),
    # The same for the text that a language model copied with marks.
    "crac-llm": Profile(("zabokrtsky-etal-2022", "novak-etal-2025"),
        {**_COREFUD, "zeros": "dependency", "lookup": "reference", "pair": "order", "align": "text",
         "marks": "repair"}),
    # The Universal Anaphora scorer 2.0.
    "ua-2.0": Profile(("yu-etal-2023",),
        {"average": "pooled", "zeros": "drop", "lookup": "reference", "singletons": "drop",
         "blanc": "both", "undefined": "zero", "metrics": ("muc", "b_cubed", "ceaf_e", "conll")}),
    # Its version 1.0, which keeps zeros, singletons and split antecedents, and of pieces only the last.
    "ua-1.0": Profile(("yu-etal-2022",),
        {"average": "pooled", "missing": "skip", "extra": "skip", "pieces": "last", "lookup": "reference",
         "split_antecedents": "keep", "blanc": "both", "undefined": "zero",
         "metrics": ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")}),
    # coval, the scorer of LEA and of minimum spans (MINA).
    "coval": Profile(("moosavi-strube-2016", "moosavi-etal-2019"),
        {"average": "pooled", "extra": "skip", "lookup": "reference", "undefined": "zero",
         "metrics": ("mentions", "muc", "b_cubed", "ceaf_e", "lea", "conll")}),
}  # fmt: skip
"""Named settings that give the numbers of another scorer. A typed option wins over its profile."""


def metrics_of(profile: object, default: tuple[str, ...]) -> tuple[str, ...]:
    """Return the metrics of a profile, or the default if it has none, or there is no such profile."""
    row = PROFILES.get(profile) if isinstance(profile, str) else None
    return default if row is None else cast("tuple[str, ...]", row.settings.get("metrics", default))


_PERCENT = 100
_LEAST_PERCENT = 2  # the least number that is percent without saying so
MOST = 10_000_000  # the largest count that an option takes, of trials for example


def finite_number(text: str) -> float | None:
    r"""Return the finite number that `text` is, else None.

    The spellings that only Python knows are refused: underscores, digits of other scripts, odd whitespace.

    >>> [finite_number(text) for text in (" -1.5e3", "1_000", "\u0663", "1\u2028", "nan", "x")]
    [-1500.0, None, None, None, None, None]
    """
    plain = text.isascii() and text.isprintable() and "_" not in text
    try:
        number = float(text) if plain else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def fraction_of(text: str, what: str, *, is_small: bool = False) -> float:
    """Return a fraction in 0..1; a number from 2 on, or with a percent sign, is percent.

    Between 1 and 2 it is not clear which is meant: there it needs the percent sign. So does 1 where small
    fractions are usual, as for drops and levels of significance.

    >>> fraction_of("0.8", "bound"), fraction_of("80", "bound"), fraction_of("1%", "bound")
    (0.8, 0.8, 0.01)
    """
    from decimal import Decimal

    percent = text.endswith("%")
    digits = text.removesuffix("%").strip()
    try:
        number = Decimal(digits if digits.isascii() and "_" not in digits else "NaN")
    except ArithmeticError:
        number = Decimal("NaN")
    if number.is_nan() or not 0 <= number <= _PERCENT:
        raise UsageError(f"{what}: {quoted(text)} is neither a fraction in 0..1 nor percent up to 100")
    if not percent and (1 < number < _LEAST_PERCENT or (is_small and number == 1)):
        share = f"{(number * _PERCENT).normalize():f}"
        raise UsageError(f"{what}: {quoted(text)} could be {digits} % or {share} %: write {digits}%")
    return float(number / _PERCENT if percent or number > 1 else number)


def interval_level(text: str, option: str) -> float:
    """Return the level of an interval in percent, from 1 to below 100."""
    level = finite_number(text.removesuffix("%"))
    if level is None or not 1 <= level < _PERCENT:
        raise UsageError(f"{option} is percent from 1 to below 100, not {quoted(text)}")
    return level


def whole_value(text: str | None, option: str, default: _Absent, *, least: int) -> int | _Absent:
    """Return a whole number up to `MOST`, or the default if there is no text."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and least <= int(text[:20]) <= MOST):
        raise UsageError(f"{option} is a whole number from {least} to {MOST}, not {quoted(text)}")
    return int(text)


def day_of(text: str | None, option: str) -> str:
    """Return a day as it is typed, ``2026-05-01``; today if none is."""
    from datetime import date, datetime, timezone

    try:
        day = str(date.fromisoformat(text) if text else datetime.now(timezone.utc).date())
    except (TypeError, ValueError):
        day = ""
    if text not in (None, day):
        raise UsageError(f"{option} is a day, such as 2026-05-01, not {quoted(text)}")
    return day


def check_pattern(pattern: str, flag: str, groups: int = 0, example: str = "") -> None:
    """Check a regular expression; a UsageError tells that it is none, or has too few groups."""
    import re

    try:
        found = re.compile(pattern).groups
    except re.error as error:
        raise UsageError(f"{flag} is no regular expression: {error}") from None
    if found < groups:
        raise UsageError(f"{flag} needs {example or counted(groups, 'group')}, not {quoted(pattern)}")


def check_joined(pattern: str, align: object) -> None:
    """Check the pattern of windows; a UsageError tells what is wrong with it."""
    check_pattern(pattern, "--join-windows", 1, "a group that finds the name, such as '(.+)#[0-9]+'")
    if align != "text":
        raise UsageError("--join-windows needs --align=text, which finds the words of each window")


_NEEDS = (
    ("singletons", "e2e", "lookup", "pairs"),
    ("singletons", "e2e", "split_antecedents", "drop"),
    ("twinless", "singletons", "lookup", "pairs"),
    ("twinless", "drop", "lookup", "pairs"),
    ("twinless", "drop", "split_antecedents", "drop"),
)
"""Values of options that know only one value of another option, which is its default."""


def _check_topics(documents: object, chosen: Mapping[str, object]) -> None:
    """Check what only joined documents need."""
    if chosen.get("topics"):
        if documents not in ("topic", "subtopic"):
            raise UsageError("topics tells the topics of documents: it needs documents=topic or subtopic")
        groups = 1 if documents == "topic" else 2
        example = "(topic) and (subtopic)" if documents == "subtopic" else ""
        check_pattern(str(chosen["topics"]), "--topics", groups, example)
    if chosen.get("ids", "format") != "format" and documents == "file":
        raise UsageError("ids is about documents of a topic: it needs documents=topic, subtopic or corpus")


def check_exclusions(chosen: Mapping[str, object]) -> None:
    """Check what is chosen together; a UsageError tells of options that exclude each other."""
    documents = chosen.get("documents", "file")
    if chosen.get("average") == "files" and documents != "file":
        raise UsageError(f"documents={documents} joins documents of several files: average=files has no use")
    _check_topics(documents, chosen)
    for option, value, name, needed in _NEEDS:
        if chosen.get(option) == value and chosen.get(name, needed) != needed:
            raise UsageError(f"{option}={value} needs {name}={needed}, not {name}={chosen[name]}")
    lookup = chosen.get("lookup")
    if lookup == "nearest" and chosen.get("match") in ("craft", "mina"):
        why = "lookup=nearest knows match=exact, head and partial"
        raise UsageError(f"{why}, not {chosen['match']} (use lookup=reference)")
    if (lookup, chosen.get("zeros")) == ("nearest", "dependency"):
        raise UsageError("zeros=dependency makes pairs, which lookup=nearest does not know (use reference)")


_DOCUMENTS, _WINDOWS = "documents", "windows:"


def resampled_tokens(value: object) -> int:
    """Return the tokens of the windows that ``resample`` asks for; 0 if whole documents are resampled.

    >>> resampled_tokens("documents"), resampled_tokens("windows:1000")
    (0, 1000)
    """
    text = value if isinstance(value, str) else ""
    if text == _DOCUMENTS:
        return 0
    number = text.removeprefix(_WINDOWS)
    if not text.startswith(_WINDOWS) or not (number.isascii() and number.isdigit()):
        raise UsageError(
            f"resample is {_DOCUMENTS} or {_WINDOWS}<tokens>, such as windows:1000, not {quoted(value)}"
        )
    return whole_value(number, "resample=windows:<tokens>", 0, least=1)


def resampled_units(tokens: int) -> str:
    """Return the value of ``resample`` for windows of so many tokens, or for documents."""
    return f"{_WINDOWS}{tokens}" if tokens else _DOCUMENTS
