"""Documents by their names: which system document answers to which gold document."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, PairingError
from scorch2.model.messages import counted, quoted, shown_path
from scorch2.model.options import Options
from scorch2.scoring.pairing.keys import doc_key, key, the_only_ones
from scorch2.scoring.pairing.pair import Pair, unanswered, unasked
from scorch2.scoring.pairing.unpaired import account


def by_name(
    gold: Sequence[Document],
    system: Sequence[Document],
    met: Sequence[str],
    options: Options,
    called: Callable[[str], str],
) -> Iterator[Pair | Notice]:
    """Pair documents in any order by their names; those called as in `met` were paired before."""
    before = [Document(ident, {}) for ident in met]
    rule = options.pair if gold and system else "name"
    answering = answers([*before, *gold], [*before, *system], rule)
    for ident in met:
        del answering[ident]
    if (gold or met) and (system or met):
        sides = [*met, *(document.id for document in gold)], [*met, *answering]
        golds, systems = (map(called, side) for side in sides)
        yield from account(golds, systems, options, "document")
    for document in gold:
        answer = answering.pop(document.id, None)
        ident = called(document.id)
        yield unanswered(ident, document, options) if answer is None else Pair(ident, document, answer)
    for ident in answering:
        yield unasked(called(ident))


def in_turn(
    gold: Iterator[Document], system: Iterator[Document], options: Options, called: Callable[[str], str]
) -> Iterator[Pair | Notice]:
    """Pair documents one after the other while both sides have the same names, and the rest in any order."""
    met: list[str] = []
    for left, right in zip_longest(gold, system):
        if left is None or right is None or left.id != right.id:
            golds, systems = ([one for one in side if one] for side in ((left, *gold), (right, *system)))
            yield from by_name(golds, systems, met, options, called)
            return
        met.append(left.id)
        yield Pair(called(left.id), left, right)


def in_order(gold: Iterable[Document], system: Iterable[Document], prefix: str) -> Iterator[Pair]:
    """Pair the n-th gold with the n-th system document.

    Raises
    ------
    PairingError
        If one side has more of them, after the pairs.
    """
    golds, systems = iter(gold), iter(system)
    for number, (left, right) in enumerate(zip_longest(golds, systems)):
        if left is None or right is None:
            total = number + 1 + sum(1 for _ in golds) + sum(1 for _ in systems)
            sides = (total, number) if right is None else (number, total)
            there = f"{counted(sides[0], 'gold document')} and {counted(sides[1], 'system document')}"
            longer = shown_path(left.path if left else right.path if right else "")
            raise PairingError(f"--pair=order needs equal numbers, not {there} ({longer} has more)")
        yield Pair(prefix + left.id, left, right)


def in_step(
    gold: Sequence[Document], system: Sequence[Document], prefix: str, file: str = ""
) -> list[Pair] | None:
    """Return the pairs of two sequences of documents if each answers to the one at its place, else None."""
    if list(answers(gold, system)) != [document.id for document in gold]:
        return None
    return [Pair(prefix + left.id, left, right, (), file) for left, right in zip(gold, system, strict=True)]


def answers(gold: Sequence[Document], system: Sequence[Document], rule: str = "name") -> dict[str, Document]:
    """Return the system documents by the gold id that they answer to, or by their own if there is none.

    CoNLL's ``<name>-<part>`` and the ``<name>_<part>`` of e2e systems, without leading zeros, are one name.

    Parameters
    ----------
    gold, system : sequence of Document
        Documents with distinct ids on each side.
    rule : str
        ``name``, ``basename`` or ``order``: the option ``pair``.

    Raises
    ------
    InputError
        If two answer to one.
    PairingError
        If the rule cannot tell gold documents apart, or needs equal numbers.
    """
    if rule == "order":
        return {pair.id: pair.system for pair in in_order(gold, system, "")}
    gold_ids = {document.id: document.id for document in gold}
    if rule == "basename":
        gold_ids = the_only_ones({ident: key(ident, rule) for ident in gold_ids}, "gold document")
    else:
        gold_ids = {doc_key(ident): ident for ident in gold_ids} | gold_ids
    found: dict[str, Document] = {}
    for document in system:
        written = (document.id, doc_key(document.id)) if rule == "name" else (key(document.id, rule),)
        name = next((gold_ids[one] for one in written if one in gold_ids), document.id)
        if name in found:
            both = f"{quoted(found[name].id)} and {quoted(document.id)} both answer to {quoted(name)}"
            raise InputError(document.path, "", f"the documents {both}")
        found[name] = document
    return found
