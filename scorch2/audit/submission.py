"""A submission to a shared task: what has to be mended before it is scored, and what participants are given.

It is a folder or an archive. Of an archive, the number of members and what they hold are bounded; what is no
file, or would lie elsewhere, is refused.
"""

import contextlib
import io
import os
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pkgutil import get_data
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from scorch2.audit.shared_task import SharedTask, TaskCorpus, scored
from scorch2.formats.compressed import zipped
from scorch2.formats.copies import write_file
from scorch2.formats.marked.shared import blind
from scorch2.formats.reading import read
from scorch2.formats.recognition import companions, is_one_of
from scorch2.formats.source import judged, path_beside, read_data, size
from scorch2.formats.table import FORMATS
from scorch2.formats.target import write_files
from scorch2.model.errors import (
    InputError,
    InputErrors,
    Notice,
    PairingError,
    ScorchError,
    escaped,
    printable,
    reword,
    shown_path,
)
from scorch2.model.options import Frozen, Options
from scorch2.scoring.flow import Outcome, Scored, Watch, outcomes, unwatched
from scorch2.scoring.layout.escaping import json_text, plain_name
from scorch2.scoring.pairing.files import Item, Pair, walked
from scorch2.scoring.pairing.words import first_difference
from scorch2.scoring.remarks import FILES
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from tarfile import TarFile
    from zipfile import ZipFile

_OF_MACS, _OF_PLATFORMS = "__MACOSX/", "metadata"
_LONGEST = 500  # characters of a line
_PROBLEMS = {
    "missing": "{document} is missing",
    "extra": "{document} is no document of the corpus",
    "invalid": "{message}",
    "unlike": "{document}: {message}",
    "same": "all that is scored equals gold: it is a copy",
}
"""What a participant has to mend, by the codes of notices of scoring."""


def scored_submission(
    task: SharedTask, path: str, score: Callable[..., Report], watch: Watch = unwatched
) -> Report:
    """Return the report of a submission, a folder or an archive, with the engine `score`."""
    with _opened(path, task) as (folder, named):
        report = scored(task, folder, score, watch)
    notices = [
        one._replace(document=named(one.document), message=named(one.message)) for one in report.notices
    ]
    return report._replace(notices=notices)


@contextlib.contextmanager
def _opened(path: str, task: SharedTask) -> Iterator[tuple[str, Callable[[str], str]]]:
    """Give the folder of a submission, and how messages name its files, inside the block."""
    if os.path.isdir(path):
        yield _inside(path, task), str
        return
    if not os.path.isfile(path):
        raise InputError(path, "", "a submission is a folder with a file or folder per corpus, or an archive")
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="scorch2.") as folder:
        unpacked(path, folder)
        named = _named_in_archive(folder, path)
        try:
            yield _inside(folder, task), named
        except ScorchError as error:
            reword(error, named)
            for one in (error, *getattr(error, "errors", ())):
                if isinstance(one, InputError):
                    one.path = one.path.replace(folder, path)
            raise


def _named_in_archive(folder: str, path: str) -> Callable[[str], str]:
    """Return a function that makes the paths of files in a message those in the archive `path`."""
    files = [entry.path for _, entry in walked(folder)]
    cut = {
        shown_path(one): shown_path(one.replace(folder, path))
        for one in (*files, *map(os.path.dirname, files))
        if shown_path(one) != one
    }

    def named(message: str) -> str:
        for shown, inside in cut.items():
            message = message.replace(shown, inside)
        return message.replace(folder, escaped(path))

    return named


def _inside(folder: str, task: SharedTask) -> str:
    """Return the folder with the corpora: the one given, or the only one in it if that has them."""
    tops = {name.partition("/")[0] for name in files_of(folder) if "/" in name}
    is_whole = any(os.path.exists(os.path.join(folder, corpus.submission)) for corpus in task.corpora)
    return folder if is_whole or len(tops) != 1 else os.path.join(folder, *tops)


def files_of(folder: str) -> list[str]:
    """Return the paths of all files of a submission below its folder; an InputError for links and pipes."""
    root, found = os.path.realpath(folder), []
    for above, entry in walked(folder):
        if os.path.realpath(entry.path) != os.path.join(root, *above.split("/"), entry.name):
            raise InputError(entry.path, "", "is a link, or lies in one: a submission holds files")
        found.append(f"{above}{entry.name}")
        if len(found) > MOST_MEMBERS:
            raise InputError(folder, "", f"holds more than {MOST_MEMBERS} files")
    return [name for name in found if not (name.startswith(_OF_MACS) or name == _OF_PLATFORMS)]


class SubmissionCheck(NamedTuple):
    """The problems of a submission."""

    problems: Sequence[str]  # one line each, to be mailed back
    documents: int  # that were read without any
    unchecked: Sequence[str]  # what could not be looked at, and why


