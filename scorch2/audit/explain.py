"""The search for the settings that give a printed number.

Documents are counted under every setting of matching (see `tries`). Each average, each rule for 0/0 and each
rule of BLANC then gives a row of scores, and printed numbers are looked up in all rows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from math import fsum
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.audit.printed import (
    AVERAGING,
    MATCHING,
    NAMES,
    Cell,
    MetricNumbers,
    Printed,
    Request,
    Setting,
    Spelling,
    Spellings,
    expected_by_chance,
    read_printed,
)
from scorch2.audit.tries import Tried, Tries, Watch, unwatched
from scorch2.model.errors import Notice, PairingError
from scorch2.model.forms import Shown
from scorch2.model.options import Options
from scorch2.model.score import PARTS, AnyScore, Measured
from scorch2.scoring.averages import averaged
from scorch2.scoring.flow import Measure, Outcome, outcomes
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import to_count, to_report
from scorch2.scoring.metrics.metric import Mean
from scorch2.scoring.pairing.files import Item, Pair
from scorch2.scoring.report import Report, report_of

RECALL, PRECISION, F1 = PARTS
OF_MEANS = "f1_of_means"  # F1 of the recall and the precision that are means over documents, or over metrics
_ROLES = {RECALL: RECALL, PRECISION: PRECISION, F1: F1, OF_MEANS: F1}
"""The part of a score that each reading is printed as."""
_NEAREST = 3
_DIGITS = 12  # scores that are equal in so many are the same number
_BLANC = "blanc"
Values: TypeAlias = Mapping["Reading", float]


class Reading(NamedTuple):
    """A number of a row of scores."""

    metric: str
    part: str  # ``recall``, ``precision``, ``f1`` or ``f1_of_means``


class Explained(NamedTuple):
    """Settings that give one row of scores."""

    readings: tuple[Reading, ...]  # where the printed numbers stand in it, in their order
    values: tuple[float, ...]  # in 0..1
    difference: float  # the largest from a printed number, 0 if all are printed so
    is_cut: bool  # whether digits have to be cut off, as scorer.pl does
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
    """The settings that give them, those with the shortest spelling first."""
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


class _Row:
    """A row of scores, and the settings that give it."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.settings: list[Setting] = []


class _Candidate(NamedTuple):
    """A way to read the printed numbers in a row of scores."""

    row: _Row
    readings: tuple[Reading, ...]
    values: tuple[float, ...]
    difference: float  # from the printed numbers; 0 if it fits
    is_cut: bool


def reading_options(request: Request) -> Options:
    """Return the options with which documents are read: nothing that an option may leave out is."""
    free = {"average": "files", "missing": "empty", "extra": "skip", "duplicates": "first"}
    values = {name: value for name, value in free.items() if name not in request.held}
    options = request.with_values(values)
    if options is None:
        del values["average"]  # files are joined to documents
        options = request.with_values(values) or request.options
    return options._replace(metrics=("mentions",))


