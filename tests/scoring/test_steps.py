"""A worked case for each step of matching: counted by hand, and counted otherwise without the step."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pytest
from every import every
from worked import assert_worked

from scorch2.formats.marked.marks import bracketed_documents
from scorch2.formats.rows.conll import CLOSED_FIRST
from scorch2.model.document import Columns, Discontinuous, Document, OnDemand, Words
from scorch2.model.errors import InputError
from scorch2.model.markables import Nodes, Relations, StoredMarkable, Word
from scorch2.model.options import Options, options_from
from scorch2.scoring.matching import copied_text, steps
from scorch2.scoring.matching.matched import ComparedPair
from scorch2.scoring.matching.steps import STEPS, Matcher
from scorch2.scoring.pairing.readers import windows_as_one


class Case(NamedTuple):
    """Two documents under some options, and what is left of them."""

    gold: Document
    system: Document
    options: Mapping[str, str]
    sizes: tuple[Sequence[int], Sequence[int]]
    """Of the clusters of either side."""
    both: int
    """Mentions that both sides have."""
    refused: str = ""
    """Words of the error, if it is one."""


Result: TypeAlias = tuple[Any, int, Sequence[int]]
"""Sizes of both sides, mentions in common, clusters of sets."""


class Parsed(Columns):
    """Columns of CoNLL-2012 with a parse."""

    def cells(self) -> list[list[str]]:
        return [["d", "0", "0", *row.split()] for row in self()]


def plain(**clusters: str | Sequence[Any]) -> Document:
    return Document("d", {name: list(members) for name, members in clusters.items()})


def spans(length: int, **clusters: Sequence[Any]) -> Document:
    """Return a document of one sentence."""
    return Document("d", clusters, sentences=[length])


def nodes(*words: int) -> Nodes:
    return Nodes.of(Word(0, word) for word in words)


def markable(*words: int, head: int, pieces: Sequence[tuple[int, int]] = ()) -> StoredMarkable:
    borders = pieces or [(words[0], words[-1])]
    places = tuple([(Word(0, first), Word(0, last)) for first, last in borders])
    return StoredMarkable(nodes(*words), Word(0, head), nodes(head), places)


def with_heads(length: int, **clusters: Sequence[StoredMarkable]) -> Document:
    """Return a document of one sentence of CorefUD; words count from 1."""
    mentions = {
        name: [
            (one.nodes.first.word - 1, one.nodes.last.word)
            if len(one.nodes.runs) == 1
            else Discontinuous(one.nodes.first.word - 1, one.nodes.last.word, one.nodes)
            for one in members
        ]
        for name, members in clusters.items()
    }
    return Document("d", mentions, sentences=[length], format="corefud", markables=OnDemand(dict, clusters))


def with_set(members: Sequence[str], **clusters: str) -> Document:
    """Return a document in which `they` is made of other entities."""
    return plain(**clusters)._replace(relations=OnDemand(Relations, {"they": members}))


LONG, SHORT = markable(1, 2, head=2), markable(2, head=2)
REPEATED = plain(a="xy", b="yz")
PARSED = Parsed(list, ["they PRP (S(NP*)", "left VBD (VP*))", "it PRP (NP*)"])


def words(text: str, **clusters: list[tuple[int, int]]) -> Document:
    """Return a document with the words of a text."""
    every = text.split()
    return spans(len(every), **clusters)._replace(words=Words(list, every))


CASES = {
    "marks": Case(  # the brackets of gold's first word are no mark
        words("[a]1 b", x=[(1, 2)]), next(bracketed_documents("[a]1 [b]2", "d", "d")), {}, ([1], [1]), 1
    ),
    "layer": Case(
        plain(a="xy")._replace(layers={"deixis": plain(b="z")}),
        plain()._replace(layers={"deixis": plain(b="z")}),
        {"layer": "deixis"},
        ([1], [1]),
        1,
    ),
    "brackets on one token": Case(
        spans(3, a=[(0, 2), (1, 3)])._replace(format="conll", notes=[f"on 1 token {CLOSED_FIRST}"]),
        spans(3, a=[(1, 2), (0, 3)])._replace(format="conll"),
        {"lookup": "reference"},
        ([2], [2]),
        2,
    ),
    "discontinuous mentions": Case(
        with_heads(3, a=[markable(1, 3, head=1, pieces=[(1, 1), (3, 3)])]),
        with_heads(3, a=[markable(3, head=3)]),
        {"pieces": "last"},
        ([1], [1]),
        1,
    ),
    "order of clusters": Case(
        spans(4, late=[(2, 4)], early=[(0, 1), (1, 2)])._replace(format="conll"),
        spans(4)._replace(format="conll"),
        {"lookup": "reference"},
        ([2, 1], []),
        0,
    ),
    "offsets": Case(
        plain(a=[(0, 1), (3, 3)]), spans(4, b=[(0, 2), (3, 4)]), {"gold_offsets": "inclusive"}, ([2], [2]), 2
    ),
    "alignment": Case(
        spans(2, a=[(0, 1)])._replace(words=Words(list, ["ab", "c"])),
        spans(3, a=[(0, 2)])._replace(words=Words(list, ["a", "b", "c"])),
        {"align": "characters"},
        ([1], [1]),
        1,
    ),
    "windows": Case(
        words("a b c", x=[(0, 1), (2, 3)]),
        windows_as_one("d", [words("a b", p=[(0, 1)], q=[(1, 2)]), words("b c", r=[(0, 1)], s=[(1, 2)])]),
        {"align": "text"},
        ([2], [1, 1, 1]),  # q and r have one mention, b
        2,
    ),
    "copied text": Case(
        words("a b c", x=[(0, 2)]), words("Here a b c", x=[(1, 3)]), {"align": "text"}, ([1], [1]), 1
    ),
    "kinds of documents": Case(spans(3, a=[(0, 1), (1, 3)]), plain(a=["0.1-2"]), {}, ([2], [1]), 1),
    "categories": Case(
        plain(a="xyz")._replace(categories=OnDemand(dict, {"a": ["PER", "LOC", "PER"]})),
        plain(a="xy", b="zq"),  # x and z take the category of gold, and q has none
        {"only_category": "PER"},
        ([2], [1, 1]),
        2,
    ),
    "spans for phrases": Case(plain(a="xy"), plain(a="xy"), {"nested": "drop"}, ([], []), 0, "are not spans"),
    "singletons before phrases": Case(
        spans(4, a=[(0, 1)], b=[(1, 2), (3, 4)]),
        spans(4),
        {"nested": "drop", "singletons": "drop"},
        ([2], []),
        0,
    ),
    "verb phrases and minimum spans": Case(
        spans(3, a=[(0, 1), (1, 2), (2, 3)])._replace(words=PARSED),
        spans(3, a=[(0, 1), (2, 3)]),
        {"phrases": "np"},
        ([2], [2]),
        2,
    ),
    "nested mentions": Case(spans(6, a=[(0, 3), (1, 2), (5, 6)]), spans(6), {"nested": "drop"}, ([2], []), 0),
    "heads and zeros": Case(
        with_heads(3, a=[LONG]), with_heads(3, a=[SHORT]), {"match": "head"}, ([1], [1]), 1
    ),
    "duplicates": Case(REPEATED, plain(a="y"), {"duplicates": "first"}, ([2, 1], [1]), 1),
    "split antecedents": Case(
        with_set("ab", a="x", b="y", they="z"),
        plain(a="x"),
        {"split_antecedents": "keep"},
        ([1, 1, 2], [1]),
        1,
    ),
    "kinds of mentions": Case(
        plain(a=[1])._replace(path="g.json"), plain(a="1"), {}, ([], []), 0, "are strings such as"
    ),
    "split antecedents of singletons": Case(
        with_set("ab", a="x", b="y", they="z"),
        plain(),
        {"split_antecedents": "keep", "singletons": "drop"},
        ([2], []),
        0,
    ),
    "repeats that count": Case(REPEATED, plain(a="yq"), {"lookup": "reference"}, ([2, 2], [2]), 1),
    "singletons": Case(plain(a="x", b="yz"), plain(a="x", b="y"), {"singletons": "drop"}, ([2], []), 0),
    "clusters of repeats": Case(REPEATED, plain(a="yq"), {"lookup": "nearest"}, ([2, 2], [2]), 1),
    "kinds of looked-up mentions": Case(
        plain(a=[1])._replace(path="g.json"),
        plain(a="1"),
        {"lookup": "reference"},
        ([], []),
        0,
        "are strings such as",
    ),
    "lookups": Case(plain(a="xy"), plain(a="xz"), {"lookup": "reference"}, ([2], [2]), 1),
    "pairs": Case(with_heads(3, a=[LONG]), with_heads(3, a=[SHORT]), {"match": "head"}, ([1], [1]), 1),
    "twinless mentions": Case(plain(a="xy"), plain(a="xp"), {"twinless": "singletons"}, ([2, 1], [2]), 2),
    "mentions of one side": Case(
        plain(a="xy", b="z", c="u"), plain(a="xpz", b="q"), {"twinless": "drop"}, ([1, 1], [2]), 2
    ),
}
"""By the name of the step that each is about."""


def result(case: Case) -> Result:
    """Return the sizes of the clusters, the number of mentions in common, and the clusters of sets."""
    matcher = Matcher(options_from(None, **case.options))
    matched = matcher.matched(matcher.compared("d", *matcher.annotated(case.gold, case.system)))
    if matched.clusters is None:
        shared = len(matched.gold.owner.keys() & matched.system.owner.keys())
    else:
        shared = int(matched.tables.mentions.recall_num) if matched.tables else -1
    homes = [cluster for cluster, _ in matched.sets[0]] if matched.sets else []
    return (list(matched.gold.sizes), list(matched.system.sizes)), shared, homes


def test_every_step_has_a_case() -> None:
    names = [step.name for step in STEPS]
    assert_worked(names, CASES, "CASES in tests/scoring/test_steps.py")
    assert names == list(CASES), "CASES in tests/scoring/test_steps.py are in another order than STEPS"


@every("name", CASES)
def test_cases_are_as_counted_by_hand(name: str) -> None:
    case = CASES[name]
    if case.refused:
        with pytest.raises(InputError, match=case.refused):
            result(case)
        return
    sizes, shared, homes = result(case)
    wrong = f"{name}: clusters of other sizes, or other mentions in common, than counted by hand"
    assert (sizes, shared) == (case.sizes, case.both), wrong
    assert all(home < len(sizes[0]) for home in homes), "a set is in a cluster that is there"


@pytest.mark.parametrize("name", CASES)
def test_without_its_step_a_case_comes_out_otherwise(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    for stage in ("ON_COPIES", "ON_ANNOTATION", "ON_DOCUMENTS", "ON_MENTIONS"):
        kept = tuple(step for step in getattr(steps, stage) if step.name != name)
        monkeypatch.setattr(steps, stage, kept)
    message = ""
    found: Result = (None, -1, [])
    try:
        found = result(case)
    except (AttributeError, LookupError, TypeError, ValueError) as error:  # the next step lacks what it needs
        message = str(error) or "no message"
    if case.refused:
        assert case.refused not in message, "another step refuses it, too"
    else:
        same = f"without the step {name} its case in CASES comes out the same: find one that needs it"
        assert message or found[:2] != (case.sizes, case.both) or _is_lost(found), same


def _is_lost(found: Result) -> bool:
    """Return whether a set is in a cluster that is not there."""
    return any(home >= len(found[0][0]) for home in found[2])


def test_a_plain_run_passes_few_steps() -> None:
    """Every document of every run passes these: what only an option asks for is none of them."""
    options = options_from(None)
    on_all = (*steps.ON_ANNOTATION, *steps.ON_DOCUMENTS, *steps.ON_MENTIONS)
    plain_run = [step.name for step in on_all if step.applies(options)]
    assert plain_run == ["kinds of documents", "duplicates", "kinds of mentions"]
    # Only texts with marks pass one more
    assert [step.name for step in STEPS if step.applies(options)] == ["marks", *plain_run]


def test_only_texts_with_marks_are_read_beside_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Document] = []

    def read(pair: ComparedPair, _: Options) -> ComparedPair:
        seen.append(pair.system.document)
        return pair

    monkeypatch.setattr(copied_text, "read_beside", read)
    monkeypatch.setattr(steps, "function_of", steps.function_of.__wrapped__)
    matcher = Matcher(options_from(None))
    for name, case in CASES.items():
        matcher.annotated(case.gold, case.system)
        assert seen == ([case.system] if name == "marks" else []), name
        seen.clear()


def test_a_parse_is_needed_even_if_all_mentions_are_singletons() -> None:
    alone = spans(3, a=[(0, 1)])
    case = Case(alone, alone, {"match": "mina", "singletons": "drop"}, ([], []), 0)
    with pytest.raises(InputError, match="has no parse"):
        result(case)
    none = spans(3)
    assert result(case._replace(gold=none, system=none)) == (([], []), 0, [])
