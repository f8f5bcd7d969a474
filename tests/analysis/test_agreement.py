"""Agreement of annotators: by hand, by a peer and by a slow model; laws; categories; what is refused."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from agreement_model import MODELS, Clusters, nominal
from every import every
from hypothesis import given
from hypothesis import strategies as st
from worked import assert_worked

import scorch2
from scorch2.analysis.agreement import (
    CATEGORIES,
    COEFFICIENTS,
    DEFAULT,
    ONE_SIDED,
    Units,
    alpha,
    count_alpha,
    count_categories,
    count_masi,
    speaking_of,
)
from scorch2.model.document import Document, OnDemand
from scorch2.model.score import main_part
from scorch2.model.settings import UNITS
from scorch2.scoring.metrics import OF_CLUSTERS

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
CHANCE = tuple(MODELS)
HAND, PEER = (
    json.loads((FIXTURES / "agreement" / f"{name}.json").read_text("utf-8"))["cases"]
    for name in ("by_hand", "nltk")
)
Documents = Mapping[str, tuple[Clusters, Clusters]]


def agreed(documents: Documents, **options: Any) -> scorch2.Agreement:
    """Return the agreement of two annotators on some documents."""
    return scorch2.agreement({"A": side(documents, 0), "B": side(documents, 1)}, **options)


def side(documents: Documents, place: int) -> list[Document]:
    return [
        Document(name, {str(number): members for number, members in enumerate(pair[place])})
        for name, pair in documents.items()
    ]


def letters(words: Sequence[str]) -> Clusters:
    return [[*word] for word in words]


def shown(found: scorch2.Agreement, name: str) -> float | None:
    value = found.mean(name)
    return float(value) if value.defined else None


@every("case", HAND)
def test_coefficients_counted_by_hand(case: Mapping[str, Any]) -> None:
    found = agreed({"d": (letters(case["one"]), letters(case["other"]))}, units=case["units"])
    for name in CHANCE:
        if name in case:
            expected = None if case[name] is None else float(Fraction(case[name]))
            assert shown(found, name) == (
                expected if expected is None else pytest.approx(expected, abs=1e-15)
            )


@every("case", PEER)
def test_coefficients_of_a_peer(case: Mapping[str, Any]) -> None:
    found = agreed({"d": (letters(case["one"]), letters(case["other"]))})
    for name in CHANCE:
        assert name not in case or shown(found, name) == pytest.approx(case[name], abs=1e-11)


def test_alpha_of_categories_is_that_of_artstein_and_poesio() -> None:
    """The survey of 2008: 100 utterances; NLTK's alpha of them is 0.8005345806882727."""
    counts = {("stat", "stat"): 46, ("ireq", "stat"): 6, ("ireq", "ireq"): 32, ("ireq", "chck"): 6}
    tally = count_categories(Units((), (), (), {**counts, ("chck", "chck"): 10}))
    observed, number, expected, pairs = tally
    assert (observed / number, round(expected / pairs, 3)) == (0.12, 0.602)
    assert alpha([tally])[0] == pytest.approx(0.8005345806882727, abs=1e-15)


# Against the slow model, and laws


def test_every_coefficient_has_a_model() -> None:
    """Laws alone do not tell one coefficient from another."""
    place = "fixtures/agreement, and write its slow twin in MODELS of tests/models/agreement_model.py"
    assert_worked(COEFFICIENTS, [*MODELS, CATEGORIES], place)


clusterings = st.lists(st.sampled_from("012345."), min_size=0, max_size=9)


def partition(choice: Sequence[str]) -> Clusters:
    """Return clusters of mentions that are numbers; one with a dot is not marked."""
    found: dict[str, list[int]] = {}
    for mention, cluster in enumerate(choice):
        found.setdefault(cluster, []).append(mention)
    return [members for name, members in found.items() if name != "."]


corpora = st.lists(st.tuples(clusterings, clusterings), min_size=1, max_size=3).map(
    lambda pairs: {
        f"d{place}": (partition(one), partition(other)) for place, (one, other) in enumerate(pairs)
    }
)


