"""The settings that are tried, and how they are typed: a profile and as few options as possible."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.model.errors import UsageError
from scorch2.model.options import OPTIONS, Choices, Frozen, Options, check_exclusions, options_from
from scorch2.model.profiles import PROFILES, metrics_of
from scorch2.scoring.metrics import DEFAULT, METRICS

MATCHING = (
    *("match", "zeros", "lookup", "pieces", "phrases", "nested", "split_antecedents", "duplicates"),
    *("singletons", "twinless"),
)
"""The options of matching that are tried."""
AVERAGING = ("average", "missing", "extra", "blanc", "undefined")
"""Those that are tried on counts: no mention is matched again for them."""
NAMES = (*MATCHING, *AVERAGING)
OF_PEERS = ("pieces", "phrases", "nested", "split_antecedents")
"""Options of scorers that look mentions up, coval and Universal Anaphora: they are tried with that alone."""
Setting: TypeAlias = tuple[str, ...]  # the value of each option of `NAMES`
Refused: TypeAlias = Mapping[tuple[str, str], str]  # values of options that the data do not allow, and why


def usual_metrics() -> tuple[str, ...]:
    """Return the metrics whose scores are tried by default: those of a profile."""
    named = {name for profile in PROFILES for name in metrics_of(profile, DEFAULT)}
    return tuple([name for name in METRICS if name in named])


class Request(NamedTuple):
    """The settings that are tried: all values of options but those that are held at what was typed."""

    options: Options  # with the values that are held, and defaults
    profile: str | None  # the profile that was typed
    typed: Mapping[str, str]  # the options that were typed, besides
    metrics: tuple[str, ...]  # names of metrics, and of means
    are_typed: bool  # whether metrics were typed; else one is left out where it has nothing to look at

    @property
    def held(self) -> frozenset[str]:
        """The options that keep their value."""
        return frozenset(
            [*self.typed, *(name for name in PROFILES.get(self.profile or "", ()) if name in OPTIONS)]
        )

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values of an option that are tried."""
        value = cast("Mapping[str, str]", self.options.choices)[name]
        return (value,) if name in self.held else OPTIONS[name].values

    def with_values(self, values: Mapping[str, str]) -> Options | None:
        """Return the options with other values; None if these exclude each other."""
        choices = {**self.options.choices, **values}
        try:
            check_exclusions(choices)
        except UsageError:
            return None
        return self.options._replace(choices=cast("Choices", Frozen(choices)))

    def is_tried(self, values: Mapping[str, str]) -> bool:
        """Return whether values of options go together."""
        of_peers = [
            name for name in OF_PEERS if values[name] != OPTIONS[name].default and name not in self.held
        ]
        return not (of_peers and values["lookup"] != "reference") and self.with_values(values) is not None


def request_of(
    given: Mapping[str, Any], profile: str | None, metrics: tuple[str, ...], options: Options
) -> Request:
    """Return a request from the options that were `given` by name, and those made of all that was."""
    typed = {name: value for name, value in given.items() if name in OPTIONS and value is not None}
    return Request(options, profile, typed, metrics or usual_metrics(), bool(metrics))


class Spelling(NamedTuple):
    """A profile, if any, and options, which together make a setting."""

    profile: str | None
    options: Mapping[str, str]  # those that were typed, too; in the order of the signature
    metrics: tuple[str, ...] = ()  # those that have to be named so that they are shown

    def words(self) -> list[str]:
        """Return the words of the command line."""
        profile = [] if self.profile is None else [f"--profile={self.profile}"]
        metrics = [f"--metric={','.join(self.metrics)}"] if self.metrics else []
        return [
            *profile,
            *metrics,
            *(f"{OPTIONS[name].flag}={value}" for name, value in self.options.items()),
        ]


class Spellings:
    """The ways to type the settings of a run.

    Options that are not `free` change nothing in its data, unless they have a value that is `refused`.
    """

    def __init__(self, request: Request, free: Collection[str], refused: Collection[tuple[str, str]]) -> None:
        self._request = request
        self._free = free
        self._refused = refused
        typed = (request.profile,) if request.profile else (*PROFILES, None)
        bases = {profile: self.options(Spelling(profile, {})) for profile in typed}
        self._bases = {
            profile: base.choices for profile, base in bases.items() if base and self._is_usable(base)
        }

    def _is_usable(self, base: Options) -> bool:
        others = [name for name in OPTIONS if name not in NAMES]
        here, there = (cast("Mapping[str, Any]", one.choices) for one in (base, self._request.options))
        return all(here[name] == there[name] for name in others)

    def options(self, spelling: Spelling) -> Options | None:
        """Return the options of a run with what is typed; None if they exclude each other."""
        metrics = spelling.metrics or None
        given = {**self._request.options.inputs, **self._request.typed, **spelling.options}
        try:
            return options_from(spelling.profile, metrics=metrics, **cast("dict[str, Any]", given))
        except UsageError:
            return None

    def simplest(self, setting: Setting, metrics: Collection[str]) -> Spelling:
        """Return the shortest way, by a profile where that is as short; `metrics` have to be shown."""
        return min(self._of(setting, metrics), key=lambda one: len(one.words()))

    def profiles(self, setting: Setting) -> Iterator[tuple[str, Setting]]:
        """Yield the profiles, each with its values of free options; the others are those of a setting."""
        for profile, choices in self._bases.items():
            values = [cast("Mapping[str, str]", choices)[name] for name in NAMES]
            pairs = list(zip(NAMES, values, setting, strict=True))
            if profile is not None and all(
                name in self._free or self.is_same(name, *both) for name, *both in pairs
            ):
                yield profile, tuple([mine if name in self._free else other for name, mine, other in pairs])

    def is_same(self, name: str, value: str, wanted: str) -> bool:
        """Return whether two values of an option give the same numbers in these data."""
        return value == wanted or not (name in self._free or (name, value) in self._refused)

    def _of(self, setting: Setting, metrics: Collection[str]) -> Iterator[Spelling]:
        wanted = dict(zip(NAMES, setting, strict=True))
        for profile, choices in self._bases.items():
            values = cast("Mapping[str, str]", choices)
            own = self._request.typed
            typed = {
                name: own[name] if name in own else wanted[name]
                for name in OPTIONS
                if name in own or (name in wanted and not self.is_same(name, values[name], wanted[name]))
            }
            is_shown = {*metrics} <= {*metrics_of(profile, DEFAULT)}
            spelling = Spelling(profile, typed, () if is_shown else tuple(metrics))
            if self.options(spelling) is not None:
                yield spelling


def ordered(values: Collection[str], name: str) -> Sequence[str]:
    """Return values of an option in its order."""
    return [value for value in OPTIONS[name].values if value in values]
