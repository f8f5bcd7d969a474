"""Runs in which hardly a mention matches, since one side counts its spans in another way.

What would match is known from how the files were made: every span of the system is one of gold, shifted.
"""

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from executors import Here

import scorch2
from scorch2.cli.main import main

Span: TypeAlias = tuple[int, int]
LENGTH = 300
MOVES: dict[tuple[int, int], str] = {
    (0, 1): 'system ends were exclusive: sys_offsets="exclusive"',
    (0, -1): 'gold ends were exclusive: gold_offsets="exclusive"',
    (1, 1): 'system spans counted from 1, with inclusive ends: sys_offsets="inclusive-from-1"',
    (-1, -1): 'gold spans counted from 1, with inclusive ends: gold_offsets="inclusive-from-1"',
    (-1, 0): "gold spans counted from 1, with inclusive ends and system ends were exclusive: "
    'gold_offsets="inclusive-from-1" sys_offsets="exclusive"',
    (1, 0): "gold ends were exclusive and system spans counted from 1, with inclusive ends: "
    'gold_offsets="exclusive" sys_offsets="inclusive-from-1"',
}
"""What is added to the [first, last] tokens of the system, and what the warning says of it."""


def corpus(documents: int = 6) -> list[list[list[Span]]]:
    """Return clusters of spans of 2 to 4 tokens, too far from each other to meet when they are shifted."""
    rng = random.Random(5)  # noqa: S311 - no secrets
    found = []
    for _ in range(documents):
        spans = [(start, start + rng.randrange(1, 4)) for start in range(1, LENGTH - 9, 7)]
        rng.shuffle(spans)
        found.append([spans[i::5] for i in range(5)])
    return found


def written(path: Path, clusters: Sequence[Sequence[Sequence[Span]]], *, exclusive: bool = False) -> str:
    """Write [first, last] tokens as e2e systems do, or the same with exclusive ends as wl-coref does."""
    lines = []
    for number, document in enumerate(clusters):
        ends = [[[start, end + exclusive] for start, end in cluster] for cluster in document]
        words = ["w"] * LENGTH
        lines.append(
            {
                "document_id": f"d{number}",
                "cased_words": words,
                "sent_id": [0] * LENGTH,
                "span_clusters": ends,
            }
            if exclusive
            else {"doc_key": f"d{number}", "sentences": [words], "clusters": ends}
        )
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return str(path)


def moved(clusters: list[list[list[Span]]], by: tuple[int, int]) -> list[list[list[Span]]]:
    return [
        [[(start + by[0], end + by[1]) for start, end in cluster] for cluster in document]
        for document in clusters
    ]


def options_in(message: str) -> dict[str, Any]:
    return {f"{side}_offsets": value for side, value in re.findall(r'(gold|sys)_offsets="(\S+?)"', message)}


def warnings(report: scorch2.Report) -> list[str]:
    return [notice.message for notice in report.notices if notice.code == "near-misses"]


@pytest.mark.parametrize("by", MOVES)
@pytest.mark.parametrize("profile", [None, "scorch"])
@pytest.mark.parametrize("executor", [None, Here()], ids=["here", "workers"])
def test_what_would_match_is_said_with_the_option(
    by: tuple[int, int], profile: Any, executor: Here | None, tmp_path: Path
) -> None:
    gold = written(tmp_path / "g.jsonl", corpus())
    system = written(tmp_path / "s.jsonl", moved(corpus(), by))
    report = scorch2.score(gold, system, profile=profile, executor=executor)
    message = f"0 % of the mentions match; 100 % would match if {MOVES[by]}"
    assert warnings(report) == [message]
    after = scorch2.score(gold, system, **options_in(message))
    assert after.lea.f1 == 1
    assert warnings(after) == []


def test_the_options_of_formats_with_exclusive_ends(tmp_path: Path) -> None:
    gold = written(tmp_path / "g.jsonl", corpus())
    for by, said in {
        (0, -1): 'system ends were inclusive: sys_offsets="inclusive"',
        (1, 0): 'system spans counted from 1, with inclusive ends: sys_offsets="inclusive-from-1"',
        (1, 1): 'system spans counted from 1, with exclusive ends: sys_offsets="exclusive-from-1"',
    }.items():
        system = written(tmp_path / "s.jsonl", moved(corpus(), by), exclusive=True)
        message = f"0 % of the mentions match; 100 % would match if {said}"
        assert warnings(scorch2.score(gold, system)) == [message]
        assert scorch2.score(gold, system, **options_in(message)).lea.f1 == 1


