"""When two reports can be compared, for a baseline and for a paired test: one rule."""

from typing import Any

import pytest

import scorch2
from scorch2.audit.judge import (
    comparable_systems,
    narrowed,
    options_difference,
    reason_against,
    reasons_against,
)
from scorch2.model.options import options_from
from scorch2.model.score import NO_ORDER, Tally

GOLD = {"one": [["a", "b", "c", "d"]], "two": [["a", "b"], ["c", "d"]]}


def scored(**choices: Any) -> scorch2.Report:
    scorer = scorch2.CorefScorer(["muc", "conll"], **{"average": "pooled", **choices})
    for name, gold in GOLD.items():
        scorer.update(gold=gold, system=[["a", "b", "c"], ["d"]], id=name)
    return scorer.compute()


@pytest.fixture
def report() -> scorch2.Report:
    return scored()


def with_an_empty_document(report: scorch2.Report) -> scorch2.Report:
    empty = report.documents[0]._replace(id="three", gold_mentions=0)
    return report._replace(documents=[*report.documents, empty])


def test_a_report_can_be_compared_with_itself(report: scorch2.Report) -> None:
    assert reason_against(report, report) is None
    assert reason_against(report, report, for_test=True) is None
    comparable_systems({"a": report, "b": report})


def test_the_first_difference_is_named(report: scorch2.Report) -> None:
    assert reason_against(report, scored(average="macro")) == "average is pooled here and macro there"
    assert reason_against(report, scored(singletons="drop")) == "singletons is keep here and drop there"
    one, two = report.documents
    assert reason_against(report, report._replace(documents=[one])) == 'document "two" is only here'
    assert reason_against(report._replace(documents=[one]), report) == 'document "two" is only there'
    changed = report._replace(documents=[one, two._replace(gold_mentions=7)])
    assert reason_against(report, changed) == 'document "two" has 4 gold mentions here and 7 there'


def test_names_of_files_against_names_inside_are_told_with_the_rule_that_makes_them_one(
    report: scorch2.Report,
) -> None:
    renamed = [one._replace(id=f"{one.id}-0") for one in report.documents]
    why = 'document "one" is only here, and "one-0" only there: two folders name documents by their files'
    assert (reason_against(report, report._replace(documents=renamed)) or "").startswith(why)
    other = [renamed[0], renamed[1]._replace(gold_mentions=7)]
    assert reason_against(report, report._replace(documents=other)) == 'document "one" is only here'


def test_other_system_mentions_do_not_matter(report: scorch2.Report) -> None:
    other = [one._replace(system_mentions=0) for one in report.documents]
    assert reason_against(report, report._replace(documents=other)) is None


def test_facts_must_be_the_same(report: scorch2.Report) -> None:
    char, token = (report._replace(facts=[("unit", unit)]) for unit in ("char", "token"))
    assert reason_against(char, token) == "unit is char here and token there"
    assert reason_against(report, token) == "unit is not said here and token there"


def test_only_a_test_needs_the_same_metrics(report: scorch2.Report) -> None:
    lea = scorch2.CorefScorer(["lea"], average="pooled")
    for name, gold in GOLD.items():
        lea.update(gold=gold, system=gold, id=name)
    assert reason_against(report, lea.compute()) is None
    assert reason_against(report, lea.compute(), for_test=True) == "one has muc, conll, the other lea"


def test_a_test_takes_a_missing_document_that_is_empty_in_gold(report: scorch2.Report) -> None:
    longer = with_an_empty_document(report)
    assert reason_against(longer, report) == 'document "three" is only here'
    assert reason_against(longer, report, for_test=True) is None
    assert reason_against(report, longer, for_test=True) is None


def test_not_under_a_plain_mean_which_an_empty_document_changes() -> None:
    macro = scored(average="macro")
    longer = with_an_empty_document(macro)
    why = 'document "three" is only here'
    assert reason_against(longer, macro, for_test=True) == why


def test_gold_that_was_filled_up_with_system_mentions_may_differ() -> None:
    filled = scored(twinless="singletons")
    one, two = filled.documents
    assert reason_against(filled, filled._replace(documents=[one, two._replace(gold_mentions=99)])) is None


def test_the_first_two_systems_that_differ_are_named(report: scorch2.Report) -> None:
    fewer = report._replace(documents=report.documents[:1])
    why = r'b and c cannot be compared: document "two" is only here \(score both .*--missing=empty'
    with pytest.raises(scorch2.PairingError, match=why):
        comparable_systems({"b": report, "c": fewer})
    with pytest.raises(scorch2.PairingError, match=r"a and c .* average is pooled here .*\(score both"):
        comparable_systems({"a": report, "b": report, "c": scored(average="macro")})


