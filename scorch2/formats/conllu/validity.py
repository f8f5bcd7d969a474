"""Rules that files break which can be scored: of Universal Dependencies (CorefUD), and of UA's scorers.

Each is a function of what is known of a file, a document or a row; it yields the line, what is wrong and the
kind, by which repeats are counted.
"""

import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.formats.conllu import corefud_lines, ua, ua_lines
from scorch2.formats.conllu.corefud import BracketedMention, annotation, file_header
from scorch2.formats.conllu.shared import BLANKS, Part, first_line, parts
from scorch2.formats.conllu.ua import NAMES, MarkableLayer
from scorch2.model.errors import Notice, quoted, shown_path
from scorch2.model.markables import common_words, joined_runs

if TYPE_CHECKING:
    from scorch2.model.markables import Nodes


Broken: TypeAlias = tuple[int, str, str]  # the line, what is wrong there, and the kind
_DEPS = 8  # the column of the enhanced dependencies
_VALID_FIELDS = ("eid-etype-head", "eid-etype-head-other")
_MARKED_RANGE = re.compile(r"[0-9]+-[0-9]+\t.*(?:Entity|Bridge|Split(?:Ante)?)=")


class _Bracket(NamedTuple):
    """A bracket that opens, closes or does both."""

    entity: str
    piece: int  # the number of the piece, from 1; 0 for a mention in one piece
    of: int  # the number of pieces; 0 for a mention in one piece
    opens: corefud_lines.EntityOpening | None
    is_closed: bool


def corefud_problems(data: bytes, path: str) -> Iterator[Notice]:
    """Yield the rules that a file breaks, document by document, with the line."""
    shown = shown_path(path)
    header = file_header(data, path)
    if header is None:
        return
    if header.written not in _VALID_FIELDS:
        why = f"the fields are {quoted(header.written)} (valid are {' and '.join(_VALID_FIELDS)})"
        yield Notice("fields", shown, f"line {header.line}: {why}")
    homes: dict[str, str] = {}
    for part in parts(data, "", path):
        read = annotation(part, header, path)
        mentions = read.mentions
        wrong = [*_rows(part, header, mentions, path), *_governors(part)]
        wrong += [
            (mention.line, f"a mention of {quoted(mention.entity)} does not end", "unclosed")
            for mention in read.incomplete
        ]
        for entity, members in mentions.items():
            if homes.setdefault(entity, part.name) != part.name:
                why = f"entity {quoted(entity)} is in document {quoted(homes[entity])}, too"
                wrong.append((members[0].line, why, "documents of an entity"))
            crossing = f"a mention of {quoted(entity)} crosses another one"
            wrong += [(mention.line, crossing, "crossing") for mention in that_cross(members)]
        every = [mention for members in mentions.values() for mention in members]
        wrong += _equal(every)
        crossing = "a mention crosses one of another entity"
        crossed = that_cross(every).items()
        wrong += [(mention.line, crossing, "crossing others") for mention, is_other in crossed if is_other]
        yield from (Notice(kind, shown, f"line {number}: {why}") for number, why, kind in sorted(wrong))


def _rows(
    part: Part,
    header: corefud_lines.EntityFields,
    mentions: Mapping[str, Sequence[BracketedMention]],
    path: str,
) -> Iterator[Broken]:
    begun: dict[tuple[int, str], list[BracketedMention]] = defaultdict(list)
    for mention in chain.from_iterable(mentions.values()):
        begun[mention.line, mention.entity].append(mention)
    for number, row in part.lines():
        if _MARKED_RANGE.match(row):
            yield number, "coreference on a token of several words (write it on one of them)", "ranges"
    types: dict[str, str] = {}
    fields: dict[str, Sequence[str]] = {}
    for _, marked in corefud_lines.sentences(part, path):
        for node in marked:
            cells = corefud_lines.attributes(node.misc)
            every = [
                _Bracket(*corefud_lines.entity_of(opens.entity if opens else written), opens, bool(end))
                for begin, written, end in corefud_lines.brackets(cells.get("Entity", ""))
                for opens in [corefud_lines.opening(written, header) if begin else None]
            ]
            opened = [bracket for bracket in every if bracket.opens]
            for why, kind in (
                *_order(every),
                *_lengths(opened, {bracket.entity: begun[node.line, bracket.entity] for bracket in opened}),
                *_fields(opened, header, types, fields),
                *_links(cells, {bracket.entity for bracket in opened if bracket.piece <= 1}),
            ):
                yield node.line, why, kind


def _order(every: Sequence[_Bracket]) -> Iterator[tuple[str, str]]:
    # First stands what closes, then what opens, then single words; single words before what closes if nothing
    # opens.
    kinds = ["close" if not one.opens else "word" if one.is_closed else "open" for one in every]
    wanted = ["close", "open", "word"] if "open" in kinds else ["word", "close"]
    if kinds != sorted(kinds, key=wanted.index):
        shown = {"close": "what closes", "open": "what opens", "word": "mentions of one word"}
        why = f"the brackets should stand in this order: {', '.join(shown[kind] for kind in wanted)}"
        yield why, "order of brackets"


