"""The same data give the same bytes: whatever the hash seed, the listing, and the order in the files."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from scorch2.cli.main import main

Clusters: TypeAlias = Mapping[str, Sequence[str]]

CONLL = Path(__file__).parent.parent.parent / "fixtures" / "conll"
DOCUMENTS = 6


def sample(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a sample, not a secret


def corpus(seed: int) -> dict[str, tuple[Clusters, Clusters]]:
    """Draw clusterings with many ties and sums that are no round numbers."""
    drawn = sample(seed)
    return {f"d{number}": (clusters(drawn, 40, 9), clusters(drawn, 44, 12)) for number in range(DOCUMENTS)}


def clusters(drawn: Random, mentions: int, most: int) -> Clusters:
    found: dict[str, list[str]] = {}
    for mention in drawn.sample(range(mentions), mentions - 6):
        found.setdefault(f"e{drawn.randrange(most)}", []).append(f"m{mention}")
    return found


def write(
    folder: Path, pairs: Mapping[str, tuple[Clusters, Clusters]], render: Callable[[Clusters], Any]
) -> list[str]:
    sides = [folder / "gold", folder / "sys"]
    for side, path in enumerate(sides):
        path.mkdir(parents=True)
        for name, pair in pairs.items():
            (path / f"{name}.json").write_text(json.dumps(render(pair[side])), encoding="utf-8")
    return [str(path) for path in sides]


def as_clusters(found: Clusters) -> Any:
    return {"type": "clusters", "clusters": found}


def report(words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["--format=json", "--no-hashes", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["-q", "--profile=conll", str(CONLL / "c007.key"), str(CONLL / "c007.response")],
        ["--duplicates=merge"],
    ],
    ids=["conll", "folders"],
)
def test_the_hash_seed_does_not_matter(words: list[str], tmp_path: Path) -> None:
    if len(words) == 1:
        pairs = corpus(1)
        repeated = {
            name: ({**gold, "again": [next(iter(gold.values()))[0]]}, system)
            for name, (gold, system) in pairs.items()
        }
        words = [*words, *write(tmp_path, repeated, as_clusters)]
    said = set()
    for seed in range(4):
        done = subprocess.run(
            [sys.executable, "-m", "scorch2", "--format=json", "--metric=lea", "--metric=ceaf_e", *words],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
        )
        said.add((done.stdout, done.stderr))
    assert len(said) == 1, "the hash seed changes the output: sort a set before its order counts"


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_a_listing_does_not_matter(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = write(tmp_path, corpus(seed), as_clusters)
    expected = report(folders, capsys)
    scandir = os.scandir

    @contextmanager
    def shuffled(path: str) -> Iterator[Iterator["os.DirEntry[str]"]]:
        with scandir(path) as listing:
            entries = list(listing)
        sample(seed).shuffle(entries)
        yield iter(entries)

    monkeypatch.setattr(os, "scandir", shuffled)
    assert report(folders, capsys) == expected


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_keys_clusters_and_mentions_does_not_matter(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = sample(seed)

    def mixed(found: Clusters) -> Any:
        names = [f"{drawn.random()}" for _ in found]
        members = [drawn.sample(each, len(each)) for each in found.values()]
        drawn.shuffle(members)
        value = list(as_clusters(dict(zip(names, members, strict=True))).items())
        return dict(drawn.sample(value, len(value)))

    def graph(found: Clusters) -> Any:
        chains = [drawn.sample(each, len(each)) for each in found.values()]
        links = [drawn.sample(link, 2) for chain in chains for link in pairwise(chain)]
        mentions = [mention for chain in chains for mention in chain]
        return {
            "links": drawn.sample(links, len(links)),
            "mentions": drawn.sample(mentions, len(mentions)),
            "type": "graph",
        }

    pairs = corpus(seed)
    expected = report(write(tmp_path / "a", pairs, as_clusters), capsys)
    assert report(write(tmp_path / "b", pairs, mixed), capsys) == expected
    assert report(write(tmp_path / "c", pairs, graph), capsys) == expected


def test_the_order_of_documents_in_a_file_does_not_matter_to_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = (CONLL / "c059.response").read_text("utf-8").split("#begin")[1:]
    expected = json.loads(report([str(CONLL / "c059.key"), str(CONLL / "c059.response")], capsys))
    for seed in range(3):
        sample(seed).shuffle(documents)
        (tmp_path / "s.conll").write_text("".join(f"#begin{text}" for text in documents), encoding="utf-8")
        found = json.loads(report([str(CONLL / "c059.key"), str(tmp_path / "s.conll")], capsys))
        assert {**found, "warnings": []} == {**expected, "warnings": []}  # these name the file


def test_two_runs_in_one_process_do_not_know_of_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = (write(tmp_path / str(seed), corpus(seed), as_clusters) for seed in (1, 2))
    first = report(one, capsys)
    assert report(other, capsys) != first
    assert report(one, capsys) == first
