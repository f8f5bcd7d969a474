"""Mentions that are looked up, words of mentions, and zeros: against slow models on random files of CorefUD.

The models look at every pair of mentions and try every alignment. Documents in which several pairings of
mentions are best are left out: another test has the choice between them.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from unittest import mock

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from worked import assert_worked

import scorch2
from scorch2.cli.main import main
from scorch2.model import memory
from scorch2.model.options import OPTIONS
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS
from scorch2.scoring.metrics.metric import Metric

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "universal_anaphora"
WORDS = 6


class Span(NamedTuple):
    """A mention of a text of one sentence: first and last word, from 1, and head."""

    first: int
    last: int
    head: int

    @property
    def words(self) -> frozenset[int]:
        return frozenset(range(self.first, self.last + 1))


Entities: TypeAlias = Sequence[Sequence[Span]]
Find: TypeAlias = Callable[[Span], "Span | None"]


SPANS = [
    Span(first, last, head)
    for first in range(1, WORDS + 1)
    for last in range(first, min(WORDS, first + 2) + 1)
    for head in range(first, last + 1)
]
PLACED = list(itertools.product(SPANS, range(3)))
"""Each of them in each entity."""
SIDE = st.lists(
    st.sampled_from(PLACED), min_size=1, max_size=6, unique_by=lambda one: (one[0].first, one[0].last)
).map(
    lambda found: [
        [one for one, number in found if number == entity]
        for entity in sorted({number for _, number in found})
    ]
)
"""Entities whose spans differ: at most three."""


def write(entities: Entities, path: Path) -> str:
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    for place in range(1, WORDS + 1):
        named = [(f"e{number}", one) for number, members in enumerate(entities) for one in members]
        cell = "".join(
            f"{name})" for name, one in sorted(named, key=lambda pair: -pair[1].first)
            if one.last == place != one.first
        )  # fmt: skip
        for name, one in sorted(named, key=lambda pair: -pair[1].last):
            if one.first == place:
                cell += f"({name}--{one.head - one.first + 1}" + ("-)" if one.last == place else "-")
        lines.append(f"{place}\tw{place}" + "\t_" * 7 + f"\t{'Entity=' + cell if cell else '_'}")
    path.write_text("\n".join(lines) + "\n\n", "utf-8")
    return str(path)


def crosses(entities: Entities) -> bool:
    """Return whether mentions of one entity cross or end together, which the brackets here cannot say."""
    return any(
        one.first < other.first <= one.last <= other.last
        for members in entities
        for one, other in itertools.permutations(members, 2)
    )


def nearest(mention: Span, others: Sequence[Span], matches: Callable[[Span], bool]) -> Span | None:
    found = [one for one in others if matches(one)]
    return min(
        found,
        default=None,
        key=lambda one: (
            Fraction(len(one.words ^ mention.words), len(one.words | mention.words)),
            one.first,
            one.last,
        ),
    )


def partial(key: Span, response: Span) -> bool:
    return key.head in response.words and response.words <= key.words


MATCHES: Mapping[str, Callable[[Span, Span], bool]] = {
    "exact": lambda key, response: key.words == response.words,
    "partial": partial,
    "head": lambda key, response: key.head == response.head,
}


def b_cubed(side: Entities, other: Entities, found: Find) -> Fraction:
    """Return the share of B³ of a side: of each mention, how much of its entity finds the same entity."""
    home = {one: number for number, members in enumerate(other) for one in members}
    total = Fraction(0)
    for members in side:
        reached = [home[image] for one in members if (image := found(one)) is not None]
        total += sum(Fraction(reached.count(number) ** 2, len(members)) for number in set(reached))
    return total / sum(map(len, side))


def best(weights: Mapping[tuple[Span, Span], Fraction | int]) -> Iterator[dict[Span, Span]]:
    """Yield every pairing whose weights add up to most."""
    pairings: list[dict[Span, Span]] = [{}]
    for one, other in weights:
        pairings += [
            {**pairing, one: other}
            for pairing in pairings
            if one not in pairing and other not in pairing.values()
        ]
    most = max(sum(weights[pair] for pair in pairing.items()) for pairing in pairings)
    yield from (one for one in pairings if sum(weights[pair] for pair in one.items()) == most)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder whose files each example replaces."""
    return tmp_path_factory.mktemp("shared")


