"""Folders are walked with their sub-folders; every file in them is a document, refused, or not chosen.

With them the warning about documents that the reference scorer would not pair.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

import scorch2
from scorch2.model.document import Document
from scorch2.model.errors import InputError, PairingError, UsageError
from scorch2.model.options import options_from
from scorch2.scoring.pairing.files import FileChoice, listed_folder, other_name

LINKS = pytest.mark.skipif(os.name == "nt", reason="links need special rights")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lay_out(*paths: str) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text('{"type": "clusters", "clusters": {"a": ["m"]}}', encoding="utf-8")


def ids(folder: str = "d", glob: str | None = None) -> list[str]:
    return list(listed_folder(folder, FileChoice(glob, "--files")).files)


def refusal(kind: type[Exception], folder: str = "d", glob: str | None = None) -> str:
    with pytest.raises(kind) as caught:
        listed_folder(folder, FileChoice(glob, "--files"))
    return str(caught.value)


# Sub-folders


def test_a_document_is_called_by_its_path_below_the_folder_without_suffix() -> None:
    lay_out("d/bc/cctv/00/cctv_0001.v4_gold_conll", "d/z.json.gz", "d/bc/a.v2.json", "d/bc.x/a.json")
    assert ids() == ["bc.x/a", "bc/a.v2", "bc/cctv/00/cctv_0001", "z"]
    assert listed_folder("d/").files["bc/a.v2"] == os.path.join("d/", "bc", "a.v2.json")


def test_documents_are_sorted_by_id_and_not_folder_by_folder() -> None:
    lay_out("d/a.json", "d/a-b.json", "d/a/c.json", "d/a!.json", "d/B/x.json")
    assert ids() == sorted(["a", "a-b", "a/c", "a!", "B/x"])


def test_hidden_files_and_folders_are_passed_over_at_any_depth() -> None:
    lay_out("d/a.json", "d/bc/.hidden.json", "d/bc/.git/b.json", "d/.cache/c.json")
    assert ids() == ["a"]


@given(st.permutations(["d/a/x.json", "d/a/y.json", "d/b/x.json", "d/x.json", "d/c/c/c.json"]))
def test_the_order_in_which_files_were_made_changes_nothing(paths: Iterable[str]) -> None:
    for path in paths:
        Path(path).unlink(missing_ok=True)
    lay_out(*paths)
    assert ids() == ["a/x", "a/y", "b/x", "c/c/c", "x"]


def test_a_folder_with_nothing_but_folders_has_no_documents() -> None:
    Path("d/bc/cctv").mkdir(parents=True)
    assert refusal(PairingError) == "d: no documents in the folder"


# Links


@LINKS
def test_links_are_followed() -> None:
    lay_out("elsewhere/b.json", "d/a.json")
    Path("d/more").symlink_to(Path("elsewhere").resolve(), target_is_directory=True)
    Path("d/one.json").symlink_to(Path("elsewhere/b.json").resolve())
    assert ids() == ["a", "more/b", "one"]


@LINKS
@pytest.mark.parametrize(("link", "target", "other"), [("d/bc/up", "d", "d"), ("d/bc/z", "d/bc/b", "d/bc/b")])
def test_a_link_to_a_folder_that_is_entered_anyway_is_refused(link: str, target: str, other: str) -> None:
    lay_out("d/bc/b/b.json")
    Path(link).symlink_to(Path(target).resolve(), target_is_directory=True)
    assert refusal(InputError) == f"{link}: is the folder {other} again, through a link (remove the link)"


@LINKS
def test_links_that_multiply_do_not() -> None:
    lay_out("x30/a.json")
    for number in range(30):
        Path(f"x{number}").mkdir()
        for name in ("one", "two"):
            Path(f"x{number}", name).symlink_to(Path(f"x{number + 1}").resolve(), target_is_directory=True)
    assert "again, through a link" in refusal(InputError, "x0")


# Two files of one id


def test_two_files_of_one_id_are_named_with_the_option_that_chooses() -> None:
    lay_out("d/bc/a.onf", "d/bc/a.v4_gold_conll", "d/bn/a.onf", "d/bn/b.v4_gold_conll")
    assert refusal(InputError) == (
        'd: several files for one document: "bc/a" (a.onf, a.v4_gold_conll) '
        '(--files=<glob> chooses, such as --files="*.v4_gold_conll")'
    )
    assert ids(glob="*.v4_gold_conll") == ["bc/a", "bn/b"]
    with pytest.raises(InputError) as caught:
        listed_folder("d")
    assert str(caught.value).endswith("(a.onf, a.v4_gold_conll) (keep one of them there)")


def test_five_are_named_and_the_others_counted() -> None:
    lay_out(*(f"d/{name}.{suffix}" for name in "abcdefg" for suffix in ("x", "y")))
    message = refusal(InputError)
    assert '"e" (e.x, e.y) and 2 more (--files=<glob> chooses, such as --files="*.x")' in message
    assert '"f"' not in message


def test_a_long_folder_does_not_hide_the_names() -> None:
    above = "/".join(["long-folder"] * 12)
    lay_out(f"d/{above}/a.onf", f"d/{above}/a.json")
    assert 'a" (a.json, a.onf) (' in refusal(InputError)


# Patterns


@every(
    ("glob", "chosen"),
    [
        ("*.conll", ["a", "bc/b", "bc/cctv/00/c"]),
        ("/*.conll", ["a"]),
        ("**/*.conll", ["a", "bc/b", "bc/cctv/00/c"]),
        ("bc/*.conll", ["bc/b"]),
        ("bc/**/*.conll", ["bc/b", "bc/cctv/00/c"]),
        ("bc/**", ["bc/b", "bc/cctv/00/c", "bc/cctv/00/d"]),
        ("*/*/00/*", ["bc/cctv/00/c", "bc/cctv/00/d"]),
        ("**/00/**", ["bc/cctv/00/c", "bc/cctv/00/d"]),
        ("[ab].conll", ["a", "bc/b"]),
        ("?.json", ["bc/cctv/00/d"]),
        ("**", ["a", "bc/b", "bc/cctv/00/c", "bc/cctv/00/d"]),
        ("bc/**/**/c.conll", ["bc/cctv/00/c"]),
        ("!*.conll", ["bc/cctv/00/d"]),
        ("!bc/**", ["a"]),
        ("!d.json", ["a", "bc/b", "bc/cctv/00/c"]),
        ("[!ab].conll", ["bc/cctv/00/c"]),
    ],
)
def test_patterns_choose_by_name_or_by_path(glob: str, chosen: list[str]) -> None:
    lay_out("d/a.conll", "d/bc/b.conll", "d/bc/cctv/00/c.conll", "d/bc/cctv/00/d.json")
    assert ids(glob=glob) == chosen


@pytest.mark.parametrize("glob", ["*.CONLL", "bc", "bc/", "a", "", "*.conll/**/x"])
def test_a_pattern_that_chooses_nothing_is_told_what_is_there(glob: str) -> None:
    lay_out("d/a.conll", "d/bc/b.conll", "d/bc/notes")
    assert refusal(PairingError, glob=glob) == (
        f"d: --files={glob} chooses none of 3 files (2 .conll, 1 no suffix; a.conll for example)"
    )


def test_what_is_not_chosen_may_be_anything() -> None:
    lay_out("d/a.conll", "d/a.onf")
    if hasattr(os, "mkfifo"):
        os.mkfifo("d/pipe")
    if os.name != "nt":
        Path("d/gone").symlink_to("nowhere")
    assert ids(glob="*.conll") == ["a"]


@pytest.mark.parametrize(
    ("chosen", "option"), [({"gold_files": "*"}, "gold_files"), ({"sys_files": "*"}, "sys_files")]
)
def test_a_pattern_for_a_file_is_refused(chosen: dict[str, Any], option: str) -> None:
    lay_out("d/a.json", "b.json")
    pair = ("d", "b.json") if option == "sys_files" else ("b.json", "d")
    with pytest.raises(UsageError) as caught:
        scorch2.score(*pair, **chosen)
    assert str(caught.value) == f"{option} is for folders, and b.json is not one"


def test_each_side_has_its_own_pattern() -> None:
    lay_out("gold/bc/a.json", "gold/bc/a.txt", "sys/bc/a.out.json", "sys/bc/a.conll")
    report = scorch2.score("gold", "sys", gold_files="*.json", sys_files="*.conll", metrics=["muc"])
    assert [document.id for document in report.documents] == ["bc/a"]


def test_a_folder_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out("d/a.json", "d/bc/b.json", "d/bc/cctv/c.json")
    listed = []
    scandir = os.scandir

    def counting(path: str) -> object:
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counting)
    ids()
    assert sorted(listed) == ["d", os.path.join("d", "bc"), os.path.join("d", "bc", "cctv")]


def test_a_folder_that_cannot_be_listed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out("d/a.json", "d/bc/b.json")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path.endswith("bc"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert refusal(InputError) == f"{os.path.join('d', 'bc')}: Permission denied"


# Documents of other names than the reference scorer would pair

GOLD = Document("(a); part 000", {}, "g.conll", format="conll")
SYSTEM = Document("b", {}, "s.conll", format="conll")


def test_documents_of_two_names_are_none_of_its_pairs() -> None:
    (notice,) = other_name("x", GOLD, SYSTEM, options_from(blanc="reference"))
    assert notice.code == "names"
    assert notice.message.startswith('the documents are called "(a); part 000" and "b": they are compared')
    assert notice.message.endswith("the reference scorer takes them for two and finds nothing in common")


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (GOLD, SYSTEM._replace(id=GOLD.id)),
        (GOLD, SYSTEM._replace(format="jsonlines")),
        (GOLD._replace(format="jsonlines"), SYSTEM),
    ],
)
def test_nothing_is_said_of_one_name_and_of_formats_that_it_does_not_read(
    gold: Document, system: Document
) -> None:
    assert other_name("x", gold, system, options_from(blanc="reference")) == ()


def test_nothing_is_said_where_its_numbers_are_not_asked_for() -> None:
    for blanc in ("gold", "both"):
        assert other_name("x", GOLD, SYSTEM, options_from(blanc=blanc)) == ()
