"""Memory of an analysis: what is read of a document is let go of with it."""

import gc
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

import scorch2
from scorch2.formats.rows.conll import ConllRows


def test_cells_of_a_document_are_let_go_of_once_it_is_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No cycle holds them: one that only the collector finds would keep the cells of all documents."""
    documents = 12
    row = "d\t0\t{}\tword\tNN\t-\t-\t-\t-\t-\t-\t(0)\n"
    text = "".join(
        f"#begin document (d{number}); part 000\n{row.format(0)}{row.format(1)}\n#end document\n"
        for number in range(documents)
    )
    files = [tmp_path / name for name in ("gold.conll", "sys.conll")]
    for file in files:
        file.write_text(text)
    split: list[ref[Any]] = []  # what finds the cells of each document, if it is still there
    alive: list[int] = []
    once = ConllRows.once

    def counted(rows: ConllRows) -> ConllRows:
        same = once(rows)
        split.append(ref(same.kept))
        alive.append(sum(kept() is not None for kept in split))
        return same

    monkeypatch.setattr(ConllRows, "once", counted)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        scorch2.errors(*map(str, files), title="page")
    finally:
        if was_enabled:
            gc.enable()
    assert (len(split) >= documents, max(alive) <= 3) == (True, True), alive
