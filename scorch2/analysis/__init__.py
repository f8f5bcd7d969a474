"""Why a score is what it is: errors of coreference by kind, what each kind costs, and where they are.

    Pair ─▶ MatchedPair ─▶ Pieces ─▶ Evidence ─▶ ErrorReport ─▶ text
            sides in order  counts    a document   a corpus

`outcomes` takes a document as far as `Evidence`, in any process; `ErrorReport` adds up over documents.
"""

from collections.abc import Iterable, Iterator

from scorch2.analysis import kinds
from scorch2.analysis.breakdown import class_sums
from scorch2.analysis.corrections import corrected
from scorch2.analysis.dimensions import known_of
from scorch2.analysis.link_changes import trace
from scorch2.analysis.links import NO_LINK, RECALL, statuses
from scorch2.analysis.listing import rows_of
from scorch2.analysis.looked_up import counting, in_pairs, scored_as_asked
from scorch2.analysis.pair import MatchedPair, matched_pair
from scorch2.analysis.pieces import Pieces, pieces_of
from scorch2.analysis.request import Classes, Evidence, PageEvidence, Request
from scorch2.analysis.sides import Side
from scorch2.analysis.windows import windows_of
from scorch2.model.errors import UsageError, enumerated
from scorch2.model.options import Options
from scorch2.model.score import Measured
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.flow import CountAll, Outcome, Scored, counted_metrics, score_each
from scorch2.scoring.pairing.files import Item, Pair

_KINDS = tuple(kinds.KINDS)


def outcomes(items: Iterable[Item], options: Options, request: Request) -> Iterator[Outcome]:
    """Measure and analyse every pair, as `scorch2.scoring.flow.outcomes` does; the details are `Evidence`."""
    if why := _never(options):
        raise UsageError(why)
    count = _counting(options)

    def analyse(pair: Pair) -> Scored:
        base = scored_as_asked(pair, count, options)
        matched = matched_pair(pair, in_pairs(options), request)
        found = pieces_of(matched.sides)
        evidence = _evidence(matched, found, base.measured, count, request)
        if request.page is not None:
            evidence = evidence._replace(page=_page_evidence(matched, found, base.measured, options, request))
        return base._replace(notices=[*base.notices, *matched.notices], details=evidence)

    return score_each(items, analyse)


def _evidence(
    matched: MatchedPair, found: Pieces, measured: Measured, count: CountAll, request: Request
) -> Evidence:
    counts = kinds.counts(found)
    alone, in_order, last = [], [], measured
    for place, (kind, number) in enumerate(zip(_KINDS, counts, strict=True)):
        if number.errors:
            alone.append(_measured(matched, corrected(found, {kind}), count))
            last = _measured(matched, corrected(found, set(_KINDS[: place + 1])), count)
        else:  # nothing changes
            alone.append(measured)
        in_order.append(last)
    return Evidence(
        counts,
        _by_status(matched.sides.gold),
        _by_status(matched.sides.system),
        alone,
        in_order,
        matched.spans,
        types_found(matched),
        class_sums(matched, request.by),
        windows_of(matched, request.windows, count),
        rows_of(matched, found, request) if request.listing else (),
        trace(matched.sides, matched.system) if request.trace else None,
        class_sums(matched, request.plotted, "--plot"),
        sum(matched.written.sentences or ()) if matched.has_tokens else None,
    )


def _page_evidence(
    matched: MatchedPair, found: Pieces, measured: Measured, options: Options, request: Request
) -> PageEvidence:
    """Return what only the page needs of a document."""
    from scorch2.analysis.page.ranking import WHERE, score_of
    from scorch2.analysis.page.scene import scene_of

    is_shown = not request.documents or matched.id in request.documents
    return PageEvidence(
        score_of(measured, options),
        class_sums(matched, known_of(matched, WHERE)),
        scene_of(matched, found, request) if is_shown else None,
    )


def types_found(matched: MatchedPair) -> str:
    """Return how types were found, for the signature."""
    return "" if matched.typing is None else matched.typing.how


def classified(items: Iterable[Item], options: Options, request: Request) -> Iterator[Outcome]:
    """Measure every pair as for scoring; the details are `Classes`."""
    count = _counting(options)

    def score(pair: Pair) -> Scored:
        base = scored_as_asked(pair, count, options)
        matched = matched_pair(pair, in_pairs(options), request)
        return base._replace(
            details=Classes(class_sums(matched, request.by), matched.spans, types_found(matched))
        )

    return score_each(items, score)


def traced(items: Iterable[Item], options: Options, request: Request) -> Iterator[Outcome]:
    """Measure every pair as for scoring; the details are a `Trace`, to compare two systems."""
    count = _counting(options)

    def follow(pair: Pair) -> Scored:
        base = scored_as_asked(pair, count, options)
        matched = matched_pair(pair, in_pairs(options), request)
        return base._replace(details=trace(matched.sides, matched.system))

    return score_each(items, follow)


def obstacle(options: Options) -> str:
    """Return why errors cannot be found under these options, or not in every document; empty if they can."""
    if options.lookup != "pairs":
        return f"errors need mentions in pairs: use lookup=pairs, not lookup={options.lookup}"
    return _never(options)


def _never(options: Options) -> str:
    """Return why errors cannot be found in any document under these options; empty if they can."""
    if options.split_antecedents != "drop":
        return _by_sets(options)
    beyond = [metric.name for metric in counted_metrics(options) if metric.evidence]
    which = f"which {'counts' if len(beyond) == 1 else 'count'} more than clusters"
    return f"errors do not change {enumerated(beyond)}, {which} (name other metrics)" if beyond else ""


def _by_sets(options: Options) -> str:
    why = "errors and classes of mentions are not defined with split antecedents"
    return f"{why} (leave out --split-antecedents={options.split_antecedents})"


def _counting(options: Options) -> CountAll:
    """Return what counts metrics.

    Raises
    ------
    UsageError
        If split antecedents are to be scored.
    """
    if options.split_antecedents != "drop":
        raise UsageError(_by_sets(options))
    return counting(options)


def _measured(matched: MatchedPair, table: Contingency, count: CountAll) -> Measured:
    return Measured(matched.id, sum(table.gold_sizes), sum(table.system_sizes), count.of_table(table))


def _by_status(side: Side) -> list[int]:
    """Return the number of links by status."""
    found = [0] * (len(RECALL) + 1)
    for status in statuses(side):
        found[status] += 1
    return found[:NO_LINK]  # the last place counts mentions without a link