def test_the_shares_are_those_of_the_whole_run(tmp_path: Path) -> None:
    """Two of 6 documents with 42 mentions each are shifted too far; in the others one mention is right."""
    right = corpus()
    shifted = moved(right[:4], (0, 1))
    for document, of_gold in zip(shifted, right, strict=False):
        document[0][0] = of_gold[0][0]
    gold = written(tmp_path / "g.jsonl", right)
    system = written(tmp_path / "s.jsonl", [*shifted, *moved(right[4:], (3, 3))])
    mentions, matched = 6 * 42, 4
    (message,) = warnings(scorch2.score(gold, system))
    assert message.startswith(
        f"{matched / mentions:.0%} of the mentions match; {4 * 41 / mentions:.0%} would".replace("%", " %")
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda right: right,
        lambda right: moved(right, (3, 3)),
        lambda right: [*right[:1], *moved(right[1:], (0, 1))],  # a sixth matches
        lambda right: [*moved(right[:2], (0, 1)), *moved(right[2:], (3, 3))],  # a third would
        lambda right: [[[] for _ in document] for document in right],
    ],
    ids=["all match", "no shift helps", "too many match", "too few would match", "no mentions"],
)
def test_other_runs_have_no_such_warning(
    change: Callable[[list[list[list[Span]]]], list[list[list[Span]]]], tmp_path: Path
) -> None:
    gold = written(tmp_path / "g.jsonl", corpus())
    assert warnings(scorch2.score(gold, written(tmp_path / "s.jsonl", change(corpus())))) == []


@pytest.mark.parametrize(("mentions", "is_warned"), [(40, False), (41, True)])
def test_five_percent_that_match_are_enough(mentions: int, is_warned: bool, tmp_path: Path) -> None:
    """Two mentions are right: exactly 5 % of 40, and less of 41. The others are shifted."""
    right = [[[(start, start + 2) for start in range(1, 7 * mentions, 7)]]]
    system = moved(right, (0, 1))
    system[0][0][:2] = right[0][0][:2]
    paths = written(tmp_path / "g.jsonl", right), written(tmp_path / "s.jsonl", system)
    assert bool(warnings(scorch2.score(*paths))) == is_warned


@pytest.mark.parametrize(("shifted", "is_warned"), [(20, True), (19, False)])
def test_half_of_the_mentions_must_match_when_shifted(shifted: int, is_warned: bool, tmp_path: Path) -> None:
    right = [[[(start, start + 2) for start in range(1, 280, 7)]]]
    system = [[[*moved(right, (0, 1))[0][0][:shifted], *moved(right, (3, 3))[0][0][shifted:]]]]
    paths = written(tmp_path / "g.jsonl", right), written(tmp_path / "s.jsonl", system)
    assert len(right[0][0]) == 40
    assert bool(warnings(scorch2.score(*paths))) == is_warned


@pytest.mark.parametrize("mentions", [1, 2, 3])
def test_two_mentions_are_enough_and_one_may_be_chance(mentions: int, tmp_path: Path) -> None:
    """The first toy of a newcomer has no more."""
    every = [(1, 2), (10, 11), (20, 21)][:mentions]
    gold = written(tmp_path / "g.jsonl", [[every]])
    system = written(tmp_path / "s.jsonl", [[[(start, end + 1) for start, end in every]]])
    assert bool(warnings(scorch2.score(gold, system))) == (mentions > 1)


SUBTOKENS = ["[CLS]", "Mis", "##sis", "##sippi", "Ann", "saw", "her", "dog", "and", "[SEP]"]
MAPS = {"sentence_map": [0] * 10, "subtoken_map": [0, 0, 0, 0, 1, 2, 3, 4, 5, 5]}


def test_sub_tokens_are_a_reading_where_gold_has_their_words(tmp_path: Path) -> None:
    gold, system = tmp_path / "g.jsonl", tmp_path / "s.jsonl"
    own = {"doc_key": "nw/x_0", "sentences": [SUBTOKENS], "clusters": [[[4, 4], [6, 6]]], **MAPS}
    gold.write_text(json.dumps(own), "utf-8")
    system.write_text(json.dumps({"doc_key": "nw/x_0", "predicted_clusters": [[[4, 4], [6, 6]]]}), "utf-8")
    how = "write the sentences and the subtoken_map of gold beside its clusters"
    with pytest.raises(
        scorch2.ScorchError, match=rf"ends after the 6 tokens .* \(does it count sub-tokens\? {how}\)$"
    ):
        scorch2.score(str(gold), str(system))
    short = {"doc_key": "nw/x_0", "predicted_clusters": [[[4, 4], [1, 3]]]}  # both lie in the 6 words
    gold.write_text(json.dumps({**own, "clusters": [[[4, 4], [1, 3]]]}), "utf-8")
    system.write_text(json.dumps(short), "utf-8")
    said = "0 % of the mentions match; 100 % would match if the system counted sub-tokens"
    assert warnings(scorch2.score(str(gold), str(system))) == [f"{said}: {how}"]
    gold.write_text(json.dumps(own), "utf-8")
    system.write_text(json.dumps({**short, "predicted_clusters": [[[4, 4], [5, 5]]]}), "utf-8")
    half = said.replace("100 %", "50 %")
    assert warnings(scorch2.score(str(gold), str(system))) == [f"{half}: {how}"], "one may not be chance here"
    gold.write_text(json.dumps({**own, "clusters": [[[4, 4], [1, 3]]]}), "utf-8")
    beside = {"sentences": [SUBTOKENS], "subtoken_map": MAPS["subtoken_map"]}
    system.write_text(json.dumps({**short, **beside}), "utf-8")
    assert scorch2.score(str(gold), str(system)).muc.f1 == 1.0


