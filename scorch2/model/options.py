"""The options: two tables of them, and how users type values.

Those that change numbers are the attributes of `Choices`: the type lists the values, the default first, and
their aliases, or is `str` for a text; the `OptionRow` says the rest. Those about the
files of a side are the attributes of `Inputs`, with an `InputRow`. The command line, help texts, completion,
the library's signatures, the signature line, the JSON report and stored reports follow from the rows.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypedDict, cast, get_args

from scorch2.model.errors import UsageError, known_names, quoted, unknown_name
from scorch2.model.score import AverageName

ALL = "all"  # asks for every metric or measure that there is


def separated(asked: str | Iterable[Any]) -> list[Any]:
    """Return the names in one string or in several, without whitespace around them; other values as they are.

    >>> separated(["muc, lea", "conll"])
    ['muc', 'lea', 'conll']
    """
    values = [asked] if isinstance(asked, str) else asked
    return [
        name
        for value in values
        for name in ([part.strip() for part in value.split(",")] if isinstance(value, str) else [value])
    ]


def flag_of(name: str) -> str:
    """Return an argument of Python as the word of the command line that means the same."""
    return "--window" if name == "windows" else f"--{name.replace('_', '-')}"


class OptionRow(NamedTuple):
    """The description of an option that changes numbers: all but its name and values."""

    value: str  # name of the value in help texts
    what: str  # text after the values in help texts
    before: str
    """The value that a report was made with if it does not name the option: it is older than the option."""
    for_files: bool = False
    """Whether it is about files that lack each other, so that clusters given in Python have no use for it."""
    counts: bool = False  # whether the signature says for how many documents it was needed
    only_undefined: bool = False  # whether it changes numbers only where a score is 0/0
    aliases: Mapping[str, str] = {}  # other spellings of values
    groups: int | None = None
    """The least number of groups of a text that is a regular expression; None if it is another text."""


class Choices(TypedDict, total=False):
    """The options that change numbers, in the order of the signature."""

    average: Annotated[
        AverageName, OptionRow("how", "how to average", before="mentions", aliases={"micro": "pooled"})
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
    invalid: Annotated[
        Literal["error", "skip"],
        OptionRow("what", "documents that cannot be scored", before="error", for_files=True, counts=True),
    ]
    pair: Annotated[
        Literal["name", "basename", "order", "text"],
        OptionRow("rule", "pair by name, its last part, order, words", before="name", for_files=True),
    ]
    documents: Annotated[
        Literal["file", "topic", "subtopic", "corpus"],
        OptionRow("what", "what is scored as one document", before="file", for_files=True),
    ]
    topics: Annotated[
        str,
        OptionRow(
            "regex",
            "where names say the topic: group 1 (and group 2 the subtopic)",
            before="",
            for_files=True,
            groups=1,
        ),
    ]
    ids: Annotated[
        Literal["format", "shared", "document"],
        OptionRow("whose", "is cluster 5 of two documents one entity?", before="format", for_files=True),
    ]
    sentences: Annotated[
        str,
        OptionRow(
            "csv",
            "list of sentences that count: document (or topic, file), sentence",
            before="",
            for_files=True,
        ),
    ]
    layer: Annotated[
        Literal["identity", "deixis"],
        OptionRow("which", "the annotation that is scored (for Universal Anaphora)", before="identity"),
    ]
    pieces: Annotated[
        Literal["all", "last"],
        OptionRow("which", "the parts of a discontinuous mention that count", before="all"),
    ]
    match: Annotated[
        Literal["exact", "head", "partial", "craft", "mina"],
        OptionRow("when", "when two mentions are the same", before="exact"),
    ]
    zeros: Annotated[
        Literal["place", "dependency", "drop", "linear", "dependent"],
        OptionRow(
            "how",
            "how empty nodes compare",
            before="place",
            aliases={"linear": "place", "dependent": "dependency"},
        ),
    ]
    phrases: Annotated[
        Literal["all", "np"],
        OptionRow("which", "mentions that count; np leaves out verb phrases (for CoNLL)", before="all"),
    ]
    nested: Annotated[
        Literal["keep", "drop"],
        OptionRow("what", "mentions inside another one of their cluster", before="keep"),
    ]
    only_category: Annotated[
        str,
        OptionRow("regex", "mentions whose category matches whole, such as 'PER|LOC'", before="", groups=0),
    ]
    lookup: Annotated[
        Literal["pairs", "reference", "nearest"],
        OptionRow("how", "how partners are found, as in other scorers", before="pairs"),
    ]
    align: Annotated[
        Literal["none", "characters", "text"],
        OptionRow("how", "compare spans, characters, or copied words", before="none"),
    ]
    marks: Annotated[
        Literal["strict", "repair"],
        OptionRow(
            "how", "a mark without a partner is an error, or one word", before="strict", for_files=True
        ),
    ]
    duplicates: Annotated[
        Literal["error", "first", "merge"], OptionRow("what", "a mention in two clusters", before="error")
    ]
    split_antecedents: Annotated[
        Literal["drop", "keep", "only"],
        OptionRow("what", 'mentions of several entities, such as "they"', before="drop"),
    ]
    singletons: Annotated[
        Literal["keep", "drop", "e2e"],
        OptionRow("what", "clusters of one mention (e2e: as metrics.py)", before="keep"),
    ]
    twinless: Annotated[
        Literal["keep", "singletons", "drop"],
        OptionRow("what", "mentions of one side (singletons: added to gold)", before="keep"),
    ]
    blanc: Annotated[
        Literal["gold", "reference", "both"],
        OptionRow("rule", "BLANC of a side that lacks one kind of links", before="gold"),
    ]
    entities: Annotated[
        Literal["aligned", "names"],
        OptionRow("how", "how entity_f1 pairs entities: best alignment, or names", before="aligned"),
    ]
    undefined: Annotated[
        Literal["skip", "zero"],
        OptionRow(
            "what", "leave scores of 0/0 out of means, or count them as 0", before="zero", only_undefined=True
        ),
    ]


class Frozen(dict[Any, Any]):
    """A mapping that does not change, though it can be pickled, copied and written as JSON."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a report and its options do not change")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type["Frozen"], tuple[dict[Any, Any]]]:
        return Frozen, (dict(self),)


