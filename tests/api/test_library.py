"""The library: paths or clusters in, a report out, errors that say what to mend."""

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from every import every

import scorch2
from scorch2.model.document import Document, OnDemand, Words
from scorch2.model.markables import Nodes, StoredMarkable, Word
from scorch2.model.options import OPTIONS
from scorch2.model.score import Value
from scorch2.model.values import PROFILES
from scorch2.scoring.metrics import OF_CLUSTERS

GOLD = {"a": ["m1", "m2", "m3"], "b": ["m4", "m5"]}
SYSTEM = {"x": ["m1", "m2"], "y": ["m3", "m4", "m5"]}
MUC = [2 / 3, 2 / 3, 2 / 3]
LEA = [3 / 5, 3 / 5, 3 / 5]


def sets(clusters: dict[str, list[str]]) -> list[set[str]]:
    return [set(members) for members in clusters.values()]


def write(path: Path, clusters: dict[str, Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"type": "clusters", "clusters": clusters}), encoding="utf-8")
    return path


@pytest.fixture
def report() -> scorch2.Report:
    return scorch2.score(GOLD, SYSTEM)


# What can be scored


SHAPES: dict[str, Callable[[dict[str, list[str]]], Any]] = {
    "mapping": lambda clusters: clusters,
    "lists": lambda clusters: list(clusters.values()),
    "sets": sets,
    "generators": lambda clusters: (iter(members) for members in clusters.values()),
    "tuples of frozen sets": lambda clusters: tuple(map(frozenset, sets(clusters))),
    "document": lambda clusters: scorch2.Document("d", clusters),
    "spans": lambda clusters: [
        [(int(m[1]), int(m[1]) + 1) for m in members] for members in clusters.values()
    ],
    "objects": lambda clusters: [[Fraction(int(m[1]), 7) for m in members] for members in clusters.values()],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_clusters_of_any_shape(shape: str) -> None:
    found = scorch2.score(SHAPES[shape](GOLD), SHAPES[shape](SYSTEM))
    assert list(found.muc) == pytest.approx(MUC)
    assert list(found.lea) == pytest.approx(LEA)


def test_both_sides_may_have_their_own_shape() -> None:
    assert list(scorch2.score(GOLD, sets(SYSTEM)).muc) == pytest.approx(MUC)


def test_every_cluster_counts_whatever_its_name() -> None:
    clusters: Any = {1: ["m1", "m2"], "1": ["m3", "m4"]}
    assert scorch2.score(clusters, [["m1", "m2"]]).documents[0].gold_mentions == 4


def test_clusters_are_left_as_they_are() -> None:
    gold, system = copy.deepcopy(GOLD), copy.deepcopy(SYSTEM)
    scorch2.score(gold, system, twinless="singletons", singletons="drop")
    assert (gold, system) == (GOLD, SYSTEM)


@pytest.mark.parametrize("kind", [str, Path])
def test_files_by_either_kind_of_path(kind: type, tmp_path: Path) -> None:
    gold, system = write(tmp_path / "g.json", GOLD), write(tmp_path / "s.json", SYSTEM)
    found = scorch2.score(kind(gold), kind(system))
    assert list(found.muc) == pytest.approx(MUC)
    assert found.documents[0].id == "g"


def test_folders(tmp_path: Path) -> None:
    for name in ("d1", "d2"):
        write(tmp_path / "gold" / f"{name}.json", GOLD)
        write(tmp_path / "sys" / f"{name}.json", SYSTEM)
    found = scorch2.score(tmp_path / "gold", tmp_path / "sys")
    assert [document.id for document in found.documents] == ["d1", "d2"]
    assert list(found.lea) == pytest.approx(LEA)


# What can be chosen


def test_metrics_by_any_name_one_or_several() -> None:
    assert list(scorch2.score(GOLD, SYSTEM, metrics=["LEA", "bcub"]).scores) == ["b_cubed", "lea"]
    assert list(scorch2.score(GOLD, SYSTEM, metrics="muc").scores) == ["muc"]
    assert list(scorch2.score(GOLD, SYSTEM, metrics=iter(["muc"])).scores) == ["muc"]
    assert list(scorch2.score(GOLD, SYSTEM, metrics="all").scores) == list(OF_CLUSTERS)


LACKING = {
    ("layer", "deixis"),
    ("match", "head"),
    ("match", "mina"),
    ("phrases", "np"),
    ("zeros", "dependency"),
}
"""Choices that need dependencies, parses or another layer, which the words of this test do not have."""


NEEDS: Mapping[str, Mapping[str, Any]] = {"ids": {"documents": "corpus"}}
"""What options need that are about others."""


@every("name", OPTIONS)
def test_every_choice_of_the_command_is_an_argument(name: str) -> None:
    places = [Word(0, 1), Word(0, 2)]
    heads = [
        StoredMarkable(Nodes.of([place]), place, Nodes.of([place]), ((place, place),)) for place in places
    ]
    words = Document(
        "d",
        {"a": [(0, 1), (1, 2)]},
        sentences=[2],
        words=Words(list, ("on", "his")),
        markables=OnDemand(dict, {"a": heads}),
    )
    for value in OPTIONS[name].values:
        given: dict[str, Any] = {name: value, **NEEDS.get(name, {})}
        if (name, value) in LACKING:
            with pytest.raises(scorch2.InputError, match=f'{name}="{value}"'):
                scorch2.score(words, words, **given)
        else:
            assert getattr(scorch2.score(words, words, **given).options, name) == value
    given, refusal = ({name: "no such"}, "cannot be") if OPTIONS[name].values else ({name: 5}, "is a text")
    with pytest.raises(scorch2.UsageError, match=f"{name} {refusal}"):
        scorch2.score(GOLD, SYSTEM, **given)


@pytest.mark.parametrize("profile", ["scorch", "conll"])
def test_an_argument_wins_over_its_profile(profile: Any) -> None:
    found = scorch2.score(GOLD, SYSTEM, profile=profile, average="macro", metrics=["lea"])
    assert (found.options.average, list(found.scores)) == ("macro", ["lea"])
    assert (
        scorch2.score(GOLD, SYSTEM, profile=profile).options.missing == PROFILES[profile].settings["missing"]
    )


# What comes out


def test_scores_are_attributes_and_named_tuples(report: scorch2.Report) -> None:
    assert report.muc == report.scores["muc"]
    recall, precision, f1 = report.b_cubed
    assert (recall, precision, f1) == (report.b_cubed.recall, report.b_cubed.precision, report.b_cubed.f1)
    assert isinstance(f1, float)
    assert report.conll.f1 == pytest.approx((report.muc.f1 + report.b_cubed.f1 + report.ceaf_e.f1) / 3)
    assert report.conll.recall is None
    assert not hasattr(report, "no_such_metric")


def test_undefined_is_0_and_says_so() -> None:
    undefined, zero = scorch2.score([["a"]], [["a"]]).muc.f1, scorch2.score([["a", "b"]], [["a"]]).muc.f1
    assert (undefined, zero) == (0.0, 0.0)
    assert (undefined.defined, zero.defined) == (False, True)


def test_numbers_are_python_s_own(report: scorch2.Report) -> None:
    def leaves(value: Any) -> Iterator[Any]:
        if isinstance(value, dict | list):
            for inner in value.values() if isinstance(value, dict) else value:
                yield from leaves(inner)
        else:
            yield value

    assert {type(leaf) for leaf in leaves(report.to_dict())} <= {int, float, str, bool, type(None)}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_report_survives_pickling(protocol: int) -> None:
    for original in (scorch2.score(GOLD, SYSTEM), scorch2.score([["a"]], [["a"]], profile="conll")):
        found = pickle.loads(pickle.dumps(original, protocol))  # noqa: S301 - made a moment ago
        assert found == original
        assert found.to_dict() == original.to_dict()
        assert str(found) == str(original)
        assert found.muc.f1.defined == original.muc.f1.defined


def test_a_report_can_be_copied(report: scorch2.Report) -> None:
    assert copy.copy(report) == report
    assert copy.deepcopy(report).to_dict() == report.to_dict()


def test_a_value_survives_pickling() -> None:
    for value in (Value(0.25), scorch2.score([["a"]], [["a"]]).muc.f1):
        found = pickle.loads(pickle.dumps(value))  # noqa: S301 - made a moment ago
        assert (found, found.defined) == (value, value.defined)


# Reading


def test_read_returns_the_documents_of_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "g.json", GOLD)
    (document,) = scorch2.read(path)
    assert (document.id, document.clusters, document.path) == ("g", GOLD, str(path))
    assert scorch2.read(str(path), "clusters") == [document]
    assert list(scorch2.score(document, scorch2.Document("s", SYSTEM)).muc) == pytest.approx(MUC)


