"""Warnings about a pair of documents before it is matched, and about the two sides of a run."""

from collections.abc import Iterable, Sequence

from scorch2.model.document import Document
from scorch2.model.errors import HINT, Notice, counted, listed, shown_path
from scorch2.model.options import Options
from scorch2.model.profiles import PROFILES
from scorch2.model.score import Measured
from scorch2.scoring.metrics.chosen import counted_metrics
from scorch2.scoring.pairing.files import Origin, Pair, are_one
from scorch2.scoring.pairing.words import words_notices


def differing_words(pair: Pair) -> list[Notice]:
    """Return a warning if the words of both sides differ."""
    return words_notices(pair.id, pair.gold, pair.system)


def notes_of_readers(pair: Pair) -> list[Notice]:
    """Return what readers say about either side, and what is empty in it."""
    notices = []
    if pair.system is not pair.gold:
        notices += [Notice("key", pair.system.path, note) for note in pair.system.file_notes]
    sides = [_remarks_on_side(document) for document in (pair.gold, pair.system)]
    for code, message in dict.fromkeys([*sides[0], *sides[1]]):
        of = [name for name, side in zip(("gold", "system"), sides, strict=True) if (code, message) in side]
        whose = "" if pair.gold is pair.system else f"{' and '.join(of)}: "
        notices.append(Notice(code, pair.id, f"{whose}{message}"))
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
    paths: tuple[str, str], files: tuple[str | None, str | None], origins: Iterable[Origin], equal: int
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


def reaching_clusters() -> list[Notice]:
    """Return a hint about clusters that reach over several documents."""
    why = "each document is scored by itself, but clusters of one name in several are one entity"
    return [Notice(HINT, "", f"{why} (--documents=topic joins the documents of a topic)")]


def added_over_files(files: int, options: Options) -> list[Notice]:
    """Return a hint if counts are added over files by the rules of the CorefUD scorer."""
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
    why = "--singletons=e2e leaves them out (only CEAF_e counts those of gold), the reference scorer does not"
    return [Notice("singletons", "", f"{found}: {why} (--profile=conll)")]
