"""Without NumPy, SciPy and tqdm every command works, or says in one line what to install."""

import re
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from pages import Example, console_blocks, lay_out, pages, run

import scorch2
from scorch2.cli.commands import COMMANDS
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.matching.partners import best_pairs
from scorch2.scoring.metrics.ceaf import count_entities
from scorch2.scoring.shortest_paths import LARGE

PACKAGES = ("numpy", "scipy", "tqdm")
NEEDED = re.compile(r"^scorch2: error: .*: pip install \w+( \(.*\))?\n\Z", re.MULTILINE)


class Block(NamedTuple):
    """The examples of a block of a page, which run one after the other."""

    page: str
    examples: list[Example]


BLOCKS = [Block(page, examples) for page, text in pages().items() for examples in console_blocks(text)]


def block_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have imports of the packages fail, as if they were not installed."""
    for name in {*PACKAGES, *(name for name in sys.modules if name.partition(".")[0] in PACKAGES)}:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("block", BLOCKS, ids=[f"{one.page}: {one.examples[0].command}" for one in BLOCKS])
def test_examples_print_the_same_or_say_what_to_install(
    block: Block, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    block_imports(monkeypatch)
    folder = lay_out(tmp_path, " ".join(example.command for example in block.examples))
    for example in block.examples:
        done = run(example.command, folder)
        if NEEDED.search(done.printed):
            assert done.status == 2
            return  # what comes after it may read what it did not write
        assert (done.status, done.printed) == (example.status, example.shown)


def test_alignments_of_many_cells_are_worth_the_same_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)  # noqa: S311 - a test
    of = 1200  # clusters on each side
    shared = {(g, random.randrange(of)): random.randint(1, 3) for g in range(of) for _ in range(4)}
    cells = [(g, s, n) for (g, s), n in sorted(shared.items())]
    assert len(cells) > LARGE
    sizes = [[0] * of, [0] * of]
    for g, s, n in cells:
        sizes[0][g] += n
        sizes[1][s] += n
    table = Contingency(cells, *sizes)
    many, few = ({(g % rows, s % rows): 1 / (1 + n) for g, s, n in cells} for rows in (of, 60))
    before = count_entities(table), best_pairs(many, of, of), best_pairs(few, 60, 60)
    block_imports(monkeypatch)
    assert (count_entities(table), best_pairs(many, of, of), best_pairs(few, 60, 60)) == before


def test_alignments_that_may_take_a_while_name_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 200 gold clusters meets each of 100 system clusters in one mention: 20 000 cells."""
    mentions = range(20_000)
    gold = [[m for m in mentions if m // 100 == one] for one in range(200)]
    system = [[m for m in mentions if m % 100 == one] for one in range(100)]

    def told(metric: str, gold: list[list[int]]) -> list[str]:
        return [notice.message for notice in scorch2.score(gold, system, metrics=[metric]).notices]

    assert told("ceaf_m", gold) == []
    block_imports(monkeypatch)
    (hint,) = told("ceaf_m", gold)
    assert hint.startswith("CEAF of a document of 20000 mentions may take a while without SciPy: pip install")
    assert told("muc", gold) == told("ceaf_m", [gold[0][1:], *gold[1:]]) == [], "one mention less"
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert told("ceaf_m", gold) == [], "nothing can be installed in a browser"


BESIDE = {
    "list-measures": "",
    "prepare-conll-coref": "fixtures/example/gold.conll",
    "to-weak": "rows.tsv",
    "validate-spans": "rows.tsv",
}
"""The commands that no page shows, with what they are tried with."""


def test_every_command_is_tried_without_the_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = {word for block in BLOCKS for example in block.examples for word in example.command.split()[:2]}
    told = "show the command in a console example, or try it in BESIDE; what is shown needs no row there"
    assert COMMANDS.keys() - shown == BESIDE.keys() | {"score"}, told  # which needs no word
    block_imports(monkeypatch)
    lay_out(tmp_path, "fixtures/example")
    (tmp_path / "rows.tsv").write_text("d\t0\t4\tE1\t1.0\tPER\n", "utf-8")
    for name, words in BESIDE.items():
        done = run(f"scorch2 {name} {words}", tmp_path)
        assert done.status == 0, (name, done.printed)
