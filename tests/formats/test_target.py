"""Files written whole: temporary names that nobody can guess, and permissions that no report changes."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scorch2.formats import recognition, target
from scorch2.model.errors import InputError, OutputError

POSIX = pytest.mark.skipif(os.name == "nt", reason="owners, permissions and links of another kind")
LINKS = pytest.mark.parametrize("links", [True, False], ids=["hard links", "no hard links"])
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def without_links(monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    """Have a file system without hard links."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr(os, "link", refuse)


def put(path: str, text: str = "old", mode: int = 0o644) -> Path:
    Path(path).write_text(text, encoding="utf-8")
    Path(path).chmod(mode)
    return Path(path)


def mode_of(path: str | Path) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


def names(count: int) -> Iterator[bytes]:
    yield from (bytes([number]) * 8 for number in range(count))


def failing_replace(number: int, last: Callable[[], object] = lambda: None) -> Callable[[str, str], None]:
    """Return `os.replace`, but its n-th use fails, after `last` was called."""
    real, uses = os.replace, 0

    def replace(source: str, target: str) -> None:
        nonlocal uses
        uses += 1
        if uses == number:
            last()
            raise OSError(5, "Input/output error")
        real(source, target)

    return replace


# Names


def test_names_of_two_runs_never_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    monkeypatch.setattr(os, "replace", lambda temporary, _: seen.add(os.path.basename(temporary)))
    for _ in range(50):
        target.write_files({"a": "new", "b": "new"})
    assert len(seen) == 100
    assert all(name.startswith(".scorch2.") and str(os.getpid()) not in name.split(".") for name in seen)


def test_a_name_that_another_run_has_is_left_to_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = [f".scorch2.{name.hex()}.tmp" for name in names(3)]
    for name in planted:
        put(name, "another run's")
    drawn = names(9)
    monkeypatch.setattr(os, "urandom", lambda _: next(drawn))
    target.write_files({"a": "new", "b": "new"})
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == {
        "a": "new",
        "b": "new",
        **dict.fromkeys(planted, "another run's"),
    }


def test_if_every_name_is_taken_nothing_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    planted = put(f".scorch2.{bytes(8).hex()}.tmp", "another run's")
    put("a")
    monkeypatch.setattr(os, "urandom", bytes)
    with pytest.raises(OutputError, match="a: File exists"):
        target.write_files({"a": "new"})
    assert (planted.read_text("utf-8"), Path("a").read_text("utf-8")) == ("another run's", "old")


@POSIX
@LINKS
@pytest.mark.usefixtures("without_links")
def test_a_link_under_a_temporary_name_is_not_followed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("victim")
    for drawn_name in names(5):
        Path(f".scorch2.{drawn_name.hex()}.tmp").symlink_to("victim")
    for name in "ab":
        put(name)
    drawn = [one for _ in range(4) for one in (*names(5), os.urandom(8))]
    monkeypatch.setattr(os, "urandom", lambda _: drawn.pop(0))
    target.write_files({"a": "new", "b": "new"})
    assert {name: Path(name).read_text("utf-8") for name in ("a", "b", "victim")} == {
        "a": "new",
        "b": "new",
        "victim": "old",
    }
    assert sum(path.is_symlink() for path in folder.iterdir()) == 5


