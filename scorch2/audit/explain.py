"""The search for the settings that give a printed number.

Documents are counted under every setting of matching (see `tries`). Each average, each rule for 0/0 and each
rule of BLANC then gives a row of scores, and printed numbers are looked up in all rows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, permutations, product
from math import fsum
from typing import Any, NamedTuple, cast

from scorch2.audit.printed import (
    AVERAGING,
    MATCHING,
    NAMES,
    OF_MEANS,
    Other,
    Printed,
    Reading,
    Request,
    Setting,
    Spelling,
    Spellings,
    expected_by_chance,
    read_printed,
)
from scorch2.audit.tries import (
    OF_NUMBERS,
    OF_SIDES,
    Count,
    Tried,
    Tries,
    Values,
    in_this_process,
    pairs_read,
    without_singletons,
)
from scorch2.model.errors import Notice, PairingError
from scorch2.model.forms import Shown
from scorch2.model.options import DEFAULTS, Options
from scorch2.model.score import PARTS, AnyScore, Measured, pooled, ratios
from scorch2.model.values import PROFILES
from scorch2.scoring.averages import averaged
from scorch2.scoring.flow import Measure
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import to_count, to_report
from scorch2.scoring.metrics.metric import Mean
from scorch2.scoring.pairing.files import Pair
from scorch2.scoring.report import Report, report_of

_NEAREST = 3
_DIGITS = 12  # scores that are equal in so many are the same number
_BLANC = "blanc"
LINKS = ("coreference links", "non-coreference links")
"""The two kinds of links of BLANC, which scorer.pl prints one by one."""
_CUTS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", _BLANC, "lea", "mentions")
"""The metrics whose digits scorer.pl cuts off."""
RECALL, PRECISION, _ = PARTS
_AS_WELL = {("average", "files"), ("singletons", "drop")}
"""What is done with scorer.pl, too: to run it on each file, and to leave singletons out before."""


class Explained(NamedTuple):
    """Settings that give one row of scores."""

    readings: tuple[Reading, ...]  # where the printed numbers stand in it, in their order
    values: tuple[float, ...]  # in 0..1
    difference: float  # the largest from a printed number, 0 if all are printed so
    is_cut: bool  # whether digits have to be cut off, as scorer.pl does
    is_printed: bool  # whether the report of these settings shows all of the numbers
    spelling: Spelling  # the shortest way to type such settings
    report: Report  # the row of scores
    settings: int  # how many there are
    same: Mapping[str, Sequence[str]]
    """Other values of options that, changed alone, give the same row; and profiles that do by themselves."""


class _Fields(NamedTuple):
    text: str
    """The numbers as they were given."""
    printed: Sequence[Printed]
    """Their meanings: two if they may be fractions or percent."""
    found: Sequence[Explained]
    """The settings that give them, those nearest to a profile first, and last what no report prints."""
    nearest: Sequence[Explained]
    """The settings that give the nearest other numbers."""
    settings: int
    """How many settings were tried."""
    numbers: int
    """How many different numbers they give, or rows of numbers if several were given."""
    expected: float
    """How many of these are expected to be printed so by chance, see `expected_by_chance`."""
    not_tried: Mapping[str, str]
    """Values of options that the data do not allow, and why."""
    mistakes: Sequence[tuple[str, Explained]] = ()
    """If there are none: mistakes that would give them, and the settings without the mistake."""
    paths: tuple[str, ...] = ()
    """Gold and the system, if they are files or folders."""
    typed: Sequence[str] = ()
    """The words that were typed and that each command repeats."""
    notices: Sequence[Notice] = ()


class Explanation(Shown, _Fields):
    """The settings that give printed numbers. It does not change."""

    __slots__ = ()
    shown_as = "explanation"

    def __repr__(self) -> str:
        found = [" ".join(one.spelling.words()) for one in self.found]
        return f"Explanation({self.text!r}, found={found}, settings={self.settings})"

    def __bool__(self) -> bool:
        """Return whether any setting gives the numbers."""
        return bool(self.found)


class _Numbers(NamedTuple):
    """All numbers of a row of scores, in 0..1."""

    values: dict[Reading, float]
    shown: frozenset[Reading]  # those that a report has


class _Several(NamedTuple):
    rows: Sequence[Explanation]
    notices: Sequence[Notice]


class Explanations(Shown, _Several):
    """Several rows of printed numbers, each explained. It does not change."""

    __slots__ = ()
    shown_as = "explanations"


class _Row:
    """A row of scores, and the settings that give it."""

    def __init__(self, values: dict[Reading, float]) -> None:
        self.values = values
        self.settings: dict[Setting, frozenset[Reading]] = {}  # and what their reports show
        self.shown: set[frozenset[Reading]] = set()
        self.of_scorer: list[Setting] = []  # those that scorer.pl has

    def prints(self, readings: Sequence[Reading]) -> bool:
        """Return whether the report of a setting shows some numbers."""
        return any(shown.issuperset(readings) for shown in self.shown)


class _Candidate(NamedTuple):
    """A way to read the printed numbers in a row of scores."""

    row: _Row
    readings: tuple[Reading, ...]
    values: tuple[float, ...]
    difference: float  # from the printed numbers; 0 if it fits
    is_cut: bool
    is_printed: bool
    may_be_cut: bool


def explanations(
    texts: Iterable[str],
    request: Request,
    score: Callable[[Options, Measure], Report],
    count: Count = in_this_process,
) -> list[Explanation]:
    """Return the settings that give printed numbers on two sides, which `score` reads once for all."""
    of_texts = [(text, read_printed(text)) for text in texts]
    pairs, read = pairs_read(request, score)
    corpus = _Corpus(request, pairs, read)
    rows = corpus.rows(count)
    if not rows:
        raise PairingError(f"no setting can be tried: {'; '.join(corpus.tries.left_out)}")
    notices = [notice for notice in read.notices if notice.code not in ("missing", "extra")]
    return [_explained(text, printed, corpus, rows, notices) for text, printed in of_texts]


def _explained(
    text: str, printed: Sequence[Printed], corpus: "_Corpus", rows: Sequence[_Row], notices: Sequence[Notice]
) -> Explanation:
    by_scale = [list(_candidates(one, rows)) for one in printed]
    candidates = list(chain.from_iterable(by_scale))
    fitting = _best_by_row(one for one in candidates if one.difference == 0)
    fits = {id(one.row) for one in fitting}
    others = _best_by_row(one for one in candidates if one.is_printed and id(one.row) not in fits)
    met = _met(printed, by_scale)
    return Explanation(
        text=text,
        printed=printed,
        found=sorted(map(corpus.explained, fitting), key=partial(_order, corpus)),
        nearest=[*map(corpus.explained, others[:_NEAREST])],
        settings=sum(len(row.settings) for row in rows),
        numbers=met.numbers,
        expected=met.expected,
        not_tried=corpus.not_tried(),
        mistakes=[] if fitting else [*_mistakes(printed, corpus, rows)],
        notices=notices,
    )


def _mistakes(
    printed: Sequence[Printed], corpus: "_Corpus", rows: Sequence[_Row]
) -> Iterator[tuple[str, Explained]]:
    """Yield the mistakes that give printed numbers, each with the best settings below it."""

    def best(found: "_Corpus", tried: Sequence[_Row], of: Callable[[Values], Values]) -> list[Explained]:
        every = chain.from_iterable(_candidates(one, tried, of) for one in printed)
        fitting = _best_by_row(one for one in every if one.difference == 0)
        return sorted(map(found.explained, fitting), key=partial(_order, found))[:1]

    for said, values_of in OF_NUMBERS.items():
        yield from ((said, one) for one in best(corpus, rows, values_of))
    for said, side in OF_SIDES.items():
        other = corpus.without_singletons(side)
        yield from ((said, one) for one in best(other, other.rows(in_this_process), dict))


def _order(corpus: "_Corpus", one: Explained) -> tuple[Any, ...]:
    """Return a key that puts first what is nearest to a profile, and usual metrics."""
    first = one.readings[0]
    return (
        not one.is_printed,
        one.is_cut,
        corpus.spellings.distance(one.spelling),
        len(one.spelling.words()),
        first.metric != "conll",
        [*METRICS].index(first.metric),
    )


def _best_by_row(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Return the best reading of each row, the nearest first; rounding comes before cutting off."""
    by_row: dict[int, _Candidate] = {}
    for one in sorted(candidates, key=lambda one: (one.difference, not one.is_printed, one.is_cut)):
        by_row.setdefault(id(one.row), one)
    return [*by_row.values()]


