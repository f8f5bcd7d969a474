"""Settings of analyses and tests, which change no score, and profiles, which are named settings of scores.

Help texts, completion, checks, defaults and the keywords of Python functions follow from the rows. A profile
gives the numbers of another scorer; a typed option wins over it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypedDict, cast, get_args

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
