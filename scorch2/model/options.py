"""The settings of a run: the options that change numbers, and how its inputs are read and shown."""

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from scorch2.model.choices import DEFAULTS, OPTIONS, Choices
from scorch2.model.errors import UsageError
from scorch2.model.exclusions import check_together
from scorch2.model.messages import known, quoted, unknown_name
from scorch2.model.offsets import check_offsets
from scorch2.model.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Mapping


class Options(NamedTuple):
    """Settings of a run. The choices are attributes too: ``options.average``."""

    choices: Choices = DEFAULTS
    """The value of every option that changes numbers."""
    metrics: tuple[str, ...] = ()
    """Names in `scorch2.METRICS` or aliases; empty for the default list."""
    gold_format: str | None = None
    sys_format: str | None = None
    gold_files: str | None = None
    """A pattern that chooses among the files of a folder; None takes all."""
    sys_files: str | None = None
    gold_key: str | None = None
    """The key that holds the clusters in JSON of neural systems; by default the side decides."""
    sys_key: str | None = None
    gold_offsets: str | None = None
    """How the numbers of spans count, a key of `COUNTINGS`; None for as their format says."""
    sys_offsets: str | None = None
    signature: bool = True
    """Whether reports end with the signature."""
    mark_undefined: bool = True
    """Whether the text report marks 0/0."""

    def __getattr__(self, name: str) -> str:
        try:
            return cast("Mapping[str, str]", self.choices)[name]
        except KeyError:
            raise AttributeError(f"no option called {name!r}") from None

    def changed(self) -> dict[str, str]:
        """Return the choices that differ from the default, in the order of the signature."""
        values = cast("Mapping[str, str]", self.choices)
        return {name: values[name] for name, option in OPTIONS.items() if values[name] != option.values[0]}

    def to_dict(self) -> dict[str, Any]:
        """Return the options as the JSON report has them."""
        others = {name: getattr(self, name) for name in OTHERS}
        return {
            **self.choices,
            **{name: others[name] for name in others if name not in _IF_GIVEN or others[name]},
        }


_IF_GIVEN = ("gold_key", "sys_key", "gold_offsets", "sys_offsets")
"""Options that the JSON report has only if they were given."""
OTHERS = tuple(name for name in Options._fields if name != "choices")
"""The options of the JSON report that change no number of a metric."""


def options(profile: str | None = None, **typed: str | bool | tuple[str, ...] | None) -> Options:
    """Return the options that a profile sets and `typed` ones overrule; None stands for not typed.

    Raises
    ------
    UsageError
        For an unknown profile or value, with what is known.
    """
    if profile is not None and profile not in list(PROFILES):
        raise UsageError(unknown_name(profile, "profile", PROFILES))
    given = {name: value for name, value in typed.items() if value is not None}
    for name in given.keys() & {"gold_offsets", "sys_offsets"}:
        check_offsets(given[name])
    for name, option in OPTIONS.items():
        value = given.get(name, option.values[0])
        value = option.row.aliases.get(value, value) if isinstance(value, str) else value
        if value not in option.values:
            spellings = [*option.values, *option.row.aliases]
            raise UsageError(f"{name} cannot be {quoted(value)}{known(value, spellings)}")
        if name in given:
            given[name] = value
    chosen = {**(PROFILES[profile] if profile else {}), **given}
    check_together(chosen)
    choices = {name: chosen.pop(name, option.values[0]) for name, option in OPTIONS.items()}
    return Options(cast("Choices", choices), **chosen)  # type: ignore[arg-type]  # the other fields
