"""Peers: on random files the reference scorer and neleval, where they are at hand, print what scorch2 prints.

    python tests/campaigns/peers.py --reference='perl scorer.pl' --neleval=neleval --cases=500 --seed=0

Left out is what differs by design: identifiers with letters, errors in documents that are not asked for, more
than ten repeats (the reference scorer); overlap measures, groups that gold lacks (neleval). The reference
scorer visits documents in any order, so the lines about documents are compared as a set, and sums up to
their last digits.
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
METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "all")
ODD_TAGS = ("3)", "(2", "2)(2", "((3))", "(3|", "|1)|", "(1)(1)", "(5)6)", "(12+3)")
"""What the reference scorer reads in its own way."""
STOPPED = "Found too many repeated mentions"
TOTALS = "====== TOTALS ======="
BASES = ("Q1", "Q2", "Q3", "NIL1", "NIL2", "NIL3")
TYPES = ("PER", "ORG", "GPE")
MEASURES = ("all", "tac14", "muc", "strong_typed_all_match", "sets:is_nil:docid+type")
GROUPS = ((), ("-b", "docid"), ("-b", "type"), ("-b", "docid", "-b", "type"), ("--overall", "-b", "docid"))


class Case(NamedTuple):
    """Two files, and what both programs are asked about them."""

    files: dict[str, str]
    peer: Sequence[str]
    scorch2: Sequence[str]


class Peer(NamedTuple):
    """Another scorer."""

    name: str
    draw: "Callable[[Dice], Case]"
    differ: "Callable[[Run, Run], str]"
    """Says in what its run and ours differ, if at all."""


class Run(NamedTuple):
    """What a program did."""

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
            findings += campaign(peer, shlex.split(command), Dice(given.seed), given.cases)
            compared[peer.name] = given.cases
    tell(findings, Counter(finding.kind for finding in findings), given.save)
    seconds = time.monotonic() - start
    print(f"peers: {compared} cases; {len(findings)} differences; {seconds:.0f} s")
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


def campaign(scorer: Peer, command: Sequence[str], dice: Dice, cases: int) -> list[Finding]:
    findings = []
    for _ in range(cases):
        case = scorer.draw(dice)
        with tempfile.TemporaryDirectory() as folder:
            for file, text in case.files.items():
                with open(os.path.join(folder, file), "w", encoding="utf-8") as stream:
                    stream.write(text)
            peer, mine = run([*command, *case.peer], folder), run([*SCORCH2, *case.scorch2], folder)
        difference = scorer.differ(peer, mine)
        if difference:
            files = {file: text.encode() for file, text in case.files.items()}
            findings.append(Finding(f"{scorer.name}: {' '.join(case.scorch2)}", difference, files))
    return findings


def run(command: Sequence[str], folder: str) -> Run:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
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


def reference_difference(peer: Run, mine: Run) -> str:
    """Return in what two runs differ, in words, or nothing."""
    if STOPPED in peer.err:
        return ""
    if peer.status or mine.status:
        alike = bool(peer.status) == bool(mine.status)
        return "" if alike else f"status {peer.status} there, {mine.status} here: {peer.err}{mine.err}"
    there, here = sections(peer.out), sections(mine.out)
    return next((f"{name}: {found}" for name, found in there.items() if here.get(name) != found), "")


def sections(text: str) -> dict[str, tuple[list[str], list[str]]]:
    """Return the lines about documents, in any order, and the totals, by metric ("" if there is one)."""
    _, text = text.split("\n", 1)  # who prints
    first, *others = re.split(r"(?m)^METRIC (\w+):\n", text)
    parts = dict(zip(others[::2], others[1::2], strict=True)) or {"": first}
    found = {}
    for name, part in parts.items():
        documents, _, totals = re.sub(r"\d+\.\d{9,}", _shortened, part).partition(TOTALS)
        found[name] = (sorted(documents.split("\n")), totals.rstrip().split("\n"))
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


def neleval_difference(peer: Run, mine: Run) -> str:
    """Return the rows of one that the other lacks, in words, or nothing."""
    if peer.status or mine.status:
        return f"status {peer.status} there, {mine.status} here: {peer.err[-200:]} {mine.err}"
    there, here = rows_of(peer.out), rows_of(mine.out)
    if there.keys() != here.keys():
        return f"rows of one: {sorted(there.keys() ^ here.keys())}"
    unlike = [name for name in there if not _close(there[name], here[name])]
    return f"{unlike[0]}: {there[unlike[0]]} there, {here[unlike[0]]} here" if unlike else ""


def rows_of(text: str) -> dict[str, list[float]]:
    """Return the numbers of a table, which have three digits, by the name at the end of the row."""
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return {name: list(map(float, cells)) for *cells, name in rows}


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether numbers are equal, or are one that lies between two of three digits (0.7125)."""
    return all(abs(a - b) < 1.5 * 10**-3 for a, b in zip(one, other, strict=True))


if __name__ == "__main__":
    raise SystemExit(main())
