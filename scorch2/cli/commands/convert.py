"""Commands about files: validate them, convert them to another format, and conll2json in short."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from scorch2.cli import console, output, outputs, usage
from scorch2.formats import SUFFIXES, copies, reading, recognition, source, table, without_suffix
from scorch2.formats.source import STDIN, path_beside, stem
from scorch2.formats.target import write_files
from scorch2.model.document import Document
from scorch2.model.errors import (
    SHOWN,
    InputError,
    Notice,
    OutputError,
    UsageError,
    counted,
    escaped,
    printable,
    quoted,
    shown_path,
    told,
)
from scorch2.scoring.matching.matched import KEEP, repeat_notices
from scorch2.scoring.matching.preprocessing import TOKENS_OPTION, in_tokens_of
from scorch2.scoring.pairing.files import FileChoice, Pair, folder_files, is_folder, refuse_choice, side_of

_SINGLE = ", ".join(table.format_names(lambda row: row.writer and row.one_document))
_OUT = (
    f"a file (compressed if its name ends in {', '.join(SUFFIXES)}), - for standard output, or "
    "a folder, which is made if it is not there. Several documents need a folder if the format holds one "
    f"document per file ({_SINGLE}). A folder becomes a folder, or one file of all documents if <out> has "
    "the name of a file, such as all.jsonl"
)
_KEY = "key of the clusters in JSON of neural systems, where an object has several"
_TOKENS = "file or folder of the same texts, for input without tokens: mentions of characters become tokens"
_WRITTEN = ", ".join(table.format_names(lambda row: row.writer))
_NEED_TOKENS = ", ".join(table.format_names(lambda row: row.needs_tokens))
_BESIDE = "".join(
    f"\nBeside each file of {row.name} goes its text ({row.text_beside}), which replaces only the same text."
    for row in table.FORMATS.values()
    if row.text_beside
)
USAGE = f"""Convert documents from one format to another.

Usage:
  scorch2 convert [options] --to=<format> [--] <in> <out>

  <in>   a file in any format, - for standard input, or a folder with its sub-folders
{usage.option_lines("<out>", _OUT, 9)}

Options:
{usage.option_lines("--to=<format>", f"output format: {_WRITTEN}", 19)}
{usage.format_option("--from=<format>", table.FORMATS, 19)}
{usage.option_lines("--files=<glob>", usage.FILES_TEXT, 19)}
{usage.option_lines("--key=<name>", _KEY, 19)}
{usage.option_lines("--tokens-from=<path>", _TOKENS, 19)}
  --lossy          leave out mentions that the format cannot hold
  --blind=<what>   a text to annotate: without clusters, or without mentions (clusters, mentions)
  --force          overwrite files of other formats, and read-only files
{usage.other_options("no warnings", 19, version=True)}

A mention or cluster that a format cannot hold is an error without --lossy. These need tokens:
{_NEED_TOKENS}.
The places of mentions are needed by tsv. A warning says what else was left out: columns, ids,
types, names of clusters, pairs of pronouns. jsonlines get doc_key, sentences and clusters.
A file that is there already is replaced if it is in the format that is written.{_BESIDE}

