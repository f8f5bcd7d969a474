"""Mentions of both sides must be of one kind: ``1`` against ``"1"`` would silently score near 0.

Two sides with tokens compare by token span, whatever the words are, and so do spans in numbers if one side
has tokens. Against ids, spans get the names that the converter gives them. Formats of empty nodes (CoNLL-U)
need the same words on both sides.

Mentions may have categories, too: those that ``--only-category`` keeps, and what a run says about them.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain, zip_longest
from operator import countOf

from scorch2.formats.table import TYPED, row_of
from scorch2.model.besides import Kept, together
from scorch2.model.document import Document, Mention, are_strings, with_only
from scorch2.model.errors import InputError, Notice, UsageError, counted, in_percent, quoted, shown_path
from scorch2.model.markables import as_written
from scorch2.model.names import categories_of, mention_names, named_clusters
from scorch2.model.options import Choices, Options
from scorch2.model.score import Measured
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching.matched import ComparedPair, ComparedSide, Matched
from scorch2.scoring.matching.steps import match_equal

_OFFSETS, _UNITS = '"inclusive" or "exclusive"', '"token" or "char"'
_NAME = r"[0-9]+\.[0-9]+-(?:[0-9]+\.)?[0-9]+"
"""A pattern for the names that the converter gives to spans, see `scorch2.model.names.span_names`."""
_WITHIN_SENTENCES = (
    " (such names count tokens within sentences, and nothing says how long these are: give one of the sides "
    "as a file with sentences, such as CoNLL columns)"
)
SUBTOKENS = "write the sentences and the subtoken_map of gold beside its clusters"
_NAMES = {str: "strings", int: "integers", tuple: "lists of integers"}


def compare_kinds(pair: ComparedPair, _: Options) -> ComparedPair:
    """Return both sides with mentions of one kind, of the same words where formats have empty nodes."""
    gold, system = pair.gold.document, pair.system.document
    if not (gold.has_spans or system.has_spans):  # names compare as they are
        return pair
    gold, system = of_one_kind(gold, system)
    if gold.has_spans and system.has_spans:
        gold, system = of_same_words(gold, system)
    return pair.compared_as(gold, system)


def of_one_kind(gold: Document, system: Document) -> tuple[Document, Document]:
    """Return both documents with spans on both sides or on neither."""
    here, there = gold.has_spans, system.has_spans
    if not (here or there):  # neither has tokens
        return gold, system
    if not (here and there):
        refuse_lists(gold, system, ("--gold-offsets", "--sys-offsets"))
        return _by_name(gold), _by_name(system)
    refuse_other_unit(gold, system, _offer)
    if gold.sentences is not None and system.sentences is not None:
        refuse_other_length(gold, sum(gold.sentences), system, sum(system.sentences))
        return gold, system
    _refuse_unknown_unit(gold, system)
    _refuse_unknown_unit(system, gold)
    _refuse_outside(gold, system)
    _refuse_outside(system, gold)
    return gold, system


def _offer(gold: Document, system: Document) -> str:
    """Offer to compare the characters of both sides, if that is possible."""
    from scorch2.scoring.matching.preprocessing import alignment_offer

    return alignment_offer(gold, system)


def refuse_other_unit(
    gold: Document, system: Document, offer: Callable[[Document, Document], str] | None = None
) -> None:
    """Raise an InputError if the spans of both sides are known to count different units."""
    # What `offer` returns ends the message
    if gold.has_spans and system.has_spans and gold.unit and system.unit and gold.unit != system.unit:
        name, path = quoted(system.id), shown_path(gold.path)
        why = f"mentions of {name} are spans of {system.unit}s, but in gold ({path}) of {gold.unit}s"
        raise system.error(f"{why}{offer(gold, system) if offer else ''}")


def refuse_other_length(gold: Document, expected: int, system: Document, length: int) -> None:
    """Raise an InputError if two sides have other numbers of units."""
    if length != expected:  # the message says much, so it cuts names short
        name, path = quoted(system.id, 40), shown_path(gold.path, 40)
        unit = gold.unit or "token"
        why = f"{counted(length, unit)} in {name}, but {expected} in gold ({path})"
        same = f"the two sides must have the same {unit}s{_offer(gold, system)}"
        raise InputError(system.path, "", f"{why}{_first_difference(gold, system)}: {same}")


def refuse_lists(gold: Document, system: Document, options: tuple[str, str] | None = None) -> None:
    """Raise an InputError for lists of integers, which may mean anything, against spans."""
    # `options` are those that say it for each side, where the command has them
    if gold.has_spans == system.has_spans:
        return
    here, there = options or ("", "")
    _refuse_lists_of(gold, system, here)
    _refuse_lists_of(system, gold, there)


def _refuse_lists_of(document: Document, other: Document, option: str) -> None:
    first = next((members[0] for members in document.clusters.values() if members), None)
    if not isinstance(first, tuple) or document.has_spans:
        return
    if not (other.has_spans and other.has_mentions):
        return
    if document.path:
        is_typed = row_of(document.format).family == TYPED
        how = "say what the lists mean" if is_typed else "write clusters JSON, which says what they mean"
        why = (
            f"mentions are lists such as {quoted(first)}, and spans in {shown_path(other.path)} "
            f'({how}: "offsets": {_OFFSETS}, and "unit": {_UNITS}'
            f"{f'; or type {option}=inclusive or exclusive' if option else ''})"
        )
        raise InputError(document.path, "$.offsets" if is_typed else "", why)
    if option and list(map(type, first)) == [int, int]:  # given in Python; other tuples are any ids
        argument = option.removeprefix("--").replace("-", "_")
        why = f"mentions are tuples such as {first}, but spans in {shown_path(other.path or other.id)}"
        how = f"say what the tuples mean: scorch2.score(..., {argument}={_OFFSETS})"
        raise InputError(document.id, "", f"{why} ({how})")


def _refuse_unknown_unit(document: Document, other: Document) -> None:
    """Raise an InputError for JSON that does not say what its spans count, where the other side does."""
    if row_of(document.format).family == TYPED and not (document.unit or document.annotations) and other.unit:
        there = f"those in {shown_path(other.path)} count {other.unit}s"
        why = f"the file does not say what spans count ({there}; say {_UNITS})"
        raise document.error(why, "$.unit")


def _refuse_outside(document: Document, other: Document) -> None:
    """Raise an InputError for a span that ends after the text of the other side, which is known there."""
    if document.sentences is not None or other.sentences is None:
        return
    length = sum(other.sentences)
    for mention in chain.from_iterable(document.clusters.values()):
        if isinstance(mention, tuple) and mention[1] > length:
            there = f"{counted(length, other.unit)} in {shown_path(other.path)}"
            why = f"mention {mention_names(document)(mention)} ends after the {there}"
            counts = f"sub-tokens? {SUBTOKENS}" if mention[1] <= len(other.subtokens) else f"{other.unit}s?"
            raise document.error(f"{why} (does it count {counts})")


def _first_difference(gold: Document, system: Document) -> str:
    if gold.words is None or system.words is None:
        return ""
    try:
        pairs = enumerate(zip_longest(gold.words(), system.words()))
    except InputError:  # columns that do not say where the word is
        return ""
    different = next(((place, both) for place, both in pairs if both[0] != both[1]), None)
    if different is None:  # only blanks
        return ""
    here, there = ("missing" if word is None else quoted(word, 30) for word in different[1])
    return f"; token {different[0]} is {there}, in gold {here}"


def _by_name(document: Document) -> Document:
    if not document.has_tokens:
        return document
    if document.flat and document.has_mentions:
        why = f"{quoted(document.id)} has tokens but no sentences: its mentions have no names to compare by"
        raise InputError(document.path, "", f"{why} (compare it with a file that has tokens)")
    return document._replace(clusters=named_clusters(document), sentences=None)


def refuse_mixed_kinds(matched: Matched, _: Options) -> Matched:
    """Refuse mentions of several kinds, unless what the formats say about them has told them apart."""
    left, right = matched.gold, matched.system
    if are_strings(left.owner) and are_strings(right.owner):
        return matched
    kind = type(next(chain(left.owner, right.owner), None))
    if len(left.owner) + len(right.owner) != countOf(map(type, chain(left.owner, right.owner)), kind):
        gold, system = matched.pair.gold, matched.pair.system
        if not (gold.markable_of or system.markable_of):
            refuse_mixed(gold.written, left, system.written, right)
    return matched


def refuse_mixed(gold: Document, left: Partition, system: Document, right: Partition) -> None:
    """Raise an InputError unless all mentions are of one kind; a side without any has none."""
    # Clusters given in Python may mix kinds, unless a side has spans, or no kind is on both sides
    if gold.path and system.path and are_strings(left.owner) and are_strings(right.owner):
        return
    here_types, there_types = ({*map(type, side.owner)} for side in (left, right))
    types, sides = here_types | there_types, (gold, system)
    is_read = any(side.path or side.has_spans for side in sides)
    if len(types) < 2 or not (is_read or _never_match(left.owner, here_types, right.owner, there_types)):  # noqa: PLR2004 - two kinds
        return
    if all(side.has_spans for side in sides) and any(side.has_discontinuous for side in sides):
        return
    for document, partition in ((gold, left), (system, right)) if is_read else ():
        examples = {type(mention): mention for mention in reversed(partition.owner)}
        if len(examples) > 1:
            shown = " and ".join(map(mention_names(document), examples.values()))
            raise document.error(f"mention ids of different kinds: {shown}")
    here, there = (next(iter(side.owner)) for side in (left, right))
    why = (
        f"mention ids are {_kind(there)} such as {mention_names(system)(there)}, "
        f"but in gold {_kind(here)} such as {mention_names(gold)(here)}"
    )
    if types == {str, tuple} and (gold.has_spans or system.has_spans):
        names = here if isinstance(here, str) else there
        why += _WITHIN_SENTENCES if re.fullmatch(_NAME, str(names)) else ""
    if types == {str, int}:
        strings = [{str(mention) for mention in side.owner} for side in (left, right)]
        share = len(set.intersection(*strings)) / min(map(len, strings))
        why += f" ({in_percent(share)} of them would match if all were strings)"
    raise system.error(why)


def _never_match(
    here: Collection[object], here_types: set[type], there: Collection[object], there_types: set[type]
) -> bool:
    """Return whether mentions given in Python are strings, integers or spans, of other kinds on each side."""
    if not (here_types and there_types and here_types.isdisjoint(there_types)):
        return False
    is_known = here_types | there_types <= _NAMES.keys()
    return is_known and all(
        type(part) is int for side in (here, there) for one in side if type(one) is tuple for part in one
    )


def _kind(mention: object) -> str:
    return _NAMES.get(type(mention), type(mention).__name__)


def of_same_words(gold: Document, system: Document) -> tuple[Document, Document]:
    """Return both documents with mentions that compare: discontinuous only if both formats can hold such."""
    # Else such a mention becomes the span from its first to its last word; one of empty nodes alone stays
    # what it is, and so has no twin
    both = row_of(gold.format).discontinuous, row_of(system.format).discontinuous
    if all(both):
        _refuse_other_words(gold, system)
        if gold.sentences != system.sentences:
            from scorch2.scoring.matching.preprocessing import with_sentences

            system = with_sentences(system, gold.sentences or ())
    elif any(both) and gold.has_mentions and system.has_mentions:
        from scorch2.scoring.matching.preprocessing import as_spans

        return as_spans(gold), as_spans(system)
    return gold, system


def _refuse_other_words(gold: Document, system: Document) -> None:
    """Raise an InputError for the first other word, or the first other id of a sentence."""
    words, expected = (document.words() if document.words else [] for document in (system, gold))
    if words == expected or not (words and expected):
        is_free = any(row_of(document.format).free_sentences for document in (gold, system))
        if is_free or system.sentences == gold.sentences:
            _refuse_other_ids(gold, system)
        return
    place = next(i for i, both in enumerate(zip(words, expected, strict=True)) if both[0] != both[1])
    (where, number), (there, _) = (_sentence_of(document, place) for document in (system, gold))
    differ = f"word {number} is {quoted(words[place], 40)}, but {quoted(expected[place], 40)}"
    why = f"{differ} (in gold, {shown_path(gold.path)}, {there})"
    same = f"both sides must have the same words{_offer(gold, system)}"
    raise system.error(f"{why}: {same}", f"document {quoted(system.id)}, {where}")


def _refuse_other_ids(gold: Document, system: Document) -> None:
    """Raise an InputError for the first sentence that is called otherwise; many files name none."""
    ids, expected = (side.sentence_ids() if side.sentence_ids else () for side in (system, gold))
    if not (ids and expected) or ids == expected:
        return
    for number, (ident, wanted) in enumerate(zip(_ids(system), _ids(gold), strict=True)):
        if ident and wanted and ident != wanted:
            why = f"sent_id {quoted(ident)}, but {quoted(wanted)} in gold ({shown_path(gold.path)})"
            where = f"document {quoted(system.id)}, sentence {number + 1}"
            raise system.error(f"{why}: both sides must agree (write the ids of gold, or none)", where)


def _sentence_of(document: Document, place: int) -> tuple[str, int]:
    """Return what the sentence of a word is called, its number and its id, and the word's number in it."""
    starts = [0, *accumulate(document.sentences or ())]
    number = bisect_right(starts, place)
    ident = _ids(document)[number - 1] if document.trees else ""
    return f"sentence {number}" + (f" ({quoted(ident)})" if ident else ""), place - starts[number - 1] + 1