@pytest.mark.parametrize("match", MATCHES)
@given(gold=SIDE, system=SIDE)
def test_the_nearest_is_found(match: Any, gold: Entities, system: Entities, shared: Path) -> None:
    assume(not crosses(gold) and not crosses(system))
    paths = write(gold, shared / "gold.conllu"), write(system, shared / "system.conllu")
    report = scorch2.score(*paths, metrics=["b_cubed", "mentions"], match=match, lookup="nearest")
    keys, responses = ([one for members in side for one in members] for side in (gold, system))
    fits = MATCHES[match]

    def of_gold(key: Span) -> Span | None:
        return nearest(key, responses, lambda one: fits(key, one))

    def of_system(one: Span) -> Span | None:
        return nearest(one, keys, lambda key: fits(key, one))

    assert report.b_cubed.recall == pytest.approx(float(b_cubed(gold, system, of_gold)))
    assert report.b_cubed.precision == pytest.approx(float(b_cubed(system, gold, of_system)))
    found = (sum(map(bool, map(of_gold, keys))), sum(map(bool, map(of_system, responses))))
    assert report.tallies("mentions")[""] == (found[0], len(keys), found[1], len(responses))


@pytest.mark.parametrize("order", [1, -1])
def test_of_mentions_as_near_the_one_whose_head_is_first_is_found(order: int, tmp_path: Path) -> None:
    """The words 1 to 2 are in two entities of gold: with head 1 beside word 4, with head 2 beside word 5."""
    gold = [[Span(1, 2, 1), Span(4, 4, 4)], [Span(1, 2, 2), Span(5, 5, 5)]][::order]
    paths = write(gold, tmp_path / "gold"), write([gold[::order][0]], tmp_path / "sys")
    report = scorch2.score(*paths, metrics=["b_cubed"], match="partial", lookup="nearest")
    assert report.b_cubed.precision == 1


@pytest.mark.parametrize("match", MATCHES)
@given(gold=SIDE, system=SIDE)
def test_pairs_are_looked_up_in_one_table(match: Any, gold: Entities, system: Entities, shared: Path) -> None:
    assume(not crosses(gold) and not crosses(system))

    def name(one: Span) -> tuple[int, ...]:
        return tuple(one) if match == "head" else one[:2]

    keys, responses = ([one for members in side for one in members] for side in (gold, system))
    there = {name(one) for one in keys} & {name(one) for one in responses}
    weights = {
        (key, one): Fraction(len(key.words & one.words), len(key.words))
        for key in keys
        for one in responses
        if not {name(key), name(one)} & there and match != "exact" and MATCHES[match](key, one)
    }
    pairings = list(best(weights))
    assume(len(pairings) == 1)
    table: dict[object, Span] = {name(key): one for key, one in pairings[0].items()}
    table.update({name(one): key for key, one in pairings[0].items()})

    def find(others: Sequence[Span]) -> Find:
        by_name = {name(one): one for one in others}
        return lambda one: by_name.get(name(table.get(name(one), one)))

    paths = write(gold, shared / "gold.conllu"), write(system, shared / "system.conllu")
    report = scorch2.score(*paths, metrics=["b_cubed"], match=match, lookup="reference")
    assert report.b_cubed.recall == pytest.approx(float(b_cubed(gold, system, find(responses))))
    assert report.b_cubed.precision == pytest.approx(float(b_cubed(system, gold, find(keys))))


# Which of the tables of looked-up mentions a metric counts: `Metric.table`