def _different(candidates: Iterable[_Candidate]) -> Mapping[tuple[float, ...], _Candidate]:
    """Return a candidate for all that have the same numbers: one that fits or may be cut, if there is one."""
    found: dict[tuple[float, ...], _Candidate] = {}
    for one in sorted(candidates, key=lambda one: (one.difference, not one.may_be_cut)):
        found.setdefault(tuple([round(value, _DIGITS) for value in one.values]), one)
    return found


class Met(NamedTuple):
    """Different numbers, and those of them that are printed as given."""

    numbers: int
    found: int
    expected: float  # those that would be found by chance


def _met(printed: Sequence[Printed], by_scale: Iterable[Iterable[_Candidate]]) -> Met:
    numbers: set[tuple[float, ...]] = set()
    found, expected = 0, 0.0
    for one, candidates in zip(printed, by_scale, strict=True):
        different = _different(candidates)
        numbers.update(different)
        found += sum(not other.difference for other in different.values())
        unlike = [other for other in different.values() if other.difference]
        others = [Other(other.readings, other.values, other.may_be_cut) for other in unlike]
        expected += expected_by_chance(one.cells, others)
    return Met(len(numbers), found, expected)


# Printed numbers in rows of scores


def _candidates(
    printed: Printed, rows: Sequence[_Row], values_of: Callable[[Values], Values] = dict
) -> Iterator[_Candidate]:
    cells, are_cut = printed.cells, printed.may_be_cut
    for row in rows:
        scores = values_of(row.values)
        by_metric = [
            _readings(one.metric, tuple([cell.part for cell in one.cells]), tuple(scores))
            for one in printed.of_metrics
        ]
        for chosen in product(*by_metric):
            readings = tuple([reading for of_metric in chosen for reading in of_metric])
            values = tuple([scores[reading] for reading in readings])
            pairs = list(zip(cells, values, strict=True))
            fits = all(cell.holds(value) for cell, value in pairs)
            may_be_cut = are_cut and bool(row.of_scorer)
            may_be_cut = may_be_cut and all(one.metric in _CUTS and one.part != OF_MEANS for one in readings)
            is_cut = not fits and may_be_cut and all(cell.holds_cut(value) for cell, value in pairs)
            distance = 0.0 if fits or is_cut else max(abs(value - cell.value) for cell, value in pairs)
            is_printed = row.prints(readings)
            yield _Candidate(row, readings, values, distance, is_cut, is_printed, may_be_cut)