class Option(NamedTuple):
    """One row of the table, with its name and values."""

    name: str
    values: tuple[str, ...]  # the default comes first; none if it is a text of any kind, empty by default
    row: OptionRow

    @property
    def flag(self) -> str:
        """The option as it is typed: ``--average``."""
        return flag_of(self.name)

    @property
    def default(self) -> str:
        """The value if nothing is typed."""
        return self.values[0] if self.values else ""

    def checked(self, value: object) -> str:
        """Return a value without its alias; a UsageError tells that there is none like it.

        >>> OPTIONS["topics"].checked("(.+)_.*"), OPTIONS["average"].checked("micro")
        ('(.+)_.*', 'pooled')
        """
        if not self.values:
            if not isinstance(value, str):
                raise UsageError(f"{self.name} is a text, not {quoted(value)}")
            if value and self.row.groups is not None:
                from scorch2.model.values import check_pattern

                check_pattern(value, self.flag, self.row.groups)
            return value
        named = self.row.aliases.get(value, value) if isinstance(value, str) else value
        if named not in self.values:
            spellings = [*self.values, *self.row.aliases]
            raise UsageError(f"{self.name} cannot be {quoted(named)}{known_names(named, spellings)}")
        return named


def _option_row(name: str, hint: Any) -> Option:
    kind, row = get_args(hint)
    return Option(name, tuple([value for value in get_args(kind) if value not in row.aliases]), row)


OPTIONS: Mapping[str, Option] = {
    name: _option_row(name, hint) for name, hint in Choices.__annotations__.items()
}
"""The rows of `Choices` by name, in their order."""
DEFAULTS = cast("Choices", Frozen({name: option.default for name, option in OPTIONS.items()}))


class InputRow(NamedTuple):
    """The description of an option about the files of one side."""

    value: str  # name of the value in help texts
    what: str  # text in help texts
    values: Literal["", "formats", "countings"] = ""
    """What its values are names in: the table of formats, or `COUNTINGS`; nothing for other texts."""
    for_linking: bool = False  # whether the commands of entity linking have it too
    always: bool = True  # whether the JSON report has it even if it is not given


_SAME = "the same for the system"