def test_systems_are_compared_in_the_metrics_that_all_have(report: scorch2.Report) -> None:
    muc, lea = (narrowed(report, names) for names in (["muc"], ["conll"]))
    found = comparable_systems({"a": muc, "b": report, "c": report})
    assert [list(one.scores) for one in found.values()] == [["muc"]] * 3
    warned = [[notice.message for notice in one.notices] for one in found.values()]
    assert warned == [[], ["not every report has conll: left out"], []]
    assert found["b"].muc == report.muc
    with pytest.raises(
        scorch2.PairingError, match="a and b cannot be compared: one has muc, the other conll"
    ):
        comparable_systems({"a": muc, "b": lea})


def test_options_of_a_profile_and_typed_ones_are_alike() -> None:
    typed = {"average": "pooled", "missing": "empty", "extra": "skip", "duplicates": "first"}
    assert (
        options_difference(options_from("conll"), options_from(**typed, blanc="reference", undefined="zero"))
        is None
    )


@pytest.mark.parametrize("average", ["mentions", "pooled", "macro"])
def test_a_metric_that_is_not_shown_can_be_undefined_in_the_conll_average(average: str) -> None:
    one, other = (
        scorch2.score([["a"], ["b"]], [["a"], ["b"]], metrics=["conll"], average=average, undefined=rule)  # type: ignore[arg-type]  # strings of the table
        for rule in ("skip", "zero")
    )
    assert one.conll.f1 == 1
    assert other.conll.f1 == pytest.approx(2 / 3)
    assert reason_against(one, other) == "undefined is skip here and zero there"


def test_counts_that_are_added_do_not_depend_on_documents_without_a_score() -> None:
    rules: list[scorch2.Report] = []
    for rule in ("skip", "zero"):
        scorer = scorch2.CorefScorer(["muc"], average="pooled", undefined=rule)
        scorer.update(gold=[["a", "b"]], system=[["a", "b"]], id="d1")
        scorer.update(gold=[["a"]], system=[["a"]], id="d2")
        rules.append(scorer.compute())
    assert reason_against(*rules) is None


def test_the_rule_for_undefined_scores_matters_only_where_there_is_one(report: scorch2.Report) -> None:
    assert reason_against(report, scored(undefined="zero")) is None
    undefined = [scored(undefined=rule, singletons="drop", average="macro") for rule in ("skip", "zero")]
    for one in undefined:
        document = one.documents[0]
        nothing = document._replace(tallies=tuple((Tally(0, 0, 0, 0),) for _ in document.tallies))
        undefined[undefined.index(one)] = one._replace(documents=[nothing, *one.documents[1:]])
    assert reason_against(*undefined) == "undefined is skip here and zero there"


def test_one_report_with_a_score_of_0_by_0_is_enough() -> None:
    """Of a mean over documents: not of one, and counts of the documents of a file are added."""
    skipped, zero = (scored(undefined=rule, average="macro") for rule in ("skip", "zero"))
    assert reason_against(skipped, zero) is None
    nothing = skipped.documents[0]._replace(tallies=tuple((Tally(0, 0, 0, 0),) for _ in skipped.metrics))
    told = "undefined is {} here and {} there"
    empty = skipped._replace(documents=[nothing, *skipped.documents[1:]])
    assert reason_against(empty, zero) == told.format("skip", "zero")
    assert reason_against(zero, empty) == told.format("zero", "skip")
    single = [
        scorch2.score([["a"]], [["a"]], metrics=["muc"], average="macro", undefined=one)
        for one in ("skip", "zero")
    ]
    assert reason_against(*single) is None
    files = [
        one._replace(
            documents=[document._replace(file="f") for document in (nothing, *skipped.documents[1:])],
            options=one.options._replace(choices={**one.options.choices, "average": "files"}),
        )
        for one in (skipped, zero)
    ]
    assert reason_against(*files) is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"file": "f"}, 'document "one" is in another file there'),
        ({"gold": "f"}, 'document "one" has other gold clusters there (give every document an id)'),
        (
            {"gold": NO_ORDER},
            'document "one" has a number that scorch2 1.1 gave it by the counts of a system',
        ),
    ],
)
def test_a_document_must_be_the_same(change: dict[str, Any], why: str, report: scorch2.Report) -> None:
    other = report._replace(documents=[report.documents[0]._replace(**change), *report.documents[1:]])
    assert [*reasons_against(report, other)] == [why]


def test_a_fact_of_the_first_report_alone_is_told(report: scorch2.Report) -> None:
    known = report._replace(facts=[("types", "x")])
    assert [*reasons_against(known, report)] == ["types is x here and not said there"]
    assert [*reasons_against(report, narrowed(report, ["muc"]))] == []  # which only a test cannot compare


def test_names_of_files_are_no_reason_where_gold_is_told_apart(report: scorch2.Report) -> None:
    first, second = report.documents
    other = report._replace(documents=[first._replace(id="x", gold="f"), second._replace(id="y")])
    assert reason_against(report, other) == 'document "one" is only here'
