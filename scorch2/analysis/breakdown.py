"""Break scores down by classes of mentions: exact sums per document, and the rows of a corpus."""

from collections import Counter
from collections.abc import Mapping, Sequence

from scorch2.analysis.dimensions import DIMENSIONS, refuse_lacking
from scorch2.analysis.links import NO_LINK, PRECISION, RECALL, statuses
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.sides import LACKS, Side
from scorch2.analysis.sums import EMPTY, BySide, Sums
from scorch2.model.results import Breakdown, ClassRow
from scorch2.model.score import Tally, exact_sum


def class_sums(pair: MatchedPair, names: Sequence[str], option: str = "--by") -> dict[str, BySide]:
    """Return the sums of a document for each dimension of `names`; errors say that `option` asks for it.

    Raises
    ------
    InputError
        If the class of a mention is not known.
    """
    if not names:
        return {}
    gold, system = pair.sides.gold, pair.sides.system
    by_side = statuses(gold), statuses(system)
    found: dict[str, BySide] = {}
    for name in names:
        dimension = DIMENSIONS[name]
        refuse_lacking(pair, dimension.needs, f"{option}={name}")
        if not (gold.mentions or system.mentions):
            found[name] = ({}, {})
            continue
        found[name] = (
            _sums(gold, system.sizes, dimension.classes(pair, gold), by_side[0]),
            _sums(system, gold.sizes, dimension.classes(pair, system), by_side[1]),
        )
    return found


def _sums(
    side: Side, other_sizes: Sequence[int], classes: Sequence[str], link_statuses: Sequence[int]
) -> dict[str, Sums]:
    """Add up what the mentions of each class count."""
    shared = Counter(zip(side.entities, side.equal, strict=True))
    links: dict[str, list[int]] = {name: [0] * len(RECALL) for name in dict.fromkeys(classes)}
    for (name, status), number in Counter(zip(classes, link_statuses, strict=True)).items():
        if status != NO_LINK:
            links[name][status] += number
    mentions, found = Counter(classes), Counter[str]()
    b_cubed: dict[str, Counter[int]] = {name: Counter() for name in links}
    lea: dict[str, Counter[int]] = {name: Counter() for name in links}
    for (name, entity, other), number in Counter(
        zip(classes, side.entities, side.equal, strict=True)
    ).items():
        if other == LACKS:
            continue
        size, n = side.sizes[entity], shared[entity, other]
        found[name] += number
        b_cubed[name][size] += number * n
        if size == 1:
            lea[name][1] += number * (other_sizes[other] == 1)
        else:
            lea[name][size - 1] += number * (n - 1)
    return {
        name: Sums(mentions[name], found[name], links[name], dict(b_cubed[name]), dict(lea[name]))
        for name in links
    }


def breakdown(documents: Sequence[Mapping[str, BySide]], names: Sequence[str]) -> Breakdown:
    """Return the rows of a corpus from the sums of its documents; classes without a mention are left out."""
    return {name: _rows([document[name] for document in documents], name) for name in names}


def _rows(documents: Sequence[BySide], name: str) -> list[ClassRow]:
    gold, system = _added([left for left, _ in documents]), _added([right for _, right in documents])
    order = DIMENSIONS[name].order or sorted({*gold, *system})
    return [
        _row(one, gold.get(one, EMPTY), system.get(one, EMPTY))
        for one in order
        if one in gold or one in system
    ]


def _added(documents: Sequence[Mapping[str, Sums]]) -> dict[str, Sums]:
    """Return the sums over documents, exactly."""
    parts: dict[str, list[Sums]] = {}
    for document in documents:
        for name, sums in document.items():
            parts.setdefault(name, []).append(sums)
    return {
        name: Sums(
            sum(one.mentions for one in found),
            sum(one.found for one in found),
            [sum(column) for column in zip(*(one.links for one in found), strict=True)],
            _numerators([one.b_cubed for one in found]),
            _numerators([one.lea for one in found]),
        )
        for name, found in parts.items()
    }


def _numerators(parts: Sequence[Mapping[int, int]]) -> dict[int, int]:
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
    by_status = {
        "recall": dict(zip(RECALL, gold.links, strict=True)),
        "precision": dict(zip(PRECISION, system.links, strict=True)),
    }
    return ClassRow(name, tallies, by_status)


def _sum(numerators: Mapping[int, int]) -> float:
    return exact_sum({1: 0, **numerators})
