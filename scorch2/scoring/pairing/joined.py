"""Pairs of documents joined to one per topic, or to a single one: clusters of one name are then one cluster.

So coreference across documents is scored, as in ECB+. A topic is told by the names of its documents: those of
topic 1 are ``1_1ecb``, ``1_2ecbplus`` ...
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from scorch2.formats.table import row_of
from scorch2.model.document import Document, Mention, Words, spans
from scorch2.model.errors import InputError, Notice, UsageError
from scorch2.model.messages import counted, quoted, shown_path
from scorch2.model.offsets import counting
from scorch2.model.options import Options
from scorch2.scoring.pairing.pair import Item, Pair

CORPUS = "corpus"
"""What the document is called that all are joined to."""
_NAME = re.compile(r"(?:.*/)?(?P<topic>[^/_]+)_\d+(?P<kind>[A-Za-z]*)(?:\.xml)*", re.DOTALL)


def joined(items: Iterable[Item], options: Options) -> Iterator[Item]:
    """Yield what is not a pair, then the pairs of each group joined, in the order of their first documents.

    All pairs are held until the last one was read.
    """
    if options.layer != "identity":
        why = f"--layer={options.layer} and --documents={options.documents} do not go together"
        raise UsageError(f"{why} (joined documents have one annotation)")
    groups: dict[str, list[Pair]] = {}
    for item in items:
        if isinstance(item, Pair):
            try:
                group = _group(item, options.documents)
                if options.align == "none":
                    _refuse_other_tokens(item)
                groups.setdefault(group, []).append(item)
            except InputError as error:
                yield error
        else:
            yield item
    for name, found in groups.items():
        try:
            yield _joined(name, found, options)
        except InputError as error:
            yield error


def _refuse_other_tokens(pair: Pair) -> None:
    """Refuse sides of different lengths: mentions of documents joined behind them would be shifted."""
    expected, found = (sum(document.sentences or ()) for document in (pair.gold, pair.system))
    if found != expected:
        why = f"{counted(found, 'token')} in {quoted(pair.system.id)}, but {expected} in gold"
        need = "the two sides must have the same tokens, or the same text and --align=characters"
        raise InputError(pair.system.path, "", f"{why} ({shown_path(pair.gold.path)}): {need}")


def _group(pair: Pair, rule: str) -> str:
    """Return the name of the group of a pair, which must say where its tokens are and name its entities."""
    for document in (pair.gold, pair.system):
        if document.clusters and row_of(document.format).names_are_positions:
            why = f"clusters of {document.format} have numbers, which mean nothing in another document"
            remedy = (
                "use a format that names its entities, such as ECB+, CoNLL or clusters JSON with sentences"
            )
            raise InputError(document.path, "", f"--documents={rule}: {why} ({remedy})")
        if not document.has_tokens:
            why = f"{quoted(document.id)} has no tokens, which --documents={rule} needs to join documents"
            raise InputError(document.path, "", why)
    if rule == CORPUS:
        return CORPUS
    name = _NAME.fullmatch(pair.id)
    if name is None:
        why = f"the name {quoted(pair.id)} does not say the topic (1_10ecb is document 10 of topic 1)"
        raise InputError(pair.gold.path, "", why)
    return name["topic"] if rule == "topic" else f"{name['topic']}_{name['kind']}"


def _joined(name: str, group: Sequence[Pair], options: Options) -> Pair:
    notices = [notice for pair in group for notice in pair.notices]
    sides = [[pair.gold for pair in group], [pair.system for pair in group]]
    for documents, offsets in zip(sides, (options.gold_offsets, options.sys_offsets), strict=True):
        if offsets is not None and len(set(map(counting, documents))) > 1:
            why = "the files of one side count their spans in several ways, which no option can overrule"
            raise InputError(documents[0].path, "", f"{why} together (convert them to one format)")
    for side, documents in zip(("gold", "system"), sides, strict=True):
        for document in documents:
            notices += [
                Notice("reader", document.id, f"{side}: {shown_path(document.path)}: {note}")
                for note in document.notes
            ]
        if len(group) > 1 and not _crosses(documents):
            why = "no cluster has a name in two of the documents, so none reaches across documents"
            notices.append(Notice("documents", name, f"{side}: {why}"))
    gold, system = (_document(name, documents) for documents in sides)
    return Pair(name, gold, system, tuple(notices))


def _crosses(documents: Sequence[Document]) -> bool:
    """Return whether a cluster name stands in two documents; True if at most one of them has clusters."""
    names = [document.clusters.keys() for document in documents if document.clusters]
    return len(names) < 2 or len(set().union(*names)) < sum(map(len, names))  # noqa: PLR2004 - two of them


def _document(name: str, documents: Sequence[Document]) -> Document:
    """Return documents as one: the tokens of each follow those of the one before."""
    clusters: dict[str, list[Mention]] = {}
    sentences: list[int] = []
    before = 0
    for document in documents:
        for cluster, members in document.clusters.items():
            moved = [(start + before, end + before) for start, end in spans(members)]
            clusters.setdefault(cluster, []).extend(moved)
        sentences += document.sentences or ()
        before += sum(document.sentences or ())
    found = [document.words for document in documents if document.words]
    return Document(
        name,
        clusters,
        os.path.dirname(documents[0].path) or documents[0].path,
        sentences=sentences,
        format=documents[0].format,
        written=documents[0].written,
        exclusive=documents[0].exclusive,
        first=documents[0].first,
        words=Words(_words, *found) if len(found) == len(documents) else None,
    )


def _words(*parts: Words) -> list[str]:
    return [word for part in parts for word in part()]