def explanation(
    text: str, request: Request, score: Callable[[Options, Measure], Report], watch: Watch = unwatched
) -> Explanation:
    """Return the settings that give printed numbers on two sides, which `score` reads.

    `watch` sees the documents go by.
    """
    printed = read_printed(text)
    pairs: list[Pair] = []

    def measure(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
        def kept() -> Iterator[Item]:
            for item in items:
                if isinstance(item, Pair):
                    pairs.append(item)
                yield item

        return outcomes(kept(), options)

    read = score(reading_options(request), measure)
    corpus = _Corpus(request, pairs, read)
    rows = corpus.rows(watch)
    if not rows:
        raise PairingError(f"no setting can be tried: {'; '.join(corpus.tries.left_out)}")
    candidates = list(_candidates(printed, rows))
    fitting = _best_by_row(one for one in candidates if one.difference == 0)
    others = _best_by_row(
        one for one in candidates if one.difference > 0 and one.row not in {each.row for each in fitting}
    )
    found = sorted(map(corpus.explained, fitting), key=_order)
    different = {tuple([round(value, _DIGITS) for value in one.values]): one for one in candidates}
    return Explanation(
        text=text,
        printed=printed,
        found=found,
        nearest=[*map(corpus.explained, others[:_NEAREST])],
        settings=sum(len(row.settings) for row in rows),
        numbers=len(different),
        expected=_expected(printed, different),
        not_tried=corpus.not_tried(),
        notices=[notice for notice in read.notices if notice.code not in ("missing", "extra")],
    )


def _order(one: Explained) -> tuple[Any, ...]:
    """Return a key that puts first what is typed shortest, and usual parts and metrics."""
    first = one.readings[0]
    return (
        one.is_cut,
        len(one.spelling.words()),
        first.part == OF_MEANS,
        first.metric != "conll",
        [*METRICS].index(first.metric),
    )


def _best_by_row(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Return the best reading of each row, the nearest first; rounding comes before cutting off."""
    by_row: dict[int, _Candidate] = {}
    for one in sorted(
        candidates,
        key=lambda one: (one.difference, one.is_cut, [part == OF_MEANS for _, part in one.readings]),
    ):
        by_row.setdefault(id(one.row), one)
    return [*by_row.values()]


def _expected(printed: Sequence[Printed], different: Mapping[tuple[float, ...], _Candidate]) -> float:
    others = [values for values, one in different.items() if one.difference > 0]
    return sum(expected_by_chance(one.cells, others) for one in printed)


# Printed numbers in rows of scores


def _candidates(printed: Sequence[Printed], rows: Sequence[_Row]) -> Iterator[_Candidate]:
    for one in printed:
        cells = one.cells
        for row in rows:
            by_metric = [list(_readings(numbers, row.values)) for numbers in one.of_metrics]
            for chosen in product(*by_metric):
                readings = tuple([reading for of_metric in chosen for reading in of_metric])
                values = tuple([row.values[reading] for reading in readings])
                pairs = list(zip(cells, values, strict=True))
                fits = all(cell.holds(value) for cell, value in pairs)
                is_cut = not fits and one.may_be_cut and all(cell.holds_cut(value) for cell, value in pairs)
                distance = 0.0 if fits or is_cut else max(abs(value - cell.value) for cell, value in pairs)
                yield _Candidate(row, readings, values, distance, is_cut)


def _readings(numbers: MetricNumbers, values: Values) -> Iterator[tuple[Reading, ...]]:
    """Yield the ways to read the numbers of one metric: of any metric if it is not named."""
    names = [numbers.metric] if numbers.metric else dict.fromkeys(reading.metric for reading in values)
    for name in names:
        own = [part for metric, part in values if metric == name]
        for parts in permutations(own, len(numbers.cells)):
            roles = [_ROLES[part] for part in parts]
            if len({*roles}) == len(roles) and all(map(_may_be, numbers.cells, roles)):
                yield tuple([Reading(name, part) for part in parts])


def _may_be(cell: Cell, role: str) -> bool:
    return cell.part in ("", role)


# Rows of scores


class _Corpus:
    """The rows of scores of all settings, and how each is typed."""

    def __init__(self, request: Request, pairs: Sequence[Pair], read: Report) -> None:
        self._request = request
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
        self._spellings = Spellings(request, free, [*self._refused, *repeats])
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
        return (
            values
            if is_told_apart.get(name, True) and values
            else values[:1] or self._request.values(name)[:1]
        )

    def not_tried(self) -> Mapping[str, str]:
        """Return the values that the data do not allow, as they are typed, and why."""
        refused = {f"{name}={value}": why for (name, value), why in self._refused.items()}
        return refused | dict.fromkeys(self.tries.left_out, "")

    def rows(self, watch: Watch) -> list[_Row]:
        """Return the different rows of scores."""
        rows: dict[Any, _Row] = {}
        known: dict[Any, list[tuple[Any, ...]]] = {}  # settings that differ in no count have the same scores
        for tried in self.tries.counted(watch):
            values = cast("Mapping[str, str]", tried.options.choices)
            matching = tuple([values[name] for name in MATCHING])
            self._tried[matching] = tried
            same = tried.kind, self._allowed(values), tuple(map(id, tried.documents))
            if same not in known:
                known[same] = [
                    (
                        averaging,
                        tuple([(reading, round(value, _DIGITS)) for reading, value in row.items()]),
                        row,
                    )
                    for averaging, row in self._scored(tried)
                ]
            for averaging, key, scores in known[same]:
                row = rows.setdefault(key, _Row(scores))
                row.settings.append((*matching, *averaging))
                self._by_setting[row.settings[-1]] = row
        return [*rows.values()]

    def _allowed(self, matching: Mapping[str, str]) -> tuple[bool, ...]:
        """Return which values of the options of averaging go together with those of matching."""
        return tuple(
            [
                self._request.with_values({**matching, **dict(zip(AVERAGING, key, strict=True))}) is not None
                for key in product(*(self._values[name] for name in AVERAGING))
            ]
        )

    def _scored(self, tried: Tried) -> Iterator[tuple[tuple[str, ...], Values]]:
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
                yield tuple([chosen[name] for name in AVERAGING]), dict(_numbers(ordered))

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
        settings = {setting: self._spellings.simplest(setting, metrics) for setting in one.row.settings}
        setting = min(settings, key=lambda setting: len(settings[setting].words()))
        return Explained(
            readings=one.readings,
            values=one.values,
            difference=one.difference,
            is_cut=one.is_cut,
            spelling=settings[setting],
            report=self._report(setting, settings[setting]),
            settings=len(settings),
            same=self._same(setting, settings[setting], one.row),
        )

    def _same(self, setting: Setting, spelling: Spelling, row: _Row) -> Mapping[str, Sequence[str]]:
        """Return the profiles, and the other values of each option, that give the same row."""
        profiles = [
            profile
            for profile, values in self._spellings.profiles(setting)
            if self._by_setting.get(values) is row and profile != spelling.profile
        ]
        found: dict[str, Sequence[str]] = {"profile": profiles} if profiles else {}
        for place, name in enumerate(NAMES):
            others = [value for value in self._values[name] if value != setting[place]]
            same = [
                one
                for one in others
                if self._by_setting.get((*setting[:place], one, *setting[place + 1 :])) is row
            ]
            found.update({name: same} if same else {})
        return found

    def _report(self, setting: Setting, spelling: Spelling) -> Report:
        tried = self._tried[setting[: len(MATCHING)]]
        values = dict(zip(NAMES, setting, strict=True))
        options = self._request.with_values(values) or self._request.options
        typed = self._spellings.options(spelling) or options
        rows, metrics = to_report(tried.names, options.choices), to_count(tried.names, options.choices)
        report = report_of(rows, metrics, self._kept(tried, values["missing"]), options, [])
        return report._replace(options=typed)


def _numbers(scores: Mapping[str, AnyScore]) -> Iterator[tuple[Reading, float]]:
    """Yield every number of a row of scores; 0/0 is 0, as scorers print it."""
    for name, score in scores.items():
        parts: dict[str, float] = {part: float(value) for part, value in score._asdict().items()}
        row = METRICS[name]
        if isinstance(row, Mean):
            of = [scores[one] for one in row.of if one in scores]
            means = {part: [getattr(one, part) for one in of] for part in (RECALL, PRECISION)}
            parts = {
                part: fsum(values) / len(values) for part, values in means.items() if len(of) == len(row.of)
            } | parts
        yield from ((Reading(name, part), value) for part, value in parts.items())
        recall, precision = parts.get(RECALL), parts.get(PRECISION)
        if recall is not None and precision is not None and recall + precision:
            yield Reading(name, OF_MEANS), 2 * recall * precision / (recall + precision)