LOOKED_UP: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]] = {
    "reference": {
        "muc": {"": ("1", "4", "2", "5")},
        "b_cubed": {"": ("7/3", "6", "7/2", "8")},
        "ceaf_m": {"": ("4", "6", "4", "8")},
        "ceaf_e": {"": ("4/3", "2", "4/3", "3")},
        "blanc": {
            "coref": ("1", "6", "1", "7"),
            "noncoref": ("4", "9", "4", "21"),
            "mentions": ("5", "6", "5", "8"),
        },
        "lea": {"": ("1", "6", "2", "8")},
        "pairwise": {"": ("1", "6", "1", "7")},
        "mentions": {"": ("4", "5", "4", "6")},
    },
    "nearest": {
        "muc": {"": ("0", "2", "1", "2")},
        "b_cubed": {"": ("3/2", "4", "3", "4")},
        "ceaf_m": {"": ("3", "4", "3", "4")},
        "ceaf_e": {"": ("3/2", "2", "3/2", "2")},
        "blanc": {
            "coref": ("0", "2", "0", "2"),
            "noncoref": ("1", "4", "1", "4"),
            "mentions": ("3", "4", "3", "4"),
        },
        "lea": {"": ("0", "4", "2", "4")},
        "pairwise": {"": ("0", "2", "0", "2")},
        "mentions": {"": ("3", "4", "4", "4")},
    },
}
"""Counts by hand, by ``--lookup`` and metric: numerator and denominator of recall, then of precision.

``reference`` over ``abc cde | abf bcd bg``, a word a cluster: the last cluster of a mention owns it. Overlaps
by gold cluster and system cluster, from 1, where none is said there is none:

recall      of gold mentions with the owner of what they find    11: 1   12: 1   13: 1   22: 2
precision   of system mentions with the owner of what they find  11: 2   12: 1   13: 1   22: 2
membership  of gold mentions with all clusters that hold it      11: 2   12: 2   13: 1   22: 2

``nearest`` with ``--match=partial``: words 1 to 3 with the head 3, and word 5, are the first entity of gold,
words 6 and 4 the second. The system has words 2 to 3, and 6; and words 3, and 5. Both 2 to 3 and 3 find
1 to 3, which finds the first of them alone; nothing finds word 4.

recall      11: 1   12: 1   21: 1
precision   11: 1   12: 2   21: 1
membership  11: 1   12: 2   21: 1

MUC is then Σ (n - 1), B³ Σ n² / size, CEAF the best alignment of `membership`, LEA Σ size · (n over 2) /
(size over 2), BLANC the pairs of mentions in `recall`.
"""
REFUSED = "is not defined for mentions that are looked up"
CASES = [(lookup, name) for lookup in LOOKED_UP for name in LOOKED_UP[lookup]]


def looked_up(lookup: Any, name: str, folder: Path) -> Mapping[str, Sequence[float]]:
    """Return the counts of the worked case of a way of looking up."""
    if lookup == "reference":
        gold, system = map(list, ("abc", "cde")), map(list, ("abf", "bcd", "bg"))
        return scorch2.score([*gold], [*system], metrics=[name], lookup=lookup).tallies(name)
    key = write([[Span(1, 3, 3), Span(5, 5, 5)], [Span(6, 6, 6), Span(4, 4, 4)]], folder / "gold.conllu")
    response = write([[Span(2, 3, 3), Span(6, 6, 6)], [Span(3, 3, 3), Span(5, 5, 5)]], folder / "sys.conllu")
    return scorch2.score(key, response, metrics=[name], lookup=lookup, match="partial").tallies(name)


@pytest.mark.parametrize("lookup", [value for value in OPTIONS["lookup"].values if value != "pairs"])
def test_every_metric_that_can_be_looked_up_has_a_worked_case(lookup: str) -> None:
    counted = [name for name in OF_CLUSTERS if getattr(METRICS[name], "table", "none") != "none"]
    place = f'LOOKED_UP["{lookup}"] in tests/scoring/test_lookups.py'
    assert_worked(counted, LOOKED_UP.get(lookup, ()), place)


@pytest.mark.parametrize(("lookup", "name"), CASES)
def test_looked_up_mentions_are_counted_as_by_hand(lookup: str, name: str, tmp_path: Path) -> None:
    for part, counts in looked_up(lookup, name, tmp_path).items():
        expected = [float(Fraction(number)) for number in LOOKED_UP[lookup][name][part]]
        wrong = f"{name} {part} with --lookup={lookup}: is `table` in its row of METRICS right?"
        assert list(counts) == pytest.approx(expected), wrong


@pytest.mark.parametrize("name", sorted({name for _, name in CASES}))
def test_every_other_table_would_be_seen(name: str, tmp_path: Path) -> None:
    """Else no worked case could tell that a metric counts the wrong table."""
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    unseen = {"each side", "recall", "membership", "mentions"} - {metric.table}
    for lookup in [lookup for lookup, of in CASES if of == name]:
        counted = looked_up(lookup, name, tmp_path)
        for table in sorted(unseen):
            changed = metric._replace(table=table)  # type: ignore[arg-type]  # each is one of its names
            with mock.patch("scorch2.scoring.metrics.chosen.METRICS", {**METRICS, name: changed}):
                try:
                    other = looked_up(lookup, name, tmp_path)
                except ValueError:  # counts of one part where there are several
                    other = {}
            if other != counted:
                unseen.remove(table)
    assert not unseen, f"{name} is the same in all of LOOKED_UP if it counts {unseen}: find another case"


@pytest.mark.parametrize("name", [n for n in OF_CLUSTERS if getattr(METRICS[n], "table", "") == "none"])
def test_metrics_that_no_table_will_do_for_are_refused(name: str) -> None:
    with pytest.raises(scorch2.UsageError, match=f"{name} {REFUSED}"):
        scorch2.score([["a", "b"]], [["a", "b"]], metrics=[name], lookup="reference")


