"""Two paths to pairs of documents, read one pair of files after the other.

What only names that differ need is imported with them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from scorch2.formats.source import STDIN, stem
from scorch2.formats.table import GOLD_KEYS, SYSTEM_KEYS
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, PairingError, counted, quoted, shown_path
from scorch2.model.forms import function_at
from scorch2.model.options import Options
from scorch2.model.score import AVERAGES
from scorch2.scoring.pairing import files

NOT_PAIRED = "no gold document pairs with a system document: nothing is compared"


def plan_pairs(gold: str, system: str, options: Options) -> files.Plan:
    """Match up two folders, two files or streams, or list a folder that is compared with a file."""
    plan = _planned(gold, system, options)
    if len(plan.stems) > 1 and options.lookup != "pairs":
        return plan._replace(notices=(*plan.notices, *function_at(_ABOUT_LOOKUPS)(len(plan.stems), options)))
    return plan


_ABOUT_LOOKUPS = "scoring.remarks:added_over_files"
"""What to say about several files where mentions are looked up."""


def _planned(gold: str, system: str, options: Options) -> files.Plan:
    # A PairingError tells of files on one side only, nothing to score, or names that cannot be told apart
    if gold == system == STDIN:
        raise PairingError("only one side can be standard input (-)")
    folders = files.is_folder(gold), files.is_folder(system)
    name = stem(system if gold == STDIN else gold)
    golds, systems = _files_of_sides((gold, system), folders, name, options)
    if folders[0] != folders[1] or options.pair == "text":
        stems = list((golds if folders[0] else systems).files)
        return files.Plan(golds, systems, stems, inside=options.pair == "text")
    if not folders[0]:
        return files.Plan(golds, systems, [name])
    systems = systems._replace(files=_renamed(golds, systems, options))
    if golds.files.keys() == systems.files.keys():
        return files.Plan(golds, systems, list(golds.files))
    from scorch2.scoring.pairing.by_name import account_of_files

    if options.pair != "order" and golds.files.keys().isdisjoint(systems.files):
        try:
            notices = account_of_files(golds, systems, options)
            otherwise = notices[0].message if notices else NOT_PAIRED
            if options.missing == "skip":
                otherwise = "no gold file has a system file: nothing is left to score"
        except PairingError as error:
            otherwise = str(error)
        return files.Plan(golds, systems, list(golds.files), inside=True, otherwise=otherwise)
    notices = account_of_files(golds, systems, options)
    both = sorted({**golds.files, **systems.files})  # both are sorted: a dict keeps that
    return files.Plan(golds, systems, both, notices)


def _files_of_sides(
    paths: tuple[str, str], folders: tuple[bool, bool], name: str, options: Options
) -> tuple[files.SideFiles, files.SideFiles]:
    """Return the files of gold and of the system, with their formats; a single file is called `name`."""
    choices = (
        files.FileChoice(options.gold_files, "--gold-files"),
        files.FileChoice(options.sys_files, "--sys-files"),
    )
    golds, systems = (
        files.listed_folder(path, choice) if of_folder else files.one_file(path, name, choice)
        for path, choice, of_folder in zip(paths, choices, folders, strict=True)
    )
    golds = golds._replace(format=options.gold_format, keys=files.keys_of(options.gold_key, GOLD_KEYS))
    systems = systems._replace(format=options.sys_format, keys=files.keys_of(options.sys_key, SYSTEM_KEYS))
    if options.join_windows and folders[1]:
        from scorch2.scoring.pairing.readers import files_by_document

        systems = files_by_document(systems, options.join_windows)
    return golds, systems


def _renamed(gold: files.SideFiles, system: files.SideFiles, options: Options) -> Mapping[str, str]:
    """Return the files of the system by the stems of the gold files that they answer to."""
    if options.pair == "name":
        return system.files
    if options.pair == "order":
        if len(gold.files) != len(system.files):
            there = [
                f"{counted(len(side.files), 'file')} in {shown_path(side.path)}" for side in (gold, system)
            ]
            raise PairingError(f"--pair=order needs equal numbers, not {there[0]} and {there[1]}")
        return dict(zip(gold.files, system.files.values(), strict=True))
    from scorch2.scoring.pairing.by_name import by_last_part, last_part

    by_part = by_last_part({name: last_part(name) for name in gold.files}, "gold file")
    renamed: dict[str, str] = {}
    for name, path in system.files.items():
        answered = by_part.get(last_part(name), name)
        if answered in renamed:
            both = f"{shown_path(renamed[answered])} and {shown_path(path)}"
            raise InputError(system.path, "", f"--pair=basename: {both} both answer to {quoted(answered)}")
        renamed[answered] = path
    return renamed


def pair_in_files(
    name: str, chosen: files.Plan, options: Options, readers: files.Readers
) -> Iterable[files.Pair | Notice]:
    """Pair the documents of a stem: two of one document each whatever their names, others by name."""
    if name not in chosen.gold.files and options.extra == "skip":
        return (files.unasked(name),)  # nothing in it is of use, and it may be no document at all
    gold, system = _documents_of_files(name, chosen, readers)
    if type(gold) is type(system) is list and (
        len(gold) == len(system) == 1 or _is_refused(gold, system)
    ):  # as nearly all in folders
        return (files.Pair(name, gold[0], system[0], files.other_name(name, gold[0], system[0], options)),)
    return _pair_streams(name, iter(gold), iter(system), chosen, options)


def _is_refused(gold: Sequence[Document], system: Sequence[Document]) -> bool:
    """Return whether one of two files cannot be read, so that nobody knows what is in it."""
    return all((gold, system)) and any(len(side) == 1 and side[0].refused for side in (gold, system))


def _pair_streams(
    name: str, gold: Iterator[Document], system: Iterator[Document], chosen: files.Plan, options: Options
) -> Iterator[files.Pair | Notice]:
    golds, systems = list(islice(gold, 2)), list(islice(system, 2))
    if len(golds) == 1 and len(systems) == 1:
        yield files.Pair(name, golds[0], systems[0], files.other_name(name, golds[0], systems[0], options))
        return
    alone = len(golds) + len(systems) == 1  # the only document of its stem is called like that
    prefix = chosen.prefix(name)

    def called(ident: str) -> str:
        return name if alone else prefix + ident

    from scorch2.scoring.pairing.by_name import pair_by_name, pair_in_order, pair_in_turn

    gold, system = chain(golds, gold), chain(systems, system)
    if options.pair == "name" or not (golds and systems):
        yield from pair_in_turn(gold, system, options, called)
    elif options.pair == "order":
        yield from pair_in_order(gold, system, prefix)
    else:
        yield from pair_by_name(list(gold), list(system), (), options, called)


def _documents_of_files(
    name: str, chosen: files.Plan, readers: files.Readers
) -> tuple[Iterable[Document], Iterable[Document]]:
    gold_path, system_path = chosen.gold.files.get(name), chosen.system.files.get(name)
    side = chosen.gold
    gold = readers.gold(gold_path, side.format, side.keys) if gold_path is not None else []
    if system_path is None:
        return gold, ()
    if readers.system is not None:
        golds = list(gold)
        return golds, readers.system(system_path, chosen.system.format, golds)
    if type(gold) is list:  # gold has no error
        return gold, readers.gold(system_path, chosen.system.format, chosen.system.keys)
    documents = iter(gold)
    return documents, _after_gold(documents, system_path, chosen.system, readers)


def _after_gold(
    gold: Iterator[Document], path: str, side: files.SideFiles, readers: files.Readers
) -> Iterator[Document]:
    """Yield the documents of the system; before an error among them, look for one in the rest of gold."""
    try:
        yield from readers.gold(path, side.format, side.keys)
    except InputError:
        for _ in gold:
            pass
        raise


def read_pairs(
    chosen: files.Plan, options: Options, readers: files.Readers | None = None
) -> Iterator[files.Item]:
    """Yield pairs, notices of what is skipped, and the error of each stem that cannot be scored."""
    # One stem after the other is read, and of several documents two are held while both sides have them in
    # the same order. Of a folder against a file the system is held, of joined documents those of a topic or
    # all. A PairingError, for a document inside a file that the other side lacks, may follow pairs of the
    # same stem.
    readers = readers or files.readers_of(options)
    if options.join_windows:
        from scorch2.scoring.pairing.readers import joining

        readers = joining(readers, options, chosen.system.windows)
    if options.invalid == "skip":
        from scorch2.scoring.pairing.readers import left_out, tolerant

        found = left_out(_pairs_of_plan(chosen, options, tolerant(readers, hashed=options.hashes)))
    else:
        found = _pairs_of_plan(chosen, options, readers)
    found = as_asked(found, options)
    if options.documents == "file":
        return found
    from scorch2.scoring.pairing.topics import join_pairs

    return join_pairs(found, options, () if chosen.by_documents else chosen.stems)


_AFTER_READING: Sequence[tuple[Callable[[Options], bool], str]] = (
    (
        lambda options: bool(options.categories or options.gold_categories or options.sys_categories),
        "scoring.pairing.topics:with_categories",
    ),
    (lambda options: bool(options.sentences), "scoring.pairing.topics:in_listed_sentences"),
)
"""The functions that change pairs which were read, and the options that ask for them."""


def as_asked(items: Iterator[files.Item], options: Options) -> Iterator[files.Item]:
    """Return pairs with what options bring besides, and without what they leave out."""
    for applies, function in _AFTER_READING:
        if applies(options):
            items = function_at(function)(items, options)
    return items


def _pairs_of_plan(chosen: files.Plan, options: Options, readers: files.Readers) -> Iterator[files.Item]:
    are_averaged = AVERAGES[options.average].by_file
    if chosen.by_documents:
        from scorch2.scoring.pairing.by_name import pair_across

        across = pair_across(chosen, options, readers)
        yield from map(_in_folder(chosen), across) if are_averaged else across
        return
    for name in chosen.stems:
        try:
            pairs = pair_in_files(name, chosen, options, readers)
            yield from (_in_file(name, item) for item in pairs) if are_averaged else pairs
        except InputError as error:
            yield error


def _in_file(file: str, item: files.Item) -> files.Item:
    return item._replace(file=file) if isinstance(item, files.Pair) else item


def _in_folder(chosen: files.Plan) -> Callable[[files.Item], files.Item]:
    side = chosen.gold if chosen.gold.is_folder else chosen.system
    names = {path: name for name, path in side.files.items()}

    def named(item: files.Item) -> files.Item:
        if not isinstance(item, files.Pair):
            return item
        path = item.gold.path if chosen.gold.is_folder else item.system.path
        return _in_file(names.get(path, path), item)

    return named