def _lengths(
    opened: Sequence[_Bracket], begun: Mapping[str, Sequence[BracketedMention]]
) -> Iterator[tuple[str, str]]:
    """Yield a shorter mention that opens before a longer one; pieces but the first have no order."""
    left = {entity: iter(members) for entity, members in begun.items()}
    every = [(bracket, next(left[bracket.entity], None)) for bracket in opened if bracket.piece <= 1]
    long = [(bracket.entity, one) for bracket, one in every if one is not None and not bracket.is_closed]
    sizes = [(entity, mention.nodes.size) for entity, mention in long]
    for (shorter, size), (longer, other) in pairwise(sizes):
        if size < other:
            why = f"a mention of {quoted(shorter)} opens before a longer one, of {quoted(longer)}"
            yield why, "order of brackets"


def _fields(
    opened: Sequence[_Bracket],
    header: corefud_lines.EntityFields,
    types: dict[str, str],
    fields: dict[str, Sequence[str]],
) -> Iterator[tuple[str, str]]:
    for bracket, opens in [(bracket, bracket.opens) for bracket in opened if bracket.opens]:
        written, kind, entity = opens.fields, opens.type, quoted(bracket.entity)
        head = written[header.head] if 0 <= header.head < len(written) else ""
        if header.head >= 0 and (not head or head[0] == "0"):
            yield f"the head of a mention of {entity} is {quoted(head)} (count from 1)", "heads"
        if types.setdefault(bracket.entity, kind) != kind:
            first = quoted(types[bracket.entity])
            yield f"entity {entity} has the types {first} and {quoted(kind)}", "types"
        if bracket.is_closed and not bracket.of and opens.head > 1:
            yield f"the head of a mention of 1 word is {opens.head}", "heads"
        if bracket.of == 1:
            yield f"a mention of {entity} is numbered, but has one part (leave out [1/1])", "pieces"
        if bracket.piece == 1:
            fields[bracket.entity] = written[1:]
        elif bracket.piece and fields.get(bracket.entity) != written[1:]:
            yield f"the parts of a mention of {entity} have different fields", "pieces"


def _links(cells: Mapping[str, str], opened: set[str]) -> Iterator[tuple[str, str]]:
    for name in ("Bridge", "SplitAnte"):
        every = corefud_lines.links(name, cells[name]) if name in cells else []
        for entity in sorted({link.entity for link in every} - opened):
            yield f"{name} of {quoted(entity)}, of which no mention opens here", "links"
        pairs = Counter((link.antecedent, link.entity) for link in every)
        for (antecedent, entity), number in pairs.items():
            if number > 1:
                yield f"{name} links {quoted(antecedent)} and {quoted(entity)} {number} times", "links"
        if name == "SplitAnte":
            for entity, number in Counter(link.entity for link in every).items():
                if number == 1:
                    why = f"SplitAnte of {quoted(entity)} names one antecedent (it needs two or more)"
                    yield why, "links"


def _governors(part: Part) -> Iterator[Broken]:
    """Yield the words and empty nodes whose column DEPS names a node that their sentence lacks."""
    for _, lines in groupby(part.lines(), key=lambda line: not line[1].strip(BLANKS)):
        rows = [(number, row.rstrip(BLANKS).split("\t")) for number, row in lines if row[:1] != "#"]
        known = {"0", *(cells[0] for _, cells in rows)}
        for number, cells in rows:
            written = cells[_DEPS] if len(cells) > _DEPS else ""
            edges = written.split("|") if written not in ("", "_") else []
            node = f"the empty node {cells[0]}" if "." in cells[0] else f"word {cells[0]}"
            for governor in sorted({edge.partition(":")[0] for edge in edges} - known):
                yield number, f"{node} depends on {quoted(governor)}, which is not there", "governors"


def _equal(mentions: Sequence[BracketedMention]) -> Iterator[Broken]:
    known: dict[Hashable, BracketedMention] = {}
    for one in sorted(mentions, key=lambda mention: mention.line):
        other = known.setdefault(one.mention, one)
        if other is not one:
            shown = f"{quoted(one.entity)} and {quoted(other.entity)}"
            yield one.line, f"two mentions of the same words: of {shown}", "same words"


def that_cross(mentions: Sequence[BracketedMention]) -> Mapping[BracketedMention, bool]:
    """Return the mentions that cross one before them, and whether one of these is of another entity."""
    found: dict[BracketedMention, bool] = {}
    every = sorted(mentions, key=lambda mention: (mention.sentence.number, mention.places[0][0]))
    for one, is_other in chain(_whole_that_cross(every), _torn_that_cross(every)):
        found[one] = is_other or found.get(one, False)
    return found