def test_read_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text("{", encoding="utf-8")
    with pytest.raises(scorch2.InputError, match="line 1, column 2") as caught:
        scorch2.read(tmp_path / "g.json")
    assert isinstance(caught.value, ValueError)
    assert caught.value.path == str(tmp_path / "g.json")
    with pytest.raises(scorch2.UsageError, match='unknown format "xml"'):
        scorch2.read(tmp_path / "g.json", "xml")


# Errors


@pytest.mark.parametrize(
    ("gold", "why"),
    [
        (["abc"], "gold: a cluster is an iterable of mentions, not str"),
        ([b"abc"], "gold: a cluster is an iterable of mentions, not bytes"),
        ({"a": "abc"}, "gold: a cluster is an iterable of mentions, not str"),
        ([1, 2], "gold: a cluster is an iterable of mentions, not int"),
        ([["m1", {"start": 1}]], "gold: mentions must be hashable or lists of integers, not dict"),
    ],
)
def test_what_is_no_clustering_is_refused(gold: Any, why: str) -> None:
    with pytest.raises(scorch2.UsageError) as caught:
        scorch2.score(gold, [["m1"]])
    assert str(caught.value) == why
    with pytest.raises(scorch2.UsageError, match=why.replace("gold", "system")):
        scorch2.score([["m1"]], gold)


