"""Peers: on random files the reference scorer and neleval, where they are at hand, print what scorch2 prints.

    python tests/campaigns/peers.py --reference='perl scorer.pl' --neleval=neleval --cases=500 --seed=0

Left out is what differs by design: identifiers with letters, errors in documents that are not asked for, more
than ten repeats (the reference scorer); overlap measures, groups that gold lacks (neleval). The reference
scorer visits documents in any order, so what is about documents is sorted, and sums are compared up to their
last digits. LEA is left out, too: the scorer proper has none.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dice import Dice
from findings import Finding, tell

SCORCH2 = (sys.executable, "-m", "scorch2")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = {**os.environ, "PYTHONPATH": ROOT}
"""Where `SCORCH2` finds the package, installed or not."""
METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "all")
ODD_TAGS = ("3)", "(2", "2)(2", "((3))", "(3|", "|1)|", "(1)(1)", "(5)6)", "(12+3)")
"""What the reference scorer reads in its own way."""
STOPPED = "Found too many repeated mentions"
SKIPPED = "skipped"
TOTALS = "====== TOTALS ======="
RULER = re.compile(r"^-{20,}\n", re.MULTILINE)
"""What ends a document, but for BLANC."""
BASES = ("Q1", "Q2", "Q3", "NIL1", "NIL2", "NIL3")
TYPES = ("PER", "ORG", "GPE")
MEASURES = ("all", "tac14", "muc", "strong_typed_all_match", "sets:is_nil:docid+type")
GROUPS = ((), ("-b", "docid"), ("-b", "type"), ("-b", "docid", "-b", "type"), ("--overall", "-b", "docid"))


class Case(NamedTuple):
    """Two files, and what both programs are asked about them."""

    files: dict[str, str]
    theirs: Sequence[str]
    """Words of a command line, the names of files among them."""
    ours: Sequence[str]


class Peer(NamedTuple):
    """Another scorer."""

    name: str
    draw: "Callable[[Dice], Case]"
    differ: "Callable[[Run, Run], str]"
    """Says in what its run and ours differ, if at all; `SKIPPED` if they cannot be compared."""


class Run(NamedTuple):
    """The outcome of a run of a program."""

    status: int
    out: str
    err: str


def main() -> int:
    given = _arguments()
    start = time.monotonic()
    findings: list[Finding] = []
    compared = {}
    for peer in (
        Peer("reference", reference_case, reference_difference),
        Peer("neleval", neleval_case, neleval_difference),
    ):
        command = getattr(given, peer.name)
        if command:
            found, compared[peer.name] = campaign(
                peer, _placed(shlex.split(command)), Dice(given.seed), given.cases
            )
            findings += found
    tell(findings, Counter(finding.kind for finding in findings), given.save)
    seconds = time.monotonic() - start
    print(f"peers: {compared} cases compared; {len(findings)} differences; {seconds:.0f} s")
    return 1 if findings else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reference", help="the command of the CoNLL reference scorer")
    parser.add_argument("--neleval", help="the command of neleval")
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="folder for files that differ; default: a temporary one")
    given = parser.parse_args()
    if not (given.reference or given.neleval):
        parser.error("give the command of a peer")
    return given


def _placed(command: Sequence[str]) -> list[str]:
    """Return a command whose files are found from any folder."""
    return [os.path.abspath(word) if os.path.exists(word) else word for word in command]


def campaign(peer: Peer, command: Sequence[str], dice: Dice, cases: int) -> tuple[list[Finding], int]:
    """Return the differences, and how many cases could be compared."""
    findings, compared = [], 0
    for _ in range(cases):
        case = peer.draw(dice)
        with tempfile.TemporaryDirectory() as folder:
            for file, text in case.files.items():
                with open(os.path.join(folder, file), "w", encoding="utf-8") as stream:
                    stream.write(text)
            theirs = run([*command, *case.theirs], folder)
            difference = peer.differ(theirs, run([*SCORCH2, *case.ours], folder))
        compared += difference != SKIPPED
        if difference and difference != SKIPPED:
            files = {file: text.encode() for file, text in case.files.items()}
            findings.append(Finding(f"{peer.name}: {' '.join(case.ours)}", difference, files))
    return findings, compared


def run(command: Sequence[str], folder: str) -> Run:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=SOURCES)
    return Run(done.returncode, done.stdout, done.stderr)


# ---------------------------------------------------------------------------------- the reference scorer


def reference_case(dice: Dice) -> Case:
    names = [f"(d{number}); part 00{dice.below(2)}" for number in range(1 + dice.below(3))]
    lengths = {name: 1 + dice.below(14) for name in names}
    asked = dice.pick(([], ["none"], [names[0]]))
    odd = asked != [names[0]] and dice.chance(0.6)  # an error may hide in documents not asked for
    entities = 1 + dice.below(5)
    files = {
        side: "".join(
            conll_document(name, lengths[name], entities, dice, odd=odd)
            for name in dice.shuffled(names)
            if side == "key" or name == names[0] or dice.chance(0.9)
        )
        for side in ("key", "response")
    }
    words = [dice.pick(METRICS), "key", "response", *asked]
    return Case(files, words, ["conll", *words])


def conll_document(name: str, length: int, entities: int, dice: Dice, *, odd: bool) -> str:
    lines, left = [], Counter[int]()  # mentions that are open, by entity
    for token in range(length):
        tags = []
        for entity in list(left.elements()):
            if token == length - 1 or dice.chance(0.4):
                tags.append(f"{entity})")
                left[entity] -= 1
        if dice.chance(0.35):
            entity = dice.below(entities)
            stays = token < length - 1 and dice.chance(0.5)
            tags.append(f"({entity}" if stays else f"({entity})")
            left[entity] += stays
        if odd and dice.chance(0.05):
            tags.append(dice.pick(ODD_TAGS))
        joint = "" if odd and dice.chance(0.2) else "|"
        cell = joint.join(dice.shuffled(tags) if odd else tags) or dice.pick("-_*")
        row = f"d\t0\t{token}\tw\t{cell}"
        if odd:
            row = dice.pick([row] * 30 + [row.replace("\t", " "), f"{row}\t", "# a comment"])
        lines += [row, ""] if dice.chance(0.1) else [row]
    return "\n".join([f"#begin document {name}", *lines, "#end document\n"])


def reference_difference(theirs: Run, ours: Run) -> str:
    if STOPPED in theirs.err or (theirs.status and ours.status):
        return SKIPPED
    if theirs.status or ours.status:
        return f"status {theirs.status} there, {ours.status} here: {theirs.err}{ours.err}"
    there, here = sections(theirs.out), sections(ours.out)
    if not there or here.keys() - {"lea"} != there.keys():
        return f"metrics {sorted(there)} there, {sorted(here)} here"
    return next((f"{name}: {found}" for name, found in there.items() if here[name] != found), "")


def sections(text: str) -> dict[str, tuple[list[str], str]]:
    """Return what is said about documents, in any order, and the totals, by metric ("" if one was asked)."""
    who, _, text = text.partition("\n")
    first, *others = re.split(r"(?m)^METRIC (\w+):\n", re.sub(r"\d+\.\d{9,}", _shortened, text))
    parts = dict(zip(others[::2], others[1::2], strict=True)) or ({"": first} if who else {})
    found = {}
    for name, part in parts.items():
        documents, _, totals = part.partition(TOTALS)
        blocks = documents.split("\n") if "Coreference links" in totals else RULER.split(documents)
        found[name] = (sorted(blocks), totals.rstrip())
    return found


def _shortened(number: re.Match[str]) -> str:
    return f"{float(number[0]):.11g}"


# ------------------------------------------------------------------------------------------------- neleval


def neleval_case(dice: Dice) -> Case:
    several = dice.chance(0.3)  # candidates of a mention
    documents = [f"d{number}" for number in range(1 + dice.below(4))]
    gold = annotations(documents, dice, several=several)
    system = changed(gold, dice) if dice.chance(0.7) else annotations(documents, dice, several=several)
    files = {"gold": gold, "sys": system}
    groups = dice.pick(GROUPS)
    words = ["evaluate", "-m", dice.pick(MEASURES), *groups, "-g", "gold", "sys"]
    extra = ["--groups=gold"] if groups else []
    texts = {side: "".join("\t".join(row) + "\n" for row in rows) for side, rows in files.items()}
    return Case(texts, words, [words[0], "--quiet", *extra, *words[1:]])


def annotations(documents: Sequence[str], dice: Dice, *, several: bool) -> list[list[str]]:
    rows = [[documents[0], "99", "99", dice.pick(BASES), "1", dice.pick(TYPES)]]  # neleval needs one
    for document in documents:
        starts = dice.shuffled(range(1, 21))[: dice.below(8)]
        for start in sorted(starts):
            number = 1 + dice.below(3) if several else 1
            candidates = [
                word
                for base in dice.shuffled(BASES)[:number]
                for word in (base, str(dice.below(100) / 100), dice.pick(TYPES))
            ]
            rows.append([document, str(start), str(start + dice.below(4)), *candidates])
    return rows


def changed(rows: Sequence[list[str]], dice: Dice) -> list[list[str]]:
    kept = [list(row) for row in rows if row[1] == "99" or not dice.chance(0.15)]
    for row in kept:
        if dice.chance(0.2):
            row[3] = dice.pick([base for base in BASES if base not in row])
        if dice.chance(0.15):
            row[5] = dice.pick(TYPES)
    return kept


def neleval_difference(theirs: Run, ours: Run) -> str:
    if theirs.status or ours.status:
        return f"status {theirs.status} there, {ours.status} here: {theirs.err[-200:]} {ours.err}"
    there, here = rows_of(theirs.out), rows_of(ours.out)
    if [name for name, _ in there] != [name for name, _ in here]:
        return f"rows {[name for name, _ in there]} there, {[name for name, _ in here]} here"
    pairs = zip(there, here, strict=True)
    return next((f"{one} there, {other} here" for one, other in pairs if not _close(one[1], other[1])), "")


def rows_of(text: str) -> list[tuple[str, list[float]]]:
    """Return the rows of a table, sorted: the name at the end, and the numbers, which have three digits."""
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return sorted((name, list(map(float, cells))) for *cells, name in rows)


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether numbers are equal, or are one that lies between two of three digits (0.7125)."""
    alike = [abs(a - b) < 1.5 * 10**-3 for a, b in zip(one, other, strict=False)]
    return len(one) == len(other) and all(alike)


if __name__ == "__main__":
    raise SystemExit(main())
