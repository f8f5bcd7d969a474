"""The choices that change numbers or the shape of a report: one table, checked in one place."""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.model.errors import UsageError
from scorch2.model.messages import known, quoted

CHOICES: Mapping[str, tuple[str, ...]] = {
    "average": ("mentions", "pooled", "macro"),
    "missing": ("error", "empty", "skip"),
    "extra": ("error", "skip"),
    "duplicates": ("error", "first", "merge"),
    "singletons": ("keep", "drop"),
    "twinless": ("keep", "singletons"),
    "blanc": ("gold", "reference"),
}
"""What each option can be; the default comes first. The order is that of the signature."""

PROFILES: Mapping[str, Mapping[str, str | bool | tuple[str, ...]]] = {
    "scorch": {
        "twinless": "singletons",
        "average": "mentions",
        "missing": "skip",
        "metrics": ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "conll"),
        "signature": False,
        "mark_undefined": False,
    },
    "conll": {
        "average": "pooled",
        "missing": "empty",
        "extra": "skip",
        "duplicates": "first",
        "blanc": "reference",
    },
}
"""Named settings that give the numbers of another scorer. A typed option wins over its profile."""


class Options(NamedTuple):
    """How to score and report: the choices of `CHOICES`, explained by ``scorch2 --help``, and the rest."""

    average: str = "mentions"
    missing: str = "error"
    extra: str = "error"
    duplicates: str = "error"
    singletons: str = "keep"
    twinless: str = "keep"
    blanc: str = "gold"
    metrics: tuple[str, ...] = ()
    """Names in `scorch2.METRICS` or aliases; empty for the default list."""
    gold_format: str | None = None
    sys_format: str | None = None
    signature: bool = True
    """Whether reports end with the signature."""
    mark_undefined: bool = True
    """Whether the text report marks 0/0."""

    def changed(self) -> dict[str, str]:
        """Return the choices that differ from the default, in the order of the signature."""
        return {
            name: str(getattr(self, name))
            for name, known in CHOICES.items()
            if getattr(self, name) != known[0]
        }


def difference(one: Options, other: Options) -> str | None:
    """Return the first choice that is not the same, in words; None if all numbers are made alike.

    >>> difference(Options(), Options(average="macro"))
    'average is mentions here and macro there'
    """
    for name in CHOICES:
        here, there = getattr(one, name), getattr(other, name)
        if here != there:
            return f"{name} is {here} here and {there} there"
    return None


def options(profile: str | None = None, **typed: str | bool | tuple[str, ...] | None) -> Options:
    """Return the options that a profile sets and `typed` ones overrule; None stands for not typed.

    Raises
    ------
    UsageError
        For an unknown profile or value, with what is known.
    """
    if profile is not None and profile not in list(PROFILES):
        raise UsageError(known(profile, "profile", PROFILES))
    given = {name: value for name, value in typed.items() if value is not None}
    for name, choices in CHOICES.items():
        if given.get(name, choices[0]) not in choices:
            raise UsageError(f"{name} cannot be {quoted(given[name])} (known: {', '.join(choices)})")
    chosen = {**(PROFILES[profile] if profile else {}), **given}
    return Options(**chosen)  # type: ignore[arg-type]  # the tables fit the fields: test_catalogue
