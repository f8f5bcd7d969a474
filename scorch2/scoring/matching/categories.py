"""Categories of mentions: those that ``--only-category`` keeps, and what a run says about it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from scorch2.model.besides import Kept
from scorch2.model.document import Document, Mention, with_only
from scorch2.model.errors import Notice, UsageError, counted, quoted
from scorch2.model.markables import as_written
from scorch2.model.names import categories_of
from scorch2.model.options import Choices, Options
from scorch2.model.score import Measured
from scorch2.scoring.matching.clusters import match_equal
from scorch2.scoring.matching.matched import ComparedPair, ComparedSide

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
    """Return a pair without the mentions whose category does not match as a whole.

    A system mention that has none takes that of the gold mention it equals, or is taken for; but if the
    pattern matches nothing, too, those without any count.
    """
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
    from scorch2.scoring.matching.unequal_pairs import compare_markables, match_pairs

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


def kept_in_all(documents: Iterable[Measured]) -> Kept | None:
    """Return how many mentions were kept by their category in all documents; None if none was chosen so."""
    every = [document.kept for document in documents if document.kept is not None]
    return Kept(*map(sum, zip(*every, strict=True))) if every else None


def category_notices(documents: Iterable[Measured], options: Options) -> list[Notice]:
    """Return the warning that no category matches; a UsageError tells of a side that has no category."""
    kept = kept_in_all(documents)
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
