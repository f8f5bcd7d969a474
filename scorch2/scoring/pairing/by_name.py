"""Documents by their names: which one answers to which, in files or a folder, and which lack another."""

import os
from bisect import bisect
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.formats import without_suffix
from scorch2.formats.source import stem
from scorch2.formats.table import ROWS, ClusterKeys, row_of
from scorch2.model.document import Document
from scorch2.model.errors import (
    HINT,
    SHOWN,
    InputError,
    Notice,
    PairingError,
    common_letters,
    counted,
    printable,
    quoted,
    shown_path,
    without_frames,
)
from scorch2.model.options import Options
from scorch2.scoring.pairing.files import Item, Pair, Plan, Readers, SideFiles, unanswered, unasked

if TYPE_CHECKING:
    from scorch2.scoring.pairing.words import RareWords


def by_last_part(keys: Mapping[str, str], what: str) -> dict[str, str]:
    """Return names by their last part; a PairingError tells that two share one."""
    by_part: dict[str, str] = {}
    for name, part in keys.items():
        other = by_part.setdefault(part, name)
        if other != name:
            both = f"the {what}s {quoted(other)} and {quoted(name)} are both called {quoted(part)}"
            raise PairingError(f"--pair=basename: {both}")
    return by_part


def name_key(ident: str, rule: str) -> str:
    """Return what is compared of a name: names of one key are one document."""
    return last_part(document_key(ident)) if rule == "basename" else document_key(ident)


def last_part(ident: str) -> str:
    """Return what follows the last ``/`` of a name."""
    return ident.rpartition("/")[2]


def document_key(ident: str) -> str:
    """Return how e2e systems write a CoNLL name and part.

    >>> document_key("bc/cctv_0000-012"), document_key("letter")
    ('bc/cctv_0000_12', 'letter')
    """
    name, _, part = ident.rpartition("-")
    return f"{name}_{part.lstrip('0') or 0}" if name and part.isascii() and part.isdecimal() else ident


_LONGEST = 80  # the longest name that a message shows whole
_BEFORE = 20  # characters that are shown before the first one that differs


class Wording(NamedTuple):
    """The words of messages about names."""

    what: str  # the noun, ``file`` or ``document``
    between: str = ""  # begins the message
    choices: tuple[str, str] = ("", "")  # options of gold and of the system that choose, as hints begin
    documents: Sequence[Document] = ()  # those of the names, if they were read


def account(
    gold: Iterable[str], system: Iterable[str], options: Options, wording: Wording
) -> tuple[Notice, ...]:
    """Say which names are on one side only, unless the options say what to do with them."""
    # A system document that answers to a gold one has its name. Returned is a warning if nothing pairs by
    # name but would by another rule.
    what, between, choices, documents = wording
    golds, systems = set(gold), set(system)
    if golds == systems:
        return ()
    missing, extra = sorted(golds - systems), sorted(systems - golds)
    complaints = []
    if missing and options.missing == "error":
        shown = _counted(missing, systems, f"gold {what}")
        hint = f"({choices[0]}--missing=empty scores them as unanswered, --missing=skip leaves them out)"
        complaints.append(f"no system {what} for {shown} {hint}")
    if extra and options.extra == "error":
        shown = _counted(extra, golds, f"system {what}")
        complaints.append(f"no gold {what} for {shown} ({choices[1]}--extra=skip leaves them out)")
    other_rule = _possible(advice(golds, systems, options.pair), documents) if missing and extra else ""
    if missing and extra and (options.pair, options.align) == ("text", "none"):
        other_rule = "with --align=text documents pair by most of their words"
    if complaints:
        raise PairingError(between + "; ".join([*complaints, *([other_rule] if other_rule else [])]))
    if other_rule and golds.isdisjoint(systems):
        why = f"{between}no {what} of the system has the name of a gold {what}; {other_rule}"
        return (Notice("names", "", why),)
    return ()


def account_of_files(gold: SideFiles, system: SideFiles, options: Options) -> tuple[Notice, ...]:
    """Say the same of the files of two folders, and how to choose among those of several kinds."""
    choices = _choice(gold, system, "--gold-files"), _choice(system, gold, "--sys-files")
    return account(gold.files, system.files, options, Wording("file", choices=choices))


