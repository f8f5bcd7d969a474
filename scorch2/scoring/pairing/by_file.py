"""The documents of a gold file against those of its system file, one after the other."""

from collections.abc import Iterator
from itertools import chain, islice

from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice
from scorch2.model.options import Options
from scorch2.scoring.files import Side
from scorch2.scoring.pairing.pair import Pair, Readers, other_name
from scorch2.scoring.pairing.plan import Plan


def by_file(name: str, chosen: Plan, options: Options, readers: Readers) -> Iterator[Pair | Notice]:
    """Pair the documents of a stem: two of one document each whatever their names, others by name."""
    gold, system = _sides(name, chosen, readers)
    golds, systems = list(islice(gold, 2)), list(islice(system, 2))
    if len(golds) == 1 and len(systems) == 1:
        yield Pair(name, golds[0], systems[0], other_name(name, golds[0], systems[0], options))
        return
    alone = len(golds) + len(systems) == 1  # the only document of its stem is called like that
    prefix = chosen.prefix(name)

    def called(ident: str) -> str:
        return name if alone else prefix + ident

    from scorch2.scoring.pairing.by_name import by_name, in_order, in_turn

    gold, system = chain(golds, gold), chain(systems, system)
    if options.pair == "name" or not (golds and systems):
        yield from in_turn(gold, system, options, called)
    elif options.pair == "order":
        yield from in_order(gold, system, prefix)
    else:
        yield from by_name(list(gold), list(system), (), options, called)


def _sides(name: str, chosen: Plan, readers: Readers) -> tuple[Iterator[Document], Iterator[Document]]:
    """Return the documents of both sides of a stem."""
    gold_path, system_path = chosen.gold.files.get(name), chosen.system.files.get(name)
    side = chosen.gold
    gold = readers.gold(gold_path, side.format, side.keys) if gold_path is not None else []
    if system_path is None:
        return iter(gold), iter(())
    if readers.system is not None:
        golds = list(gold)
        return iter(golds), iter(readers.system(system_path, chosen.system.format, golds))
    documents = iter(gold)
    return documents, _after_gold(documents, system_path, chosen.system, readers)


def _after_gold(gold: Iterator[Document], path: str, side: Side, readers: Readers) -> Iterator[Document]:
    """Yield the documents of the system; before an error among them, look for one in the rest of gold."""
    try:
        yield from readers.gold(path, side.format, side.keys)
    except InputError:
        for _ in gold:
            pass
        raise