{usage.exit_statuses("0 done, 2 error (nothing was written)")}
"""


CHOICES = {"--blind": ("clusters", "mentions")}


class Origin(NamedTuple):
    """The choices about the input: its format, the key, whose tokens, and what is made of it."""

    format: str | None
    keys: table.ClusterKeys
    tokens: str | None = None  # the file or folder with the tokens for documents that have none
    change: Callable[[Document, str], Document] | None = None
    """Returns what is written of a document, from that and the name it is paired by."""

    def read(self, path: str, name: str | None = None) -> list[Document]:
        """Return the documents of a file, in tokens if these are to be taken from others.

        `name` is its path below a folder, without the suffix.
        """
        documents = reading.read(path, self.format, "--from", self.keys)
        if self.tokens is not None:
            documents = _in_tokens(documents, path, stem(path) if name is None else name, self.tokens)
        if self.change is None:
            return documents
        if name is None:
            return [self.change(document, document.id) for document in documents]
        several = len(documents) > 1
        return [self.change(one, f"{name}/{one.id}" if several else name) for one in documents]


def _blind(what: str) -> Callable[[Document, str], Document]:
    from scorch2.formats.marked.shared import blind

    return lambda document, _: blind(document, mentions=what == "mentions")


def _in_tokens(documents: Sequence[Document], path: str, called: str, tokens: str) -> list[Document]:
    """Return documents without tokens in those of the documents of the same names in a file or folder."""
    files = _token_files(tokens)
    by_name: dict[str, Document] = {}
    for name, file in files.items():
        others = reading.read(file, None, TOKENS_OPTION)
        by_name.update({**({name: others[0]} if len(others) == 1 else {}), **{one.id: one for one in others}})
        if len(files) == len(others) == len(documents) == 1:
            by_name[documents[0].id] = others[0]
    made = []
    for document in documents:
        other = by_name.get(document.id) or (by_name.get(called) if len(documents) == 1 else None)
        if document.has_tokens:
            made.append(document)
        elif other is None:
            why = f"{quoted(document.id)} has no document of that name in {shown_path(tokens)}"
            raise InputError(path, "", f"{why} ({TOKENS_OPTION} needs one with its text)")
        else:
            made.append(in_tokens_of(other, document))
    return made


def run(given: dict[str, Any]) -> int:
    """Convert what `given` names and return the exit status."""
    source, target, form = given["<in>"], given["<out>"], table.check_written(given["--to"])
    keys = () if given["--key"] is None else (given["--key"],)
    blind = given["--blind"] and usage.choice(given["--blind"], CHOICES["--blind"], "--blind")
    change = _blind(blind) if blind else None
    origin = Origin(table.check_format(given["--from"]), keys, given["--tokens-from"], change)
    convert(source, target, form, origin, given)
    return 0


def convert(source: str, target: str, form: str, origin: Origin, given: Mapping[str, Any]) -> None:
    """Write a file or a folder in another format; of what was `given`, options about files are looked at."""
    if source != STDIN and os.path.isdir(source):
        _convert_folder(source, target, form, origin, given)
        return
    refuse_choice(source, FileChoice(given["--files"], "--files"))
    documents = origin.read(source)
    if target != output.STDOUT and (os.path.isdir(target) or target.endswith(os.sep)):
        convert_to_folder(source, documents, target, form, given)
    elif table.FORMATS[form].one_document and len(documents) > 1:
        if target == output.STDOUT:
            raise UsageError(f"{len(documents)} documents as {form} need a folder, not standard output")
        if _is_file_name(target):
            raise UsageError(_needs_folder(target, form))
        convert_to_folder(source, documents, target, form, given)
    else:
        warnings = [] if given["--quiet"] else _warnings_of(documents)
        file = copies.unchecked(documents, form, lossy=given["--lossy"])
        del documents  # a copy is read next: large documents need not be held twice
        written = copies.checked(file)
        output.check_target(target, _inputs(given, source), form=form, force=given["--force"])
        if output.is_stream(target) and written.text_beside is not None:
            written = written._replace(text_beside=None, lost={**written.lost, "text beside it": 1})
        beside = _texts_beside({target: written}, form)
        outputs.check_texts(beside, _inputs(given, source), force=given["--force"])
        outputs.write_data(target, written.text, beside)
        console.say_all([] if given["--quiet"] else [*warnings, *_warnings_of_loss([written], form)])


def _inputs(given: Mapping[str, Any], *paths: str) -> list[str]:
    """Return the inputs, which no output may replace: files, and what tokens are taken from."""
    tokens = given.get("--tokens-from")
    return [*paths, *(_token_files(tokens).values() if tokens is not None else ())]


def _token_files(path: str) -> Mapping[str, str]:
    """Return the files of a file or folder that tokens are taken from, by name."""
    return folder_files(path, FileChoice(None, TOKENS_OPTION)) if os.path.isdir(path) else {stem(path): path}


def convert_to_folder(
    path: str, documents: Sequence[Document], folder: str, form: str, given: Mapping[str, Any]
) -> None:
    """Write the documents of a file to a folder: one file per document, or one for all where the format can.

    Of the options that were `given`, ``--force``, ``--quiet`` and ``--lossy`` are looked at.
    """
    texts = texts_of(path, documents, stem(path), form, lossy=given.get("--lossy", False))
    write_to(folder, texts, _inputs(given, path), form, force=given["--force"])
    warn(documents, texts.values(), form, quiet=given["--quiet"])


def texts_of(
    path: str, documents: Sequence[Document], called: str, form: str, *, lossy: bool = False
) -> dict[str, copies.Written]:
    """Return the files that the documents of one file are written to, by name.

    One for all is `called` by a path with ``/``; those of one document are called like it, in the same place.
    """
    if not table.FORMATS[form].one_document:
        return {called + _suffix(form): copies.write_file(documents, form, lossy=lossy)}
    above = called.rpartition("/")[0]
    above += "/" if above else ""
    named = _distinct({document.id: above + outputs.safe_name(document.id) for document in documents}, path)
    return {
        named[document.id] + _suffix(form): copies.write_file([document], form, lossy=lossy)
        for document in documents
    }


def _convert_folder(source: str, target: str, form: str, origin: Origin, given: Mapping[str, Any]) -> None:
    in_one = target == output.STDOUT or _is_file_name(target)
    one_document = table.FORMATS[form].one_document
    if in_one and one_document:
        raise UsageError(_needs_folder(target, form))
    check_outside(target, source)
    files = folder_files(source, FileChoice(given["--files"], "--files"))
    items = files.items() if given["--quiet"] else console.progress(files.items(), len(files), "files")
    by_name = {name: origin.read(path, name) for name, path in items}
    for name, documents in by_name.items():
        if one_document and len(documents) > 1:
            kept = f"{form} holds one document per file (convert it by itself)"
            why = f"holds {len(documents)} documents, and {kept}"
            raise InputError(files[name], "", why)
    every = [document for documents in by_name.values() for document in documents]
    lossy = given["--lossy"]
    if in_one:
        _refuse_repeated({files[name]: documents for name, documents in by_name.items()})
        output.check_target(target, _inputs(given, source), form=form, force=given["--force"])
        texts = {target: copies.write_file(every, form, lossy=lossy)}
        outputs.write_data(target, texts[target].text)
    else:
        texts = {
            name + _suffix(form): copies.write_file(documents, form, lossy=lossy)
            for name, documents in by_name.items()
        }
        write_to(target, texts, _inputs(given, *files.values()), form, force=given["--force"])
    warn(every, texts.values(), form, quiet=given["--quiet"])


def check_outside(target: str, source: str) -> None:
    """Refuse to put documents into the folder that they are read from; of one file, its place is checked."""
    real, folder = os.path.realpath(target), os.path.realpath(source)
    if real == folder:
        raise OutputError(f"{shown_path(target)}: is the input, and would hold two files for a document")
    if real.startswith(os.path.join(folder, "")) and not _is_file_name(target):
        raise OutputError(f"{shown_path(target)}: lies in the input, and the next run would read it, too")


def _is_file_name(target: str) -> bool:
    """Return whether an output is a file, or called like one of documents where nothing is there yet."""
    if os.path.lexists(target):
        return not os.path.isdir(target)
    suffixes = [suffix for row in table.FORMATS.values() for suffix in row.suffixes]
    return target.casefold().endswith((*SUFFIXES, *suffixes))


def _needs_folder(target: str, form: str) -> str:
    if target == output.STDOUT:
        return f"a folder is converted to a folder as {form}, not to standard output"
    folder = os.path.splitext(without_suffix(target))[0]
    hint = "" if os.path.lexists(folder) else f", {shown_path(folder)}{os.sep} for example"
    return f"{shown_path(target)}: {form} holds one document per file: name a folder{hint}"


def _refuse_repeated(by_path: Mapping[str, Sequence[Document]]) -> None:
    places: dict[str, str] = {}
    for path, documents in by_path.items():
        for document in documents:
            other = places.setdefault(document.id, path)
            if other != path:
                why = f"document {quoted(document.id)} is in {shown_path(other)} too (convert to a folder)"
                raise InputError(path, "", why)


def _distinct(names: Mapping[str, str], path: str) -> Mapping[str, str]:
    """Return the file names of documents; refuse two that could be one on some file system."""
    taken: dict[str, str] = {}
    for ident, name in names.items():
        other = taken.setdefault(name.casefold(), ident)
        if other != ident:
            why = f"the documents {quoted(other)} and {quoted(ident)} would both be written to {name}"
            raise InputError(path, "", why)
    return names


def write_to(
    folder: str, texts: Mapping[str, copies.Written], inputs: Iterable[str], form: str, *, force: bool
) -> None:
    """Write files into a folder and sub-folders, which are made; `texts` are by the path below it."""
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise OutputError(f"{shown_path(folder)}: is a file, but {counted(len(texts), 'file')} need a folder")
    targets = {os.path.join(folder, name): written for name, written in texts.items()}
    beside = _texts_beside(targets, form)
    above = {parent.as_posix() for name in texts for parent in PurePosixPath(name).parents}
    with ExitStack() as made:
        for inner in sorted(above):
            made.enter_context(outputs.folder(os.path.join(folder, inner) if inner != "." else folder))
        outputs.check_files(targets, inputs, form, force=force)
        outputs.check_texts(beside, inputs, force=force)
        write_files({path: written.text for path, written in targets.items()} | beside)


def _texts_beside(targets: Mapping[str, copies.Written], form: str) -> dict[str, str]:
    texts = {}
    for path, written in targets.items():
        if written.text_beside is not None:
            beside = path_beside(path, table.FORMATS[form].text_beside)
            if beside == path:
                why = f"is where the text belongs that {form} needs: end the name in {_suffix(form)}"
                raise OutputError(f"{shown_path(path)}: {why}")
            texts[beside] = written.text_beside
    return texts


def _suffix(form: str) -> str:
    return table.FORMATS[form].suffixes[0]


def warn(documents: Iterable[Document], written: Iterable[copies.Written], form: str, *, quiet: bool) -> None:
    """Warn of what readers skipped, of repeated mentions and of what was lost, unless that is not wanted."""
    if not quiet:
        console.say_all([*_warnings_of(documents), *_warnings_of_loss(written, form)])


def _warnings_of(documents: Iterable[Document]) -> list[str]:
    return console.warnings([notice for document in documents for notice in _notices(document)])


def _notices(document: Document) -> Iterator[Notice]:
    for note in (*document.notes, *document.category_notes):
        yield Notice("reader", document.id, note)
    yield from repeat_notices(document.id, document, KEEP)


def _warnings_of_loss(written: Iterable[copies.Written], form: str) -> list[str]:
    files = list(written)
    lost = copies.together(file.lost for file in files)
    heads = counted(sum(file.heads for file in files), "head")
    told = f"left out, since {form} does not hold them: {copies.in_words(lost)}"
    added = f"{heads} written that the input does not name: the first word of each mention"
    notices = [Notice("lost", "", told)] if lost else []
    notices += [Notice("added", "", added)] if any(file.heads for file in files) else []
    return console.warnings(notices)


CONLL2JSON_USAGE = f"""Convert a CoNLL-2011/2012 file to clusters JSON, one file per document.

