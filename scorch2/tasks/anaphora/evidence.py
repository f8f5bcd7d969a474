"""The evidence of the exercise: credits of pronouns, and mentions that are aligned by their overlap."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from operator import truediv
from typing import NamedTuple, TypeAlias

from scorch2.model.document import Document, Mention, Span, spans
from scorch2.model.markables import Anaphora
from scorch2.model.score import Tally, exact_sum
from scorch2.scoring.contingency import Partition

Ratio: TypeAlias = Callable[[int, int], float | Fraction]

_EXACT_FLOATS = 1 << 26  # up to this length different ratios are different floats


def longer(one: Span, other: Span) -> int:
    """Return the length of the longer span."""
    return max(one[1] - one[0], other[1] - other[0])


def ratio_up_to(longest: int) -> Ratio:
    """Return how to divide lengths up to `longest` so that ratios compare as the exact ones do."""
    return truediv if longest < _EXACT_FLOATS else Fraction


def longest_of(spans: Iterable[Span]) -> int:
    """Return the length of the longest span, 0 if there is none."""
    return max([end - start for start, end in spans], default=0)


def overlapping(left: Sequence[Span], right: Sequence[Span]) -> Iterator[tuple[int, int, int]]:
    """Yield each pair of spans with something in common, by their indices, and how long the common part is.

    `left` and `right` are sorted. One sweep over the starts of both: O(spans + pairs).
    """
    sides = left, right
    at = [0, 0]
    reach: tuple[list[int], list[int]] = ([], [])  # the spans of each side that the sweep is still inside
    while at[0] < len(left) or at[1] < len(right):
        side = int(at[0] == len(left) or (at[1] < len(right) and right[at[1]] < left[at[0]]))
        other = 1 - side
        index = at[side]
        start, end = sides[side][index]
        reach[other][:] = [i for i in reach[other] if sides[other][i][1] > start]
        for i in reach[other]:
            shared = min(end, sides[other][i][1]) - start
            yield (i, index, shared) if side else (index, i, shared)
        reach[side].append(index)
        at[side] += 1


class Aligned(NamedTuple):
    """A gold and a system mention that stand for each other."""

    gold: Span
    system: Span
    shared: int
    longest: int

    @property
    def overlap(self) -> Fraction:
        """The overlap of the two, exact, above 0 and up to 1."""
        return Fraction(self.shared, self.longest)


class AlignedSides(NamedTuple):
    """The evidence of coreference over spans that need not be exact."""

    pairs: Sequence[Aligned]
    gold: Partition
    system: Partition


def align(gold: Collection[Span], system: Collection[Span]) -> list[Aligned]:
    """Return the alignment that takes the pair with the best overlap first, ties in the order of the text.

    Exact pairs come first in it, in any order.

    >>> align([(0, 10), (4, 10)], [(1, 10), (0, 3)])
    [Aligned(gold=(0, 10), system=(1, 10), shared=9, longest=10)]
    """
    exact = set(gold) & set(system)  # each of them is the best pair of both its ends
    left, right = sorted(set(gold) - exact), sorted(set(system) - exact)
    ratio = ratio_up_to(longest_of([*left, *right]))
    ranked = []
    for i, j, shared in overlapping(left, right):
        longest = longer(left[i], right[j])
        ranked.append((-ratio(shared, longest), i, j, shared, longest))
    ranked.sort()
    taken_left, taken_right = bytearray(len(left)), bytearray(len(right))
    pairs = [Aligned(span, span, 1, 1) for span in exact]
    for _, i, j, shared, longest in ranked:
        if not (taken_left[i] or taken_right[j]):
            taken_left[i] = taken_right[j] = True
            pairs.append(Aligned(left[i], right[j], shared, longest))
    return pairs


def count_aligned(alignment: AlignedSides) -> Tally:
    """MUC with links worth what their mentions overlap; the sums are exact.

    Formula     R = Σᵢⱼ cᵢⱼ / Σᵢ (|kᵢ| − 1), cᵢⱼ = w_max · (Σ w − w_max) over the mentions aligned between
                gold chain i and system chain j, w = overlap of a mention with its partner. P: swap sides.
    Units       links; 0..1. With exact spans this is MUC.
    Edge cases  no link on a side: 0/0, undefined.
    Cost        O(n log n + E log E), E = overlapping pairs that are not exact.
    Source      ARE 2007 task description; Vilain et al. 1995, MUC-6, pp. 45-52.
    """
    cells = defaultdict(list)
    for pair in alignment.pairs:
        chains = alignment.gold.owner[pair.gold], alignment.system.owner[pair.system]
        cells[chains].append((pair.shared, pair.longest))
    ratio = ratio_up_to(max([pair.longest for pair in alignment.pairs], default=0))
    worth: defaultdict[int, int] = defaultdict(int)
    for weights in cells.values():
        best = max(weights, key=lambda weight: ratio(*weight))
        weights.remove(best)
        for shared, longest in weights:
            worth[best[1] * longest] += best[0] * shared
    links = exact_sum(worth)
    return Tally(
        links,
        sum(alignment.gold.sizes) - len(alignment.gold.sizes),
        links,
        sum(alignment.system.sizes) - len(alignment.system.sizes),
    )


MISSING, SELF, WRONG = "missing", "self", "wrong"
NOMINAL, VIA_PRONOUN = "nominal", "via-pronoun"
CYCLE, DEAD_END, BROKEN = "cycle", "dead-end", "broken"
REASONS = (NOMINAL, VIA_PRONOUN, CYCLE, DEAD_END, BROKEN, WRONG, SELF, MISSING)
_BEST = 2  # Gold mentions that are kept for an answer, so that one of them is not the pronoun that asks
_HALVED = (CYCLE, DEAD_END, BROKEN)


class Credit(NamedTuple):
    """The credit of one pronoun, and the reason for it.

    Formula     credit(p) = o, the overlap of the answer with the best mention of p's gold chain other than p;
                o/2 if that is a pronoun from which the system's own answers do not lead to a nominal mention
                of the chain; 0 without an answer, or with one outside the chain.
    Units       pronouns; 0..1 each.
    Cost        O(pronouns), and of spans O(n log n + overlapping pairs).
    Source      ARE 2007 task description; Mitkov 2001 (success rate), Byron 2001 (recall and precision).
    """

    pronoun: Mention
    numerator: int
    denominator: int
    reason: str

    @property
    def value(self) -> Fraction:
        """The credit, exact, in 0..1."""
        return Fraction(self.numerator, self.denominator)


class Credits(NamedTuple):
    """The evidence of pronoun resolution in one document."""

    pronouns: Sequence[Credit]  # the pronouns to resolve, in the order of the gold file
    attempted: int  # system pairs with an antecedent, of whatever pronoun


class _Match(NamedTuple):
    """The gold mention that an answer stands for, and how well."""

    member: Mention
    shared: int
    longest: int


class _Key(NamedTuple):
    """Chains and pronouns of gold."""

    chains: Sequence[Sequence[Mention]]
    chain_of: Mapping[Mention, int]
    pronominal: AbstractSet[Mention]
    to_resolve: Collection[Mention]


_Answers = Mapping[Mention, Mention | None]


def credits_by_id(gold: Document, system: Document) -> Credits:
    """Return the credit of each pronoun, answers compared by id."""
    key, answers = _key(gold), _answers(system)
    matches = {pronoun: _Match(answer, 1, 1) for pronoun, answer in _exact(key, answers)}
    return _credits(key, answers, matches)


def credits_by_span(gold: Document, system: Document) -> Credits:
    """Return the credit of each pronoun, answers compared by what they have in common with a mention."""
    key, answers = _key(gold), _answers(system)
    matches = dict(_overlapping(key, answers))
    for pronoun, answer in _exact(key, answers):
        matches[pronoun] = _Match(answer, 1, 1)
    return _credits(key, answers, matches)


def answers_outside_gold(gold: Document, system: Document) -> Iterator[Mention]:
    """Yield the pronouns with a system pair that gold does not ask for."""
    asked = set(_key(gold).to_resolve)
    return (pronoun for pronoun in _answers(system) if pronoun not in asked)


def _key(gold: Document) -> _Key:
    anaphora = gold.anaphora or Anaphora()
    chains = list(gold.clusters.values())
    chain_of = {mention: i for i, members in enumerate(chains) for mention in members}
    pronominal = anaphora.pronominal
    to_resolve: Collection[Mention] = anaphora.answers or [
        mention for members in chains if len(members) > 1 for mention in members if mention in pronominal
    ]
    return _Key(chains, chain_of, pronominal, to_resolve)


def _answers(system: Document) -> _Answers:
    return system.anaphora.answers if system.anaphora else {}


def _exact(key: _Key, answers: _Answers) -> Iterator[tuple[Mention, Mention]]:
    """Yield the pronouns of gold chains whose answer is another mention of the chain, with it."""
    for pronoun, answer in answers.items():
        chain = key.chain_of.get(answer)
        if chain is not None and answer != pronoun and chain == key.chain_of.get(pronoun):
            yield pronoun, answer


def _overlapping(key: _Key, answers: _Answers) -> Iterator[tuple[Mention, _Match]]:
    """Yield the pronouns of gold chains whose answer only overlaps with another mention of the chain."""
    asked: dict[int, dict[Mention, list[Mention]]] = {}
    for pronoun, answer in answers.items():
        chain = key.chain_of.get(pronoun)
        if chain is not None and answer not in (None, pronoun) and key.chain_of.get(answer) != chain:
            asked.setdefault(chain, {}).setdefault(answer, []).append(pronoun)
    for chain, pronouns_by_answer in asked.items():
        found = _best_two(spans(list(pronouns_by_answer)), spans(key.chains[chain]), key.pronominal)
        for answer, matches in found.items():
            for pronoun in pronouns_by_answer[answer]:
                best = next((match for match in matches if match.member != pronoun), None)
                if best:
                    yield pronoun, best


def _best_two(
    answers: Sequence[Span], members: Sequence[Span], pronominal: AbstractSet[Mention]
) -> dict[Span, list[_Match]]:
    """Return the two best gold mentions for each answer: one of them is not the pronoun that asks."""
    # Best is the largest overlap, then what is no pronoun, then what comes first in the text
    ratio = ratio_up_to(longest_of([*answers, *members]))
    left, right = sorted(answers), sorted(members)
    best: dict[Span, list[tuple[float | Fraction, bool, _Match]]] = {}
    for i, j, shared in overlapping(left, right):
        answer, member = left[i], right[j]
        longest = longer(answer, member)
        ranked = best.setdefault(answer, [])
        ranked.append((-ratio(shared, longest), member in pronominal, _Match(member, shared, longest)))
        if len(ranked) > _BEST:
            ranked.remove(max(ranked))
    return {answer: [match for _, _, match in sorted(ranked)] for answer, ranked in best.items()}


def _credits(key: _Key, answers: _Answers, matches: Mapping[Mention, _Match]) -> Credits:
    outcomes: dict[Mention, str] = {}
    earned = []
    for pronoun in key.to_resolve:
        answer, match = answers.get(pronoun), matches.get(pronoun)
        if answer is None:
            earned.append(Credit(pronoun, 0, 1, MISSING))
        elif match is None:
            earned.append(Credit(pronoun, 0, 1, SELF if answer == pronoun else WRONG))
        elif match.member not in key.pronominal:
            earned.append(Credit(pronoun, match.shared, match.longest, NOMINAL))
        else:
            reason = _end_of_answers(match.member, key, answers, matches, outcomes)
            halves = 2 if reason in _HALVED else 1
            earned.append(Credit(pronoun, match.shared, halves * match.longest, reason))
    return Credits(earned, sum([answer is not None for answer in answers.values()]))


def _end_of_answers(
    pronoun: Mention,
    key: _Key,
    answers: _Answers,
    matches: Mapping[Mention, _Match],
    outcomes: dict[Mention, str],
) -> str:
    """Return where the answers from `pronoun` on lead; `outcomes` holds what is known, once per pronoun."""
    # A pronoun on the path counts as a cycle until its outcome is known: to reach it again is one
    path = []
    while pronoun not in outcomes:
        outcomes[pronoun] = CYCLE
        path.append(pronoun)
        match = matches.get(pronoun)
        if match is None:
            outcome = DEAD_END if answers.get(pronoun) is None else BROKEN
            break
        if match.member not in key.pronominal:
            outcome = VIA_PRONOUN
            break
        pronoun = match.member
    else:
        outcome = outcomes[pronoun]
    outcomes.update(dict.fromkeys(path, outcome))
    return outcome
