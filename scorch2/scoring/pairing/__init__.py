"""Step 2, two paths to pairs of documents: every document is accounted for, and nothing is guessed.

    paths ─▶ plan: files by id ─▶ pairs: documents by name

Two folders pair file by file (`plan`), and inside a pair of files by name (`by_file`). A folder against a
file pairs by the names inside the files (`across`). What is left over is refused or skipped as the options
say (`unpaired`). Pairs may be joined to one per topic (`joined`). What only names that differ need is
imported with them.
"""

from collections.abc import Callable, Iterator

from scorch2.model.averages import AVERAGES
from scorch2.model.errors import InputError
from scorch2.model.options import Options
from scorch2.scoring.pairing.by_file import by_file
from scorch2.scoring.pairing.pair import ALIKE, Item, Pair, Readers
from scorch2.scoring.pairing.plan import Plan, plan

__all__ = [
    "Item",
    "Pair",
    "Plan",
    "Readers",
    "file_name",
    "pairs",
    "plan",
]


def pairs(chosen: Plan, options: Options, readers: Readers = ALIKE) -> Iterator[Item]:
    """Read and pair one stem after the other; only the current one is held.

    Of a stem of several documents only two are held while both sides have the same ones in the same order. Of
    a folder against a file the system is held. Documents that are joined are all held.

    Yields
    ------
    Pair
        In the order of stems and, inside a stem, of the gold file.
    Notice
        For what the options allow to skip.
    InputError
        For a stem that cannot be scored; the next ones are still tried.

    Raises
    ------
    PairingError
        For a document inside a file of several that the other side lacks, unless the options allow for it.
        That, and what cannot be read, may follow pairs of the same stem.
    """
    if options.documents == "file":
        return _pairs(chosen, options, readers)
    from scorch2.scoring.pairing.joined import joined

    return joined(_pairs(chosen, options, readers), options)


def file_name(name: str, options: Options) -> str:
    """Return the name of a pair of files for its documents; empty if they are not averaged by file."""
    return name if AVERAGES[options.average].by_file else ""


def _pairs(chosen: Plan, options: Options, readers: Readers) -> Iterator[Item]:
    if chosen.is_mixed:
        from scorch2.scoring.pairing.across import across

        found = across(chosen, options, readers)
        yield from map(_in_folder(chosen), found) if file_name("_", options) else found
        return
    are_averaged = AVERAGES[options.average].by_file
    for name in chosen.stems:
        try:
            found = by_file(name, chosen, options, readers)
            yield from (_in_file(name, item) for item in found) if are_averaged else found
        except InputError as error:
            yield error


def _in_file(file: str, item: Item) -> Item:
    return item._replace(file=file) if isinstance(item, Pair) else item


def _in_folder(chosen: Plan) -> Callable[[Item], Item]:
    """Return a function that gives pairs the name of the file of the folder that they are from."""
    side = chosen.gold if chosen.gold.is_folder else chosen.system
    names = {path: name for name, path in side.files.items()}

    def named(item: Item) -> Item:
        if not isinstance(item, Pair):
            return item
        path = item.gold.path if chosen.gold.is_folder else item.system.path
        return _in_file(names.get(path, path), item)

    return named