def _choice(side: SideFiles, other: SideFiles, option: str) -> str:
    """Return the option that chooses the files with a partner, if they are of one kind and the others not."""
    kinds: tuple[set[str], set[str]] = set(), set()
    for name, path in side.files.items():
        kinds[name in other.files].add(os.path.splitext(without_suffix(path))[1])
    if len(kinds[1]) != 1 or kinds[0] & kinds[1]:
        return ""
    return f'{option}="*{printable(kinds[1].pop())}" chooses the others; '


def advice(gold: Collection[str], system: Collection[str], rule: str) -> str:
    """Return which other rule would pair more of the distinct names, or nothing."""
    if rule != "name":
        return ""
    by_name = len({*gold} & {*system})
    parts = [{name_key(name, "basename") for name in side} for side in (gold, system)]
    common = len(parts[0] & parts[1])
    if common > by_name and (len(parts[0]), len(parts[1])) == (len(gold), len(system)):
        return f"--pair=basename would pair {_share(common, max(len(gold), len(system)))}"
    if by_name == 0 and len(gold) == len(system) == 1:
        return "--pair=order would pair the two"
    difference = (_windows(gold, system) or _difference(gold, system)) if by_name == 0 else ""
    if by_name == 0 and len(gold) == len(system):
        order = f"--pair=order would pair {_share(len(gold), len(gold))}, the n-th with the n-th"
        return f"{difference or BY_TEXT}; {order}"
    return difference


BY_TEXT = "--pair=text pairs documents with the same words"


def _possible(hint: str, documents: Iterable[Document]) -> str:
    """Return a hint without the option that documents without words cannot use."""
    has_words = all(one.words is not None or one.text is not None for one in documents)
    return hint if has_words else hint.replace(f"{BY_TEXT}; ", "")


def _windows(gold: Collection[str], system: Collection[str]) -> str:
    """Return how documents of the system are joined that have the names of gold with numbers behind them."""
    stems = {name.rstrip("0123456789") for name in system}
    signs, names = {stem[-1:] for stem in stems}, {stem[:-1] for stem in stems}
    if len(system) <= len(gold) or len(signs) > 1 or not signs < {*"-_#./"} or names != {*gold}:
        return ""
    pattern = f"(.+)[{signs.pop()}][0-9]+"
    return f"the system's are parts of them: --align=text --join-windows='{pattern}' joins them"


def _difference(gold: Collection[str], system: Collection[str]) -> str:
    """Return by what the names of both sides differ, if most would be the same without it."""
    for place, turned in (("end", 1), ("begin", -1)):
        both = [[name[::turned] for name in side] for side in (gold, system)]
        tails = _tails(max(both[0], key=len), both[1])
        rests = [
            {name.removesuffix(tail) for name in side if name.endswith(tail)}
            for side, tail in zip(both, tails, strict=True)
        ]
        common = len(rests[0] & rests[1])
        if 2 * common > min(len(gold), len(system)):
            sides = zip(("gold", "the system"), tails, strict=True)
            said = [f"those of {side} {place} in {quoted(tail[::turned])}" for side, tail in sides if tail]
            share = _share(common, max(len(gold), len(system)))
            return f"{' and '.join(said)} (names without that: {share} would be the same)"
    return ""


def _tails(name: str, others: Collection[str]) -> tuple[str, str]:
    """Return what follows what a name and the nearest of the others have in common."""
    nearest = max(others, key=lambda other: len(common_letters([name, other])))
    common = len(common_letters([name, nearest]))
    return name[common:], nearest[common:]


def _share(number: int, total: int) -> str:
    return f"all {number}" if number == total else f"{number} of {total}"


