r"""Plain text with tags behind words, a document a line: ``Los|[e1 jugadores|e1] dijeron que ##|[e1] ganan``.

Follows the text format of the CRAC 2025 and 2026 tasks (https://github.com/ondfa/text2text-coref, commit
56d67ec). Tags stand behind the last ``|`` of a word: ``[e1`` opens a mention of the entity, ``e1]`` closes
the one that opened last, ``[e1]`` is both. Blanks inside a word become ``_``. A word that begins with ``##``
is an empty node; it stands behind its syntactic parent. Nothing names a document: it is called by its line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, repeat

from scorch2.formats.conllu.shared import nodes_of
from scorch2.formats.fields import check_tokens, uncrossed
from scorch2.formats.marked.shared import Annotator, MarkedText, numbers_of
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, with_only
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Markable, Nodes, StoredMarkable, Word, nodes_name

EMPTY = "##"  # how an empty node begins
_TAG = re.compile(r"(\[?)([^\s|,\[\]]*)(\]?)")
_LIKE_TAGS = re.compile(r"[\[\]]|\Ae[0-9]+\Z")


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of each line that is not blank."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise InputError(path, "", "the file is empty")
    for number, (line, content) in enumerate(lines, 1):
        name = stem if len(lines) == 1 else str(number)
        yield _document(MarkedText(name, content, path, line))


def _document(source: MarkedText) -> Document:
    found = Annotator(source, "plaintext", lambda number: f"line {source.line}, word {number}")
    opened: dict[str, list[tuple[int, int]]] = {}
    for number, cell in enumerate(source.text.split(), 1):
        form, tags = _parts(cell) if "|" in cell else (cell, ())
        if form.startswith(EMPTY):
            found.add_empty(form.removeprefix(EMPTY))
        else:
            found.add_words([form])
        here = found.size - 1
        for written in tags:
            tag = _TAG.fullmatch(written)
            if tag is None or not (tag[1] or tag[3]):
                found.add_repair(
                    number, f"{quoted(written)} behind a word is no tag such as [e1, e1] or [e1]"
                )
                continue
            opens, entity, closes = tag.groups()
            if opens and not closes:
                opened.setdefault(entity, []).append((here, number))
                continue
            first, at = here, number
            if not opens and opened.get(entity):
                first, at = opened[entity].pop()
            elif not opens:
                found.add_repair(number, f"a mention of {quoted(entity)} ends here that does not begin")
            found.add_mention(entity, first, here, at)
    for entity, begun in opened.items():
        for first, at in begun:
            found.add_repair(at, f"a mention of {quoted(entity)} begins here that does not end")
            found.add_mention(entity, first, first, at)
    return found.document()._replace(flat=True, against=partial(_against, source))


def _against(source: MarkedText, document: Document, words: Sequence[str]) -> Document:
    from scorch2.formats.marked.marks import unread_in, with_unread

    without_tags = re.sub(r"\|[^\s|]*[\[\]][^\s|]*(?!\S)", lambda tags: " " * len(tags[0]), source.text)
    original = "".join("".join(words).split())
    return with_unread(source, document, [*unread_in([(without_tags, 0)], original)], original)


def _parts(cell: str) -> tuple[str, Sequence[str]]:
    """Return a word and its tags; what stands behind ``|`` and looks like none belongs to the word."""
    form, _, behind = cell.rpartition("|")
    if not form or not _LIKE_TAGS.search(behind):
        return cell, []
    return form, [tag for tag in behind.split(",") if tag]


def write(document: Document) -> str:
    """Return a document as a line."""
    forms = [re.sub(r"\s", "_", form) for form in tokens_of(document, "plaintext")]
    if not forms:
        raise document.error(
            f"{quoted(document.id)} has no words, and plaintext has a line for each document"
        )
    numbers = numbers_of(document)
    tags: dict[int, list[str]] = {}
    every = list(brackets(document, "plaintext"))
    _refuse_crossing(document, every)
    for cluster, first, last in every:
        name = f"e{numbers[cluster]}" if numbers[cluster] else ""
        if first == last:
            tags.setdefault(first, []).append(f"[{name}]")
        else:
            tags.setdefault(first, []).append(f"[{name}")
            tags.setdefault(last, []).append(f"{name}]")
    # What closes comes first: a mention of the same entity may open at the same word
    ordered = {i: sorted(every, key=lambda tag: tag[0] == "[") for i, every in tags.items()}
    cells = (f"{form}|{','.join(ordered[i])}" if i in tags else form for i, form in enumerate(forms))
    return " ".join(cells) + "\n"


def _refuse_crossing(document: Document, every: Iterable[tuple[str, int, int]]) -> None:
    """Raise an InputError if mentions of one entity cross, of which no tag could say which one it closes."""
    members: dict[str, list[tuple[int, int]]] = {}
    for cluster, first, last in every:
        members.setdefault(cluster, []).append((first, last))
    for cluster, pairs in members.items():
        if len(uncrossed(pairs)) < len(pairs):
            why = f"mentions of {quoted(cluster)} of {quoted(document.id)} cross, which plaintext cannot hold"
            raise document.error(f"{why} (--lossy leaves out one of them)")


def tokens_of(document: Document, what: str) -> list[str]:
    """Return the words of a document as they are written, with its empty nodes."""
    words = iter(check_tokens(document, what)())
    trees = document.trees() if document.trees is not None else []
    forms = {  # of empty nodes
        (number, row.id): row.form.removeprefix("_") for number, tree in enumerate(trees) for row in tree.rows
        if "." in row.id
    }  # fmt: skip
    return [
        f"{EMPTY}{forms[node.sentence, f'{node.word}.{node.rank}']}" if node.rank else next(words)
        for node in text_order(document)
    ]


def text_order(document: Document) -> list[Word]:
    """Return the words and empty nodes of a document, in the order in which the format writes them."""
    # An empty node stands behind the parent of its first enhanced dependency, behind those that are there
    order: list[Word] = []
    trees = document.trees() if document.trees is not None else []
    for sentence, length in enumerate(document.sentences or ()):
        behind: dict[int, list[Word]] = {}
        moved: list[tuple[int, Word]] = []
        for row in trees[sentence].rows if trees else ():
            word, dot, rank = row.id.partition(".")
            if dot:
                node = Word(sentence, int(word), int(rank))
                parent = row.deps.partition(":")[0]
                if parent.isdecimal() and int(parent) != node.word:
                    moved.append((int(parent), node))
                else:
                    behind.setdefault(node.word, []).append(node)
        for parent_word, node in moved:
            behind.setdefault(parent_word, []).append(node)
        order += behind.get(0, [])
        for number in range(1, length + 1):
            order += [Word(sentence, number), *behind.get(number, [])]
    return order


def brackets(document: Document, what: str) -> Iterator[tuple[str, int, int]]:
    """Yield the mentions, each with its cluster and the places of its first and last node."""
    starts = [0, *accumulate(document.sentences or ())]
    for mention in chain.from_iterable(document.clusters.values()):
        nodes = nodes_of(mention, starts)
        if len(nodes.runs) > 1 and nodes.first.sentence == nodes.last.sentence:
            shown = f"mention {quoted(nodes_name(nodes))} of {quoted(document.id)}"
            why = f"{shown} is discontinuous, which {what} cannot hold"
            raise document.error(f"{why} (--lossy keeps the piece with its head)")
    for cluster, pairs in _pairs(document).items():
        yield from ((cluster, *pair) for pair in dict.fromkeys(pairs))


def _pairs(document: Document) -> dict[str, list[tuple[int, int]]]:
    """Return the mentions of each cluster by the places of their first and last node."""
    order = text_order(document)
    place_of = {node: place for place, node in enumerate(order)}
    starts = [0, *accumulate(document.sentences or ())]
    return {
        cluster: [_bracket(nodes_of(mention, starts), order, place_of) for mention in members]
        for cluster, members in document.clusters.items()
    }


def _bracket(nodes: Nodes, order: Sequence[Word], place_of: Mapping[Word, int]) -> tuple[int, int]:
    """Return the first and last place of a mention, with the empty nodes that stand at its ends."""
    if nodes.runs:
        (sentence, first, _), (other, _, last) = nodes.runs[0], nodes.runs[-1]
        begin, end = place_of[Word(sentence, first)], place_of[Word(other, last)]
    else:
        begin = end = place_of[nodes.first]
    empty = set(nodes.empty)
    while begin and order[begin - 1] in empty:
        begin -= 1
    while end + 1 < len(order) and order[end + 1] in empty:
        end += 1
    return begin, end


def fitting(document: Document) -> Document:
    """Return a document of pieces, as `in_pieces`, without mentions that cross one before of their entity."""
    document = in_pieces(document)
    pairs = _pairs(document)
    kept = {name: uncrossed(members) for name, members in pairs.items()}
    places = {name: [i for i, pair in enumerate(pairs[name]) if pair in kept[name]] for name in pairs}
    return with_only(document, places)


def in_pieces(document: Document) -> Document:
    """Return a document with discontinuous mentions as the piece that holds their head, or the first one."""
    if not document.has_discontinuous:
        return document
    starts = [0, *accumulate(document.sentences or ())]
    every = document.markables() if document.markables is not None else {}
    kept = {
        name: [
            _piece(mention, markable, starts)
            for mention, markable in zip(members, every.get(name) or repeat(None), strict=False)
        ]
        for name, members in document.clusters.items()
    }
    clusters = {name: [mention for mention, _ in members] for name, members in kept.items()}
    markables = {name: [markable for _, markable in members if markable] for name, members in kept.items()}
    return document._replace(clusters=clusters, markables=(every and OnDemand(dict, markables)) or None)


def _piece(
    mention: Mention, markable: Markable | None, starts: Sequence[int]
) -> tuple[Mention, Markable | None]:
    nodes = nodes_of(mention, starts)
    if len(nodes.runs) < 2 or nodes.first.sentence != nodes.last.sentence:  # noqa: PLR2004 - one piece
        return mention, markable
    head = markable.head if markable else nodes.first
    pieces = [(Word(sentence, first), Word(sentence, last)) for sentence, first, last in nodes.runs]
    first, last = next((piece for piece in pieces if piece[0] <= head <= piece[1]), pieces[0])
    piece = nodes.between(first, last)
    span = starts[first.sentence] + first.word - 1, starts[last.sentence] + last.word
    kept = markable and StoredMarkable(
        piece, head if first <= head <= last else first, markable.minimum, ((first, last),), markable.edges
    )
    return Discontinuous(*span, piece) if piece.empty else span, kept