@given(documents=corpora, which=st.sampled_from(UNITS))
def test_coefficients_are_those_of_the_slow_model(documents: Documents, which: Any) -> None:
    found = agreed(documents, units=which)
    for name, model in MODELS.items():
        value = model(documents.values(), which)
        assert shown(found, name) == (None if value is None else pytest.approx(float(value), abs=1e-12))


@given(documents=corpora, which=st.sampled_from(UNITS))
def test_it_does_not_matter_who_comes_first(documents: Documents, which: Any) -> None:
    """To the last bit: F1 and coefficients, of the corpus and of every document."""
    turned = {name: (other, one) for name, (one, other) in documents.items()}
    one, other = (agreed(each, units=which) for each in (documents, turned))
    assert {c.metric: one.mean(c) for c in one.columns} == {c.metric: other.mean(c) for c in other.columns}
    assert [row.values for row in one.documents()] == [row.values for row in other.documents()]


@given(documents=corpora)
def test_f1_depends_on_who_is_gold_for_the_metrics_that_say_so(documents: Documents) -> None:
    turned = {name: (other, one) for name, (one, other) in documents.items()}
    one, other = (agreed(each, metrics=OF_CLUSTERS) for each in (documents, turned))
    unlike = {column.metric for column in one.columns if one.mean(column) != other.mean(column)}
    assert unlike <= {*ONE_SIDED}


@given(documents=corpora, which=st.sampled_from(UNITS))
def test_an_annotator_agrees_with_himself(documents: Documents, which: Any) -> None:
    same = {name: (one, one) for name, (one, _) in documents.items()}
    found = agreed(same, units=which)
    assert {float(found.mean(column)) for column in found.columns if found.mean(column).defined} <= {1.0}


@given(documents=corpora, order=st.permutations(range(9)))
def test_names_of_mentions_and_the_order_of_clusters_do_not_matter(
    documents: Documents, order: list[int]
) -> None:
    def renamed(clusters: Clusters) -> Clusters:
        return [[order[int(str(mention))] for mention in reversed(cluster)] for cluster in reversed(clusters)]

    one = agreed(documents)
    other = agreed({name: (renamed(left), renamed(right)) for name, (left, right) in documents.items()})
    for column in one.columns:
        assert one.mean(column) == pytest.approx(other.mean(column), abs=1e-15)


@given(documents=corpora)
def test_f1_is_that_of_score(documents: Documents) -> None:
    found, report = agreed(documents), scorch2.score(side(documents, 0), side(documents, 1), metrics=DEFAULT)
    for name in DEFAULT:
        assert found.mean(name) == report[name].f1
        assert found.mean(name).defined == report[name].f1.defined


@given(documents=corpora)
def test_counts_are_added_over_documents_whatever_the_average(documents: Documents) -> None:
    every_average = [agreed(documents, average=name) for name in ("mentions", "pooled", "macro")]
    assert len({tuple(found.mean(name) for name in CHANCE) for found in every_average}) == 1
    tallies = every_average[0].pairs[0].chance.documents
    for count, place in ((count_alpha, 0), (count_masi, 1)):
        single = [
            agreed({"d": pair}).pairs[0].chance.documents[0].tallies[place] for pair in documents.values()
        ]
        assert [document.tallies[place] for document in tallies] == single
        assert count(Units((), (), ())) == (0, 0, 0, 0)


# Several annotators

THREE = {"ann": letters(["ab", "cd"]), "bob": letters(["ab", "c", "d"]), "cleo": letters(["xy"])}


def test_every_pair_has_a_row_and_the_mean_leaves_out_what_is_undefined() -> None:
    found = scorch2.agreement(THREE)
    assert [pair.names for pair in found.pairs] == [("ann", "bob"), ("ann", "cleo"), ("bob", "cleo")]
    assert found.annotators == ["ann", "bob", "cleo"]
    assert [pair.units() for pair in found.pairs] == [4, 0, 0]
    assert found.mean("kappa") == pytest.approx(4 / 7)  # without common units there is none
    assert found.mean("muc") == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert found.pairs[1].mentions() == (4, 2)