@pytest.mark.parametrize("by", MOVES)
def test_clusters_given_in_python_are_looked_at_too(by: tuple[int, int]) -> None:
    """Nothing says how plain tuples count, so the remedy needs both options."""
    gold, system = corpus()[0], moved(corpus(), by)[0]
    (message,) = warnings(scorch2.score(gold, system))
    assert message.startswith("0 % of the mentions match; 100 % would match if gold ")
    assert scorch2.score(gold, system, **options_in(message)).lea.f1 == 1


def test_tuples_that_are_no_spans_are_left_alone() -> None:
    named = [[("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]]
    assert warnings(scorch2.score(named, [[("f", 1), ("g", 2), ("h", 3), ("i", 4), ("j", 5)]])) == []


def names(clusters: Sequence[Sequence[Span]]) -> dict[str, list[str]]:
    """Return clusters with mentions as conll2json calls them, the last two of each over a sentence break."""
    found = {}
    for number, cluster in enumerate(clusters):
        inside = [f"3.{start}-{end}" for start, end in cluster[:-2]]
        found[str(number)] = [*inside, *(f"3.{start}-5.{end}" for start, end in cluster[-2:])]
    return found


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ((0, 1), "last token in names of the system were 1 lower"),
        ((0, -1), "last token in names of the system were 1 higher"),
        ((-1, 0), "first token in names of the system were 1 higher"),
        ((1, 1), "first and last token in names of the system were 1 lower"),
    ],
)
def test_names_of_spans_may_count_in_another_way(by: tuple[int, int], said: str, tmp_path: Path) -> None:
    paths = [tmp_path / "g.json", tmp_path / "s.json"]
    for path, clusters in zip(paths, (corpus()[0], moved(corpus(), by)[0]), strict=True):
        path.write_text(json.dumps({"type": "clusters", "clusters": names(clusters)}), encoding="utf-8")
    (message,) = warnings(scorch2.score(*paths))
    assert message == (
        f"0 % of the mentions match; 100 % would match if the {said} "
        "(both numbers of names such as 0.3-4 are tokens of the mention, counted from 0)"
    )
    assert warnings(scorch2.score(paths[0], paths[0])) == []


def test_names_of_another_kind_are_left_alone() -> None:
    gold = {"a": ["0.1-2", "0.4-4", "0.6-6", "0.8-9", "m"]}
    assert warnings(scorch2.score(gold, {"a": ["0.1-3", "0.4-5", "0.6-7", "0.8-10"]})) == []


# The options


def lists(path: Path, clusters: dict[str, list[Any]], **more: str) -> str:
    path.write_text(json.dumps({"type": "clusters", "clusters": clusters, **more}), encoding="utf-8")
    return str(path)


def test_lists_of_two_integers_are_what_the_option_says(tmp_path: Path) -> None:
    gold = written(tmp_path / "g.jsonl", [[[(0, 1), (4, 4)], [(6, 8)]]])
    for value, spans in {
        "inclusive": [[0, 1], [4, 4], [6, 8]],
        "exclusive": [[0, 2], [4, 5], [6, 9]],
        "inclusive-from-1": [[1, 2], [5, 5], [7, 9]],
        "exclusive-from-1": [[1, 3], [5, 6], [7, 10]],
    }.items():
        system = lists(tmp_path / "s.json", {"a": spans[:2], "b": spans[2:]})
        assert scorch2.score(gold, system, sys_offsets=value).lea.f1 == 1
        assert scorch2.score(system, gold, gold_offsets=value).lea.f1 == 1
        with pytest.raises(scorch2.InputError, match="say what the lists mean"):
            scorch2.score(gold, system)


def test_lists_on_both_sides_need_both_options(tmp_path: Path) -> None:
    gold = lists(tmp_path / "g.json", {"a": [[0, 1], [4, 4]], "b": [[6, 8], [9, 9]]})
    system = lists(tmp_path / "s.json", {"a": [[0, 2], [4, 5]], "b": [[6, 9], [9, 10]]})
    said = "gold ends were inclusive and system ends were exclusive: "
    said += 'gold_offsets="inclusive" sys_offsets="exclusive"'
    assert warnings(scorch2.score(gold, system)) == [
        f"0 % of the mentions match; 100 % would match if {said}"
    ]
    assert scorch2.score(gold, system, gold_offsets="inclusive", sys_offsets="exclusive").lea.f1 == 1


def test_a_notice_says_that_a_format_is_overruled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = written(tmp_path / "g.jsonl", corpus())
    system = written(tmp_path / "s.jsonl", moved(corpus(), (0, 1)))
    assert main(["-m", "muc", "--sys-offsets=exclusive", gold, system]) == 0
    said = "--sys-offsets=exclusive overrules jsonlines of neural systems: inclusive ends, from 0"
    assert f"scorch2: warning: {said}\n" in capsys.readouterr().err
    assert main(["-m", "muc", "--sys-offsets=inclusive", gold, gold]) == 0  # what the format says
    assert "overrules" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "choice",
    [{"gold_offsets": "inclusive"}, {"sys_offsets": "inclusive"}, {"zeros": "drop"}, {"nested": "drop"}],
)
def test_spans_that_count_as_is_said_or_are_matched_otherwise_get_no_warning(
    choice: dict[str, Any], tmp_path: Path
) -> None:
    gold = written(tmp_path / "g.jsonl", corpus())
    system = written(tmp_path / "s.jsonl", moved(corpus(), (0, 1)))
    assert warnings(scorch2.score(gold, system, **choice)) == []
    assert len(warnings(scorch2.score(gold, system))) == 1