def _whole_that_cross(mentions: Sequence[BracketedMention]) -> Iterator[tuple[BracketedMention, bool]]:
    """Yield mentions in one piece in which another one ends that begins before them."""
    whole = (mention for mention in mentions if len(mention.places) == 1)
    for _, inside in groupby(whole, key=lambda mention: mention.sentence.number):
        ends: list[tuple[int, int]] = []
        ends_of: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for first, begun in groupby(inside, key=lambda mention: mention.places[0][0]):
            together = [(mention, mention.places[0][1]) for mention in begun]
            for mention, last in together:
                crossed, own = (
                    bisect_left(side, last) - bisect_left(side, first)
                    for side in (ends, ends_of[mention.entity])
                )
                if crossed:
                    yield mention, crossed > own
            for mention, last in together:
                insort(ends, last)
                insort(ends_of[mention.entity], last)


def _torn_that_cross(mentions: Sequence[BracketedMention]) -> Iterator[tuple[BracketedMention, bool]]:
    """Yield mentions that cross others before them, if either is in pieces."""
    # Only mentions that overlap are compared, and each with the ones that are open where it begins.
    sentences_of_torn = {mention.sentence.number for mention in mentions if len(mention.places) > 1}
    opened: list[tuple[BracketedMention, Nodes]] = []
    for mention in mentions:
        if mention.sentence.number not in sentences_of_torn:
            continue
        nodes = mention.nodes
        first = nodes.first
        opened = [(other, its) for other, its in opened if its.last >= first]
        crossed = [
            other
            for other, its in opened
            if len(mention.places) + len(other.places) > 2  # noqa: PLR2004 - one piece each is no business of this
            and nodes.crosses(its)
        ]
        if crossed:
            yield mention, any(other.entity != mention.entity for other in crossed)
        opened.append((mention, nodes))


_NEWDOC = re.compile(r"# newdoc id = \S")
_LIKE_PSEUDO = re.compile(r"pseudo\Z", re.IGNORECASE)


def ua_problems(data: bytes, path: str) -> Iterator[Notice]:
    """Yield the rules that a file breaks, document by document, with the line."""
    shown = shown_path(path)
    for part in parts(data, "", path):
        annotated = ua.annotation(part, path)
        every = list(_ua_rows(part))
        if not _NEWDOC.match(first_line(part.data)):
            why = "a document without a line # newdoc id = <name>: its scorers leave it out"
            every.append((part.line, why, "documents"))
        for layer in (annotated.identity, annotated.deixis):
            every += _markables(layer) if layer else ()
        why = f"a bridging link without {ua_lines.ANTECEDENT}, which scorers of bridging need"
        every += [
            (link.line, why, "bridging")
            for link in annotated.links
            if not link.values.get(ua_lines.ANTECEDENT)
        ]
        yield from (Notice(kind, shown, f"line {number}: {why}") for number, why, kind in sorted(every))


def _ua_rows(part: Part) -> Iterator[tuple[int, str, str]]:
    words = rank = 0
    for number, row in part.lines():
        if row[:1] == "#" or not row.strip(BLANKS):
            continue
        cells = ua_lines.cells_of(row)
        name = cells[0]
        if ua_lines.is_range(name):
            yield number, f"{name} is a token of several words, and scorers count it as a word", "ranges"
        else:
            words, rank = (words, rank + 1) if ua_lines.is_zero(name) else (words + 1, 0)
            expected = f"{words}.{rank}" if rank else str(words)
            if name != expected:
                hint = f"words count through the document: {expected}"
                yield number, f"the row is called {quoted(name)} ({hint})", "numbers of rows"
        if len(cells) <= ua_lines.DEIXIS:
            why = f"no column {NAMES[ua_lines.DEIXIS]}, without which scorers of it and of bridging stop"
            yield number, why, "columns"
        if any(len(cell.split()) != 1 for cell in cells):
            why = "an empty cell, or whitespace inside one: scorers split there, and columns move"
            yield number, why, "blanks"
        for column in (ua_lines.IDENTITY, ua_lines.DEIXIS):
            cell = cells[column] if column < len(cells) else ""
            if cell not in ua_lines.NOTHING:
                yield from ((number, why, "order of brackets") for why in _ua_order(cell))


def _ua_order(cell: str) -> Iterator[str]:
    if "@" in cell:
        yield "brackets are joined by @, which scorers take for a part of the value before it"
    kinds = [isinstance(one, ua_lines.Closing) for one in ua_lines.brackets(cell)]
    if kinds != sorted(kinds, reverse=True):
        yield "a markable closes after another one opens on the word (write what closes first)"


def _markables(layer: MarkableLayer) -> Iterator[tuple[int, str, str]]:
    for markable in layer.markables.values():
        line, name = markable.line, quoted(markable.name)
        if markable.min_words:
            first, last = markable.min_words
            words = joined_runs((0, start, end - 1) for start, end in sorted(markable.spans))
            if markable.zero:
                yield line, f"the zero {name} has a Min", "Min"
            elif common_words(words, [(0, first - 1, last - 1)]) <= last - first:
                yield line, f"Min of {name} is not inside it, so that nothing matches it partly", "Min"
        if _LIKE_PSEUDO.search(markable.entity) and not markable.is_pseudo:
            entity = quoted(markable.entity)
            why = f"entity {entity} refers to something (write {ua_lines.PSEUDO} if it does not)"
            yield line, why, "pseudo entities"