def _ids(document: Document) -> list[str]:
    return [tree.sent_id for tree in document.trees()] if document.trees else []


_Categories = Mapping[str, Sequence[str]]  # of each mention in its place, by the name of its cluster


def of_mentions(document: Document) -> Mapping[Mention, str]:
    """Return the category of each mention; one that is written several times has the first that is said."""
    every = categories_of(document)
    found: dict[Mention, str] = {}
    for name, members in document.clusters.items():
        for mention, category in zip(members, every[name], strict=True):
            found[mention] = found.get(mention) or category
    return found


def keep_category(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return a pair without the mentions whose category does not match as a whole."""
    # A system mention that has none takes that of the gold mention it equals, or is taken for; but if the
    # pattern matches nothing, too, those without any count
    pattern = re.compile(options.only_category)
    gold, system = pair.gold.document, pair.system.document
    known: Mapping[Mention, str] = {}
    twins: Mapping[Mention, Mention] = {}
    if not pattern.fullmatch(""):
        known, twins = of_mentions(gold), _gold_mentions(pair, options)
    own = categories_of(system)
    of_system = {
        name: [
            category or known.get(twins.get(mention, mention), "")
            for mention, category in zip(members, own[name], strict=True)
        ]
        for name, members in system.clusters.items()
    }
    of_gold = categories_of(gold)
    kept = _only(pair.gold, of_gold, pattern), _only(pair.system, of_system, pattern)
    numbers = [
        (_size(after.document), _size(before), sum(map(bool, chain.from_iterable(every.values()))))
        for before, after, every in zip((gold, system), kept, (of_gold, of_system), strict=True)
    ]
    return pair._replace(gold=kept[0], system=kept[1]).noting("kept", Kept(*numbers[0], *numbers[1]))


def _gold_mentions(pair: ComparedPair, options: Options) -> Mapping[Mention, Mention]:
    """Return the gold mention that each system mention is taken for, where these may be unequal."""
    if options.match not in ("head", "partial", "craft") and options.zeros != "dependency":
        return {}
    from scorch2.scoring.matching.lookups import compare_markables, match_pairs

    choices: Choices = {**options.choices, "duplicates": "first"}
    alone = options._replace(choices=choices)
    found = match_pairs(match_equal(compare_markables(pair, alone), alone), alone)
    return {as_written(system): as_written(gold) for gold, system in (found.counterpart or {}).items()}


def _only(side: ComparedSide, categories: _Categories, pattern: re.Pattern[str]) -> ComparedSide:
    places = {
        name: [place for place, category in enumerate(own) if pattern.fullmatch(category)]
        for name, own in categories.items()
    }
    document = with_only(side.document, places)
    # The windows of a text are joined by now: what was written has other places
    written = document if side.written.windows else with_only(side.written, places)
    return ComparedSide(document, written)


def _size(document: Document) -> int:
    return sum(map(len, document.clusters.values()))


def category_notices(documents: Iterable[Measured], options: Options) -> list[Notice]:
    """Return the warning that no category matches; a UsageError tells of a side that has no category."""
    kept = together(document.kept for document in documents)
    if kept is None:
        return []
    lack, counts_unknown = "", re.fullmatch(options.only_category, "")
    if kept.gold_of and not kept.gold_known:
        lack, option = "gold has a category", "--gold-categories"
    elif kept.system_of and not (kept.system_known or counts_unknown):
        lack, option = "the system has a category, nor equals one of gold", "--sys-categories"
    if lack:
        bring = f"--categories=<tsv> or {option}=<tsv> bring those of a tagger"
        raise UsageError(f"no mention of {lack}, which --only-category needs ({bring})")
    if not (kept.gold or kept.system):
        why = f"no category matches {quoted(options.only_category)} from its first letter to its last"
        return [Notice("categories", "", f"{why}: --by=category of score shows those that there are")]
    unknown = kept.system_of - kept.system_known
    if not unknown or counts_unknown:
        return []
    why = f"{counted(unknown, 'mention')} of the system left out: no category, and not in gold"
    remedy = f'--only-category="{options.only_category}|" keeps them, as errors'
    return [Notice("categories", "", f"{why} ({remedy})")]
