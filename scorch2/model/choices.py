"""The table of the options that change numbers, one row each.

A row is an attribute of `Choices`: its type lists the values, the default first, and their aliases. Its
`OptionRow` says the rest. The command line, help texts, the library's signatures, the signature line, the
JSON report and stored reports follow from the rows.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, cast, get_args, get_type_hints

from scorch2.model.averages import AverageName


class OptionRow(NamedTuple):
    """The description of an option: all but its values."""

    value: str
    """Name of the value in help texts."""
    what: str
    """Text after the values in help texts."""
    before: str
    """The value that a report was made with if it does not name the option: it is older than the option."""
    for_files: bool = False
    """Whether it is about files that lack each other, so that clusters given in Python have no use for it."""
    counts: bool = False
    """Whether the signature says for how many documents it was needed."""
    only_undefined: bool = False
    """Whether it changes numbers only where a score is 0/0."""
    aliases: Mapping[str, str] = {}
    """Other spellings of values."""
    each: Mapping[str, str] = {}
    """What each value does, if `what` does not say it."""


class Choices(TypedDict, total=False):
    """The options that change numbers, in the order of the signature."""

    average: Annotated[
        AverageName,
        OptionRow("how", "how documents are averaged", before="mentions", aliases={"micro": "pooled"}),
    ]
    missing: Annotated[
        Literal["error", "empty", "skip"],
        OptionRow(
            "what", "gold documents that the system lacks", before="error", for_files=True, counts=True
        ),
    ]
    extra: Annotated[
        Literal["error", "skip"],
        OptionRow("what", "system documents that gold lacks", before="error", for_files=True, counts=True),
    ]
    pair: Annotated[
        Literal["name", "basename", "order"],
        OptionRow(
            "rule",
            "documents pair by their whole names, by what follows the last slash, or the n-th with the n-th",
            before="name",
            for_files=True,
        ),
    ]
    documents: Annotated[
        Literal["file", "topic", "subtopic", "corpus"],
        OptionRow(
            "what",
            "score each document by itself, or those of a topic or all as one, where clusters of one name "
            "are one (for ECB+)",
            before="file",
            for_files=True,
        ),
    ]
    layer: Annotated[
        Literal["identity", "deixis"],
        OptionRow(
            "which",
            "the annotation that is scored: of identity, or of discourse deixis (for Universal Anaphora)",
            before="identity",
        ),
    ]
    pieces: Annotated[
        Literal["all", "last"],
        OptionRow(
            "which", "of mentions in several pieces all words count, or only the last piece", before="all"
        ),
    ]
    match: Annotated[
        Literal["exact", "head", "partial", "craft", "mina"],
        OptionRow(
            "when",
            "when two mentions are the same (partial and craft: for CorefUD and Universal Anaphora)",
            before="exact",
            each={
                "exact": "they have the same words",
                "head": "they have the same head (for CorefUD)",
                "partial": "the system's lies in gold's and holds its head or Min",
                "craft": "a piece of the system's lies in gold's first piece",
                "mina": "by the parse of gold, the same minimum span (for CoNLL)",
            },
        ),
    ]
    zeros: Annotated[
        Literal["place", "dependency", "drop", "linear", "dependent"],
        OptionRow(
            "how",
            "how mentions headed by empty nodes compare (for CorefUD and Universal Anaphora)",
            before="place",
            aliases={"linear": "place", "dependent": "dependency"},
            each={
                "place": "by where they stand, as other mentions",
                "dependency": "by their dependencies, for CorefUD",
                "drop": "not at all: they are left out",
            },
        ),
    ]
    phrases: Annotated[
        Literal["all", "np"],
        OptionRow(
            "which",
            "all mentions, or those that are no verb phrases by the parse of gold (for CoNLL-2012)",
            before="all",
        ),
    ]
    nested: Annotated[
        Literal["keep", "drop"],
        OptionRow("what", "mentions inside another one of their cluster", before="keep"),
    ]
    lookup: Annotated[
        Literal["pairs", "reference", "nearest"],
        OptionRow(
            "how",
            "how mentions that match are counted",
            before="pairs",
            each={
                "pairs": "each pair is one mention",
                "reference": "one by one, as CorefUD scorer 1.2, UA scorers and coval do",
                "nearest": "each by the nearest match, as CorefUD scorer 1.1 does",
            },
        ),
    ]
    align: Annotated[
        Literal["none", "characters"],
        OptionRow(
            "how",
            "mentions are compared as the files write them, or by the characters of the text without blanks, "
            "so that two tokenisations meet",
            before="none",
        ),
    ]
    duplicates: Annotated[
        Literal["error", "first", "merge"],
        OptionRow("what", "a mention in two clusters", before="error"),
    ]
    split_antecedents: Annotated[
        Literal["drop", "keep", "only"],
        OptionRow(
            "what",
            'sets of entities, such as the two people of "they" (for CorefUD and Universal Anaphora)',
            before="drop",
            each={
                "drop": "are left out",
                "keep": "are mentions worth what their members are",
                "only": "are all that is scored",
            },
        ),
    ]
    singletons: Annotated[
        Literal["keep", "drop"],
        OptionRow("what", "clusters of one mention", before="keep"),
    ]
    twinless: Annotated[
        Literal["keep", "singletons"],
        OptionRow(
            "what",
            "system mentions that gold lacks are scored as they are, or added to gold as singletons",
            before="keep",
        ),
    ]
    blanc: Annotated[
        Literal["gold", "reference", "both"],
        OptionRow(
            "rule",
            "BLANC where gold has no link: a kind of link that gold lacks is left out, is 0, or is left out "
            "only if both sides lack it",
            before="gold",
        ),
    ]
    undefined: Annotated[
        Literal["skip", "zero"],
        OptionRow(
            "what",
            "scores that are 0/0 have no weight in a mean, or are worth 0 there",
            before="zero",
            only_undefined=True,
        ),
    ]


class Option(NamedTuple):
    """One row of the table, with its name and values."""

    name: str
    values: tuple[str, ...]
    """The default comes first."""
    row: OptionRow

    @property
    def flag(self) -> str:
        """The option as it is typed: ``--average``."""
        return f"--{self.name.replace('_', '-')}"


def _option(name: str, hint: Any) -> Option:
    kind, row = get_args(hint)
    return Option(name, tuple(value for value in get_args(kind) if value not in row.aliases), row)


OPTIONS: Mapping[str, Option] = {
    name: _option(name, hint) for name, hint in get_type_hints(Choices, include_extras=True).items()
}
"""The rows of `Choices` by name, in their order."""
DEFAULTS = cast("Choices", {name: option.values[0] for name, option in OPTIONS.items()})