Usage:
  conll2json [options] [--] <conll-file> [<out-dir>]

  <conll-file>  CoNLL columns, - for standard input, or a folder of such files and its sub-folders
  <out-dir>     where the files go (made if it is not there); default: the folder of the input,
                the current folder for -; needed for a folder, and gets the same sub-folders

Options:
{usage.option_lines("--files=<glob>", usage.FILES_TEXT, 16)}
  --sentences     write the tokens, too, so that the files can be converted back
  --force         overwrite files that are no clusters JSON, and read-only files
{usage.other_options("no warnings", 18, version=True)}

Mention ids are <sentence>.<first>-<last>, counted from 0; files are called <name>-<part>.json.
A file that is there already is replaced if it is clusters JSON.

{usage.exit_statuses("0 done, 2 error (nothing was written)")}
"""


def run_conll2json(given: dict[str, Any]) -> int:
    """Convert the file that `given` names and return the exit status."""
    path, choice = given["<conll-file>"], FileChoice(given["--files"], "--files")
    if is_folder(path):
        _convert_tree(path, choice, given)
        return 0
    refuse_choice(path, choice)
    folder = given["<out-dir>"] or ("." if path == STDIN else os.path.dirname(path) or ".")
    convert_to_folder(path, _conll_documents(path, given), folder, "clusters", given)
    return 0


def _conll_documents(path: str, given: Mapping[str, Any]) -> list[Document]:
    documents = reading.read(path, "conll")
    return documents if given["--sentences"] else [document._replace(words=None) for document in documents]


def _convert_tree(path: str, choice: FileChoice, given: Mapping[str, Any]) -> None:
    folder = given["<out-dir>"]
    if folder is None:
        raise UsageError("the documents of a folder need another one: conll2json <folder> <out-dir>")
    check_outside(folder, path)
    texts: dict[str, copies.Written] = {}
    every: list[Document] = []
    files = folder_files(path, choice)
    for called, file in files.items():
        documents = _conll_documents(file, given)
        of_file = texts_of(file, documents, called, "clusters")
        for name in of_file.keys() & texts.keys():
            why = f"a document of another file would be written to {printable(name)}, too"
            raise InputError(file, "", why)
        texts |= of_file
        every += documents
    write_to(folder, texts, files.values(), "clusters", force=given["--force"])
    warn(every, texts.values(), "clusters", quiet=given["--quiet"])


VALIDATE_USAGE = f"""\
Check files: can they be scored as they are written, and do they follow the rules of their format?