@given(gold=SIDE, system=SIDE)
def test_words_are_those_of_the_best_pairs_of_mentions(
    gold: Entities, system: Entities, shared: Path
) -> None:
    assume(not crosses(gold) and not crosses(system))
    paths = write(gold, shared / "gold.conllu"), write(system, shared / "system.conllu")
    (recalled, of_gold, precise, of_system) = scorch2.score(*paths, metrics=["mor"]).tallies(
        "mention_overlap"
    )[""]
    keys, responses = ([one for members in side for one in members] for side in (gold, system))
    short, long = sorted((keys, responses), key=len)
    most = max(
        sum(len(one.words & other.words) for one, other in zip(short, chosen, strict=True))
        for chosen in itertools.permutations(long, len(short))
    )
    assert recalled == precise == most
    assert (of_gold, of_system) == tuple(sum(len(one.words) for one in side) for side in (keys, responses))
    swapped = scorch2.score(*reversed(paths), metrics=["mor"]).mention_overlap
    straight = scorch2.score(*paths, metrics=["mor"]).mention_overlap
    assert [*swapped] == [straight.precision, straight.recall, straight.f1]


def test_zeros_and_words_have_gates_intervals_tests_and_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scorer gives the zeros of this case R 0.6 and P 0.75, the words 35/40 and 35/36."""
    gold, system = (str(FOLDER / "corefud-r05" / f"{side}.conllu") for side in ("key", "sys"))
    words = ["--profile=corefud-1.2", "-m", "mor,zero"]
    stored = str(tmp_path / "report.json")
    assert main(["-q", *words, "-f", "json", "-o", stored, "--confidence=95", gold, system]) == 0
    low, high = json.loads(Path(stored).read_text("utf-8"))["confidence"]["metrics"]["zero_anaphora"]["f1"]
    assert 0 <= low < 0.67
    assert 0.66 < high <= 1
    gates = ["--fail-under=zero.r=0.6", "--fail-under=mor.r=0.875", "--fail-under-doc=mor.f=0.1"]
    assert main(["-q", *words, *gates, gold, system]) == 0
    assert main(["-q", *words, "--fail-under=zero.p=0.76", gold, system]) == 1
    assert main(["gate", "-q", "--fail-under=zero.p=0.75", stored]) == 0
    capsys.readouterr()
    assert main(["-q", *words, "--per-document", "-f", "tsv", gold, system]) == 0
    assert capsys.readouterr().out.count("zero_anaphora") == 2, "the document and the corpus"
    assert main(["significance", *words, "-f", "json", "-n", "9", "-g", gold, system, gold]) == 0
    assert {row["measure"] for row in json.loads(capsys.readouterr().out)} == {
        "mention_overlap",
        "zero_anaphora",
    }
    assert main(["-q", *words, "-j", "2", "-f", "json", gold, system]) == 0


def test_words_of_spans_of_other_formats_are_their_tokens() -> None:
    path = FOLDER.parent / "example" / "gold.conll"
    assert scorch2.score(path, path, metrics=["mor"]).mention_overlap.f1 == 1


@pytest.mark.parametrize(
    ("metric", "why"),
    [("mor", "not spans of a text, which mention_overlap"), ("zero", "no empty nodes, which zero_anaphora")],
)
def test_what_a_format_lacks_is_an_error(metric: str, why: str) -> None:
    with pytest.raises(scorch2.InputError, match=why):
        scorch2.score([["a", "b"]], [["a", "b"]], metrics=[metric])


def test_so_many_clusters_of_a_mention_that_there_is_no_room_are_an_error(tmp_path: Path) -> None:
    """A word of three entities on both sides makes nine pairs of clusters."""
    path = tmp_path / "d.conllu"
    cells = "".join(f"(e{number})" for number in range(3))
    row = f"1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity={cells}\n"
    path.write_text(f"# newdoc id = d\n# global.Entity = eid\n{row}\n", "utf-8")
    assert scorch2.score(path, path, lookup="reference", metrics=["mentions"]).mentions.f1 == 1
    with mock.patch.object(memory, "_MOST_KEPT", 8), mock.patch.object(memory, "_MOST_EACH", 0):
        why = r'd\.conllu: too many pairs of clusters of "d" .* \(use lookup="pairs"\)'
        with pytest.raises(scorch2.InputError, match=why):
            scorch2.score(path, path, lookup="reference")