def test_documents_come_lowest_first_and_those_without_a_value_last() -> None:
    documents = {"a": letters(["ab"]), "b": letters(["ab"]), "c": letters(["abc"]), "e": letters(["ab"])}
    other = {"a": letters(["ab"]), "b": letters(["xy"]), "c": letters(["ab", "c"]), "e": letters(["a"])}
    found = scorch2.agreement({"A": documents, "B": other})
    assert [row.id for row in found.documents()] == ["b", "e", "c", "a"]
    assert [row.id for row in found.documents("kappa")] == ["c", "a", "b", "e"]
    assert [row.units for row in found.documents("kappa")] == [3, 2, 0, 1]


# Categories


def labelled(clusters: Mapping[str, Sequence[int]], labels: Mapping[str, Sequence[str]]) -> list[Document]:
    return [
        Document(
            "d", {name: [*members] for name, members in clusters.items()}, categories=OnDemand(dict, labels)
        )
    ]


@given(
    choices=st.lists(
        st.tuples(st.sampled_from(["P", "L", ""]), st.sampled_from(["P", "L", "O", ""])), max_size=7
    )
)
def test_categories_are_compared_on_mentions_that_both_marked(choices: list[tuple[str, str]]) -> None:
    numbers = {"e": range(len(choices)), "more": [90]}
    one = labelled(numbers, {"e": [mine for mine, _ in choices], "more": ["P"]})
    other = labelled({"e": range(len(choices))}, {"e": [theirs for _, theirs in choices]})
    found = scorch2.agreement({"A": one, "B": other}, metrics=["categories"])
    expected = nominal([pair for pair in choices if all(pair)])
    assert shown(found, "categories") == (
        None if expected is None else pytest.approx(float(expected), abs=1e-12)
    )


def test_categories_are_shown_where_mentions_have_some() -> None:
    plain = scorch2.agreement(THREE)
    assert "categories" not in [column.metric for column in plain.columns]
    same = labelled({"e": [1, 2]}, {"e": ["P", "L"]})
    found = scorch2.agreement({"A": same, "B": same})
    assert [column.metric for column in found.columns] == [*DEFAULT, *COEFFICIENTS]
    assert found.mean("categories") == 1
    named = scorch2.agreement(THREE, metrics=["categories"])
    assert [column.metric for column in named.columns] == ["categories"]
    assert not named.mean("categories").defined


COREFUD = """# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = s
1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t{}
2\thouse\t_\tNOUN\t_\t_\t0\troot\t_\tEntity={}
3\tit\t_\tPRON\t_\t_\t2\tdep\t_\tEntity=({}-place-1-)

"""


def test_categories_of_mentions_that_match_though_unequal(tmp_path: Path) -> None:
    """One marks *the house* and the other *house*: they are one unit if heads are compared."""
    (tmp_path / "one.conllu").write_text(COREFUD.format("Entity=(e-place-2-", "e)", "e"), "utf-8")
    (tmp_path / "other.conllu").write_text(COREFUD.format("_", "(e-person-1-)", "f"), "utf-8")
    paths = [tmp_path / "one.conllu", tmp_path / "other.conllu"]
    counts = {}
    for match in ("exact", "head"):
        found = scorch2.agreement(paths, match=match)
        counts[match] = found.pairs[0].chance.tallies("categories")[""]
    assert counts == {"exact": (0, 1, 0, 2), "head": (1, 2, 6, 12)}  # of head: 3 of 4 values are place


def test_categories_of_a_copy_with_a_mention_that_matches_nothing(tmp_path: Path) -> None:
    """*house* is a place and a person, *it* a place twice; what the copy has behind them is no unit."""
    (tmp_path / "one.conllu").write_text(COREFUD.format("_", "(e-place-1-)", "e"), "utf-8")
    copy = COREFUD.format("_", "(e-person-1-)", "f").rstrip("\n")
    copy += "\n4\tlodge\t_\tNOUN\t_\t_\t2\tdep\t_\tEntity=(f-place-1-)\n\n"
    (tmp_path / "copy.conllu").write_text(copy, "utf-8")
    found = scorch2.agreement([tmp_path / "one.conllu", tmp_path / "copy.conllu"], align="text")
    assert found.pairs[0].chance.tallies("categories")[""] == (1, 2, 6, 12)  # 3 of 4 values are place


# Options, and what is said