def _counted(names: Sequence[str], others: Collection[str], what: str) -> str:
    """Return the first names, each where it differs from those of the other side, and how many there are."""
    known = sorted(others)
    shown = ", ".join(_shown_name(name, known) for name in names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{counted(len(names), what)}: {shown}{more}"


def _shown_name(name: str, others: Sequence[str]) -> str:
    """Return a name for a message; of a long one the part where it differs from the nearest of `others`.

    >>> _shown_name("data/" * 40 + "d1-000", ["data/" * 40 + "d1_0"])
    '…ta/data/data/data/d1-000'
    """
    if len(name) <= _LONGEST:
        return printable(name, _LONGEST)
    place = bisect(others, name)
    differs = max(
        (len(common_letters([name, other])) for other in others[max(place - 1, 0) : place + 1]), default=0
    )
    first = max(0, differs - _BEFORE)
    if first == 0:  # the end is told, too: files differ there
        return f"{printable(name[: _LONGEST // 2])}…{printable(name[1 - _LONGEST // 2 :])}"
    return f"…{printable(name[first:], _LONGEST - 1)}"


def pair_by_name(
    gold: Sequence[Document],
    system: Sequence[Document],
    met: Sequence[str],
    options: Options,
    called: Callable[[str], str],
) -> Iterator[Pair | Notice]:
    """Pair documents in any order by their names; those called as in `met` were paired before."""
    before = [Document(ident, {}) for ident in met]
    rule = _rule(options) if gold and system else "name"
    answering = answers([*before, *gold], [*before, *system], rule)
    for ident in met:
        del answering[ident]
    if (gold or met) and (system or met):
        sides = [*met, *(document.id for document in gold)], [*met, *answering]
        golds, systems = (map(called, side) for side in sides)
        documents = [*gold, *answering.values()]
        yield from account(golds, systems, options, Wording("document", documents=documents))
    for document in gold:
        answer = answering.pop(document.id, None)
        ident = called(document.id)
        yield unanswered(ident, document, options) if answer is None else Pair(ident, document, answer)
    for ident in answering:
        yield unasked(called(ident))


def _rule(options: Options) -> str:
    """Return how documents pair: that of the options, but by most words for texts copied with errors."""
    return "copied" if options.pair == options.align == "text" else options.pair


def pair_in_turn(
    gold: Iterator[Document], system: Iterator[Document], options: Options, called: Callable[[str], str]
) -> Iterator[Pair | Notice]:
    """Pair documents one after the other while both sides have the same names, and the rest in any order."""
    met: list[str] = []
    for left, right in zip_longest(gold, system):
        if left is None or right is None or left.id != right.id:
            golds, systems = (list(filter(None, side)) for side in ((left, *gold), (right, *system)))
            yield from pair_by_name(golds, systems, met, options, called)
            return
        met.append(left.id)
        yield Pair(called(left.id), left, right)


def pair_in_order(gold: Iterable[Document], system: Iterable[Document], prefix: str) -> Iterator[Pair]:
    """Pair the n-th gold with the n-th system document; a PairingError, after them, if a side has more."""
    golds, systems = iter(gold), iter(system)
    for number, (left, right) in enumerate(zip_longest(golds, systems)):
        if left is None or right is None:
            total = number + 1 + sum(1 for _ in golds) + sum(1 for _ in systems)
            sides = (total, number) if right is None else (number, total)
            there = f"{counted(sides[0], 'gold document')} and {counted(sides[1], 'system document')}"
            longer = shown_path(left.path if left else right.path if right else "")
            raise PairingError(f"--pair=order needs equal numbers, not {there} ({longer} has more)")
        yield Pair(prefix + left.id, left, right)


def pair_in_step(
    gold: Sequence[Document], system: Sequence[Document], prefix: str, file: str = ""
) -> list[Pair] | None:
    """Return the pairs of two sequences of documents if each answers to the one at its place, else None."""
    if list(answers(gold, system)) != [document.id for document in gold]:
        return None
    return [Pair(prefix + left.id, left, right, (), file) for left, right in zip(gold, system, strict=True)]


def answers(gold: Sequence[Document], system: Sequence[Document], rule: str = "name") -> dict[str, Document]:
    """Return the system documents by the gold id that they answer to, or by their own if there is none."""
    # CoNLL's ``<name>-<part>`` and the ``<name>_<part>`` of e2e systems, without leading zeros, are one name.
    # The ids of a side are distinct. Errors tell of two that answer to one, and of a `rule` that cannot tell
    # them apart.
    if rule in ("text", "copied"):
        answering = Answers([Inside(document) for document in system], rule)
        found = {one.id: answer for one in gold if (answer := answering.to(Inside(one))) is not None}
        named = zip(answering.names(), system, strict=True)
        return found | {name: document for name, document in named if name not in found}
    if rule == "order":
        return {pair.id: pair.system for pair in pair_in_order(gold, system, "")}
    gold_ids = {document.id: document.id for document in gold}
    if rule == "basename":
        gold_ids = by_last_part({ident: name_key(ident, rule) for ident in gold_ids}, "gold document")
    else:
        gold_ids = {document_key(ident): ident for ident in gold_ids} | gold_ids
    by_gold_id: dict[str, Document] = {}
    for document in system:
        names = (document.id, document_key(document.id)) if rule == "name" else (name_key(document.id, rule),)
        name = next((gold_ids[spelled] for spelled in names if spelled in gold_ids), document.id)
        if name in by_gold_id:
            both = f"{quoted(by_gold_id[name].id)} and {quoted(document.id)} both answer to {quoted(name)}"
            raise InputError(document.path, "", f"the documents {both}")
        by_gold_id[name] = document
    return by_gold_id


Reader: TypeAlias = Callable[[str, str | None, ClusterKeys], Iterable[Document]]
"""From a path, the name of its format and the keys of clusters to its documents."""


class Inside(NamedTuple):
    """A document of one of the files of a side."""

    document: Document
    """Its id is the name inside or, for a document called like its file, the path below the folder."""
    also: str = ""  # the name of a document called like its file: perhaps it says so inside

    def known_as(self, names: Container[str]) -> Document:
        """Return the document under the one of both names that is among `names`, or else the path."""
        document, also = self
        chosen = also if also and also in names and document.id not in names else document.id
        return document._replace(id=chosen)


def pair_across(chosen: Plan, options: Options, readers: Readers) -> Iterator[Item]:
    """Pair the documents of a folder with those of a file, in the order of gold; the system is held."""
    # Yields and raises what `pairing.pairs` does; what cannot be read comes last, instead of a PairingError
    broken: list[InputError] = []
    inside = _below if options.pair == "text" else _surely_inside if chosen.inside else documents_inside
    golds, read = _documents_of_side(chosen.gold, readers.gold, broken, inside), readers.gold
    if readers.system is not None:
        held, of_system = list(golds), readers.system
        known = [inside.document for inside in held]
        golds, read = iter(held), lambda path, form, _: of_system(path, form, known)
    systems = list(_documents_of_side(chosen.system, read, broken, inside))
    try:
        if options.pair == "order":
            left, right = ((one.document for one in side) for side in (golds, systems))
            yield from pair_in_order(left, right, "")
        else:
            between = f"{shown_path(chosen.gold.path)} against {shown_path(chosen.system.path)}: "
            yield from _pair_across_by_name(golds, systems, options, between, chosen.otherwise)
    except PairingError as error:
        if not broken or str(error) == chosen.otherwise:
            raise
    yield from broken


def documents_inside(called: str, documents: Iterable[Document]) -> Iterator[Inside]:
    """Yield the documents of a file in a folder, which is `called` by its path below the folder."""
    for document in documents:
        if document.id == stem(document.path) != called:
            yield Inside(document._replace(id=called), document.id)
        else:
            yield Inside(document)


def _surely_inside(called: str, documents: Iterable[Document]) -> Iterator[Inside]:
    """Yield the same; a document that is called like its file has that name inside only in some formats."""
    for document, also in documents_inside(called, documents):
        row = row_of(document.format)
        yield Inside(document, also if row.family == ROWS and not row.one_document else "")


def _below(called: str, documents: Iterable[Document]) -> Iterator[Inside]:
    """Yield the same, where names need not be those inside, but tell all documents of a folder apart."""
    every = list(documents)
    for document in every:
        yield Inside(document._replace(id=called if len(every) == 1 else f"{called}/{document.id}"))


def _documents_of_side(
    side: SideFiles,
    read: Reader,
    broken: list[InputError],
    inside: Callable[[str, Iterable[Document]], Iterator[Inside]],
) -> Iterator[Inside]:
    """Yield the documents of all files of a side; an error of one goes to `broken`, and the next is tried."""
    for called, path in side.files.items():
        try:
            documents = read(path, side.format, side.keys)
            yield from inside(called, documents) if side.is_folder else map(Inside, documents)
        except InputError as error:
            broken.append(error)


def _pair_across_by_name(
    golds: Iterable[Inside], systems: Sequence[Inside], options: Options, between: str, otherwise: str
) -> Iterator[Item]:
    answers = Answers(systems, _rule(options))
    seen: dict[str, Document] = {}
    errors = []
    for gold in golds:
        document = gold.document
        try:
            answer = answers.to(gold)
            if seen.setdefault(document.id, document) is not document:
                raise _twice(seen[document.id], document)
        except InputError as error:
            errors.append(without_frames(error))  # there may be thousands
            continue
        if answer is not None:
            yield Pair(document.id, document, answer)
        elif options.missing != "error":
            yield unanswered(document.id, document, options)
    if otherwise and not answers.answered:
        raise PairingError(_possible(otherwise, (*seen.values(), *(one.document for one in systems))))
    if otherwise:
        why = f"{between}no file has a partner by its name: documents pair by the names inside"
        yield Notice(HINT, "", why)
    if errors:
        yield from errors
        return
    yield from account(seen, answers.names(), options, Wording("document", between))
    for ident in answers.extra():
        yield unasked(ident)


class Answers:
    """The documents of the system, by the names that they answer to."""

    def __init__(self, systems: Sequence[Inside], rule: str) -> None:
        self._systems = systems
        self._rule = rule
        self._by_words = rule in ("text", "copied")
        self._named: dict[str, list[int]] = {}
        self._keyed: dict[str, list[int]] = {}
        self.answered: dict[int, Document] = {}
        for number, (document, also) in enumerate(systems):
            for name in (document.id, also) if also else (document.id,):
                self._named.setdefault(name, []).append(number)
                self._keyed.setdefault(self._key(name, document), []).append(number)

    def _key(self, name: str, document: Document) -> str:
        if not self._by_words or document.refused:
            return name_key(name, self._rule)
        from scorch2.scoring.pairing.words import text_key

        return text_key(document)

    def to(self, gold: Inside) -> Document | None:
        """Return the document that answers to a gold document, if there is one; an InputError for two."""
        names = (gold.document.id, gold.also) if gold.also else (gold.document.id,)
        candidates = [self._named.get(name) for name in names] if self._rule == "name" else []
        candidates += [self._keyed.get(self._key(name, gold.document)) for name in names]
        numbers = next((places for places in candidates if places), None)
        if not numbers and self._rule == "copied":
            numbers = self._rare.nearest(gold.document)
        if not numbers:
            return None
        first = numbers[0]
        other = next((number for number in numbers if number != first), None)  # there may be thousands
        if other is not None:
            raise self._twice(self._systems[first].document, self._systems[other].document)
        if first in self.answered:
            raise self._twice(self.answered[first], gold.document)
        self.answered[first] = gold.document
        return self._systems[first].document

    def _twice(self, one: Document, other: Document) -> InputError:
        if not self._by_words:
            return _twice(one, other)
        both = f"{quoted(one.id)} of {shown_path(one.path)} and {quoted(other.id)}"
        have = "have the same words" if self._rule == "text" else "share as many words with the same document"
        how = "--pair=name and --pair=order do not look at words"
        why = f"the documents {both} {have}: --pair=text cannot tell them apart ({how})"
        return InputError(other.path, "", why)

    @cached_property
    def _rare(self) -> "RareWords":
        from scorch2.scoring.pairing.words import RareWords

        return RareWords([document for document, _ in self._systems])

    def names(self) -> Iterator[str]:
        """Yield the name of each document; one that answered has the name of the gold document."""
        for number, (document, _) in enumerate(self._systems):
            is_alone = self._by_words and number not in self.answered
            yield f"{document.id} of {document.path}" if is_alone else self.answered.get(number, document).id

    def extra(self) -> Iterator[str]:
        """Yield the names of documents that no gold document asked for."""
        return (one.document.id for i, one in enumerate(self._systems) if i not in self.answered)


def _twice(one: Document, other: Document) -> InputError:
    if one.id == other.id:
        return InputError(other.path, "", f"the document {quoted(one.id)} is in {shown_path(one.path)}, too")
    both = f"{quoted(one.id)} of {shown_path(one.path)} and {quoted(other.id)}"
    return InputError(other.path, "", f"the documents {both} answer to the same document")