class Inputs(TypedDict, total=False):
    """The options about the files of either side, in the order of the JSON report."""

    gold_format: Annotated[
        str | None, InputRow("name", "input format, if it is not detected", "formats", for_linking=True)
    ]
    sys_format: Annotated[str | None, InputRow("name", _SAME, "formats", for_linking=True)]
    gold_files: Annotated[
        str | None,
        InputRow(
            "glob", "files of a folder to read, such as '*.conll', or '!*105*' for others", for_linking=True
        ),
    ]
    sys_files: Annotated[str | None, InputRow("glob", _SAME, for_linking=True)]
    gold_key: Annotated[
        str | None,
        InputRow(
            "name", "key of the clusters in jsonlines (clusters, else predicted_clusters)", always=False
        ),
    ]
    sys_key: Annotated[
        str | None, InputRow("name", f"{_SAME} (predicted_clusters, else clusters)", always=False)
    ]
    gold_offsets: Annotated[str | None, InputRow("how", "how to count", "countings", always=False)]
    sys_offsets: Annotated[str | None, InputRow("how", _SAME, "countings", always=False)]
    gold_categories: Annotated[
        str | None, InputRow("tsv", "categories of a tagger: document, start, end, category", always=False)
    ]
    sys_categories: Annotated[str | None, InputRow("tsv", _SAME, always=False)]
    categories: Annotated[str | None, InputRow("tsv", "the same file for both sides", always=False)]
    join_windows: Annotated[
        str | None,
        InputRow("regex", r"windows of one text in the system, named by group 1: '(.+)#\d+'", always=False),
    ]


INPUTS: Mapping[str, InputRow] = {name: get_args(hint)[1] for name, hint in Inputs.__annotations__.items()}
"""The rows of `Inputs` by name, in their order."""


_NOTHING_GIVEN: Inputs = {}


class Options(NamedTuple):
    """Settings of a run. The rows of both tables are attributes too: ``options.average``."""

    choices: Choices = DEFAULTS  # the value of every option that changes numbers
    inputs: Inputs = _NOTHING_GIVEN  # the options about files that were given
    metrics: tuple[str, ...] = ()  # names in `scorch2.METRICS` or aliases; empty for the default list
    signature: bool = True  # whether reports end with the signature
    mark_undefined: bool = True  # whether the text report marks 0/0
    resample: int = 0  # the tokens of a window, if intervals and tests are over windows; 0 for documents
    hashes: bool = False  # whether documents are hashed, for the JSON report
    align_given: bool = False  # whether the alignment was chosen, so that no text chooses another one

    def __getattr__(self, name: str) -> Any:
        choices: Mapping[str, Any] = self.choices
        if name in choices:
            return choices[name]
        if name in INPUTS:
            return self.inputs.get(name)
        raise AttributeError(f"no option called {name!r}") from None

    def changed(self) -> dict[str, str]:
        """Return the choices that differ from the default, in the order of the signature."""
        values = cast("Mapping[str, str]", self.choices)
        return {name: values[name] for name, option in OPTIONS.items() if values[name] != option.default}

    def to_dict(self) -> dict[str, Any]:
        """Return the options as the JSON report has them."""
        inputs = {name: self.inputs.get(name) for name, row in INPUTS.items()}
        resampled = {}
        if self.resample:
            from scorch2.model.values import resampled_units

            resampled = {"resample": resampled_units(self.resample)}
        return {
            **self.choices,
            "metrics": self.metrics,
            **{name: value for name, value in inputs.items() if value or INPUTS[name].always},
            "signature": self.signature,
            "mark_undefined": self.mark_undefined,
            **resampled,
        }


OTHERS = ("metrics", *INPUTS, "signature", "mark_undefined", "resample")
"""The options of the JSON report that change no number of a metric."""


def options_from(profile: str | None = None, **typed: str | bool | int | tuple[str, ...] | None) -> Options:
    """Return the options that a profile sets and `typed` ones overrule; None stands for not typed."""
    # A UsageError tells of an unknown profile or value, with what is known
    of_profile: Mapping[str, Any] = {}
    if profile is not None:
        from scorch2.model.values import PROFILES

        if profile not in list(PROFILES):
            raise UsageError(unknown_name(profile, "profile", PROFILES))
        of_profile = PROFILES[profile].settings
    given = {name: value for name, value in typed.items() if value is not None}
    inputs = {name: given.pop(name) for name in INPUTS if name in given}
    for name, value in inputs.items():
        if INPUTS[name].values == "countings":
            from scorch2.model.names import check_offsets

            check_offsets(value)
    given |= {name: option.checked(given[name]) for name, option in OPTIONS.items() if name in given}
    chosen = {**of_profile, **given}
    if chosen or inputs:
        from scorch2.model.values import check_exclusions, check_joined, resampled_tokens

        check_exclusions(chosen)
        if "join_windows" in inputs:
            check_joined(str(inputs["join_windows"]), chosen.get("align"))
        if "resample" in chosen:
            chosen["resample"] = resampled_tokens(chosen["resample"])
    choices = Frozen({name: chosen.pop(name, option.default) for name, option in OPTIONS.items()})
    settings = cast("Choices", choices), cast("Inputs", Frozen(inputs))
    return Options(*settings, align_given="align" in {**of_profile, **given}, **chosen)  # the other fields
