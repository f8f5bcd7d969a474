"""Memory of an analysis: what is read of a document is let go of with it."""

import gc
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from scorch2.cli.main import main
from scorch2.formats.rows.conll import ConllRows


@pytest.mark.parametrize("more", [[], ["--other=other.conll"]])
def test_cells_of_a_document_are_let_go_of_once_it_is_analysed(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No cycle holds them: one that only the collector finds would keep the cells of all documents.

    Those of gold are split once, also for two systems.
    """
    monkeypatch.chdir(tmp_path)
    documents = 12
    row = "d\t0\t{}\tword\tNN\t-\t-\t-\t-\t-\t-\t(0)\n"
    text = "".join(
        f"#begin document (d{number}); part 000\n{row.format(0)}{row.format(1)}\n#end document\n"
        for number in range(documents)
    )
    for name in ("gold.conll", "sys.conll", "other.conll"):
        Path(name).write_text(text)
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
        assert main(["errors", "-q", *more, "gold.conll", "sys.conll", "page.html"]) == 0
    finally:
        if was_enabled:
            gc.enable()
    assert (len(split), max(alive) <= 3) == (documents, True), alive