@POSIX
@LINKS
@pytest.mark.usefixtures("without_links")
def test_after_a_failure_all_is_as_before(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a", "old a", 0o640)
    Path("b").symlink_to("elsewhere")
    os.utime("a", ns=(10**18, 10**18))
    monkeypatch.setattr(os, "replace", failing_replace(3))
    with pytest.raises(OutputError, match="c: Input/output error"):
        target.write_files(dict.fromkeys("abc", "new"))
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b"]
    assert (Path("a").read_text("utf-8"), mode_of("a")) == ("old a", 0o640)
    assert Path("a").stat().st_mtime_ns == 10**18
    assert os.readlink("b") == "elsewhere"


@pytest.mark.parametrize("error", [OutputError("the stream is full"), KeyboardInterrupt()])
def test_what_happens_meanwhile_can_stop_it(error: BaseException, folder: Path) -> None:
    put("a")

    def meanwhile() -> None:
        staged = [path for path in folder.iterdir() if path.name.startswith(".scorch2.")]
        assert sorted(path.read_text("utf-8") for path in staged) == ["new a", "new b"]
        assert Path("a").read_text("utf-8") == "old"
        raise error

    with pytest.raises(type(error)):
        target.write_files({"a": "new a", "b": "new b"}, meanwhile)
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == {"a": "old"}


# Permissions


@POSIX
@LINKS
@pytest.mark.usefixtures("without_links")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_a_file_has_the_old_permissions_from_its_creation(mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        put(name, mode=mode)
    modes = set()

    def look(handle: int, data: bytes) -> int:
        modes.add(stat.S_IMODE(os.fstat(handle).st_mode))
        return write(handle, data)

    def create(path: str, flags: int, rights: int = 0o777) -> int:
        if flags & os.O_CREAT:
            assert rights & ~mode == 0, "for a moment, others could open it"
        return open_(path, flags, rights)

    write, open_ = os.write, os.open
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", look)
        patch.setattr(os, "open", create)
        target.write_files({"a": "new", "b": "new"})
    assert modes == {mode}
    assert (mode_of("a"), mode_of("b")) == (mode, mode)


@POSIX
def test_a_new_file_has_the_permissions_that_the_umask_gives() -> None:
    before = os.umask(0o027)
    try:
        target.write_files({"a": "new"})
    finally:
        os.umask(before)
    assert mode_of("a") == 0o640


@POSIX
@pytest.mark.parametrize("bits", [stat.S_ISUID, stat.S_ISGID, stat.S_ISVTX])
def test_special_bits_are_not_copied(bits: int) -> None:
    put("a", mode=0o755 | bits)
    if not mode_of("a") & bits:
        pytest.skip("the bit cannot be set here")
    target.write_files({"a": "new"})
    assert mode_of("a") == 0o755


@POSIX
def test_a_link_is_replaced_without_a_look_at_its_target() -> None:
    put("elsewhere", mode=0o600)
    Path("a").symlink_to("elsewhere")
    before = os.umask(0o022)
    try:
        target.write_files({"a": "new"})
    finally:
        os.umask(before)
    assert not Path("a").is_symlink()
    assert mode_of("a") == 0o644
    assert Path("elsewhere").read_text("utf-8") == "old"


@POSIX
@pytest.mark.parametrize("allowed", [True, False], ids=["root", "a user"])
def test_owner_and_group_stay_where_the_system_lets_them(
    allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def fchown(handle: int, owner: int, group: int) -> None:
        assert not os.fstat(handle).st_size
        asked.append((owner, group))
        if not allowed:
            raise PermissionError(1, "Operation not permitted")

    put("a", mode=0o664)
    here = Path("a").stat()
    lstat = os.lstat
    other = [*here]
    other[stat.ST_UID], other[stat.ST_GID] = here.st_uid + 1, here.st_gid + 1
    monkeypatch.setattr(os, "fchown", fchown)
    monkeypatch.setattr(os, "lstat", lambda path: os.stat_result(other) if path == "a" else lstat(path))
    target.write_files({"a": "new"})
    assert asked == [(-1, here.st_gid + 1), (here.st_uid + 1, -1)]
    assert (Path("a").read_text("utf-8"), mode_of("a")) == ("new", 0o664)


# Several at once

RACE = """
import sys
from scorch2.formats import target
for _ in range(40):
    target.write_files({name: sys.argv[1] * 10_000 for name in "abc"})
"""


def test_runs_that_write_the_same_files_do_not_disturb_each_other(folder: Path) -> None:
    runs = [subprocess.Popen([sys.executable, "-c", RACE, letter]) for letter in "xyz"]
    assert [run.wait() for run in runs] == [0, 0, 0]
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b", "c"]
    for name in "abc":
        assert Path(name).read_text("utf-8") in [letter * 10_000 for letter in "xyz"]


# Reports that Python saves


def test_a_file_that_cannot_be_read_is_no_report_to_replace(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise InputError("r", "", "Permission denied")

    put("r")
    monkeypatch.setattr(recognition, "read_start", refuse)
    with pytest.raises(OutputError, match=r"^r: Permission denied$"):
        target.save_report("r", "new", ())
    assert Path("r").read_text("utf-8") == "old"


@POSIX
def test_a_system_without_owners_keeps_the_permissions_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fchown")
    monkeypatch.delattr(os, "fchmod")
    put("r", mode=0o640)
    target.write_files({"r": "new"})
    assert (Path("r").read_text("utf-8"), mode_of("r")) == ("new", 0o640)


def test_a_text_in_parts_is_written_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "_BLOCK", 5)
    assert list(target.blocks(iter(["abc", "de", "f", "ghijkl", "m"]))) == ["abcde", "fghijkl", "m"]
    target.write_files({"parts": iter(["abc", "dé", "f"]), "whole": "é", "bytes": b"\xff"})
    assert [Path(name).read_bytes() for name in ("parts", "whole", "bytes")] == [
        b"abcd\xc3\xa9f",
        b"\xc3\xa9",
        b"\xff",
    ]


def test_a_text_whose_parts_fail_leaves_the_old_file() -> None:
    def parts() -> Iterator[str]:
        yield "new"
        raise KeyError

    old = put("a", "old")
    with pytest.raises(KeyError):
        target.write_files({"a": parts()})
    assert os.listdir() == ["a"]
    assert old.read_text(encoding="utf-8") == "old"
