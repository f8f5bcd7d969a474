"""`--profile=scorch` prints what scorch prints, and `conll2json` writes what its converter writes.

The inputs keep clear of what scorch gets wrong: a gold name that begins with another (it pairs by prefix),
sides without a common mention (its CEAF_e crashes), BLANC of one gold mention against more, repeats.
"""

import importlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from every import every

import scorch2
from scorch2.cli.main import main

if TYPE_CHECKING or "CI" in os.environ:
    peer: Any = importlib.import_module("scorch.main")
else:
    peer = pytest.importorskip("scorch.main", reason="the peer is in the dev extra")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what the peer says to old numpy

Clusters: TypeAlias = Sequence[Sequence[int]]

CONLL = Path(__file__).parent.parent.parent / "fixtures" / "conll"
LABELS = ["MUC", "B³", "CEAF_m", "CEAF_e", "BLANC", "CoNLL-2012 average score"]
CONVERTED = [
    "c001.key", "c003.key", "c014.key", "c015.key", "c017.key", "c023.key", "c027.key", "c037.key",
    "c040.key", "c041.key", "c047.key", "c059.key", "c002.response", "c016.response", "c041.response",
    "c048.response", "c052.response", "c055.response", "c062.response",
]  # fmt: skip
"""Files of `(name);` documents whose mentions are distinct and end in the sentence they begin in."""
FUNCTIONS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")


@pytest.mark.parametrize("seed", range(40))
def test_folders_score_as_in_scorch(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    gold, system = tmp_path / "gold", tmp_path / "sys"
    for number in range(random.randint(1, 8)):
        clusterings = random_pair(random)
        for folder, clusters in zip((gold, system), clusterings, strict=True):
            write(folder / f"doc{number:02}.json", clusters, random)
    write(gold / "unanswered.json", random_pair(random)[0], random)
    check(peer.process_dirs(gold, system), [str(gold), str(system)], capsys)


@every("seed", range(40))
def test_files_score_as_in_scorch(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    paths = tmp_path / "gold.json", tmp_path / "sys.json"
    for path, clusters in zip(paths, random_pair(random), strict=True):
        write(path, clusters, random)
    with paths[0].open() as gold, paths[1].open() as system:
        check(list(peer.process_files(gold, system)), list(map(str, paths)), capsys)


@every("seed", range(40))
def test_metrics_are_those_of_scorch(seed: int) -> None:
    gold, system = random_pair(Random(seed))  # noqa: S311 - a sample, not a secret
    report = scorch2.score(gold, system)
    for name in FUNCTIONS:
        function: Callable[..., Sequence[float]] = getattr(peer.scores, name)
        expected = function([*map(set, gold)], [*map(set, system)])
        assert list(report.scores[name]) == pytest.approx(expected, abs=1e-12), name


@pytest.mark.parametrize("name", CONVERTED)
def test_conversion_is_that_of_scorch(name: str, tmp_path: Path) -> None:
    converter = importlib.import_module("scorch.conll")
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.mkdir()
    converter.main_entry_point([str(CONLL / name), str(theirs)])
    assert main(["conll2json", str(CONLL / name), str(ours)]) == 0
    expected = {path.name: converted(path) for path in theirs.iterdir()}
    assert expected
    assert {path.name: converted(path) for path in ours.iterdir()} == expected


def check(lines: Iterable[str], paths: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    expected = numbers(lines)
    capsys.readouterr()
    assert main(["--profile=scorch", *paths]) == 0
    printed = numbers(capsys.readouterr().out.splitlines())
    assert list(printed) == list(expected) == LABELS
    for label, values in expected.items():
        assert printed[label] == pytest.approx(values, abs=1e-12), label


def numbers(lines: Iterable[str]) -> dict[str, list[float]]:
    """Read `MUC:⇥R=…⇥P=…⇥F₁=…` and `CoNLL-2012 average score: …`, and nothing that looks otherwise."""
    number = r"(\d\.\d+(?:e-\d+)?)"
    shape = re.compile(rf"([^:]+):(?:\tR={number}\tP={number}\tF₁={number}| {number})\n?")
    found = [shape.fullmatch(line) for line in lines]
    assert all(found)
    return {match[1]: [float(text) for text in match.groups()[1:] if text] for match in found if match}


def random_pair(random: Random) -> tuple[Clusters, Clusters]:
    """Draw gold, and a system that moves, misses and invents mentions but knows mentions 0 and 1."""
    mentions = range(random.randint(2, 30))
    gold = {mention: random.randrange(len(mentions)) // 2 for mention in mentions}
    system = {mention: cluster for mention, cluster in gold.items() if mention < 2 or random.random() < 0.8}
    for mention in random.sample(sorted(system), len(system) // 3) + [100, 101, 102][: random.randint(0, 3)]:
        system[mention] = random.randrange(len(mentions)) // 2
    return grouped(gold), grouped(system)


def grouped(labels: Mapping[int, int]) -> Clusters:
    names = dict.fromkeys(labels.values())
    return [[mention for mention, label in labels.items() if label == name] for name in names]


def write(path: Path, clusters: Clusters, random: Random) -> None:
    """Write clusters, or a graph whose links join them, some of them twice."""
    path.parent.mkdir(exist_ok=True)
    value: dict[str, Any] = {"type": "clusters", "clusters": {str(i): c for i, c in enumerate(clusters)}}
    if random.random() < 0.5:
        chains = [random.sample(cluster, len(cluster)) for cluster in clusters]
        links = [list(link) for chain in chains for link in pairwise(chain)]
        links += random.sample(links, len(links) // 2)
        random.shuffle(links)
        value = {"type": "graph", "mentions": [m for chain in chains for m in chain], "links": links}
    path.write_text(json.dumps(value), encoding="utf-8")


def converted(path: Path) -> tuple[str, dict[str, set[str]]]:
    value = json.loads(path.read_text("utf-8"))
    assert value["type"] == "clusters"
    return value["name"], {cluster: set(mentions) for cluster, mentions in value["clusters"].items()}
