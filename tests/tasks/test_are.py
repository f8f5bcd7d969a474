"""ARE: cases counted by hand, and the rules of credit and alignment one by one."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from are_files import CASES, SCORED, listed, pair, resolved, scored
from effort import assert_in_proportion


@pytest.mark.parametrize("name", SCORED)
def test_case(name: str) -> None:
    case = CASES[name]
    report = scored(case["task"], *pair(name))
    ((counts,),) = report.documents[0].tallies
    (score,) = report.scores.values()
    values = score._asdict()
    for metric, expected in case["metrics"].items():
        part = "recall" if metric == "success_rate" else metric
        if "num" in expected:
            ratio = getattr(counts, f"{part}_num"), getattr(counts, f"{part}_den")
            assert ratio == (float(Fraction(expected["num"])), int(expected["den"]))
        exact = expected.get("exact") or f"{Fraction(expected['num']) / Fraction(expected['den'])}"
        assert values[part] == pytest.approx(float(Fraction(exact)), abs=1e-15)


@pytest.mark.parametrize("name", [name for name in SCORED if "items" in CASES[name]])
def test_credits_of_case(name: str) -> None:
    case = CASES[name]
    report = scored(case["task"], *pair(name))
    expected = [
        {
            "document": "gold",
            "pronoun": plain(one["pronoun"]),
            "credit": one["score"],
            "reason": one["reason"],
        }
        for one in case["items"]
    ]
    assert listed(report, "items") == expected
    given = [one["reason"] for one in case["items"]]
    (counts,) = listed(report, "reasons")
    assert counts == {reason: given.count(reason) for reason in counts}
    assert sum(counts.values()) == len(given)


@pytest.mark.parametrize("name", [name for name in SCORED if "alignment" in CASES[name]])
def test_alignment_of_case(name: str) -> None:
    case = CASES[name]
    report = scored(case["task"], *pair(name))
    assert listed(report, "items") == [
        {
            "document": "gold",
            "gold": plain(one["gold"]),
            "system": plain(one["sys"]),
            "overlap": one["overlap"],
        }
        for one in case["alignment"]
    ]


def plain(mention: Any) -> Any:
    return tuple(mention) if isinstance(mention, list) else mention


def test_half_open_and_inclusive_spans_are_the_same() -> None:
    gold = '<are unit="token"><chain><element start="0" end="4"/><element start="5" end="6"/></chain></are>'
    same = (
        '<are unit="token" ends="inclusive">'
        '<chain><element start="0" end="3"/><element start="5" end="5"/></chain></are>'
    )
    assert [item[2] for item in resolved(4, gold, same).items] == ["1", "1"]


def test_the_best_pair_is_taken_first_even_if_two_others_are_more_together() -> None:
    gold = '<are unit="token"><chain><element start="0" end="10"/><element start="4" end="10"/></chain></are>'
    system = gold.replace('start="0" end="10"', 'start="1" end="10"').replace(
        'start="4" end="10"', 'start="0" end="3"'
    )
    assert resolved(4, gold, system).items == (((0, 10), (1, 10), "9/10"),)


def test_a_chain_of_pronouns_earns_half_even_against_itself() -> None:
    """Hand-computed: each pronoun leads to the other, and never to more."""
    pairs = (
        '<pair><pronoun id="1"/><antecedent id="2"/></pair><pair><pronoun id="2"/><antecedent id="1"/></pair>'
    )
    assert [item[1:] for item in resolved(1, f"<are>{pairs}</are>", f"<are>{pairs}</are>").items] == [
        ("1/2", "cycle"),
        ("1/2", "cycle"),
    ]


def test_an_answer_that_is_the_pronoun_itself_earns_nothing() -> None:
    gold = '<are><pair><pronoun id="2"/><antecedent id="1"/></pair></are>'
    system = '<are><pair><pronoun id="2"/><antecedent id="2"/></pair></are>'
    assert resolved(1, gold, system).items == (("2", "0", "self"),)


def test_ties_go_to_what_is_no_pronoun_then_to_what_comes_first() -> None:
    """Hand-computed: [1, 3) has a third of itself in common with [0, 2) and with [2, 4)."""
    gold = (
        '<are unit="token"><entity start="0" end="2" type="pronoun"/><chain>'
        '<element start="0" end="2"/><element start="2" end="4"/><element start="8" end="9"/></chain>'
        '<pair><pronoun start="8" end="9"/></pair></are>'
    )
    system = (
        '<are unit="token"><pair><pronoun start="8" end="9"/><antecedent start="1" end="3"/></pair></are>'
    )
    assert resolved(3, gold, system).items == (((8, 9), "1/2", "nominal"),)


def test_without_pairs_the_declared_pronouns_in_chains_are_to_resolve() -> None:
    gold = (
        '<are><entity id="1"/><entity id="2" type="pronoun"/><entity id="3" type="pronoun"/>'
        '<chain><element id="2"/><element id="1"/></chain><chain><element id="3"/></chain></are>'
    )
    system = '<are><pair><pronoun id="2"/><antecedent id="1"/></pair></are>'
    assert resolved(1, gold, system).items == (("2", "1", "nominal"),)


def test_what_gold_does_not_ask_for_is_named_in_task_1_and_serves_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "g.xml").write_text(
        '<are><entity id="1"/><entity id="2" type="pronoun"/><entity id="3"/>\n'
        '<chain><element id="1"/><element id="2"/><element id="3"/></chain>\n'
        '<pair><pronoun id="3"/></pair></are>',
        encoding="utf-8",
    )
    (tmp_path / "s.xml").write_text(
        '<are><pair><pronoun id="3"/><antecedent id="2"/></pair>\n'
        '<pair><pronoun id="2"/><antecedent id="1"/></pair></are>',
        encoding="utf-8",
    )
    report = scored(1, tmp_path / "g.xml", tmp_path / "s.xml")
    assert listed(report, "items") == [
        {"document": "g", "pronoun": "3", "credit": "1", "reason": "via-pronoun"}
    ]
    (notice,) = report.notices
    assert notice.message.endswith(
        's.xml:2: the pair of "2" is not scored: gold does not ask for that pronoun'
    )


# Growth: what a walk from every pronoun, or a full table, would break


def test_long_ways_are_walked_once() -> None:
    """Hand-computed: each of the pronouns answers with the one before it, and the first with nothing."""

    def resolve(size: int) -> None:
        elements = "".join(f'<element id="{n}"/>' for n in range(size))
        asked = "".join(f'<pair><pronoun id="{n}"/></pair>' for n in range(size))
        pairs = (f'<pair><pronoun id="{n}"/><antecedent id="{n - 1}"/></pair>' for n in range(1, size))
        gold, system = f"<are><chain>{elements}</chain>{asked}</are>", f"<are>{''.join(pairs)}</are>"
        assert resolved(1, gold, system).reasons == {"missing": 1, "dead-end": size - 1}

    assert_in_proportion(resolve, 500)


def test_mentions_are_aligned_without_a_table() -> None:
    """Hand-computed: each of the spans of two tokens meets one of three, so every link is worth 4/9."""

    def align(size: int) -> None:
        chains = [
            "".join(f'<element start="{4 * n}" end="{4 * n + length}"/>' for n in range(size))
            for length in (2, 3)
        ]
        files = [f'<are unit="token"><chain>{chain}</chain></are>' for chain in chains]
        ((tally,),) = resolved(4, *files).measured.tallies
        worth = float(Fraction(4, 9) * (size - 1))
        assert tally == (worth, size - 1, worth, size - 1)

    assert_in_proportion(align, 500)