def checked(task: SharedTask, path: str, score: Callable[..., Report]) -> SubmissionCheck:
    """Compare the words and documents of a submission with gold, or with what participants have."""
    with _opened(path, task) as (folder, _):
        return _checked(task, folder, score)


def _checked(task: SharedTask, folder: str, score: Callable[..., Report]) -> SubmissionCheck:
    problems: list[str] = []
    documents, files = 0, files_of(folder)
    unowned = {*files}
    for corpus in task.corpora:
        path = os.path.join(folder, corpus.submission)
        problems += [] if corpus.gold else _changed_blind(corpus)
        if os.path.exists(path):
            lines, number = _of_corpus(corpus, path, task.settings[0].options, score)
        else:
            lines, number = [f"{corpus.submission} is missing"], 0
        places = {path, *_beside(path)}
        own = [
            name
            for name in files
            if os.path.join(folder, name) in places or name.startswith(f"{corpus.submission}/")
        ]
        unowned.difference_update(own)
        for line in lines:
            shown = line.replace("left out: ", "", 1)
            for name in own:
                shown = shown.replace(shown_path(os.path.join(folder, name)), printable(name))
            problems.append(f"{corpus.name}: {printable(shown, _LONGEST)}")
        documents += number
    problems += [f"{printable(name)} belongs to no corpus of the task" for name in sorted(unowned)]
    return SubmissionCheck(problems, documents, [corpus.name for corpus in task.corpora if not corpus.gold])


def _of_corpus(
    corpus: TaskCorpus, path: str, options: Options, score: Callable[..., Report]
) -> tuple[Sequence[str], int]:
    """Return what is wrong with a corpus, and how many documents could be scored."""
    lines: dict[str, None] = {}

    def watch(found: Iterable[Outcome], _: int) -> Iterator[Outcome]:
        """Note what is wrong with each document, though all may be left out in the end."""
        for one in found:
            notices = [one] if isinstance(one, Notice) else one.notices if isinstance(one, Scored) else ()
            lines.update(dict.fromkeys(_told(notices)))
            yield one

    choices: Any = Frozen({**options.choices, **dict.fromkeys(("missing", "extra", "invalid"), "skip")})
    lenient = options._replace(choices=choices, hashes=False)
    try:
        report = score(corpus.gold or corpus.blind, path, lenient, watch, measured)
    except ScorchError as error:
        if not (lines and isinstance(error, PairingError)):
            lines.update(dict.fromkeys(map(str, error.errors if isinstance(error, InputErrors) else [error])))
        return [*lines], 0
    lines.update(dict.fromkeys(_told(report.notices)))
    return [*lines], len(report.documents)


def _told(notices: Iterable[Notice]) -> Iterator[str]:
    for notice in notices:
        if notice.code in _PROBLEMS:
            yield _PROBLEMS[notice.code].format(document=printable(notice.document), message=notice.message)
        elif notice.code == "reader" and notice.message.startswith("system: "):
            yield str(notice)