def test_documents_that_were_read_pair_by_id(tmp_path: Path) -> None:
    lines = [
        {"doc_key": f"d{i}", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]] if i else []}
        for i in range(3)
    ]
    paths = []
    for name, order in (("g", lines), ("s", lines[::-1])):
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("".join(f"{json.dumps(line)}\n" for line in order), encoding="utf-8")
    gold, system = map(scorch2.read, paths)
    report = scorch2.score(gold, system)
    assert report == scorch2.score(*paths, hashes=False)
    assert report.muc.f1 == 1
    assert scorch2.score(gold[:1], system[-1:]).documents[0].id == "d0"
    with pytest.raises(scorch2.PairingError, match="no system document for 1 gold document: d2"):
        scorch2.score(gold, system[1:])
    assert len(scorch2.score(gold, system[1:], missing="skip").documents) == 2
    with pytest.raises(scorch2.PairingError, match='two documents are called "d1"'):
        scorch2.score([*gold, gold[1]], system)
    with pytest.raises(scorch2.UsageError, match="gold: these are the clusters of several documents"):
        scorch2.score(gold, [["m1"]])


BY_NAME: list[tuple[Any, Any]] = [
    ({"d1": GOLD, "d2": sets(GOLD)}, {"d2": sets(SYSTEM), "d1": SYSTEM}),
    ({"d1": sets(GOLD), "d2": []}, {"d1": [], "d2": []}),
    ({"d1": scorch2.Document("other", GOLD)}, {"d1": sets(SYSTEM)}),
    ({1: [[[0, 1], [4, 5]]], 2: [[[0, 1]]]}, {2: [[[0, 1]]], 1: [[[0, 1], [4, 5]]]}),
]


@pytest.mark.parametrize(("gold", "system"), BY_NAME)
def test_documents_by_name_pair_by_name(gold: Any, system: Any) -> None:
    scorer = scorch2.CorefScorer()
    for name in gold:
        scorer.update(gold=gold[name], system=system[name], id=str(name))
    found = scorch2.score(gold, system)
    assert found == scorer.compute()
    assert scorch2.errors(gold, system).report.scores["muc"] == found.muc
    assert scorch2.confidence(system, gold=gold, trials=9).report == found
    once: list[dict[Any, Any]] = [
        {name: inside if isinstance(inside, Document) else iter(inside) for name, inside in side.items()}
        for side in (gold, {name: [*inside] for name, inside in system.items()})
    ]
    if not any(isinstance(inside, dict) for side in (gold, system) for inside in side.values()):
        assert scorch2.score(*once) == found


def test_a_document_by_name_that_the_system_lacks_is_told() -> None:
    with pytest.raises(scorch2.PairingError, match="no system document for 1 gold document: d1"):
        scorch2.score({"d1": sets(GOLD)}, {"d2": sets(SYSTEM)})
    with pytest.raises(scorch2.PairingError, match="no system document for 1 gold document: d2"):
        scorch2.score({"d1": sets(GOLD), "d2": sets(GOLD)}, {"d1": sets(SYSTEM)})
    found = scorch2.score({"d1": sets(GOLD), "d2": sets(GOLD)}, {"d1": sets(SYSTEM)}, missing="skip")
    assert [document.id for document in found.documents] == ["d1"]


def test_a_document_is_shown_by_its_name_and_sizes() -> None:
    assert repr(scorch2.Document("d1", GOLD)) == "Document(id='d1', clusters=2, mentions=5)"
    read = scorch2.Document("d1", GOLD, "d1.json", format="clusters")
    assert repr(read) == "Document(id='d1', clusters=2, mentions=5, format='clusters')"


@pytest.mark.parametrize(
    ("gold", "system", "why"),
    [
        (
            [[1, 2]],
            [["1", "2"]],
            r'system: mention ids are strings such as "1", but in gold integers such as 1 \(100 %',
        ),
        (
            [[(0, 1), (3, 4)]],
            [["0.0-1"]],
            r'strings such as "0.0-1", but in gold lists of integers such as \[0, 1\]',
        ),
        ([["0-1"]], [[(0, 1)]], r"lists of integers such as \[0, 1\], but in gold strings"),
    ],
)
def test_mentions_of_kinds_that_never_match_are_refused(gold: Any, system: Any, why: str) -> None:
    with pytest.raises(scorch2.InputError, match=why):
        scorch2.score(gold, system)
    with pytest.raises(scorch2.InputError, match=why):
        scorch2.CorefScorer().update(gold=gold, system=system)