@lru_cache(64)
def _readings(
    metric: str, parts: tuple[str, ...], every: tuple[Reading, ...]
) -> Sequence[tuple[Reading, ...]]:
    """Return the ways to read the numbers of one metric: of any metric, and any part, if it is empty."""
    by_family: dict[tuple[str, str], list[Reading]] = {}
    for reading in every:
        if reading.metric == (metric or reading.metric):
            by_family.setdefault((reading.metric, reading.family), []).append(reading)
    found: list[tuple[Reading, ...]] = []
    for own in by_family.values():
        for readings in permutations(own, len(parts)):
            roles = [reading.role for reading in readings]
            fit = all(part in ("", role) for part, role in zip(parts, roles, strict=True))
            if fit and len({*roles}) == len(roles):
                found.append(readings)
    return found


# Rows of scores


class _Corpus:
    """The rows of scores of all settings, and how each is typed."""

    def __init__(self, request: Request, pairs: Sequence[Pair], read: Report) -> None:
        self._request, self._pairs = request, pairs
        self.tries = Tries(pairs, request)
        self._missing = {
            pair.id for pair in pairs if any(notice.code == "missing" for notice in pair.notices)
        }
        self._refused = dict(self.tries.refused)
        is_extra = any(notice.code == "extra" for notice in read.notices)
        for name, why, is_there in (
            ("missing", "the system lacks gold documents", bool(self._missing)),
            ("extra", "the system has other documents", is_extra),
        ):
            if is_there and "error" in request.values(name):
                self._refused[name, "error"] = why
        self._values = {**self.tries.values, **{name: self._averaging(name) for name in AVERAGING}}
        free = [name for name, values in self._values.items() if len(values) > 1]
        # Where mentions repeat, or their last parts do, a rule for split antecedents counts them otherwise
        may_repeat = "duplicates" in free or "last" in self._values["pieces"]
        repeats = [("split_antecedents", "keep")] if may_repeat else []
        self.spellings = Spellings(request, free, [*self._refused, *repeats])
        self._read = read
        self._by_setting: dict[Setting, _Row] = {}
        self._tried: dict[Setting, Tried] = {}  # by the values of the options of matching

    def _averaging(self, name: str) -> Sequence[str]:
        """Return the values of an option of averaging that may give other numbers."""
        values = [one for one in self._request.values(name) if (name, one) not in self._refused]
        is_told_apart = {
            "missing": bool(self._missing),
            "extra": False,
            "blanc": _BLANC in self._request.metrics,
        }
        kept = values if is_told_apart.get(name, True) else values[:1]
        return kept or self._request.values(name)[:1]

    def not_tried(self) -> Mapping[str, str]:
        """Return the values that the data do not allow, as they are typed, and why."""
        refused = {f"{name}={value}": why for (name, value), why in self._refused.items()}
        return refused | dict.fromkeys(self.tries.left_out, "")

    def without_singletons(self, side: str) -> "_Corpus":
        """Return the corpus with a side that has none, under the usual ways to match."""
        held = {name: self._request.values(name)[0] for name in MATCHING if name != "lookup"}
        request = self._request._replace(typed={**held, **self._request.typed})
        request = request._replace(options=request.with_values(held) or request.options)
        return _Corpus(request, [without_singletons(pair, side) for pair in self._pairs], self._read)

    def _is_of_scorer(self, setting: Setting) -> bool:
        """Return whether scorer.pl has such a setting, as far as it gives other numbers here."""
        rule = {**cast("Mapping[str, str]", DEFAULTS), **PROFILES["conll"].settings}
        return all(
            (name, value) in _AS_WELL or self.spellings.is_same(name, value, str(rule[name]))
            for name, value in zip(NAMES, setting, strict=True)
        )

    def rows(self, count: Count) -> list[_Row]:
        """Return the different rows of scores."""
        rows: dict[Any, _Row] = {}
        known: dict[Any, list[tuple[Any, ...]]] = {}  # settings that differ in no count have the same scores
        for tried in self.tries.counted(count):
            values = cast("Mapping[str, str]", tried.options.choices)
            matching = tuple([values[name] for name in MATCHING])
            self._tried[matching] = tried
            same = tried.kind, self._allowed(values), tuple(map(id, tried.documents))
            if same not in known:
                known[same] = [*self._scored(tried)]
            for averaging, numbers, links in known[same]:
                key = tuple([(reading, round(value, _DIGITS)) for reading, value in numbers.values.items()])
                row = rows.setdefault(key, _Row(dict(numbers.values)))
                setting = (*matching, *averaging)
                row.settings[setting] = numbers.shown
                row.shown.add(numbers.shown)
                self._by_setting[setting] = row
                if self._is_of_scorer(setting):
                    row.of_scorer.append(setting)
                    row.values.update(links)
        return [*rows.values()]

    def _allowed(self, matching: Mapping[str, str]) -> tuple[bool, ...]:
        """Return which values of the options of averaging go together with those of matching."""
        return tuple(
            [
                self._request.with_values({**matching, **dict(zip(AVERAGING, key, strict=True))}) is not None
                for key in product(*(self._values[name] for name in AVERAGING))
            ]
        )

    def _scored(self, tried: Tried) -> Iterator[tuple[tuple[str, ...], _Numbers, Values]]:
        """Yield the values of the options of averaging, and the scores that they give."""
        names = [name for name in tried.names if name != _BLANC]
        options = [name for name in AVERAGING if name != _BLANC]
        for key in product(*(self._values[name] for name in options)):
            values = dict(zip(options, key, strict=True))
            scores = self._scores(tried, names, values)
            if scores is None:
                continue
            for blanc in self._values[_BLANC]:
                chosen = {**values, _BLANC: blanc}
                alone = self._scores(tried, [_BLANC], chosen) if _BLANC in tried.names else {}
                found = {**scores, **(alone or {})}
                ordered = {name: found[name] for name in tried.names}
                links = self._links(tried, chosen) if self._is_pooled(chosen["average"]) else ()
                yield tuple([chosen[name] for name in AVERAGING]), _numbers(ordered), dict(links)

    def _is_pooled(self, average: str) -> bool:
        return average == "pooled" or (average == "files" and len({pair.file for pair in self._pairs}) == 1)

    def _links(self, tried: Tried, values: Mapping[str, str]) -> Iterator[tuple[Reading, float]]:
        """Yield what scorer.pl prints of both kinds of links of BLANC; no report shows it."""
        counted = [metric.name for metric in to_count(tried.names, tried.options.choices)]
        if _BLANC in tried.names and tried.options.lookup == "pairs":
            place = counted.index(_BLANC)
            documents = self._kept(tried, values["missing"])
            for kind, tallies in zip(
                LINKS, zip(*[one.tallies[place] for one in documents], strict=True), strict=False
            ):
                for part, value in zip(PARTS, ratios(pooled(tallies)), strict=True):
                    yield Reading(_BLANC, f"{kind}.{part}"), float(value)

    def _scores(
        self, tried: Tried, names: Sequence[str], values: Mapping[str, str]
    ) -> Mapping[str, AnyScore] | None:
        options = self._request.with_values({**cast("Mapping[str, str]", tried.options.choices), **values})
        documents = self._kept(tried, values["missing"])
        if options is None or not documents or not names:
            return None if names else {}
        every = to_count(tried.names, tried.options.choices)
        metrics = to_count(names, options.choices)
        places = [
            next(place for place, one in enumerate(every) if one.name == metric.name) for metric in metrics
        ]
        chosen = [one._replace(tallies=tuple([one.tallies[place] for place in places])) for one in documents]
        return averaged(to_report(names, options.choices), metrics, chosen, options).scores

    def _kept(self, tried: Tried, missing: str) -> Sequence[Measured]:
        if missing != "skip" or not self._missing:
            return tried.documents
        return [document for document in tried.documents if document.id not in self._missing]

    def explained(self, one: _Candidate) -> Explained:
        """Return how the settings of a candidate are typed, and their whole row."""
        metrics = list(dict.fromkeys(reading.metric for reading in one.readings))
        given = [setting for setting, shown in one.row.settings.items() if shown.issuperset(one.readings)]
        if one.is_cut or any(reading.family for reading in one.readings):
            given = one.row.of_scorer
        setting, spelling = self.spellings.simplest(given or one.row.settings, metrics)
        return Explained(
            readings=one.readings,
            values=one.values,
            difference=one.difference,
            is_cut=one.is_cut,
            is_printed=one.is_printed,
            spelling=spelling,
            report=self._report(setting, spelling),
            settings=len(one.row.settings),
            same=self._same(setting, spelling, one.row),
        )

    def _same(self, setting: Setting, spelling: Spelling, row: _Row) -> Mapping[str, Sequence[str]]:
        """Return the profiles, and the other values of each option, that give the same row."""
        profiles = [
            profile
            for profile, values in self.spellings.profiles(setting)
            if self._by_setting.get(values) is row and profile != spelling.profile
        ]
        found: dict[str, Sequence[str]] = {"profile": profiles} if profiles else {}
        for place, name in enumerate(NAMES):
            others = [value for value in self._values[name] if value != setting[place]]
            same = [
                one
                for one in others
                if self._by_setting.get((*setting[:place], one, *setting[place + 1 :])) is row
                and self.spellings.options(spelling._replace(options={**spelling.options, name: one}))
                is not None
            ]
            found.update({name: same} if same else {})
        return found

    def _report(self, setting: Setting, spelling: Spelling) -> Report:
        tried = self._tried[setting[: len(MATCHING)]]
        values = dict(zip(NAMES, setting, strict=True))
        options = self._request.with_values(values) or self._request.options
        typed = self.spellings.options(spelling) or options
        rows, metrics = to_report(tried.names, options.choices), to_count(tried.names, options.choices)
        report = report_of(rows, metrics, self._kept(tried, values["missing"]), options, [])
        return report._replace(options=typed)


def _numbers(scores: Mapping[str, AnyScore]) -> _Numbers:
    """Return every number of a row of scores; 0/0 is 0, as scorers print it."""
    values: dict[Reading, float] = {}
    shown: list[Reading] = []
    for name, score in scores.items():
        shown += [Reading(name, part) for part, value in score._asdict().items() if value.defined]
        parts: dict[str, float] = {part: float(value) for part, value in score._asdict().items()}
        row = METRICS[name]
        if isinstance(row, Mean):
            of = [scores[one] for one in row.of if one in scores]
            means = {part: [getattr(one, part) for one in of] for part in (RECALL, PRECISION)}
            parts = {
                part: fsum(found) / len(found) for part, found in means.items() if len(of) == len(row.of)
            } | parts
        values.update({Reading(name, part): value for part, value in parts.items()})
        recall, precision = parts.get(RECALL), parts.get(PRECISION)
        if recall is not None and precision is not None and recall + precision:
            values[Reading(name, OF_MEANS)] = 2 * recall * precision / (recall + precision)
    return _Numbers(values, frozenset(shown))
