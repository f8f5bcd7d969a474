"""Determinism: the same bytes out, whatever the hash seed and the order of files, keys, clusters, mentions.

A random corpus is written once for every hash seed: the files made in another order, and everything inside
them in another order. A process with that hash seed, whose folder listings are shuffled besides, writes every
report under several options; the reports of all seeds must be the same to the byte.

    python tests/campaigns/determinism.py --documents=200 --hash-seeds=8 --seed=0
"""

import argparse
import contextlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from unittest import mock

from dice import Dice
from findings import Finding, tell
from random_corpora import WRITERS, Clusters, pair

from scorch2.api.library import score
from scorch2.cli.main import main as scorch2
from scorch2.model.forms import forms_of
from scorch2.scoring.metrics import OF_CLUSTERS

REPORTS = forms_of("scores")

EVERY_METRIC = tuple(f"--metric={name}" for name in OF_CLUSTERS)
OPTIONS = (
    ("--per-document", *EVERY_METRIC),
    ("--average=macro", "--singletons=drop", *EVERY_METRIC),
    ("--average=pooled", "--twinless=singletons", *EVERY_METRIC),
    ("--profile=scorch",),
    ("--profile=conll",),
)
LISTINGS = ("errors", "links", "entities", "examples")
CORPUS_FOLDER = "corpus"
REPORT_FOLDER = "reports"


def main() -> int:
    given = _arguments()
    if given.child is not None:
        return _write_reports(given.child)
    start = time.monotonic()
    corpus = _corpus(given.documents, Dice(given.seed))
    findings: list[Finding] = []
    reports = 0
    with tempfile.TemporaryDirectory() as folder:
        expected: dict[str, bytes] = {}
        for hash_seed in range(given.hash_seeds):
            home = os.path.join(folder, str(hash_seed))
            _write_corpus(home, corpus, Dice(given.seed, hash_seed))
            found = _reports(home, hash_seed)
            reports += len(found)
            expected = expected or found
            findings += _differences(expected, found, hash_seed)
    tell(findings, Counter(finding.kind for finding in findings), given.save)
    seconds = time.monotonic() - start
    print(
        f"determinism: {given.documents} documents, {given.hash_seeds} hash seeds, {reports} reports, "
        f"{len(expected)} different ones expected; {len(findings)} broken promises; {seconds:.0f} s"
    )
    return 1 if findings else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--hash-seeds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="folder for reports that differ; default: a temporary one")
    parser.add_argument("--child", type=int, help="write the reports of the current folder: for the campaign")
    return parser.parse_args()


def _corpus(documents: int, dice: Dice) -> list[tuple[Clusters, Clusters]]:
    """Return small documents full of ties, one that is empty and one whose alignment takes scipy."""
    small = [pair(dice, 5 + dice.below(60), 2 + dice.below(15)) for _ in range(documents - 2)]
    return [*small, ([], []), pair(dice, 12_000, 100)]


def _write_corpus(home: str, corpus: list[tuple[Clusters, Clusters]], dice: Dice) -> None:
    for form, writer in WRITERS.items():
        for side in ("gold", "sys"):
            os.makedirs(os.path.join(home, CORPUS_FOLDER, form, side))
        for number in dice.shuffled(range(len(corpus))):
            tokens = 1 + max((m for side in corpus[number] for cluster in side for m in cluster), default=0)
            for side, clusters in zip(("gold", "sys"), corpus[number], strict=True):
                path = os.path.join(home, CORPUS_FOLDER, form, side, f"doc{number}.txt")
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(writer(dice.shuffled(clusters), tokens, dice))


def _reports(home: str, hash_seed: int) -> dict[str, bytes]:
    """Return the reports of a process with that hash seed, by name."""
    os.mkdir(os.path.join(home, REPORT_FOLDER))
    words = [sys.executable, os.path.abspath(__file__), f"--child={hash_seed}"]
    subprocess.run(words, check=True, cwd=home, env={**os.environ, "PYTHONHASHSEED": str(hash_seed)})
    found = {}
    for name in sorted(os.listdir(os.path.join(home, REPORT_FOLDER))):
        with open(os.path.join(home, REPORT_FOLDER, name), "rb") as stream:
            found[name] = stream.read()
    return found


def _write_reports(seed: int) -> int:
    """Write every report of the corpus in the current folder, with shuffled listings."""
    dice, listing = Dice(seed), os.scandir
    status = 0
    with mock.patch("os.scandir", lambda path: contextlib.nullcontext(dice.shuffled(list(listing(path))))):
        for form, report in itertools.product(WRITERS, REPORTS):
            gold, system = (os.path.join(CORPUS_FOLDER, form, side) for side in ("gold", "sys"))
            for number, options in enumerate(OPTIONS):
                if options[0] in REPORTS[report].ignores:
                    continue
                target = os.path.join(REPORT_FOLDER, f"{form}-{number}.{report}")
                status |= scorch2(
                    ["--quiet", "--no-hashes", *options, f"--format={report}", gold, system, target]
                )
    for form, listed in itertools.product(WRITERS, LISTINGS):
        gold, system = (os.path.join(CORPUS_FOLDER, form, side) for side in ("gold", "sys"))
        target = os.path.join(REPORT_FOLDER, f"{form}-{listed}.json")
        words = ["errors", "--quiet", "--format=json", f"--list={listed}", *EVERY_METRIC]
        status |= scorch2([*words, gold, system, target])
    _write_library_report(os.path.join(REPORT_FOLDER, "library.table"))
    return status


def _write_library_report(path: str) -> None:
    """Score clusters given as sets of strings, whose order is that of the hash seed."""
    gold, system = pair(Dice(0), 300, 40)
    named = [[{f"m{mention}" for mention in cluster} for cluster in side] for side in (gold, system)]
    report = score(*named, metrics=OF_CLUSTERS)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(f"{report}\n{report.to_dict()}\n")


def _differences(expected: dict[str, bytes], found: dict[str, bytes], hash_seed: int) -> list[Finding]:
    return [
        Finding(
            f"{name} differs",
            f"hash seed {hash_seed} against 0",
            {"expected": expected.get(name, b""), "got": found.get(name, b"")},
        )
        for name in {**expected, **found}
        if expected.get(name) != found.get(name)
    ]


if __name__ == "__main__":
    sys.exit(main())
