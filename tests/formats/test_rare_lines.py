"""Lines of readers that few files reach."""

from pathlib import Path

import pytest

from scorch2 import InputError, read
from scorch2.formats.json.mention_table import _free


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_name_that_is_taken_gets_primes() -> None:
    assert _free("m", {}) == "m"
    assert _free("m", {"m": 0, "m'": 0}) == "m''"


@pytest.mark.parametrize("span", ["[1]", "[1, 2, 3]", "[-1, 2]"])
def test_with_offsets_a_list_is_a_start_and_an_end(span: str, tmp_path: Path) -> None:
    text = f'{{"type": "clusters", "offsets": "exclusive", "unit": "token", "clusters": {{"a": [{span}]}}}}'
    with pytest.raises(InputError, match="a span is a list of two offsets"):
        read(written(tmp_path, "a.json", text))


def test_half_of_a_surrogate_pair_is_found_behind_other_values(tmp_path: Path) -> None:
    text = '{"type": "clusters", "clusters": {"a": ["m", "n"], "b": []}, "note": ["x", {"y": "\\ud800"}]}'
    with pytest.raises(InputError) as caught:
        read(written(tmp_path, "a.json", text))
    assert "half of a surrogate pair" in caught.value.why
    assert caught.value.where.startswith("$.note")


def test_the_mark_of_a_document_counts_at_the_beginning_of_a_line_only(tmp_path: Path) -> None:
    text = "-DOCSTART- (d)\na-DOCSTART- (e)\nb\n-DOCSTART- (unclosed\nc\n"
    (document,) = read(written(tmp_path, "a.aida", text), "aida")
    assert document.id == "d"
    assert document.words is not None
    assert document.words() == ["a-DOCSTART- (e)", "b", "-DOCSTART- (unclosed", "c"]
