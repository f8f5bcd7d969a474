"""Warnings about a pair of documents before it is matched, and about the two sides of a run.

With them, what a report says about the origin of both sides: keys of clusters, and hashes of what was read.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorch2.model.document import Document
from scorch2.model.errors import HINT, InputError, Notice, counted, listed, quoted, shown_path
from scorch2.model.options import Options
from scorch2.model.score import Measured
from scorch2.scoring.metrics.chosen import counted_metrics
from scorch2.scoring.pairing.files import Origin, Pair, ReadPair, are_one

_WORST = 3  # documents that a warning names


def notes_of_readers(ident: str, gold: Document, system: Document) -> list[Notice]:
    """Return what readers say about either side, and what is empty in it."""
    notices = []
    if system is not gold:
        notices += [Notice("key", system.path, note) for note in system.file_notes]
    sides = [_remarks_on_side(document) for document in (gold, system)]
    for code, message in dict.fromkeys([*sides[0], *sides[1]]):
        of = [name for name, side in zip(("gold", "system"), sides, strict=True) if (code, message) in side]
        whose = "" if gold is system else f"{' and '.join(of)}: "
        notices.append(Notice(code, ident, f"{whose}{message}"))
    return notices


def _remarks_on_side(document: Document) -> list[tuple[str, str]]:
    clusters = document.clusters
    remarks = [("reader", f"{shown_path(document.path)}: {note}") for note in document.notes]
    if document.path:
        empty = [name for name, members in clusters.items() if not members]
        if empty:
            many = f"{counted(len(empty), 'cluster')} without a mention left out: {listed(empty)}"
            remarks.append(("empty", f"{shown_path(document.path)}: {many}"))
        if not document.has_mentions:
            remarks.append(("empty", f"{shown_path(document.path)}: no mention in it"))
    return remarks


def same(
    paths: tuple[str, str], files: Sequence[str | None], origins: Iterable[Origin], equal: int
) -> list[Notice]:
    """Return a warning if both sides are the same, or have so many `equal` mentions and no others."""
    # One may stand there by mistake. If a folder holds both, `files` are the patterns that tell them apart
    gold, system = paths
    if files[0] == files[1] and are_one(gold, system) and all(mine == theirs for *_, mine, theirs in origins):
        why = "it is the gold side, too"
    elif equal:
        why = f"all that is scored equals gold ({shown_path(gold)}) to the last mention"
    else:
        return []
    return [Notice("same", system, f"{why}: is it the output of a system?")]


def sizes_of_gold(pair: Pair) -> Mapping[str, int]:
    """Return the number of mentions of each gold cluster, which may go on in other documents."""
    return {name: len(members) for name, members in pair.gold.clusters.items()}


def reaching_clusters(looked: Sequence[tuple[Mapping[str, int], Measured]]) -> list[Notice]:
    """Return a hint about links between documents, which do not count where each is scored by itself."""
    whole = Counter[str]()
    for clusters, _ in looked:
        whole.update(clusters)
    inside = sum(size**2 for clusters, _ in looked for size in clusters.values())
    links = (sum(size**2 for size in whole.values()) - inside) // 2
    if not links:
        return []
    what = f"{counted(links, 'link')} of gold between clusters of one name in several documents cannot count"
    how = "--documents=topic joins the documents of a topic, corpus all"
    return [Notice(HINT, "", f"each document is scored by itself: {what} ({how})")]


def without_scipy(options: Options) -> list[Notice]:
    """Return a hint that alignments of large documents take their time, if SciPy is not there."""
    from importlib.util import find_spec

    if sys.platform == "emscripten" or find_spec("scipy"):  # in a browser, nothing can be installed
        return []
    why = "CEAF of a document of 20000 mentions may take a while without SciPy: pip install scipy"
    is_counted = any("ceaf" in metric.name for metric in counted_metrics(options))
    return [Notice(HINT, "", why)] if is_counted else []


def added_over_files(files: int, options: Options) -> list[Notice]:
    """Return a hint if counts are added over files by the rules of the CorefUD scorer."""
    from scorch2.model.values import PROFILES

    rules = [PROFILES[name].settings for name in ("corefud-1.2", "corefud-1.1")]
    names = ("average", "extra", "match", "zeros", "lookup", "blanc", "undefined")
    if not any(all(getattr(options, name) == rule[name] for name in names) for rule in rules):
        return []
    why = f"counts are added over {files} files; if each of them is a whole data set, the"
    return [Notice(HINT, "", f"{why} headline of the CRAC shared tasks is their mean (--average=files)")]


def singletons_left_out(documents: Sequence[Measured], options: Options) -> list[Notice]:
    """Return a warning if singletons give other numbers than the reference scorer's, under ``e2e``."""
    names = [metric.name for metric in counted_metrics(options)]
    place = next((names.index(name) for name in ("b_cubed", "lea") if name in names), None)
    if place is None:
        return []
    tallies = [document.tallies[place][0] for document in documents]  # their denominators lack singletons
    gold = sum(document.gold_mentions for document in documents) - sum(one.recall_den for one in tallies)
    in_system = sum(one.precision_den for one in tallies)
    system = sum(document.system_mentions for document in documents) - in_system
    if not (gold or system):
        return []
    found = f"{counted(int(gold), 'singleton')} of gold and {int(system)} of the system"
    why = "training logs leave singletons out, papers on this corpus keep them"
    return [Notice("singletons", "", f"{found}: {why} (for a paper: --profile=conll)")]


