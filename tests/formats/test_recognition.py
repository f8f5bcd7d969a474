"""Detection of documents by their first kilobytes: a report must not replace one; texts of no format."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from every import every
from examples import EXAMPLES

from scorch2.formats.reading import read
from scorch2.formats.recognition import recognised, recognised_in, refuse
from scorch2.formats.table import FORMATS, GOLD_KEYS
from scorch2.model.errors import InputError

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
MANY = [f"mention {number}" for number in range(30_000)]
SPANS = [[number, number] for number in range(30_000)]
LARGE: dict[str, tuple[Any, str]] = {
    "clusters, type last": ({"clusters": {"a": MANY}, "type": "clusters"}, "clusters"),
    "clusters, name first": ({"name": "d", "clusters": {"a": MANY}, "type": "clusters"}, "clusters"),
    "clusters, another key first": ({"comments": "}{", "clusters": {"a": MANY}, "type": ""}, "clusters"),
    "graph, sorted keys": (
        {"links": [[one, one] for one in MANY], "mentions": MANY, "type": "graph"},
        "graph",
    ),
    "e2e": ({"sentences": [MANY], "clusters": [SPANS], "doc_key": "d"}, "jsonlines"),
    "e2e, clusters first": ({"clusters": [SPANS], "sentences": [MANY], "doc_key": "d"}, "jsonlines"),
    "wl-coref": ({"cased_words": MANY, "span_clusters": [SPANS], "document_id": "d"}, "jsonlines"),
    "fastcoref": ({"clusters": [SPANS], "text": " ".join(MANY)}, "jsonlines"),
    "Maverick": ({"tokens": MANY, "clusters_token_offsets": [SPANS]}, "jsonlines"),
    "a list of documents": ([{"tokens": MANY, "clusters_token_offsets": [SPANS]}], "jsonlines"),
}
"""Documents of more than the first kilobytes, in JSON."""


NO_DOCUMENTS = ("gold.names.json", "read.json", "refused.json")
NEURAL = [path for path in sorted((FIXTURES / "jsonlines").iterdir()) if path.name not in NO_DOCUMENTS]


@every("path", NEURAL)
def test_files_of_neural_systems_are_recognised(path: Path) -> None:
    form = read(str(path), keys=GOLD_KEYS)[0].format
    assert recognised(str(path)) == form
    assert recognised_in(b" \n" + path.read_bytes()[:1500]) == form, "by its beginning"


@pytest.mark.parametrize(
    "text",
    [
        "[]\n[]\n[[[0, 1]]]",
        "[[], [[[0, 1]]]]",
        '{"d": [], "e": [[], [[0, 1',
        "[[], [], [[5,",
        '[[[{"text": "a", "id": 1}',
    ],
)
def test_lists_are_recognised_by_their_beginning(text: str) -> None:
    assert recognised_in(text.encode()) == "jsonlines"


def valid() -> list[Path]:
    """Return the files of the fixtures that can be read."""
    return [path for path in sorted((FIXTURES / "formats" / "valid").iterdir()) if ".twin" not in path.name]


@every("path", valid())
def test_what_can_be_read_is_recognised(path: Path, tmp_path: Path) -> None:
    form = read(str(path))[0].format
    assert recognised(str(path)) == form
    data = path.read_bytes()
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data))
    assert recognised(str(packed)) == form


@every("form", EXAMPLES)
def test_an_example_of_each_format_is_recognised(form: str) -> None:
    seen = recognised_in(EXAMPLES[form].encode())
    told = f"a report would replace it, or could replace nothing (see `begins` and `is_surely` of {form})"
    assert seen == form, told


@pytest.mark.parametrize("name", LARGE)
def test_a_large_document_is_recognised_by_its_beginning(name: str, tmp_path: Path) -> None:
    value, form = LARGE[name]
    path = tmp_path / "large"
    line, lines = (json.dumps(value, indent=indent).encode() for indent in (None, 1))
    for data in (line, lines, gzip.compress(line)):
        path.write_bytes(data)
        assert recognised(str(path)) == form


@every("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@every(
    "text",
    [
        EXAMPLES["are"].partition("\n")[2],
        "<!-- a <chain> of\nwords --><?go on?>\n<answers><chain id='a'>",
        "<answers>\n<!-- <svg> --><pair>",
    ],
)
def test_markup_of_the_exercise_is_recognised_whatever_its_root_is_called(text: str, encoding: str) -> None:
    assert recognised_in(text.encode(encoding)) == "are"


@every(
    "text",
    [
        "",
        "\n\n",
        "MUC:\tR=0.5\tP=0.5\tF₁=0.5\n",
        '{"schema": 1, "scores": {"muc": ',
        '{"document": "d", "gold_mentions": 3, "scores": {}}\n{"document": null}',
        '{"text": "a b", "label": 1}',
        '{"clusters": {}}',
        '{"type": "report"}',
        '{"a": {"type": "clusters"}}',
        '{"a": "\\"type\\": \\"clusters\\""}',
        '{"a": "clusters',
        "[]",
        "[1, 2]",
        '[[{"doc_key": 1}]]',
        '{"clusters": [[[0, 1]]]}',
        "[[0, 1], [2, 3]]",
        '[["a"]]',
        "{",
        "[",
        '"',
        '<?xml version="1.0"?><testsuites tests="0"><testsuite>',
        '<svg xmlns="http://www.w3.org/2000/svg"><metadata>',
        "<!-- <are><chain> -->",
        "<!-- <are>",
        "ptp\tfp\trtp\tfn\n1\t2\t3\t4\n",
        "0.5\t0.1\t1\t",
        "%PDF-1.4\n",
        "# begin\n",
    ],
)
def test_what_is_no_document_is_not_recognised(text: str) -> None:
    taken = "make `begins` of its row in scorch2/formats/table.py stricter, or add `is_surely`"
    assert recognised_in(text.encode()) is None, taken


@pytest.mark.parametrize(
    "data", [b"\x1f\x8b", b"\x1f\x8b\x08\x00broken", b"\x89PNG\r\n\x1a\n\0\0", b"\0" * 99, bytes(range(256))]
)
def test_what_is_no_text_is_not_recognised(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(data)
    assert recognised(str(tmp_path / "data")) is None


@pytest.mark.parametrize("piece", ["<!--", "<?", '"', '\\"', "{", "[", "#\n", "\n", " ", '{"a":', "1\t"])
def test_odd_beginnings_are_looked_at_once(piece: str) -> None:
    for start in ("", "<a>", "{", '{"'):
        recognised_in((start + piece * (1 << 16))[: 1 << 16].encode())


_CONLLU_ROW = "1\t10 000\t10 000\tNUM\t_\t_\t0\troot\t_\tEntity=(a--1)"
_ENTITY = "# global.Entity = eid-etype-head-other\n"
_IDENTITY = f"# global.columns = {EXAMPLES['ua'].partition(' = ')[2].partition(chr(10))[0]}\n"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (f"# newdoc id = d\n{_ENTITY}{_CONLLU_ROW}\n", "corefud"),
        (f"{_CONLLU_ROW}\n", "corefud"),
        (f"# newdoc id = d\n{_ENTITY}", "corefud"),
        (f"# newdoc id = d\n{_ENTITY}#begin document (a); part 0\n{_CONLLU_ROW}\n", "corefud"),
        (f"{_IDENTITY}# newdoc id = d\n#begin document (a); part 0\n1\tw{9 * chr(9)}_\t_\t_\n", "ua"),
        (f"{_IDENTITY}# newdoc id = d\n", "ua"),
        (f"# newdoc id = d\n1\t10 000{9 * chr(9)}(EntityID=1|MarkableID=a)\t_\t_\n", "ua"),
        (f"# a comment\n#begin document (a); part 0\n{_CONLLU_ROW}\n", "conll"),
    ],
)
def test_formats_of_conllu_are_told_apart(text: str, form: str) -> None:
    """Words may hold blanks, a comment may speak of a document, and a document may be empty."""
    assert recognised_in(text.encode()) == form


# Texts whose beginning tells no format

OPTION = "--gold-format or --sys-format"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the file is empty"),
        ("Ann left\n", "not a known format"),
        ("Ann\t(1)\n", "two columns are read below a first line that names them"),
        ("[Ann]_1 left\n", "Read it with --gold-format=bracketed or --sys-format=bracketed"),
        ("Sure: [Ann](c1) left\n", "Read it with --gold-format=markdown or --sys-format=markdown"),
        (
            "[Ann] left [she]\n",
            '2 brackets and tags, of which none is a mention: the first is "[Ann]" (known',
        ),
        ("<e1>Ann</e1> left\n", "Read it with --gold-format=tagged or --sys-format=tagged"),
        ('<entity id="1">Ann</entity> left\n', "Read it with --gold-format=tagged or --sys-format=tagged"),
    ],
)
def test_a_text_in_no_known_format_is_refused_with_what_it_looks_like(text: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        refuse(text, "d.x", OPTION, None)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    "text",
    ["[1, 2]", '[[0, 1], ["a", 2]]', '```\n{"a": 1}\n```\n', "[]", "[ 1 , 2 ]", "[NaN, 1]", "['a', 1] x"],
)
def test_json_is_no_text_with_marks(text: str) -> None:
    refuse(text, "d.x", OPTION, FORMATS["jsonlines"])
