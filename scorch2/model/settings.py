"""Settings of analyses and tests, which change no score: tables of them, as of `options`, which do.

Help texts, completion, checks, defaults and the keywords of Python functions follow from the rows.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

TypesName: TypeAlias = Literal["auto", "english", "none"]
SpansName: TypeAlias = Literal["auto", "head", "overlap", "trim", "none"]
GainsName: TypeAlias = Literal["shares", "order", "none"]
AgainstName: TypeAlias = Literal["first", "best", "none"]
TestName: TypeAlias = Literal["permutation", "bootstrap"]


class SettingRow(NamedTuple):
    """The description of a setting: all but its name and values."""

    value: str  # name of the value in help texts; empty for a flag
    what: str  # text in help texts
    called: str = ""  # what messages call one of its values, if that is not ``value of --<name>``
    default: Any = None  # if it has no values, of which the first is the default


class OfClasses(TypedDict, total=False):
    """Settings of classes of mentions."""

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


class OfTests(TypedDict, total=False):
    """Settings of comparisons of systems."""

    parts: Annotated[
        Literal["f1", "all"],
        SettingRow("which", "f1 (default), all: recall, precision and F1 of every metric"),
    ]
    against: Annotated[
        AgainstName | None,
        SettingRow(
            "which",
            "first (default), best, none: test every system against the first one, or every score against "
            "the best of its column",
            "system to test against",
        ),
    ]
    alpha: Annotated[
        float | str,
        SettingRow(
            "p",
            "mark a difference if its corrected p is at most that (default 0.05); or percent, such as 5%",
            default=0.05,
        ),
    ]
    letters: Annotated[
        bool,
        SettingRow("", "test all pairs: systems without a common letter differ significantly", default=False),
    ]
    test: Annotated[
        TestName, SettingRow("name", "permutation (default), bootstrap: how differences are tested", "test")
    ]


class Setting(NamedTuple):
    """One row of the tables, with its name and values."""

    name: str
    values: tuple[str, ...]  # the default comes first; none if it is no choice
    row: SettingRow

    @property
    def default(self) -> Any:
        """The value if nothing is given."""
        return self.values[0] if self.values else self.row.default


def _setting(name: str, hint: Any) -> Setting:
    kind, row = get_args(hint)
    kinds = (kind, *get_args(kind))  # the kinds of a union, or values
    values = [value for one in kinds for value in get_args(one) if type(value) is str]
    return Setting(name, tuple(values), row)


SETTINGS: Mapping[str, Setting] = {
    name: _setting(name, hint)
    for table in (OfErrors, OfPage, OfTests)
    for name, hint in table.__annotations__.items()
}
"""The rows of all tables by name."""
TYPES_HOW: tuple[TypesName, ...] = get_args(TypesName)
AGAINST: tuple[AgainstName, ...] = get_args(AgainstName)
TESTS: tuple[TestName, ...] = get_args(TestName)
ALPHA: float = SETTINGS["alpha"].default
TEXT_TOKENS: int = SETTINGS["text_tokens"].default
