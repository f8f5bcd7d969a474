"""Sheet, tables and words with a signature below them, in every form."""

from collections.abc import Sequence
from textwrap import fill
from typing import NamedTuple

from scorch2.model.errors import escaped
from scorch2.scoring.layout.escaping import markdown_code
from scorch2.scoring.layout.tables import LATEX_PACKAGE, WIDTH, PaperTable, Table, latex_comment


class Sheet(NamedTuple):
    """Tables and words for reading: one value for all forms. In TSV and LaTeX words are remarks below."""

    parts: Sequence[
        Table | str
    ]  # tables and words in their order; words of several lines are not one paragraph
    signature: str = ""  # how the numbers were made; nothing if it is not wanted
    papers: Sequence[tuple[str, str]] = ()  # for each table its label in a paper and its caption

    def text(self, width: int = WIDTH) -> str:
        """Return aligned tables and words in lines of `width` characters, for a terminal."""
        shown = [
            part.fitted(width) if isinstance(part, Table) else _filled(part, min(width, WIDTH))
            for part in self.parts
        ]
        made = f"{escaped(self.signature)}\n" if self.signature else ""
        return "\n\n".join(shown) + f"\n{made}"

    def markdown(self) -> str:
        """Return tables and words, which are Markdown already."""
        shown = [part.markdown() if isinstance(part, Table) else part for part in self.parts]
        made = [markdown_code(self.signature)] if self.signature else []
        return "\n\n".join([*shown, *made]) + "\n"

    def latex(self, paper: str = "column") -> str:
        """Return tables for a paper, with the rules of booktabs."""
        papers = zip(self._tables(), self.papers, strict=True)
        shown = [table.latex(caption, PaperTable(label, paper)) for table, (label, caption) in papers]
        return "".join([LATEX_PACKAGE, *shown, *map(latex_comment, self._remarks())])

    def tsv(self) -> str:
        """Return tab-separated lines."""
        shown = "\n\n".join(table.tsv() for table in self._tables())
        return f"{shown}\n" + "".join(f"# {escaped(line)}\n" for line in self._remarks())

    def html(self) -> str:
        """Return the tables for a notebook."""
        return "".join(table.html() for table in self._tables())

    def _tables(self) -> list[Table]:
        return [part for part in self.parts if isinstance(part, Table)]

    def _remarks(self) -> list[str]:
        words = [part for part in self.parts if isinstance(part, str)]
        return [line for line in (*words, self.signature) if line]


def _filled(words: str, width: int) -> str:
    return "\n".join(fill(escaped(line), width) for line in words.split("\n"))
