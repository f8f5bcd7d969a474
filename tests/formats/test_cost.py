"""Costs of hostile files: memory in proportion to their size, and output that does not grow with pairs."""

import gc
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from scorch2 import score
from scorch2.cli.main import main
from scorch2.formats.copies import write
from scorch2.formats.json import mention_table, strict
from scorch2.formats.reading import documents, read
from scorch2.model.document import Document
from scorch2.model.errors import InputError, InputErrors
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.options import Options
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.flow import count_all
from scorch2.scoring.metrics.chosen import to_count

PER_BYTE = 20
"""Bytes of memory for a byte of input that a reader may take at most, besides `ALWAYS`."""
ALWAYS = 1 << 20


def refused(data: bytes) -> None:
    with pytest.raises(InputError):
        documents(data, "d")


def peak(call: Callable[[], object]) -> int:
    """Return the most memory that a call takes."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "form",
    [
        '{{"doc_key": "d{n:05}", "sentences": [["w", "w"]], "clusters": [[[0, 0], [1, 1]]]}}\n',
        "#begin document (d{n:05}); part 000\nw\t(1)\nw\t(1)\n\n#end document\n",
        "d{n:05}\t0\t0\tNIL1\nd{n:05}\t1\t1\tNIL1\n",
        "-DOCSTART- (d{n:05})\nw\tB\tw\tE1\nw\tB\tw\tE1\n\n",
    ],
    ids=["jsonlines", "conll", "tsv", "aida"],
)
def test_tiny_documents_are_dropped_when_they_were_counted(form: str, tmp_path: Path) -> None:
    path = tmp_path / "f"
    for many in (1, 500):  # the first imports what both need
        text = "".join(form.format(n=number) for number in range(many))
        path.write_text(text, encoding="utf-8", newline="\n")
        used = peak(lambda: score(path, path))
    assert used < 0.85 * PER_BYTE * 2 * len(text)


def test_faulty_documents_are_dropped_when_they_were_refused(tmp_path: Path) -> None:
    text = "".join(f"d{number}\t0\t0\tA\nd{number}\t0\t0\tB\n" for number in range(1000))
    path = tmp_path / "d.tsv"
    path.write_text(text, encoding="utf-8", newline="\n")

    def run() -> None:
        with pytest.raises(InputErrors) as caught:
            score(path, path)
        assert len(caught.value.errors) == 1000

    assert peak(run) < 1.5 * PER_BYTE * 2 * len(text) + ALWAYS


@pytest.mark.parametrize(
    "text",
    [
        "-DOCSTART- (d)\n" + "".join(f"word\tB\tword\tE{number // 5}\n" for number in range(10_000)),
        "".join(f"d\t{number}\t{number}\tNIL{number // 5}\n" for number in range(10_000)),
    ],
    ids=["aida", "tsv"],
)
def test_a_large_document_of_linked_mentions_takes_little_memory(text: str) -> None:
    assert peak(lambda: documents(text.encode(), "d")) < PER_BYTE * 2 * len(text)


def test_mentions_without_links_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    for many in (1, 10_000):  # the first imports what both need
        path.write_text(json.dumps({"type": "graph", "mentions": list(range(many)), "links": []}), "utf-8")
        used = peak(lambda: score(path, path))
    assert used < 1.5 * PER_BYTE * 2 * path.stat().st_size


def test_the_rows_of_sentences_are_dropped_when_their_brackets_were_read(tmp_path: Path) -> None:
    rows = (f"{n % 20 + 1}\tword\t_\t_\t_\t_\t0\t_\t_\tEntity=(e{n // 5})\n" for n in range(4_000))
    text = "# global.Entity = eid\n" + "".join(row + "\n" * row.startswith("20\t") for row in rows)
    gold, system = tmp_path / "gold.conllu", tmp_path / "sys.conllu"
    for path in (gold, system):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert peak(lambda: score(gold, system)) < 1.2 * PER_BYTE * 2 * len(text)


def test_large_tables_are_not_kept_even_if_nothing_is_shared() -> None:
    def run() -> None:
        count = count_all(to_count(["muc"]), Options())
        for number in range(100):
            count.of_table(Contingency([], [1] * 5000, [number + 1]))

    assert peak(run) < ALWAYS


def test_what_was_read_from_xml_is_freed_without_a_search_for_cycles() -> None:
    def parsers() -> int:
        return sum(type(one).__name__ == "xmlparser" for one in gc.get_objects())

    data = b'<are><chain><element id="1"/></chain></are>'
    documents(data, "warm.xml")
    gc.collect()
    assert not gc.isenabled()  # tests/conftest.py
    before = parsers()
    for _ in range(3):
        documents(data, "d.xml")
    refused(b"<are><chain>")
    assert parsers() == before


@pytest.mark.parametrize(
    "data",
    [
        b"\n" * 100_000,
        b"#\n" * 15_000,
        b" \t" * 50_000 + b"x",
        b"#" + b"\n" * 100_000 + b"x",
        b"x" * 100_000,
    ],
    ids=["line feeds", "comments", "blanks", "a comment and line feeds", "a word"],
)
def test_detection_takes_little_memory(data: bytes) -> None:
    assert peak(lambda: refused(data)) < PER_BYTE * len(data)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "' + "x" * 100_000 + '", "b": NaN}',
        '{"a": "' + "\\n" * 30_000 + '", "b": -Infinity}',
        '{"a": [' + "1, " * 30_000 + '"\\ud83d"]}',
        '{"a": [' + "1, " * 30_000 + '{"b": 1, "b": 2}]}',
    ],
    ids=["a long string", "many escapes", "half a pair after numbers", "a repeated key after numbers"],
)
def test_a_place_in_json_is_found_with_little_memory(text: str) -> None:
    def parse() -> None:
        with pytest.raises(InputError):
            strict.parse(text, "d")

    assert peak(parse) < PER_BYTE * len(text)


def test_a_whole_pair_of_surrogates_costs_as_any_letter() -> None:
    numbers = ", ".join(["1"] * 100_000)
    plain, paired = (f'{{"a": "{letter}", "b": [{numbers}]}}' for letter in ("x", "\\ud83d\\ude00"))
    assert peak(lambda: strict.parse(paired, "d")) < 1.5 * peak(lambda: strict.parse(plain, "d"))


@pytest.mark.parametrize("text", ['"a \\" NaN"', '["NaN", "\\\\", NaN]', '{"Infinity": -Infinity}'])
def test_the_place_of_a_constant_is_outside_strings(text: str) -> None:
    if text.startswith('"'):
        assert strict.parse(text, "d") == 'a " NaN'
        return
    with pytest.raises(InputError) as caught:
        strict.parse(text, "d")
    column = text.rindex("NaN" if "NaN" in text else "-Infinity") + 1
    assert caught.value.where == f"line 1, column {column}"


def test_many_mentions_of_one_span_are_written_in_proportion(tmp_path: Path) -> None:
    found = [Annotation(0, 1, (Candidate(f"E{i}"),), i + 1) for i in range(3000)]
    clusters = {one.top.id or "": [(0, 1)] for one in found}
    text = write(Document("d", clusters, annotations=found), "clusters")
    assert len(text) < 200 * len(found)
    (tmp_path / "d.json").write_text(text, encoding="utf-8")
    assert [one[:3] for one in read(str(tmp_path / "d.json"))[0].annotations] == [one[:3] for one in found]


def test_a_document_and_its_copy_are_not_held_together(tmp_path: Path) -> None:
    path, out = tmp_path / "d.tsv", tmp_path / "d.json"
    path.write_text("".join(f"d\t0\t1\tNIL{number}\n" for number in range(10_000)), encoding="utf-8")

    def convert() -> None:
        assert main(["convert", "--quiet", "--force", "--to=clusters", str(path), str(out)]) == 0

    convert()  # imports what it needs, and fills what is kept from file to file
    allowed = PER_BYTE + 65  # a document takes 50 of them, as would a copy of it
    assert peak(convert) < allowed * path.stat().st_size  # of a smaller file, other things take most


def test_a_mention_in_many_clusters_is_looked_up_once_in_each() -> None:
    class Name(str):
        __slots__ = ()
        compared = 0

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str(self) == other

        __hash__ = str.__hash__

    many = 300
    plain = Document("d", {Name(f"c{number}"): ["m"] for number in range(many)})
    found = mention_table.document({"offsets": "exclusive", "mentions": {"m": {"span": [0, 1]}}}, plain)
    assert len(found.annotations) == many
    assert Name.compared < 5 * many