@pytest.mark.parametrize(
    ("value", "span", "why"),
    [
        ("exclusive", (4, 4), 'the mention "0.4-4" ("w") of "d0" holds nothing'),
        ("inclusive-from-1", (0, 4), 'the mention "0.0-4" ("w w w w w") of "d0" does not lie in the text'),
    ],
)
def test_spans_that_cannot_count_so_are_refused(value: str, span: Span, why: str, tmp_path: Path) -> None:
    gold = written(tmp_path / "g.jsonl", corpus(1))
    system = written(tmp_path / "s.jsonl", [[[span]]])
    with pytest.raises(scorch2.InputError) as caught:
        scorch2.score(gold, system, sys_offsets=value)
    assert caught.value.why == f'with sys_offsets="{value}" {why}: its spans count in another way'


def test_spans_cannot_end_after_the_text(tmp_path: Path) -> None:
    gold = written(tmp_path / "g.jsonl", [[[(0, 1)]]])
    system = written(tmp_path / "s.jsonl", [[[(LENGTH - 2, LENGTH - 1)]]], exclusive=True)
    with pytest.raises(scorch2.InputError, match="does not lie in the text"):
        scorch2.score(gold, system, sys_offsets="inclusive")


def test_mentions_that_are_no_spans_are_refused(tmp_path: Path) -> None:
    for mention in ("m", 3, [1, 2, 3]):
        path = lists(tmp_path / "s.json", {"a": [mention]})
        with pytest.raises(scorch2.InputError, match="is not a span of a start and an end"):
            scorch2.score(path, path, sys_offsets="inclusive")


def test_an_unknown_way_to_count_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "g.jsonl", corpus(1))
    assert main(["--gold-offsets=inclusiv", path, path]) == 2
    assert "did you mean inclusive?" in capsys.readouterr().err


@pytest.mark.parametrize(("other", "share"), [(["1", "2", "9"], "67"), (["x", "y", "z"], "0")])
def test_strings_against_numbers_stay_refused_with_the_share_that_would_match(
    other: list[str], share: str, tmp_path: Path
) -> None:
    gold = lists(tmp_path / "g.json", {"a": [1, 2], "b": [3]})
    system = lists(tmp_path / "s.json", {"a": other})
    with pytest.raises(scorch2.InputError) as caught:
        scorch2.score(gold, system)
    assert caught.value.why == (
        f'mention ids are strings such as "{other[0]}", but in gold integers such as 1 '
        f"({share} % of them would match if all were strings)"
    )


@pytest.mark.parametrize("ends", ["exclusive", "inclusive"])
def test_an_option_that_says_what_the_markup_says_changes_nothing(tmp_path: Path, ends: str) -> None:
    path = tmp_path / "g.xml"
    spans = '<element start="0" end="2"/><element start="4" end="5"/>'
    path.write_text(f'<are unit="token" ends="{ends}"><chain>{spans}</chain></are>', encoding="utf-8")
    found = scorch2.score(path, path, gold_offsets=ends)
    assert found.muc.f1 == 1
    assert [notice.code for notice in found.notices] == ["same"]
