"""The steps of matching, in the order in which they run, whatever the way of matching.

A step is a row: its name, when it applies, and a function of this folder from a `ComparedPair` to another, or
to the `Matched` mentions of both sides, or from these to others. What only an option asks for is imported if
it does. The `mentions` average weighs by counts after all of them.
"""

import importlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.model.document import Document, are_strings
from scorch2.model.errors import Notice
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching.matched import ComparedPair, ComparedSide, Matched, without_repeats

Applies: TypeAlias = Callable[[Options], bool]
Function: TypeAlias = Callable[[Any, Options], Any]


class Step(NamedTuple):
    """A step of matching."""

    name: str
    function: str
    """Its module in this folder and its name. It takes what the step before returns, and the options."""
    applies: Applies
    concerns: Callable[[Any], bool] | None = None
    """Whether what it takes needs it: the function is imported for the first document that does."""


def _has_spans(pair: ComparedPair) -> bool:
    return pair.gold.document.has_spans or pair.system.document.has_spans


def _has_no_names(matched: Matched) -> bool:
    return not (are_strings(matched.gold.owner) and are_strings(matched.system.owner))


def _if(name: str, *values: str) -> Applies:
    """Return a function that tells whether an option has one of some values."""
    return lambda options: options.choices[name] in values  # type: ignore[literal-required]  # a name of a row


def _all(*each: Applies) -> Applies:
    return lambda options: all(applies(options) for applies in each)


def _any(*each: Applies) -> Applies:
    return lambda options: any(applies(options) for applies in each)


def _has_offsets(options: Options) -> bool:
    return bool(options.gold_offsets or options.sys_offsets)


def looks_at_phrases(options: Options) -> bool:
    """Return whether an option looks at the phrases of mentions, or at mentions inside others."""
    # Singletons then go before that, as in coval
    choices = options.choices
    return choices["match"] == "mina" or choices["phrases"] != "all" or choices["nested"] != "keep"


_IN_PAIRS, _LOOKED_UP = _if("lookup", "pairs"), _if("lookup", "reference", "nearest")
_NOT_EQUAL = _any(_if("match", "head", "partial", "craft"), _if("zeros", "dependency", "drop"))
"""Mentions may be the same though they are not equal."""
_WITH_SETS = _if("split_antecedents", "keep", "only")
_DROPS_SINGLETONS = _if("singletons", "drop")
_DROPS_SINGLETONS_LAST = _all(_DROPS_SINGLETONS, lambda options: not looks_at_phrases(options))
ON_ANNOTATION: Sequence[Step] = (
    Step("layer", "preprocessing.choose_layer", _if("layer", "deixis")),
    Step("brackets on one token", "preprocessing.open_before_closing", _LOOKED_UP),
    Step("discontinuous mentions", "preprocessing.take_last_segments", _if("pieces", "last")),
)
"""Steps on documents that choose the annotation that is scored; a pair is said to hold what they leave."""
ON_COPIES = (Step("marks", "copied_text.read_beside", bool, bool), *ON_ANNOTATION)  # of texts with marks
ON_DOCUMENTS: Sequence[Step] = (
    Step("order of clusters", "lookups.order_as_coval", _LOOKED_UP),
    Step("offsets", "preprocessing.shift_offsets", _has_offsets),
    Step("alignment", "preprocessing.align_characters", _if("align", "characters")),
    Step("windows", "copied_text.join_windows", _if("align", "text")),
    Step("copied text", "copied_text.align_text", _if("align", "text")),
    Step("kinds of documents", "mention_kinds.compare_kinds", _if("align", "none"), _has_spans),
    Step("categories", "mention_kinds.keep_category", lambda options: bool(options.choices["only_category"])),
)
"""Steps on documents, until the mentions of both sides compare by equality."""
ON_MENTIONS: Sequence[Step] = (
    Step("spans for phrases", "phrases.require_spans", looks_at_phrases),
    Step(
        "singletons before phrases",
        "phrases.drop_singletons_first",
        _all(_DROPS_SINGLETONS, looks_at_phrases),
    ),
    Step(
        "verb phrases and minimum spans",
        "phrases.read_phrases",
        _any(_if("phrases", "np"), _if("match", "mina")),
    ),
    Step("nested mentions", "phrases.drop_nested", _if("nested", "drop")),
    Step("heads and zeros", "lookups.compare_markables", _any(_NOT_EQUAL, _LOOKED_UP)),
    Step("duplicates", "steps.match_equal", _all(_IN_PAIRS, _if("split_antecedents", "drop"))),
    Step("split antecedents", "partners.match_with_antecedents", _all(_IN_PAIRS, _WITH_SETS)),
    Step("kinds of mentions", "mention_kinds.refuse_mixed_kinds", _IN_PAIRS, _has_no_names),
    Step(
        "split antecedents of singletons",
        "partners.drop_singleton_antecedents",
        _all(_IN_PAIRS, _WITH_SETS, _DROPS_SINGLETONS_LAST),
    ),
    Step("repeats that count", "lookups.look_at_all_clusters", _LOOKED_UP),
    Step("singletons", "matched.drop_singletons", _DROPS_SINGLETONS_LAST),
    Step("clusters of repeats", "lookups.give_to_last_cluster", _LOOKED_UP),
    Step("kinds of looked-up mentions", "mention_kinds.refuse_mixed_kinds", _LOOKED_UP, _has_no_names),
    Step("lookups", "lookups.look_up", _LOOKED_UP),
    Step("pairs", "lookups.match_pairs", _all(_IN_PAIRS, _NOT_EQUAL)),
    Step("twinless mentions", "matched.add_twinless", _if("twinless", "singletons")),
    Step("mentions of one side", "matched.drop_twinless", _if("twinless", "drop")),
)
"""Steps on mentions, until those of both sides are matched."""
STEPS: Sequence[Step] = (*ON_COPIES, *ON_DOCUMENTS, *ON_MENTIONS)