def test_columns_are_chosen_by_name() -> None:
    found = scorch2.agreement(THREE, metrics=["Kappa", "bcub", "alpha"])
    assert [column.metric for column in found.columns] == ["b_cubed", "alpha", "kappa"]
    alone = scorch2.agreement(THREE, metrics="alpha")
    assert [column.metric for column in alone.columns] == ["alpha"]
    every_one = scorch2.agreement(THREE, metrics=["all"])
    chance = [name for name in COEFFICIENTS if name != CATEGORIES]  # these mentions have no categories
    assert [column.metric for column in every_one.columns][-len(chance) :] == chance


def test_singletons_that_are_dropped_are_no_units() -> None:
    found = scorch2.agreement({"A": letters(["ab", "c"]), "B": letters(["ab", "c"])}, singletons="drop")
    assert found.pairs[0].units() == 2


def test_mentions_that_are_looked_up_are_compared_in_pairs() -> None:
    options: dict[str, Any] = {"metrics": ["muc", "alpha", "kappa"]}
    one, other = (scorch2.agreement(THREE, **options, lookup=how) for how in ("pairs", "reference"))
    assert [float(one.mean(c)) for c in one.columns] == [float(other.mean(c)) for c in other.columns]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"units": "some"}, 'unknown value of units "some" (known: shared, all)'),
        ({"metrics": ["alfa"]}, 'unknown metric "alfa", did you mean alpha?'),
        ({"title": "x"}, "title is about the page of two annotators, not 3"),
        (
            {"twinless": "singletons"},
            'twinless="singletons" changes one annotator of a pair and not the other: agreement has no gold',
        ),
        (
            {"gold_key": "a", "sys_key": "b"},
            "gold_key and sys_key differ: of several annotators all are read alike",
        ),
        ({"type_weights": "x"}, "type_weights is for measures of entity linking"),
        ({"unit": "all"}, 'unknown argument of agreement "unit", did you mean units?'),
    ],
)
def test_what_is_asked_is_checked(options: dict[str, Any], why: str) -> None:
    with pytest.raises(scorch2.UsageError) as error:
        scorch2.agreement(THREE, **options)
    assert str(error.value).startswith(why)


@pytest.mark.parametrize(
    ("annotators", "why"),
    [
        ({"ann": [["a"]]}, "give at least 2 annotators, not 1"),
        ("path", "annotators are a mapping from names to annotators, or a list of paths"),
        (["one", "one"], "an annotator is given twice"),
        ([[["a"]], [["b"]]], 'name the annotators: {"one": clusters, "other": other_clusters}'),
    ],
)
def test_annotators_are_named_or_paths(annotators: Any, why: str) -> None:
    with pytest.raises(scorch2.UsageError) as error:
        scorch2.agreement(annotators)
    assert str(error.value) == why


def test_coefficients_are_shown_as_numbers() -> None:
    """Representations of values without F1."""
    one, other = [["a", "b"], ["c", "d"], ["e", "f"]], [["a", "b"], ["c", "d", "e", "f"]]
    (pair,) = scorch2.agreement({"A": {"d": one}, "B": {"d": other}}).pairs
    alpha = pair.chance.scores["alpha"]
    assert f"'alpha': {round(float(alpha), 4)}" in repr(pair.chance)
    assert repr(pair.chance) in repr(pair)
    assert main_part(alpha) == alpha[0] == float(alpha) != 0


def test_annotators_with_equal_clusters_are_told() -> None:
    with pytest.warns(
        scorch2.ScorchWarning, match="A and B agree to the last mention: is one of them a copy?"
    ):
        found = scorch2.agreement({name: str(FIXTURES / "example" / "gold.conll") for name in ("A", "B")})
    assert [notice.code for notice in found.notices] == ["same"]


def test_messages_name_annotators(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.json").write_text('{"type": "clusters", "clusters": {}}', "utf-8")
        (tmp_path / name / "both.json").write_text('{"type": "clusters", "clusters": {"e": ["m"]}}', "utf-8")
    with pytest.raises(scorch2.PairingError, match="no file of bob for 1 file of ann: ann"):
        scorch2.agreement({name: tmp_path / name for name in ("ann", "bob")})
    said = "the gold document has no system output (gold_key, a.gold, gold/x, 'gold', the system)"
    assert speaking_of(("ann", "bob"), said) == (
        "the document of ann has no output of bob (gold_key, a.gold, gold/x, 'gold', bob)"
    )