Usage:
  scorch2 validate [options] [--] <path>...

  <path>        a file, a folder with its sub-folders, or - for standard input

Options:
{usage.format_option("--format=<name>", table.FORMATS)}
{usage.option_lines("--files=<glob>", usage.FILES_TEXT)}
  --strict                  a warning is a problem, too
  -v, --verbose             every warning, not only the first five of a kind
{usage.other_options("no warnings")}

A problem is what cannot be scored. Problems go to standard output, one per line: file, place, what
is wrong and what to do. Warnings tell what is odd, and which rules a file breaks that scores:
in CorefUD those of the validator of Universal Dependencies, in the exploded format of Universal
Anaphora those of its scorers.

{usage.exit_statuses("0 no problem, 1 a problem, 2 error (a path that is not there, say)")}
"""
VALIDATE_CHOICES = {"--format": table.FORMATS}


def run_validate(given: dict[str, Any]) -> int:
    """Check what `given` names and return the exit status."""
    form = table.check_format(given["--format"])
    usage.share_no_stream(*given["<path>"])
    problems: list[str] = []
    warnings: list[Notice] = []
    choice = FileChoice(given["--files"], "--files")
    every = [file for path in given["<path>"] for file in side_of(path, choice).files.values()]
    files = [file for file in every if form or not _is_text(file)]
    for path in files if given["--quiet"] else console.progress(files, len(files), "files"):
        for remark in _found(path, form):
            if isinstance(remark, Notice):
                warnings.append(remark)
            else:
                problems.append(str(remark))
    warnings = list(dict.fromkeys(warnings))  # a document is both sides of its pair
    lines = list(told(warnings, sys.maxsize if given["--verbose"] else SHOWN))
    number = len(problems)
    if given["--strict"]:
        number += len(warnings)
        problems += lines
    elif not given["--quiet"]:
        console.say_all(f"scorch2: warning: {line}" for line in lines)
    if problems:
        output.write(output.STDOUT, "".join(f"{escaped(line)}\n" for line in problems))
        console.say(f"scorch2: {counted(number, 'problem')} in {counted(len(files), 'file')}")
    return 1 if problems else 0


def _is_text(path: str) -> bool:
    """Return whether a file is no document, but the text that one beside it is about."""
    # pre-commit gives both, and perhaps to two processes
    return any(
        path == source.path_beside(path, row.text_beside)
        and any(os.path.isfile(source.path_beside(path, suffix)) for suffix in row.suffixes)
        and recognition.recognised(path) is None
        for row in table.FORMATS.values()
        if row.text_beside
    )


def _found(path: str, form: str | None) -> Iterator[InputError | Notice]:
    """Yield what is odd in a file and the rules of its format that it breaks, then what cannot be scored."""
    from scorch2.model.options import Options
    from scorch2.scoring.flow import count_all, score_pair

    unscored: list[InputError] = []
    try:
        data, name = source.read_data(path), ""
        for document in _both_sides(data, path, form):
            name = document.format
            try:
                pair = Pair(document.id, document, document)
                yield from score_pair(pair, count_all((), Options()), Options()).notices
            except InputError as error:
                unscored.append(error)
        yield from reading.problems(data, path, name)
    except InputError as error:
        unscored.append(error)
    yield from unscored


def _both_sides(data: bytes, path: str, form: str | None) -> Iterator[Document]:
    """Yield the documents of a file as gold, and as a system where its objects may hold both."""
    yield from reading.documents(data, path, form, table.GOLD_KEYS, "--format")
    if b'"predicted_clusters"' in data:
        yield from reading.documents(data, path, form, table.SYSTEM_KEYS, "--format")
