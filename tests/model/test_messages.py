"""Messages stay on one line of bounded length, whatever they quote."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorch2.cli import console
from scorch2.cli.main import main
from scorch2.model.errors import enumerated, escaped, json_place, listed, quoted, shown_path, unknown_name

MANY = [f"sets::span+field{number}" for number in range(100_000)]


def test_lists_of_names_are_cut() -> None:
    for message in (unknown_name("x", "measure", MANY), enumerated(MANY), listed(MANY)):
        assert len(message) < 1200
        assert " and 99" in message
    assert len(enumerated(["x" * 10**6] * 3)) < 1200


def test_a_list_that_fits_is_whole() -> None:
    assert enumerated(["muc", "lea"]) == "muc, lea"
    assert enumerated([]) == ""


@given(names=st.lists(st.text("abc", min_size=1, max_size=200)), limit=st.integers(0, 500))
def test_joined_names_are_the_first_ones_and_the_number_of_the_others(names: list[str], limit: int) -> None:
    text = enumerated(names, limit)
    assert len(text) <= limit + 80 + len(" and 1000 more")
    shown, _, more = text.partition(" and ")
    first = shown.split(", ") if shown else []
    assert len(first) + int(more.removesuffix(" more") or 0) == len(names)
    assert all(name.startswith(part.rstrip("…")) for name, part in zip(names, first, strict=False))


@given(text=st.text())
def test_one_line_stays_one_line(text: str) -> None:
    for shown in (
        escaped(text),
        quoted(text),
        shown_path(text),
        json_place("$", text),
        unknown_name(text, "name", [text]),
    ):
        assert shown.isprintable()
    assert escaped(escaped(text)) == escaped(text)


def test_no_line_on_standard_error_is_endless(capsys: pytest.CaptureFixture[str]) -> None:
    console.say("x" * 10**6)
    assert len(capsys.readouterr().err) <= console.LONGEST + 1


@pytest.mark.skipif(os.name == "nt", reason="links need special rights")
def test_a_link_into_a_missing_folder_names_that_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d.json").write_text('{"type": "clusters", "clusters": {"a": ["m"]}}')
    Path("out").symlink_to(tmp_path / "lost" / "report.txt")
    assert main(["d.json", "d.json", "out"]) == 2
    err = capsys.readouterr().err
    assert 'no such folder: ""' not in err
    assert err.rstrip().endswith("lost")
