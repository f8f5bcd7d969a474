"""Counts by hand of every metric that sees more than clusters, and the test of each profile's numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from every import every
from worked import assert_worked, text_with

import scorch2
from scorch2.model.document import Document, OnDemand, Words
from scorch2.model.markables import Bridge, Relations
from scorch2.model.values import PROFILES
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS

FILE = "tests/scoring/test_worked_evidence.py"


def side(clusters: Sequence[str], links: str = "", non_referring: str = "", words: str = "") -> Document:
    """Return a document: a word is a cluster, a letter a mention, ``ba`` a link from b to a."""
    bridging = [Bridge(link[0], "", link[1], "", "") for link in links.split()]
    relations = OnDemand(lambda: Relations({}, bridging, [*non_referring]))
    named = {str(number): [*members] for number, members in enumerate(clusters)}
    text: dict[str, Any] = {"words": Words(list, words.split()), "sentences": [len(words.split())]}
    return Document("d", named, relations=relations, **text if words else {})


LINKED = side(["ab", "c", "d"], "cb dc ed"), side(["a", "f"], "ca df ed ga")
WORKED: dict[str, tuple[Document | str, Document | str, tuple[int, int, int, int]]] = {
    # words 1 to 3, and 4; words 1 to 2, 3 to 4, and 5: 2 words of the first pair and 1 of the second
    "mention_overlap": (
        "1 (a--1- 2 _ 3 a) 4 (b--1-) 5 _",
        "1 (a--1- 2 a) 3 (b--1- 4 b) 5 (c--1-)",
        (3, 4, 3, 5),
    ),
    # 1.1 has its antecedent 1; 2.1 is with 1 instead of 2; 3.1 and 4.1 are linked by the system alone
    "zero_anaphora": (
        "1 (a--1-) 1.1 (a--1-) 2 (b--1-) 2.1 (b--1-) 3 _ 3.1 _ 4 _ 4.1 _",
        "1 (a--1-) 1.1 (a--1-) 2 _ 2.1 (a--1-) 3 (c--1-) 3.1 (c--1-) 4 _ 4.1 (c--1-)",
        (1, 2, 1, 4),
    ),
    # b of b and c: of two and three mentions
    "non_referring": (side([], non_referring="ab"), side([], non_referring="bcd"), (1, 2, 1, 3)),
    # c, d and e on both sides, of three and four anaphors; only e has the same antecedent; those of c are
    # a and b, one entity of gold; those of d are c and f, which are none
    "bridging_anaphor": (*LINKED, (3, 3, 3, 4)),
    "bridging_mention": (*LINKED, (1, 3, 1, 4)),
    "bridging_entity": (*LINKED, (2, 3, 2, 4)),
    # "the", "man" and "sleeps" of four words; there is no precision
    "copied": (side([], words="the old man sleeps"), side([], words="the OLD man he sleeps"), (3, 4, 0, 0)),
}
"""Gold, system, and the numerator and denominator of recall and of precision."""
CHOICES: dict[str, Any] = {"copied": {"align": "text"}}


def given(document: Document | str, path: Path) -> Document | Path:
    """Return a document, or a file of CorefUD with the numbers and the entities of a text."""
    if isinstance(document, Document):
        return document
    cells = document.split()
    rows = [
        "\t".join([number, "w", *"_" * 6, f"{int(float(number))}:x" if "." in number else "_", said])
        for number, entity in zip(cells[::2], cells[1::2], strict=True)
        for said in [entity if entity == "_" else f"Entity={entity}"]
    ]
    head = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    path.write_text("\n".join([*head, *rows, "", ""]), "utf-8")
    return path


def test_every_metric_with_evidence_has_a_worked_case() -> None:
    assert_worked([name for name in METRICS if name not in OF_CLUSTERS], WORKED, f"WORKED in {FILE}")


@pytest.mark.parametrize("name", WORKED)
def test_metrics_with_evidence_are_counted_as_by_hand(name: str, tmp_path: Path) -> None:
    *texts, expected = WORKED[name]
    gold, system = (given(text, tmp_path / f"{n}.conllu") for n, text in enumerate(texts))
    report = scorch2.score(gold, system, metrics=[name], **CHOICES.get(name, {}))
    assert tuple(report.tallies(name)[""]) == expected, f"{name} is not what was counted by hand"


NUMBERS = {
    "scorch": "scoring/test_scorch_peer.py::test_folders_score_as_in_scorch",
    "conll": "scoring/test_conll_oracle.py::test_pooled_counts_are_those_of_the_reference_scorer",
    "e2e": "scoring/test_e2e_oracle.py::test_it_gives_the_numbers_of_the_copies",
    "corefud-1.2": "scoring/test_corefud_oracle.py::test_scores_are_those_of_the_profile",
    "corefud-1.1": "scoring/test_corefud_oracle.py::test_scores_are_those_of_the_profile",
    "crac-llm": "scoring/test_copied_text.py::test_a_systems_file_and_its_text_score_the_same",
    "ua-2.0": "scoring/test_ua_oracle.py::test_scores_are_those_of_the_profile",
    "ua-1.0": "scoring/test_ua_oracle.py::test_the_profile_of_the_old_scorer_prints_its_lines",
    "coval": "scoring/test_coval_oracle.py::test_scores_are_those_of_the_profile",
}
"""The test in which the numbers of each profile are held against the scorer whose numbers they are."""


def test_every_profile_has_numbers_of_its_scorer() -> None:
    assert_worked(PROFILES, NUMBERS, f"a test of the scorer's numbers, and name it in NUMBERS of {FILE}")


@every(("profile", "test"), NUMBERS.items())
def test_the_numbers_of_a_profile_are_where_they_are_said_to_be(profile: str, test: str) -> None:
    text = text_with(test, f"NUMBERS in {FILE}")
    family, _, version = profile.rpartition("-")
    assert profile in text or (family in text and version in text), f"{test} does not speak of {profile}"
