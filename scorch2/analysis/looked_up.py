"""Mentions that are looked up: an analysis is of pairs of mentions, so both have to come to the same counts.

Looked up, one mention may stand for several, and recall and precision count different links, which no errors
add up to. Most documents have no such mention.
"""

from itertools import chain
from math import isclose
from typing import Literal

from scorch2.model.errors import InputError, quoted
from scorch2.model.options import Options
from scorch2.model.score import Measured
from scorch2.scoring.flow import CountAll, Scored, count_all, counted_metrics, score_pair
from scorch2.scoring.pairing.files import Pair

_PAIRS: Literal["pairs"] = "pairs"


def in_pairs(options: Options) -> Options:
    """Return options by which each pair of mentions that match is one mention."""
    return options._replace(choices={**options.choices, "lookup": _PAIRS})


def counting(options: Options) -> CountAll:
    """Return what counts the metrics of pairs."""
    return count_all(counted_metrics(in_pairs(options)))


def scored_as_asked(pair: Pair, count: CountAll, options: Options) -> Scored:
    """Score a pair of documents; `count` is what `counting` returned.

    Raises
    ------
    InputError
        If mentions are looked up, and pairs have other counts.
    """
    if options.choices["lookup"] == _PAIRS:
        return score_pair(pair, count, options)
    found = score_pair(pair, count_all(counted_metrics(options), options.lookup), options)
    if not _alike(found.measured, score_pair(pair, count, in_pairs(options)).measured):
        how = f"lookup={options.lookup}"
        why = f"with {how} a mention may stand for several, and here it does"
        hint = f"errors and classes add up only in pairs: use lookup={_PAIRS}, not {how}"
        raise InputError(pair.gold.path or pair.id, "", f"{quoted(pair.id)}: {why}; {hint}")
    return found


def _alike(one: Measured, other: Measured) -> bool:
    """Return whether two counts of a document are the same."""
    if (one.gold_mentions, one.system_mentions) != (other.gold_mentions, other.system_mentions):
        return False
    numbers = [chain.from_iterable(chain.from_iterable(each.tallies)) for each in (one, other)]
    return all(isclose(here, there, rel_tol=1e-9) for here, there in zip(*numbers, strict=True))
