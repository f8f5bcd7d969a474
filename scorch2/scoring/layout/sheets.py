"""Sheet, tables and words with a signature below them, in every form."""

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import NamedTuple, TypeAlias

from scorch2.model.errors import escaped
from scorch2.scoring.layout.escaping import markdown_code
from scorch2.scoring.layout.tables import (
    LATEX_PACKAGE,
    WIDTH,
    Cells,
    Table,
    latex_comment,
    latex_table,
    room_note,
)

Content: TypeAlias = Table | Cells | str | Callable[[int], str]
"""Tables, those of cells that are of the form already, words, and what is laid out for a width by itself."""


class Sheet(NamedTuple):
    """Tables and words for reading: one value for all forms. In TSV and LaTeX words are remarks below."""

    contents: Sequence[Content]  # in their order; words of several lines are not one paragraph
    signature: str = ""  # how the numbers were made; nothing if it is not wanted
    papers: Sequence[tuple[str, str]] = ()
    """For each table its label in a paper and its caption, which is LaTeX; one alone is of all of them."""

    def text(self, width: int | None = None, widest: int = WIDTH) -> str:
        """Return aligned tables and words in lines of `width` characters, for a terminal."""
        # Without a `width` lines are `WIDTH` long, and those of tables that fit up to `widest`
        room = WIDTH if width is None else width
        shown = []
        for part in self.contents:
            if isinstance(part, Table):
                is_wide = width is None and part.width() <= widest
                shown.append(str(part) if is_wide else part.fitted(room))
            elif isinstance(part, str):
                shown.append("\n".join(fill(escaped(line), min(room, WIDTH)) for line in part.split("\n")))
            elif not isinstance(part, Cells):
                shown.append(part(room))
        made = f"{escaped(self.signature)}\n" if self.signature else ""
        return "\n\n".join(shown) + f"\n{made}"

    def markdown(self) -> str:
        """Return tables and words, which are Markdown already."""
        shown = [part.markdown() if isinstance(part, Table | Cells) else part for part in self.contents]
        made = [markdown_code(self.signature)] if self.signature else []
        return "\n\n".join(map(str, [*shown, *made])) + "\n"

    def latex(self, paper: str = "column") -> str:
        """Return tables for a paper, with the rules of booktabs."""
        return LATEX_PACKAGE + self.floats(paper)

    def floats(self, paper: str) -> str:
        """Return the tables of `latex`, for a text that says once what it needs."""
        tables = [part for part in self.contents if isinstance(part, Table | Cells)]
        cells = [part.latex_cells() if isinstance(part, Table) else part for part in tables]
        floats = [cells] if len(self.papers) == 1 else [[one] for one in cells]
        shown = [
            latex_table(below, caption, label, paper)
            for below, (label, caption) in zip(floats, self.papers, strict=True)
        ]
        return "".join([*shown, *map(latex_comment, self._remarks())])

    def tsv(self) -> str:
        """Return tab-separated lines."""
        shown = "\n\n".join(part.tsv() for part in self.contents if isinstance(part, Table))
        return f"{shown}\n" + "".join(f"# {escaped(line)}\n" for line in self._remarks())

    def html(self) -> str:
        """Return the tables for a notebook."""
        return "".join(part.html() for part in self.contents if isinstance(part, Table | Cells))

    def _remarks(self) -> list[str]:
        words = [part for part in self.contents if isinstance(part, str)]
        return [line for line in (*words, self.signature) if line]


def verbatim(lines: str) -> Callable[[int], str]:
    """Return lines as a part that no width changes."""
    return lambda _: lines


def lean(
    tables: Sequence[Table], groups: Sequence[Sequence[str]], width: int | None
) -> tuple[list[Table], list[str]]:
    """Return tables without columns that do not fit in a terminal, and sentences that name these."""
    fitting = [table if width is None else table.lean(groups, width) for table in tables]
    notes = [room_note(*both, "tsv") for both in zip(tables, fitting, strict=True)]
    return fitting, [*dict.fromkeys(filter(None, notes))]
