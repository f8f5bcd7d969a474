"""Submissions in a tar, compressed or not: read as they were uploaded, hostile ones refused in one line."""

import io
import os
import tarfile
from pathlib import Path
from typing import TypeAlias

import pytest
from every import every

from scorch2.cli.main import main

TASK = Path(__file__).parents[2] / "fixtures" / "task"
ALPHA = TASK / "submissions" / "alpha"
Capture: TypeAlias = pytest.CaptureFixture[str]
OUTSIDE = "would lie outside of the submission, or has a name that not all systems have"
TARS = ("tar", "tar.gz", "tar.bz2", "tar.xz")


def tarred(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    mode = path.name.rpartition(".")[2].replace("tar", "")
    with tarfile.open(path, f"w:{mode}") as archive:  # type: ignore[call-overload]
        for info, data in members:
            info.size = max(info.size, len(data))
            archive.addfile(info, io.BytesIO(data))
    return path


@every("name", TARS)
@every("below", ("", "./", "our-best-run/"))
def test_a_tar_is_read_as_it_was_uploaded(name: str, below: str, tmp_path: Path, capsys: Capture) -> None:
    with tarfile.open(tmp_path / name, f"w:{name.removeprefix('tar').lstrip('.')}") as archive:  # type: ignore[call-overload]
        for file in sorted(ALPHA.rglob("*")):
            archive.add(file, f"{below}{file.relative_to(ALPHA).as_posix()}", recursive=False)
    assert main(["task", "check", str(TASK / "task.json"), str(tmp_path / name)]) == 0
    assert capsys.readouterr().out == "nothing to mend: 6 documents in 3 corpora\n"


def refused(capsys: Capture, path: Path) -> str:
    assert main(["task", "check", str(TASK / "task.json"), str(path)]) == 2
    found = capsys.readouterr()
    assert (found.out, found.err.count("\n")) == ("", 1)
    return found.err


def info(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.size, made.linkname = kind, size, link
    return made


TAR_MEMBERS = {
    "a folder above": (info("../evil.conllu"), f"../evil.conllu: {OUTSIDE}"),
    "an absolute path": (info("/etc/evil"), f"/etc/evil: {OUTSIDE}"),
    "a folder above inside": (info("stories/../../evil"), f"stories/../../evil: {OUTSIDE}"),
    "a backslash": (info("..\\evil"), OUTSIDE),
    "a link": (info("news.conllu", tarfile.SYMTYPE, link="/etc/passwd"), "news.conllu: is a link"),
    "a hard link": (info("news.conllu", tarfile.LNKTYPE, link="/etc/passwd"), "news.conllu: is a link"),
    "a pipe": (info("news.conllu", tarfile.FIFOTYPE), "news.conllu: is no file"),
    "a device": (info("news.conllu", tarfile.CHRTYPE), "news.conllu: is no file"),
}


@every("name", TARS[:2])
@every("what", TAR_MEMBERS)
def test_a_hostile_member_of_a_tar_is_refused(
    what: str, name: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # below which archives are unpacked
    member, why = TAR_MEMBERS[what]
    assert why in refused(capsys, tarred(tmp_path / name, (member, b"")))
    assert [*tmp_path.rglob("evil*")] == []


def test_a_tar_is_bounded(tmp_path: Path, capsys: Capture) -> None:
    twice = [(info(name), b"x") for name in ("news.conllu", "NEWS.conllu")]
    assert "the archive holds a file twice" in refused(capsys, tarred(tmp_path / "a.tar", *twice))
    # Numbers and their complements: the digits of all names have the same sum, and so do the headers
    names = (f"{number:05}{99_999 - number:05}".encode() for number in range(10_000))
    folder, file = (info("0000099999", kind).tobuf() for kind in (tarfile.DIRTYPE, tarfile.REGTYPE))
    folders = b"".join(name + folder[10:] for name in names)
    (tmp_path / "b.tar").write_bytes(folders + file + bytes(1024))  # a folder counts as a file does
    assert "the archive holds more than 10000 files" in refused(capsys, tmp_path / "b.tar")
    large = tarred(tmp_path / "d.tar.gz", (info("news.conllu"), bytes(32 << 20)))
    assert "decompresses to more than 50 times its size" in refused(capsys, large)
    header = info("news.conllu", size=1 << 40).tobuf()
    (tmp_path / "e.tar").write_bytes(header + bytes(1024))
    assert "the archive expands to more than any text does" in refused(capsys, tmp_path / "e.tar")
    pax = info("x", tarfile.XHDTYPE, size=1 << 40).tobuf()
    (tmp_path / "f.tar").write_bytes(pax + bytes(1024))
    refused(capsys, tmp_path / "f.tar")
    (tmp_path / "g.tar").write_bytes(
        info("x", tarfile.GNUTYPE_LONGNAME, size=1).tobuf().ljust(1024, b"y") * 5000
    )
    assert "is no zip or tar, or a broken one" in refused(capsys, tmp_path / "g.tar")


@every("name", TARS)
def test_a_broken_tar_is_refused(name: str, tmp_path: Path, capsys: Capture) -> None:
    path = tarred(tmp_path / name, (info("news.conllu"), os.urandom(5000)))
    data = path.read_bytes()
    for broken in (data[:700], data[:30] + b"\xff" * 40 + data[70:], b"\x1f\x8b", b"", b"x" * 3000):
        path.write_bytes(broken)
        refused(capsys, path)
