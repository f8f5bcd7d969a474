"""Linking measures document by document: tallies for reports, gates, intervals and tests."""

from collections.abc import Sequence

from scorch2.linking.corpus import Corpus
from scorch2.linking.evaluation import excessive, fields_of, weightless
from scorch2.linking.evidence import Linking, Rules
from scorch2.linking.measures import check_fields, clustering, named, single
from scorch2.linking.measures.measure import Measure
from scorch2.model.errors import Notice, PairingError
from scorch2.model.options import options_from
from scorch2.model.score import CountedScore, Measured, Tally, finish_with_counts
from scorch2.scoring.metrics.metric import Lookup
from scorch2.scoring.report import Report, report_of

TASK = "linking"
"""The value of the fact ``task`` in reports of linking."""
LOOKUP = Lookup(
    lambda names: [measure.metric() for measure in named(names)],
    lambda name: single(name).metric(),
    frozenset({"task", "nil", "nil-singletons", "type-weights", "restrict"}),
)


def measured(
    corpus: Corpus, measures: Sequence[Measure], rules: Rules
) -> tuple[list[Measured], list[Notice]]:
    """Return the tallies of every document, clusters being those of the document.

    Parameters
    ----------
    corpus : Corpus
        The mentions of both sides.
    measures : sequence of Measure
        In the order of the tallies.
    rules : Rules
        As for `evaluate`.

    Returns
    -------
    list of Measured
        Sorted by id; documents of either side, also those without mentions.
    list of Notice
        Warnings about them.
    """
    check_fields(fields_of(measures), (corpus.gold, corpus.system))
    golds, systems = (side.groups(("docid",)) for side in (corpus.gold, corpus.system))
    found = []
    notices = weightless(measures, rules)
    for ident in sorted({*corpus.gold.paths, *corpus.system.paths}):
        gold = golds.get((ident,)) or corpus.gold.part(())
        system = systems.get((ident,)) or corpus.system.part(())
        linking = Linking(gold, system, rules)
        tallies = tuple([(measure.tally(linking),) for measure in measures])
        found.append(Measured(ident, len(gold), len(system), tallies))
        notices += linking.notices()
    notices += excessive(
        measure.name
        for i, measure in enumerate(measures)
        if any(_is_above_one(one.tallies[i][0]) for one in found)
    )
    return found, notices


def linking_report(
    corpus: Corpus,
    measures: Sequence[Measure],
    rules: Rules,
    facts: Sequence[tuple[str, str]] = (),
    *,
    counts: bool = False,
) -> Report:
    """Return the report of measures over documents, for gates, intervals and tests.

    Parameters
    ----------
    corpus : Corpus
        The mentions of both sides.
    measures : sequence of Measure
        The measures to report; clusters are those of documents.
    rules : Rules
        As for `evaluate`.
    facts : sequence of (name, value)
        Other choices that change the numbers: reports are comparable only if these are the same.
    counts : bool
        Give scores the parts `COUNTS`, too.

    Returns
    -------
    Report
        Scores are of counts that are added over documents, 0/0 undefined.
    """
    rows = [measure.metric() for measure in measures]
    if counts:
        rows = [row._replace(finish=finish_with_counts, gives=CountedScore) for row in rows]
    documents, notices = measured(corpus, measures, rules)
    if not documents:
        raise PairingError("nothing is left to score")
    chosen = options_from(average="pooled", duplicates=rules.duplicates, pair=corpus.pair)
    whole = report_of(rows, rows, documents, chosen, [*corpus.notices, *notices])
    return whole._replace(facts=[("task", TASK), *facts])


def _is_above_one(tally: Tally) -> bool:
    return tally.recall_num > tally.recall_den or tally.precision_num > tally.precision_den


def adds_up(measure: Measure) -> bool:
    """Return whether the counts of documents add up to those of the corpus: each key is of one document."""
    return measure.aggregator not in clustering.AGGREGATORS and bool({"docid", "span"} & {*measure.key})