def test_kinds_that_may_match_are_scored() -> None:
    class Span(NamedTuple):
        start: int
        end: int

    for gold, system in (
        ([["a", 1]], [[2]]),
        ([[1, 2]], [[1.0, 2.5]]),
        ([[(0, 1)]], [[Span(0, 1)]]),
        ([[(0, 1)]], [[Span(5, 6)]]),
        ([["a"]], []),
    ):
        scorch2.score(gold, system)


@pytest.mark.parametrize("clustering", [None, 7])
def test_what_cannot_be_iterated_is_refused(clustering: Any) -> None:
    for pair in ((clustering, [["m1"]]), ([["m1"]], clustering)):
        with pytest.raises(scorch2.UsageError):
            scorch2.score(*pair)


def test_a_path_against_clusters_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "g.json", GOLD)
    for pair in ((path, SYSTEM), (SYSTEM, str(path)), (scorch2.read(path)[0], path)):
        with pytest.raises(scorch2.UsageError, match="two paths or two clusterings"):
            scorch2.score(*pair)


def test_a_mention_in_two_clusters_is_refused() -> None:
    with pytest.raises(scorch2.InputError, match='mention "m" is already in cluster "0"'):
        scorch2.score([["m", "n"], ["m"]], [["m"]])
    assert scorch2.score([["m", "n"], ["m"]], [["m"]], duplicates="merge").documents[0].gold_mentions == 2


def test_every_error_is_a_scorch_error_of_its_kind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file = write(tmp_path / "g.json", GOLD)
    failures: list[tuple[type[Exception], tuple[Any, Any], dict[str, Any]]] = [
        (scorch2.InputError, (tmp_path / "none", file), {}),
        (scorch2.PairingError, (tmp_path / "folder", file), {}),
        (scorch2.UsageError, (GOLD, SYSTEM), {"profile": "neleval"}),
        (scorch2.UsageError, (GOLD, SYSTEM), {"metrics": ["rouge"]}),
        (scorch2.UsageError, (GOLD, SYSTEM), {"metrics": None}),
        (scorch2.UsageError, (GOLD, SYSTEM), {"metrics": 5}),
        (scorch2.UsageError, (file, file), {"executor": 3}),
        (scorch2.UsageError, (file, file), {"executor": ThreadPoolExecutor(1), "jobs": 2}),
        (scorch2.UsageError, (file, file), {"gold_format": "xml"}),
    ]
    for kind, pair, chosen in failures:
        with pytest.raises(kind) as caught:
            scorch2.score(*pair, **chosen)
        assert isinstance(caught.value, scorch2.ScorchError)
        assert "\n" not in str(caught.value)


# The module


def test_public_names_are_there_and_no_others() -> None:
    assert set(dir(scorch2)) == set(scorch2.__all__)
    for name in scorch2.__all__:
        assert getattr(scorch2, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = scorch2.nonsense


def test_importing_it_costs_nothing() -> None:
    script = "import sys; before = set(sys.modules); import scorch2; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not {"numpy", "scipy", "tqdm", "docopt", "json"} & loaded
    ours = {name for name in done.stdout.split() if name.startswith("scorch2.")}
    assert ours == {"scorch2.version"}


def test_scoring_clusters_needs_no_heavy_package() -> None:
    run = "scorch2.score([['a', 'b'], ['c']], [['a'], ['b', 'c']], metrics='all')"
    script = f"import sys, scorch2; {run}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert not {"numpy", "scipy", "tqdm", "docopt"} & set(done.stdout.split())


def test_nothing_that_python_users_name_needs_a_package_of_an_extra() -> None:
    run = "[getattr(scorch2, name) for name in scorch2.__all__]; import scorch2.api.spacy_scorer"
    script = f"import sys, scorch2; {run}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert "scorch2.api.spacy_scorer" in done.stdout
    assert not {"evaluate", "datasets", "spacy", "pandas", "matplotlib", "distributed"} & set(
        done.stdout.split()
    )


@pytest.mark.parametrize("document", [((("a", "b"), ("c",)),), [[["a", "b"], ["c"]]], [[[(0, 1)], [(2, 3)]]]])
def test_a_batch_given_to_score_is_refused_with_the_call_that_was_meant(document: Any) -> None:
    batch = [document]
    with pytest.raises(scorch2.UsageError, match=r"gold: .* give all to scorch2\.compute\(predictions="):
        scorch2.score(batch, batch)
    assert scorch2.score([[(0, 1), (2, 3)]], [[(0, 1), (2, 3)]]).lea.f1 == 1
