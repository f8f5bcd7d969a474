"""Breakdown: scores by classes of mentions; a dimension puts every mention of a side into a class.

``first`` is the class of mentions without one before them in their entity, where a class is about the two.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb
from typing import Any, TypeAlias, cast

from scorch2.analysis import classes
from scorch2.analysis.error_report import EMPTY, BySide, Sums
from scorch2.analysis.heads import tags_of
from scorch2.analysis.links import NO_LINK, PRECISION, RECALL, statuses
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.sides import LACKS, OrderedSide
from scorch2.analysis.table import DIMENSIONS, FIRST, NO_CATEGORY
from scorch2.model.errors import InputError, UsageError, quoted
from scorch2.model.names import most_common
from scorch2.model.results import PAIRWISE, Breakdown, ClassRow
from scorch2.model.score import Tally, exact_sum

Classify: TypeAlias = Callable[[MatchedPair, OrderedSide], Sequence[Any]]


def classes_of(dimension: str, pair: MatchedPair, side: OrderedSide) -> Sequence[str]:
    """Return the class of each mention of a side; in numbers, None is `FIRST`."""
    row = DIMENSIONS[dimension]
    found = cast("Classify", getattr(classes, row.classes))(pair, side)
    if not row.ranges:
        return found
    order, before = row.order, len(row.fixed) - 1
    return [FIRST if number is None else order[bisect_right(row.ranges, number) + before] for number in found]


def genre_pattern(pattern: str | None, option: str) -> str | None:
    """Return a regular expression with a group; `option` names it in errors."""
    if pattern is None:
        return None
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        raise UsageError(f"{option}: {quoted(pattern)} is not a regular expression: {error}") from None
    if not groups:
        raise UsageError(f"{option}: {quoted(pattern)} has no group, such as ^(..)/ has")
    return pattern


NEEDS: Mapping[str, tuple[Callable[[MatchedPair], object], str]] = {
    "spans": (lambda pair: pair.has_spans, "no spans of a text"),
    "tokens": (lambda pair: pair.has_tokens, "no tokens"),
    "sentences": (lambda pair: pair.has_tokens and not pair.written.flat, "no sentences"),
    "words": (lambda pair: pair.has_tokens and pair.written.words is not None, "no words"),
    "categories": (
        lambda pair: pair.categories,
        "no categories, such as those that --categories=<tsv> brings from a tagger",
    ),
    "types": (
        lambda pair: pair.typing,
        "no tags, so types of mentions are not known (or guess: --types=english)",
    ),
    "trees": (lambda pair: pair.has_tokens and pair.written.trees is not None, "no trees (CoNLL-U has some)"),
}
"""What a dimension may need, with what is said if a document lacks it."""


def known_of(pair: MatchedPair, names: Sequence[str]) -> list[str]:
    """Return the dimensions of `names` whose classes are known for a document."""
    if not (pair.sides.gold.mentions or pair.sides.system.mentions):
        return list(names)
    return [name for name in names if not DIMENSIONS[name].needs or NEEDS[DIMENSIONS[name].needs][0](pair)]


def refuse_lacking(pair: MatchedPair, needs: str, option: str) -> None:
    """Raise an InputError if a document with mentions lacks what an option needs."""
    if not needs or not (pair.sides.gold.mentions or pair.sides.system.mentions):
        return
    is_there, lacking = NEEDS[needs]
    if not is_there(pair):
        why = f"{quoted(pair.id)} has {lacking}, which {option} needs"
        if needs == "categories":
            why = f"{quoted(pair.id)} has {lacking}: {option} needs them"
        if needs == "types":
            if tags_of(pair.written):
                lacking = "tags, but --types=none leaves types of mentions unknown"
            why = f"{quoted(pair.id)} has {lacking}: {option} needs them"
        raise InputError(pair.gold.path or pair.id, "", why)


def class_sums(pair: MatchedPair, names: Sequence[str], option: str = "--by") -> dict[str, BySide]:
    """Return the sums of a document for each dimension of `names`; errors say that `option` asks for it."""
    if not names:
        return {}
    gold, system = pair.sides.gold, pair.sides.system
    if not (gold.mentions or system.mentions):
        return dict.fromkeys(names, ({}, {}))
    of_gold, of_system = statuses(gold), statuses(system)
    sums: dict[str, BySide] = {}
    for name in names:
        refuse_lacking(pair, DIMENSIONS[name].needs, f"{option}={name}")
        sums[name] = (
            _sums(gold, system.sizes, classes_of(name, pair, gold), of_gold),
            _sums(system, gold.sizes, classes_of(name, pair, system), of_system),
        )
        if DIMENSIONS[name].pairs:
            here, there = sums[name]
            sums[name] = (
                _with_pairs(here, gold, classes_of(name, pair, gold)),
                _with_pairs(there, system, classes_of(name, pair, system)),
            )
    return sums


def _with_pairs(sums: Mapping[str, Sums], side: OrderedSide, classes: Sequence[str]) -> dict[str, Sums]:
    """Return sums with the links of all pairs in the class of their entity: that of most of its mentions."""
    of_entity: dict[int, list[str]] = {}
    for entity, name in zip(side.entities, classes, strict=True):
        of_entity.setdefault(entity, []).append("" if name == NO_CATEGORY else name)
    found, every = Counter[str](), Counter[str]()
    main = {entity: most_common(own) or NO_CATEGORY for entity, own in of_entity.items()}
    for entity, own in of_entity.items():
        every[main[entity]] += comb(len(own), 2)
    for (entity, other), shared in Counter(zip(side.entities, side.equal, strict=True)).items():
        if other != LACKS:
            found[main[entity]] += comb(shared, 2)
    return {name: own._replace(pairs=(found[name], every[name])) for name, own in sums.items()}


def _sums(
    side: OrderedSide, other_sizes: Sequence[int], classes: Sequence[str], link_statuses: Sequence[int]
) -> dict[str, Sums]:
    shared = Counter(zip(side.entities, side.equal, strict=True))
    links: dict[str, list[int]] = {name: [0] * len(RECALL) for name in dict.fromkeys(classes)}
    for (name, status), number in Counter(zip(classes, link_statuses, strict=True)).items():
        if status != NO_LINK:
            links[name][status] += number
    mentions, on_both = Counter(classes), Counter[str]()
    b_cubed: dict[str, Counter[int]] = {name: Counter() for name in links}
    lea: dict[str, Counter[int]] = {name: Counter() for name in links}
    cells = Counter(zip(classes, side.entities, side.equal, strict=True))
    for (name, entity, other), number in cells.items():
        if other == LACKS:
            continue
        size, n = side.sizes[entity], shared[entity, other]
        on_both[name] += number
        b_cubed[name][size] += number * n
        if size == 1:
            lea[name][1] += number * (other_sizes[other] == 1)
        else:
            lea[name][size - 1] += number * (n - 1)
    return {
        name: Sums(mentions[name], on_both[name], links[name], dict(b_cubed[name]), dict(lea[name]))
        for name in links
    }


def breakdown_of(documents: Sequence[Mapping[str, BySide]], names: Sequence[str]) -> Breakdown:
    """Return the rows of a corpus from the sums of its documents; classes without a mention are left out."""
    return {name: _rows([document[name] for document in documents], name) for name in names}


def _rows(documents: Sequence[BySide], name: str) -> list[ClassRow]:
    gold, system = _added([left for left, _ in documents]), _added([right for _, right in documents])
    order = DIMENSIONS[name].order or sorted({*gold, *system})
    known = [name for name in order if name in gold or name in system]
    return [_row(name, gold.get(name, EMPTY), system.get(name, EMPTY)) for name in known]


def _added(documents: Sequence[Mapping[str, Sums]]) -> dict[str, Sums]:
    by_class: dict[str, list[Sums]] = {}
    for document in documents:
        for name, sums in document.items():
            by_class.setdefault(name, []).append(sums)
    return {
        name: Sums(
            sum(part.mentions for part in parts),
            sum(part.found for part in parts),
            [sum(column) for column in zip(*(part.links for part in parts), strict=True)],
            _numerators(part.b_cubed for part in parts),
            _numerators(part.lea for part in parts),
            _pairs(part.pairs for part in parts),
        )
        for name, parts in by_class.items()
    }


def _pairs(parts: Iterable[tuple[int, int] | None]) -> tuple[int, int] | None:
    known = [pairs for pairs in parts if pairs is not None]
    return (sum(found for found, _ in known), sum(every for _, every in known)) if known else None


def _numerators(parts: Iterable[Mapping[int, int]]) -> dict[int, int]:
    total: Counter[int] = Counter()
    for part in parts:
        total.update(part)
    return dict(total)


def _row(name: str, gold: Sums, system: Sums) -> ClassRow:
    links = sum(gold.links), sum(system.links)
    tallies = {
        "mentions": Tally(gold.found, gold.mentions, system.found, system.mentions),
        "muc": Tally(gold.links[0], links[0], system.links[0], links[1]),
        "b_cubed": Tally(_sum(gold.b_cubed), gold.mentions, _sum(system.b_cubed), system.mentions),
        "lea": Tally(_sum(gold.lea), gold.mentions, _sum(system.lea), system.mentions),
    }
    if gold.pairs or system.pairs:
        tallies[PAIRWISE] = Tally(*(gold.pairs or (0, 0)), *(system.pairs or (0, 0)))
    by_status = {
        "recall": dict(zip(RECALL, gold.links, strict=True)),
        "precision": dict(zip(PRECISION, system.links, strict=True)),
    }
    return ClassRow(name, tallies, by_status)


def _sum(numerators: Mapping[int, int]) -> float:
    return exact_sum({1: 0, **numerators})
