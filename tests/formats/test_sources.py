"""Gold clusters and predictions in one file, sub-tokens, and the examples of the guide."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from every import every
from neural_files import BOTH, CONLL, E2E, FOLDER, SAME, figures, fixture, written

import scorch2
from scorch2 import guide
from scorch2.cli.main import main
from scorch2.formats.chunks import Chunk, read_chunk
from scorch2.formats.json import dialects
from scorch2.formats.json.dialects import known_of
from scorch2.formats.json.jsonlines import SOURCES
from scorch2.formats.json.texts import JsonPlace
from scorch2.formats.reading import read
from scorch2.formats.table import SYSTEM_KEYS
from scorch2.model.errors import InputError
from scorch2.scoring.evidence import refuse_numbers

READ = json.loads((FOLDER / "read.json").read_text("utf-8"))
pytestmark = pytest.mark.usefixtures("folder")

# The page of the guide


def test_the_examples_of_the_guide_cover_every_source() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", guide.page("sources"), flags=re.DOTALL | re.MULTILINE)
    labels = set()
    for block in blocks:
        Path("d.jsonlines").write_text(block, "utf-8")
        documents = read("d.jsonlines", keys=SYSTEM_KEYS)
        assert any(any(document.clusters.values()) for document in documents), block
        labels |= {document.written.partition(":")[0] for document in documents}
    unseen = {source.label for source in SOURCES} - labels
    assert unseen == {"e2e without sentences"}, "show an example of the source in scorch2/guide/sources.md"


# The keys that are read


class Asked(dict[str, Any]):
    """An object that remembers the keys that it was asked for."""

    def __init__(self, value: dict[str, Any]) -> None:
        super().__init__(value)
        self.keys_asked: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.keys_asked.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.keys_asked.add(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.keys_asked.add(str(key))
        return super().__contains__(key)


def test_a_source_names_the_keys_that_its_reader_asks_for() -> None:
    """A key that is not named counts as lost when a file is converted."""
    tried = set()
    blocks = re.findall(r"^```json\n(.*?)^```$", guide.page("sources"), flags=re.DOTALL | re.MULTILINE)
    for value in map(json.loads, [line for block in blocks for line in lines_of(block)]):
        place = JsonPlace("d", "$", "d", SYSTEM_KEYS)
        if known := known_of(value, place):
            asked, source = Asked(value), known.source
            key = next((key for key in source.clusters if key in value), "")
            for part in source.parts(asked, place) if source.parts else [(asked, place)]:
                source.read(*part, key)
            named = {*source.clusters, *source.also, *(key for group in source.keys for key in group)}
            assert asked.keys_asked <= named, f"add them to `also` of {source.label}"
            tried.add(source.label)
    lacking = {source.label for source in SOURCES} - {"e2e without sentences"} - tried
    assert not lacking, f"show an example of {lacking} in scorch2/guide/sources.md, from which it is read"


def test_a_source_says_that_its_clusters_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"tokens": ["Ann", "saw", "her"], "clusters": [[[0, 0], [2, 2]]]}
    place = JsonPlace("d", "$", "d", SYSTEM_KEYS)
    known = known_of(value, place)
    assert known is not None
    for named in (False, True):
        changed = known._replace(source=known.source._replace(names_clusters=named))
        monkeypatch.setattr(dialects, "known_of", lambda *_, found=changed: found)
        (document,) = dialects.read_documents(value, place)
        if named:
            refuse_numbers(document)
        else:
            with pytest.raises(InputError, match="jsonlines only numbers its clusters"):
                refuse_numbers(document)


def lines_of(block: str) -> list[str]:
    """Return the JSON values of an example, one to a line or one in all."""
    try:
        json.loads(block)
    except ValueError:
        return block.strip().split("\n")
    return [block]


# Gold clusters and predictions in one file


@pytest.mark.parametrize("name", BOTH)
def test_one_file_may_be_both_sides(name: str) -> None:
    path = str(FOLDER / name)
    expected = figures(fixture("gold", "conll"), fixture("sys", "conll"))
    assert figures(path, path) == expected
    assert figures(fixture("gold", "conll"), path) == expected
    assert figures(path, fixture("sys", "conll")) == expected


@pytest.mark.parametrize("name", BOTH)
def test_a_key_chooses_the_other_clusters(name: str) -> None:
    path, gold, system = str(FOLDER / name), fixture("gold", "conll"), fixture("sys", "conll")
    assert figures(path, path, sys_key="clusters") == figures(gold, gold)
    assert figures(path, path, gold_key="predicted_clusters") == figures(system, system)
    swapped = figures(path, path, gold_key="predicted_clusters", sys_key="clusters")
    assert swapped == figures(system, gold)


def test_predictions_alone_are_read_on_both_sides() -> None:
    path = str(FOLDER / "both.predictions.jsonlines")
    assert figures(fixture("gold", "conll"), path) == figures(
        fixture("gold", "conll"), fixture("sys", "conll")
    )
    assert figures(path, path) == figures(*[fixture("sys", "conll")] * 2)


def test_gold_without_clusters_is_not_filled_with_predictions() -> None:
    path = written("d.jsonlines", {**E2E, "clusters": [], "predicted_clusters": E2E["clusters"]})
    (document,) = scorch2.score(path, path).to_dict()["documents"]
    assert (document["gold_mentions"], document["system_mentions"]) == (0, 3)


def test_any_key_can_hold_the_clusters() -> None:
    value = {"doc_key": "k", "sentences": E2E["sentences"], "mine": E2E["clusters"]}
    assert scorch2.score(written("g", CONLL), written("s", value), sys_key="mine").lea.f1 == 1
    (document,) = scorch2.read("s", key="mine")
    assert document.clusters == {"0": [(0, 1), (2, 4)], "1": [(1, 2)]}


@every(
    ("value", "why"),
    [
        (E2E, r'^s: \$: an object lacks the key "mine" of clusters: it has clusters$'),
        (
            f"{json.dumps(E2E)}\n" * 2,
            r'^s: line 1: \$: an object lacks the key "mine" of clusters: it has clusters$',
        ),
        (
            {**E2E, "predicted_clusters": []},
            r'an object lacks the key "mine" of clusters: it has clusters, predicted_clusters$',
        ),
        ({"doc_key": "k", "text": "a"}, r'the key "mine" of clusters: it has doc_key, text$'),
        ({}, r'the key "mine" of clusters: it is empty$'),
        (
            Path(fixture("gold", "spacy.jsonlines")).read_text("utf-8").partition("\n")[0],
            r'the key "mine" was asked for, but JSON of spaCy has only one set of clusters$',
        ),
        (
            Path(fixture("gold", "stanza.jsonlines")).read_text("utf-8"),
            r'the key "mine" was asked for, but JSON of Stanza has only one set of clusters$',
        ),
        ([[[0, 1]]], r'the key "mine" was asked for, but a list of clusters has only one set of clusters$'),
        ("[[[0, 1]]]\n[]", r'the key "mine" was asked for, but a list of clusters has only one set'),
        (CONLL, r'the key "mine" was asked for, but CoNLL columns has only one set of clusters$'),
        (SAME["clusters"], r'the key "mine" was asked for, but clusters JSON has only one set of clusters$'),
        ("<are/>", r'the key "mine" was asked for, but ARE XML has only one set of clusters$'),
        ({"d": [[[0, 1]]]}, r"an object from names to clusters has only one set of clusters$"),
    ],
)
def test_a_key_that_is_not_there_is_refused(value: object, why: str) -> None:
    with pytest.raises(InputError, match=why):
        scorch2.score(written("g", E2E), written("s", value), sys_key="mine")


def test_the_command_line_chooses_keys(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / BOTH[0])
    assert main(["--sys-key=clusters", "--metric=conll", path, path]) == 0
    assert "average score: 1.0" in capsys.readouterr().out
    assert main(["--gold-key=predicted_clusters", "--metric=conll", path, path]) == 0
    assert "average score: 1.0" in capsys.readouterr().out


def test_convert_asks_which_clusters_and_takes_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / BOTH[0])
    assert main(["convert", "--to=conll", path, "s.conll"]) == 2
    assert "choose by --key" in capsys.readouterr().err
    assert main(["convert", "--to=conll", "--key=predicted_clusters", path, "s.conll"]) == 0
    assert figures(fixture("sys", "conll"), "s.conll") == figures(*[fixture("sys", "conll")] * 2)


def test_validate_looks_at_the_clusters_of_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(FOLDER / BOTH[0])]) == 0
    path = written("d", {**E2E, "predicted_clusters": [[[0, 9]]]})
    assert main(["validate", path]) == 1
    assert "$.predicted_clusters[0][0]: the mention [0, 9]" in capsys.readouterr().out


def test_a_piece_of_a_file_is_read_by_the_keys_of_its_side() -> None:
    path = str(FOLDER / BOTH[0])
    piece = Chunk(path, "jsonlines", 0, Path(path).stat().st_size, 1, 3, keys=SYSTEM_KEYS)
    expected = [document.clusters for document in read(fixture("sys", "e2e.jsonlines"))]
    assert [document.clusters for document in read_chunk(piece)] == expected
    with pytest.raises(InputError, match="only one set of clusters"):
        read_chunk(Chunk(fixture("gold", "conll"), "conll", 0, 99, 1, 1, keys=("mine",)))


# Sub-tokens


@pytest.mark.parametrize(
    ("span", "number"), [((1, 2), 0), ((2, 2), 1), ((1, 1), 1), ((0, 2), 1), ((3, 4), 1)]
)
def test_mentions_that_end_inside_a_word_are_counted(span: tuple[int, int], number: int) -> None:
    value = {
        "doc_key": "k",
        "sentences": [["[CLS]", "a", "##b", "c", "[SEP]"]],
        "subtoken_map": [0, 0, 0, 1, 1],
        "clusters": [[span]],
    }
    (document,) = read(written("d", value))
    said = ["1 mention with an end inside a word widened to whole words"]
    assert list(document.notes) == said[:number]
    assert document.words is not None
    assert document.words() == ["ab", "c"]


def test_mentions_at_empty_nodes_are_counted() -> None:
    (document,) = read(written("d", *READ["Stanza: multi-word tokens and empty nodes are no words"]["lines"]))
    assert document.notes == ["1 mention at empty nodes left out, which cover no word"]
