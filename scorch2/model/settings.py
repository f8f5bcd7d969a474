"""Settings of analyses and tests, which change no score: tables of them, as of `options`, which do.

Help texts, completion, checks, defaults and the keywords of Python functions follow from the rows.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

from scorch2.model.errors import UsageError, quoted, unknown_name
from scorch2.model.options import separated
from scorch2.model.score import TRIALS
from scorch2.model.values import fraction_of, interval_level, whole_value

TypesName: TypeAlias = Literal["auto", "english", "none"]
SpansName: TypeAlias = Literal["auto", "head", "overlap", "trim", "none"]
GainsName: TypeAlias = Literal["shares", "order", "none"]
ListingName: TypeAlias = Literal["errors", "examples", "links", "entities"]
AgainstName: TypeAlias = Literal["first", "best", "none"]
TestName: TypeAlias = Literal["permutation", "bootstrap"]
UnitsName: TypeAlias = Literal["shared", "all"]
Names: TypeAlias = str | Iterable[str]


class SettingRow(NamedTuple):
    """The description of a setting: all but its name and values."""

    value: str  # name of the value in help texts; empty for a flag
    what: str  # text in help texts, and in those of Python
    called: str = ""  # what messages call one of its values, if that is not ``value of --<name>``
    default: Any = None  # if it is not the first of its values; "" for none of them
    least: int = 1  # of whole numbers
    example: str = ""  # of a list in Python, if it takes several values
    commas: bool = True  # whether commas separate them


class OfClasses(TypedDict, total=False):
    """Settings of classes of mentions."""

    by: Annotated[
        Names,
        SettingRow(
            "dimensions",
            "dimensions to break scores down by, and to count errors by (scorch2 help error-analysis)",
            example='["type"]',
        ),
    ]
    types: Annotated[
        TypesName,
        SettingRow(
            "how", "auto (default), english, none: types of mentions by tags, or guessed", "way to tell types"
        ),
    ]
    genre: Annotated[
        str | None, SettingRow("regex", "for --by=genre: a pattern whose first group is the genre in a name")
    ]


class OfErrors(OfClasses, total=False):
    """Settings of the error analysis."""

    windows: Annotated[
        Iterable[int], SettingRow("tokens", "also score windows of this many tokens", example="[500]")
    ]
    what_if: Annotated[
        Names,
        SettingRow(
            "errors",
            "also score with these errors corrected, and no others: kind:span,type:pronoun,entity:<id>, or a "
            "class of another dimension of --by",
            example='["kind:span"]',
            commas=False,
        ),
    ]
    list: Annotated[
        ListingName | None,
        SettingRow(
            "what",
            "list one by one: errors, examples (in their sentences), links, entities",
            "list",
            default="",
        ),
    ]
    kind: Annotated[Names, SettingRow("names", "only errors of these kinds", example='["divided"]')]
    pattern: Annotated[
        Names,
        SettingRow(
            "names",
            "only errors with one of these patterns, as --by=pattern names them",
            example='["span.end+1"]',
        ),
    ]
    document: Annotated[Names, SettingRow("id", "only this document", example='["d1"]', commas=False)]
    star: Annotated[
        Names,
        SettingRow(
            "address",
            "only the errors with a star in this address of a page of errors",
            example='["page.html#star=..."]',
            commas=False,
        ),
    ]
    spans: Annotated[
        SpansName,
        SettingRow(
            "how",
            "how span errors are found: head (mentions with the same head), overlap (by half or more), trim "
            "(equal without determiners and punctuation), none; auto (default): head where heads are known, "
            "else overlap",
            "way to tell span errors",
        ),
    ]
    gains: Annotated[
        GainsName,
        SettingRow(
            "how",
            "what corrections gain: shares (default: of each kind, whatever the order), order (each kind "
            "alone, and after those above it; faster), none",
            "way to tell gains",
        ),
    ]


class OfPage(TypedDict, total=False):
    """Settings of the page of errors."""

    title: Annotated[str | None, SettingRow("text", 'its title (default: "<sys> against <gold>")')]
    text_tokens: Annotated[
        int,
        SettingRow(
            "n",
            "largest number of tokens of text (default 100000), of the documents with the lowest scores, or "
            "of --document; --kind chooses errors",
            default=100_000,
        ),
    ]
    page: Annotated[
        Literal["compressed", "plain"],
        SettingRow(
            "how",
            "compressed (default): texts of a large page are, its script opens them; plain: all are open",
            "way to write the page",
        ),
    ]


_SEED = SettingRow("n", "seed of the random numbers (default 0)", default=0, least=0)


class OfTrials(TypedDict, total=False):
    """Settings of random samples."""

    trials: Annotated[
        int,
        SettingRow("n", f"number of bootstrap samples or permutations (default {TRIALS})", default=TRIALS),
    ]
    seed: Annotated[int, _SEED]


class OfIntervals(OfTrials, total=False):
    """Settings of intervals."""

    confidence: Annotated[float | None, SettingRow("percent", "add bootstrap confidence intervals")]


class OfResampling(TypedDict, total=False):
    """Settings of what is resampled."""

    resample: Annotated[
        str | None,
        SettingRow("units", "documents (default), windows:<tokens>: the unit of intervals and tests"),
    ]


class OfTest(TypedDict, total=False):
    """Settings of a test."""

    test: Annotated[
        TestName, SettingRow("name", "permutation (default), bootstrap: how differences are tested", "test")
    ]


class OfNeleval(TypedDict, total=False):
    """Settings of intervals and tests of the commands that neleval has."""

    trials: Annotated[
        int, SettingRow("n", "number of bootstrap samples or permutations (default 2500)", default=2500)
    ]
    seed: Annotated[int, _SEED]


class OfRanking(OfTest, total=False):
    """Settings of rankings."""

    parts: Annotated[
        Literal["f1", "all"],
        SettingRow("which", "f1 (default), all: recall, precision and F1 of every metric"),
    ]
    alpha: Annotated[
        float | str,
        SettingRow(
            "p",
            "mark a difference if its corrected p is at most that (default 0.05); or percent, such as 5%",
            default=0.05,
        ),
    ]


class OfTests(OfRanking, total=False):
    """Settings of comparisons of systems."""

    against: Annotated[
        AgainstName | None,
        SettingRow(
            "which",
            "first (default), best, none: test every system against the first one, or every score against "
            "the best of its column",
            "system to test against",
        ),
    ]
    letters: Annotated[
        bool,
        SettingRow("", "test all pairs: systems without a common letter differ significantly", default=False),
    ]


class OfWorkers(TypedDict, total=False):
    """Settings of worker processes."""

    jobs: Annotated[
        int, SettingRow("n", "number of worker processes (default 1; 0 = one per CPU)", default=1, least=0)
    ]


class OfAgreement(TypedDict, total=False):
    """Settings of agreement."""

    units: Annotated[
        UnitsName,
        SettingRow(
            "which",
            "shared (default), all: mentions that coefficients look at: those that both marked, or all",
        ),
    ]


class Setting(NamedTuple):
    """One row of the tables, with its name and values."""

    name: str
    values: tuple[str, ...]  # the default comes first; none if it is no choice
    row: SettingRow
    of: type = str  # what its values are

    @property
    def default(self) -> Any:
        """The value if nothing is given."""
        usual = () if self.row.example else self.row.default
        return self.values[0] if self.values and usual is None else None if usual == "" else usual

    @property
    def bounds(self) -> str:
        """The numbers that it takes, in words, for Python."""
        if self.of is int:
            return f"; from {self.row.least}"
        return "; in percent, from 1 to below 100" if self.of is float and self.default is None else ""

    def checked(self, value: Any, option: str) -> Any:
        """Return what a value, typed or given in Python, stands for; a UsageError tells what is wrong."""
        example = self.row.example
        if not example:
            return self.default if value is None else self._checked(value, option)
        if not isinstance(value, Iterable) or isinstance(value, bytes):
            raise UsageError(f"{option} takes a list, such as {example}, not {quoted(value)}")
        given = separated(value) if self.row.commas else [value] if isinstance(value, str) else value
        return tuple([self._checked(one, option) if self.of is int else one for one in given])

    def _checked(self, value: Any, option: str) -> Any:
        if self.values:
            if value not in self.values:
                raise UsageError(unknown_name(value, self.row.called or f"value of {option}", self.values))
            return value
        if self.of is int:
            return whole_value(str(value), option, 0, least=self.row.least)
        if self.of is float:  # percent of intervals, or a level of significance
            is_level = self.default is None
            text = str(value)
            return interval_level(text, option) if is_level else fraction_of(text, option, is_small=True)
        if not isinstance(value, self.of):
            what = "True or False" if self.of is bool else "a text"
            raise UsageError(f"{option} is {what}, not {quoted(value)}")
        return value


def setting_of(name: str, hint: Any) -> Setting:
    """Return the row that an annotation of a table stands for."""
    kind, row = get_args(hint)
    kinds = (kind, *get_args(kind))  # the kinds of a union, or values
    values = [value for one in kinds for value in get_args(one) if type(value) is str]
    of = next((one for one in (bool, int, float) if one in kinds), str)
    return Setting(name, tuple(values), row, of)


@cache
def rows_of(table: type) -> Mapping[str, Setting]:
    """Return the rows of a table by name."""
    return {name: setting_of(name, hint) for name, hint in table.__annotations__.items()}


SETTINGS: Mapping[str, Setting] = {
    name: row
    for table in (OfErrors, OfPage, OfNeleval, OfTests, OfIntervals, OfResampling, OfWorkers, OfAgreement)
    for name, row in rows_of(table).items()
}
"""The rows of all tables by name."""
TYPES_HOW: tuple[TypesName, ...] = get_args(TypesName)
AGAINST: tuple[AgainstName, ...] = get_args(AgainstName)
LISTINGS: tuple[ListingName, ...] = get_args(ListingName)
UNITS: tuple[UnitsName, ...] = get_args(UnitsName)
TESTS: tuple[TestName, ...] = get_args(TestName)
ALPHA: float = SETTINGS["alpha"].default
TEXT_TOKENS: int = SETTINGS["text_tokens"].default