def compares_as_read(options: Options) -> bool:
    """Return whether spans are compared as they were read, and are the same only if they are equal."""
    others = (_has_offsets, _NOT_EQUAL, _LOOKED_UP, looks_at_phrases)
    return not any(applies(options) for applies in others)


@cache
def function_of(step: Step) -> Function:
    """Return the function of a step, imported."""
    module, _, name = step.function.rpartition(".")
    return cast("Function", getattr(importlib.import_module(f"{__package__}.{module}"), name))


@cache  # one object for a step, so that runs which share what steps make know it again
def _called(step: Step) -> Function:
    """Return the function of a step; one that not every document concerns is imported when it is needed."""
    concerns = step.concerns
    if concerns is None:
        return function_of(step)
    return lambda made, options: function_of(step)(made, options) if concerns(made) else made


class Matcher:
    """The steps that the options of a run ask for, chosen once, so that a document passes no others."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._on_annotation = self._chosen(ON_ANNOTATION)
        self._on_copies = self._chosen(ON_COPIES)
        self._on_documents = self._chosen(ON_DOCUMENTS)
        self._on_mentions = self._chosen(ON_MENTIONS)

    def _chosen(self, steps: Sequence[Step]) -> Sequence[Function]:
        return [_called(step) for step in steps if step.applies(self._options)]

    def annotated(self, gold: Document, system: Document) -> tuple[Document, Document]:
        """Return both sides with the annotation that options choose; all other steps come after this one."""
        steps = self._on_annotation if system.against is None else self._on_copies
        if not steps:
            return gold, system
        pair = self._after(steps, gold.id, gold, system)
        return pair.gold.document, pair.system.document

    def compared(self, ident: str, gold: Document, system: Document) -> ComparedPair:
        """Return both sides of the document `ident` with mentions that compare by equality."""
        return self._after(self._on_documents, ident, gold, system)

    def matched(self, pair: ComparedPair) -> Matched:
        """Return the mentions of both sides as partitions, and what had to be done for it."""
        made: Any = pair
        for step in self._on_mentions:
            made = step(made, self._options)
        matched: Matched = made
        return matched

    def _after(self, steps: Sequence[Function], ident: str, gold: Document, system: Document) -> ComparedPair:
        pair = ComparedPair(ident, ComparedSide(gold, gold), ComparedSide(system, system))
        for step in steps:
            pair = step(pair, self._options)
        return pair


_COUNTED_AGAIN = (
    "gold repeats mentions: scorer.pl counts those of the key each time (scorch2 conll gives its numbers)"
)


def match_equal(pair: ComparedPair, options: Options) -> Matched:
    """Match mentions that are equal, each in one cluster."""
    policy = options.choices["duplicates"]
    left, notices = one_cluster_each(pair.id, pair.gold.document, policy, pair.gold.written)
    right, others = one_cluster_each(pair.id, pair.system.document, policy, pair.system.written)
    if notices and policy == "first" and options.choices["blanc"] == "reference":
        notices = [*notices, Notice("duplicates", "", _COUNTED_AGAIN)]
    return Matched(left, right, (*pair.notices, *notices, *others), left, pair)


def one_cluster_each(
    ident: str, document: Document, policy: str, written: Document | None = None
) -> tuple[Partition, Sequence[Notice]]:
    """Return the partition in a document, and notices about mentions that were written more than once."""
    # A mention twice in one cluster counts once. The `policy` for one in two clusters is ``error``;
    # ``first``: the cluster first in the file keeps it; or ``merge``: the clusters join, transitively.
    # `written` is the document as it was read, if its mentions were changed since, each in its place: for
    # messages.
    every = document.clusters.values()
    sizes = list(filter(None, map(len, every)))
    owner = {mention: number for number, members in enumerate(filter(None, every)) for mention in members}
    if len(owner) == sum(sizes):
        return Partition(owner, sizes), ()
    return without_repeats(ident, document, policy, written or document)


def match(ident: str, gold: Document, system: Document, options: Options) -> Matched:
    """Match one pair of documents; a run makes its `Matcher` once."""
    matcher = Matcher(options)
    return matcher.matched(matcher.compared(ident, gold, system))