def copy_notices(documents: Sequence[Measured]) -> list[Notice]:
    """Return the warning about texts that were copied with errors, and which are the worst."""
    from scorch2.model.besides import account, ends_at, in_words, share_copied, together

    total = together(document.copying for document in documents)
    if total is None or not (total.words - total.copied + total.inserted + total.repaired):
        return []
    rows = [(document.id, document.copying) for document in documents if document.copying is not None]
    flawed = [(name, copying) for name, copying in rows if copying.copied < copying.words]
    flawed.sort(key=lambda row: (row[1].copied / row[1].words, row[0]))
    named = [
        f"{quoted(name)} ({', '.join(filter(None, (share_copied(copying), ends_at(copying))))})"
        for name, copying in flawed[:_WORST]
    ]
    worst = f"; the worst documents: {', '.join(named)}" if len(rows) > 1 and named else ""
    return [Notice("copied", "", f"{account(total) if len(rows) == 1 else in_words(total)}{worst}")]


_SIDES = (("gold", "--gold-key"), ("system", "--sys-key"))


def origin_in_words(origin: Origin) -> str:
    """Return an origin as ``--verbose`` shows it."""
    return ", ".join(
        f"{side} {written or 'absent'}{f', key {key}' if key else ''}"
        for (side, _), written, key in zip(_SIDES, origin[:2], origin[2:], strict=True)
    )


class Provenance:
    """The origins of all documents, and whether any differs on both sides."""

    def __init__(self) -> None:
        self._first: dict[Origin, str] = {}  # the first document of each origin
        self._are_equal = True

    def see(self, ident: str, origin: Origin, is_equal: bool) -> None:
        """Take a document."""
        self._first.setdefault(origin, ident)
        self._are_equal = self._are_equal and is_equal

    def keys(self) -> Mapping[str, Sequence[str]]:
        """Return the keys of either side, as `cluster_keys`."""
        return cluster_keys(self._first)

    def same(self, paths: tuple[str, str], files: Sequence[str | None], mentions: int) -> list[Notice]:
        """Return a warning if both sides are the same, which have `mentions`."""
        return same(paths, files, self._first, mentions if self._first and self._are_equal else 0)


def cluster_keys(origins: Mapping[Origin, str], _: Sequence[Notice] = ()) -> Mapping[str, Sequence[str]]:
    """Return the keys of either side that has any; an InputError tells of two of one program."""
    keys = {}
    for number, (side, option) in enumerate(_SIDES):
        known: dict[str, tuple[str, str]] = {}
        for origin, ident in origins.items():
            key = origin[2 + number]
            other, first = known.setdefault(origin[number], (key, ident))
            if key != other:
                both = f"under {quoted(key)}, but those of {quoted(first)} under {quoted(other)}"
                how = f"all files of a side need the same key ({option}=<name> says which)"
                raise InputError(ident, "", f"the clusters of {side} are {both}: {how}")
        found = sorted({key for key, _ in known.values() if key})
        keys.update({side: found} if found else {})
    return keys


LEFT_OUT = ("missing", "extra", "invalid")  # the codes of notices of documents without a partner, or broken
FILES = ("sentences", "gold_categories", "sys_categories", "categories")
"""The options that name a file which is read besides those of both sides."""


def inputs_of(read: Sequence[ReadPair], options: Options, notices: Sequence[Notice]) -> dict[str, Any]:
    """Return the SHA-256 of each document that was read, of how they paired, and of other files."""
    import json
    from hashlib import sha256

    from scorch2.formats.source import STDIN, read_data

    pairs = sorted([one.id, one.gold, one.system] for one in read)
    alone = sorted([one.code, one.document] for one in notices if one.code in LEFT_OUT)
    given = {name: getattr(options, name) for name in FILES}
    files = {
        name: sha256(read_data(path)).hexdigest()
        for name, path in given.items()
        if path not in (None, "", STDIN)
    }
    pairing = json.dumps([pairs, alone], ensure_ascii=False).encode()
    return {
        "gold": {one.id: one.gold_sha256.hex() for one in read if one.gold_sha256},
        "system": {one.id: one.system_sha256.hex() for one in read if one.system_sha256},
        "pairing": sha256(pairing).hexdigest(),
        **({"files": files} if files else {}),
    }