def measured(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
    """Score pairs of documents with the same words; of others say where they differ, and leave them out."""

    def same(every: Iterable[Item]) -> Iterator[Item]:
        for item in every:
            unlike = ""
            if isinstance(item, Pair) and options.align == "none":
                unlike = first_difference(item.gold, item.system)
            yield Notice("unlike", item.id, unlike) if unlike and isinstance(item, Pair) else item

    return outcomes(same(items), options)


# Archives: a zip or tar that was uploaded, unpacked into a folder of its own

MOST_MEMBERS = 10_000
_EXPANSION, _HEADROOM = 50, 1 << 24
"""The members may hold so many times the bytes of the archive, and so many more."""
_MOST_LISTING = 1 << 22  # bytes of the list of members, which is read at once
_END, _END_SIZE, _COMMENT = b"PK\5\6", 22, 1 << 16
"""How the record at the end of a zip begins, its length, and the longest comment behind it."""
_BLOCK = 1 << 20
_ENCRYPTED = 1
_METHODS = (0, 8)  # stored, deflated
_BEGINS = (b"PK\3\4", _END)
_LINK, _NO_FILE = "is a link", "is no file"


class Member(NamedTuple):
    """A file in an archive, or what else it holds."""

    name: str
    size: int
    is_folder: bool
    refused: str  # why it is not unpacked; nothing if it may be
    open: Callable[[], Any]


def unpacked(path: str, folder: str) -> None:
    """Write the files in a zip or tar below a folder, or raise an InputError of one line."""
    judged(path, lambda file: _unpacked(file, path, folder))


def _unpacked(file: IO[bytes], path: str, folder: str) -> None:
    import tarfile
    import zipfile
    import zlib

    is_zip = file.read(4) in _BEGINS
    broken = zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error
    try:
        if is_zip:
            _check_listing(file, path)
            with zipfile.ZipFile(file) as archive:
                _write_all(_of_zip(archive), path, folder)
        else:
            with tarfile.open(fileobj=io.BytesIO(read_data(path))) as archive_of_tape:
                _write_all(_of_tar(archive_of_tape), path, folder)
    except (*broken, EOFError, NotImplementedError, RecursionError, ValueError, OSError) as error:
        if isinstance(error, InputError):
            raise
        said = printable(str(error))
        why = f"the zip is broken: {said}" if is_zip else f"is no zip or tar, or a broken one: {said}"
        raise InputError(path, "", why) from None


def _write_all(members: Iterable[Member], path: str, folder: str) -> None:
    room, seen = _EXPANSION * size(path) + _HEADROOM, set()
    for number, member in enumerate(members):
        names, room = member.name.split("/"), room - max(member.size, 0)
        if number == MOST_MEMBERS:
            raise InputError(path, "", f"the archive holds more than {MOST_MEMBERS} files")
        if room < 0:
            raise InputError(path, "", "the archive expands to more than any text does")
        if member.is_folder:
            continue
        why = member.refused
        if (
            {"", ".", ".."} & {*names}
            or "\\" in member.name
            or ":" in member.name
            or not member.name.isprintable()
        ):
            why = "would lie outside of the submission, or has a name that not all systems have"
        if why:
            raise InputError(path, printable(member.name), why)
        if member.name.casefold() in seen:
            raise InputError(path, "", "the archive holds a file twice")
        seen.add(member.name.casefold())
        target = os.path.join(folder, *names)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with member.open() as content:
            write_files({target: iter(partial(content.read, _BLOCK), b"")})


def _of_zip(archive: "ZipFile") -> Iterator[Member]:
    for info in archive.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        why = "" if kind in (0, stat.S_IFREG) else _LINK if kind == stat.S_IFLNK else _NO_FILE
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
            why = "is encrypted, or compressed in another way than by deflate"
        yield Member(info.filename, info.file_size, info.is_dir(), why, partial(archive.open, info))


def _of_tar(archive: "TarFile") -> Iterator[Member]:
    for info in archive:
        why = "" if info.isreg() else _LINK if info.issym() or info.islnk() else _NO_FILE
        name = info.name.removeprefix("./")
        yield Member(name, info.size, info.isdir(), why, partial(archive.extractfile, info))


def _check_listing(file: IO[bytes], path: str) -> None:
    """Refuse a zip whose list of members is too long, before it is read."""
    file.seek(max(0, size(path) - _END_SIZE - _COMMENT))
    tail = file.read(_END_SIZE + _COMMENT)
    end = tail[tail.rfind(_END) :] if _END in tail else b""
    if len(end) < _END_SIZE:
        raise InputError(path, "", "the zip is broken: it has no end")
    number, listing = struct.unpack("<HL", end[10:16])
    if number > MOST_MEMBERS or listing > _MOST_LISTING:
        raise InputError(path, "", f"the archive holds more than {MOST_MEMBERS} files")


# What participants have


def blinded(corpus: TaskCorpus) -> dict[str, bytes]:
    """Return the files of a corpus without annotation, by their paths in a submission."""
    texts = {}
    files = files_by_name(corpus.gold, corpus.submission)
    beside = {other for path in files.values() for other in _beside(path)}
    for name, path in files.items():
        if path in beside:
            continue
        documents = [blind(document, mentions=True) for document in read(path)]
        form = documents[0].format
        if not FORMATS[form].writer:
            raise InputError(path, "", f'{form} is not written: name files without annotation as "blind"')
        written = write_file(documents, form, lossy=True)
        texts[name] = written.text.encode()
        if written.text_beside is not None:
            texts[path_beside(name, FORMATS[form].text_beside)] = written.text_beside.encode()
    return texts


def _beside(path: str) -> list[str]:
    """Return the files that belong to a file, such as its text."""
    others = companions(path) if os.path.isfile(path) else {}
    there = {other: rows for other, rows in others.items() if other != path and os.path.isfile(other)}
    return [other for other, rows in there.items() if is_one_of(path, rows)]


def files_by_name(path: str, called: str) -> dict[str, str]:
    """Return the paths of a file and those beside it, or of all of a folder, by paths in a submission."""
    if not os.path.isdir(path):
        beside = {other: os.path.basename(other) for other in _beside(path)}
        above = called[: called.rfind("/") + 1]
        return {called: path, **{f"{above}{name}": other for other, name in beside.items()}}
    return {f"{called}/{above}{entry.name}": entry.path for above, entry in walked(path)}


def _changed_blind(corpus: TaskCorpus) -> list[str]:
    """Return lines about files of participants that are not those that were handed out."""
    files = files_by_name(corpus.blind, corpus.submission)
    now = {name: sha256(read_data(path)).hexdigest() for name, path in files.items()}
    then = corpus.sha256 or now
    changed = [name for name in {**then, **now} if then.get(name) != now.get(name)]
    why = "the blind file is not the one that was handed out"
    return [f"{corpus.name}: {printable(name)}: {why}" for name in changed]


def handed_out(task: SharedTask) -> dict[str, bytes]:
    """Return what participants get, by paths: texts without annotation, and the file of their task."""
    for setting in task.settings:
        for name in _OF_GOLD:
            if getattr(setting.options, name):
                why = f"{name} names a file about gold: write the task.json of participants by hand"
                raise InputError(setting.name, "", why)
    return _moved(task, "blind", "", blinded)


_OF_GOLD = ("gold_categories", "categories")


def _moved(
    task: SharedTask, key: str, above: str, files_of_corpus: Callable[[TaskCorpus], Mapping[str, bytes]]
) -> dict[str, bytes]:
    """Return the file of a task, the files of its corpora and those that options name, by their paths.

    The corpora stand below the folder `above`; `key` of each says where.
    """
    files: dict[str, bytes] = {}
    corpora, settings = [], []
    for corpus in task.corpora:
        texts, place = files_of_corpus(corpus), corpus.submission
        row = {"name": corpus.name, key: f"{above}{place}", "submission": place}
        hashes = {name: sha256(data).hexdigest() for name, data in texts.items()}
        corpora.append({**row, "sha256": hashes} if key == "blind" else row)
        files |= {f"{above}{name}": data for name, data in texts.items()}
    for number, (row, setting) in enumerate(zip(task.value["settings"], task.settings, strict=True)):
        paths = {
            name: getattr(setting.options, name.replace("-", "_"), "") for name in row.get("options", {})
        }
        paths = {name: path for name, path in paths.items() if name.replace("-", "_") in FILES}
        moved = {name: f"options/{number}/{os.path.basename(path)}" for name, path in paths.items()}
        files |= {moved[name]: read_data(path) for name, path in paths.items()}
        settings.append({**row, "options": {**row["options"], **moved}} if moved else row)
    value = {**task.value, "corpora": corpora, "settings": settings}
    return {"task.json": json_text(value, indent=1).encode(), **files}


# A bundle for Codabench

_COMMAND = (
    b"command: python3 $program/scorch2.pyz task score --participants $input/ref/task.json $input/res "
    b"--report=scores:$output/scores.txt --report=flat:$output/scores.json "
    b"--report=html:$output/detailed_results.html\n"
)
"""Both platforms read it from a file called ``metadata`` and put paths in the place of names."""


def _gold(corpus: TaskCorpus) -> dict[str, bytes]:
    return {name: read_data(path) for name, path in files_by_name(corpus.gold, corpus.submission).items()}


def bundle(task: SharedTask, start: str) -> bytes:
    """Return a competition of Codabench as a zip: gold, what participants get, and a program that scores."""
    keys = [(one.name, f"{plain_name(one.name)}_{task.metric}_f1") for one in task.corpora]
    columns = [
        {"title": title, "key": key, "index": number, "sorting": "desc", "precision": 4}
        for number, (title, key) in enumerate([(task.metric, "primary"), *keys])
    ]
    page = f"# {task.name}\n".encode()
    text = cast("bytes", get_data(__name__, "competition.yaml")).decode()
    parts = {
        "reference_data": _moved(task, "gold", "gold/", _gold),
        "public_data": handed_out(task),
        "scoring_program": {"metadata": _COMMAND, "scorch2.pyz": program()},
    }
    return zipped(
        {
            "competition.yaml": text.format(
                name=json_text(task.name), start=json_text(start), columns=json_text(columns)
            ).encode(),
            "logo.png": cast("bytes", get_data(__name__, "logo.png")),
            **dict.fromkeys(("terms.md", "overview.md"), page),
            **{f"{folder}/{name}": data for folder, part in parts.items() for name, data in part.items()},
        }
    )


def program() -> bytes:
    """Return scorch2 with all that it needs, as one file that Python runs."""
    from importlib.resources import files

    found = {"__main__.py": b"from scorch2.cli.main import main\nraise SystemExit(main())\n"}

    def add(folder: Any, above: str) -> None:
        for entry in sorted(folder.iterdir(), key=lambda entry: str(entry.name)):
            if entry.is_dir():
                add(entry, f"{above}/{entry.name}")
            elif not entry.name.endswith(".pyc"):
                found[f"{above}/{entry.name}"] = entry.read_bytes()

    for package in ("docopt", "scorch2"):
        add(files(package), package)
    return zipped(found)
