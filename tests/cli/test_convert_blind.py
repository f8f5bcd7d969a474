"""scorch2 convert --blind: two gold clusterings of the same mentions give the same bytes, in every format."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest
from conversion import Value, put, text
from hypothesis import given
from hypothesis import strategies as st

from scorch2.cli.main import main
from scorch2.formats.copies import write_file
from scorch2.formats.marked.shared import blind
from scorch2.formats.reading import read
from scorch2.formats.table import FORMATS, format_names
from scorch2.model.document import Document
from scorch2.model.errors import InputError

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
WRITTEN = format_names(lambda row: row.writer)
RICH = sorted(path for path in FIXTURES.glob("formats/*/*") if path.stem == "rich")
"""A document of each format with all that it can hold."""
CLUSTERS = [[[0, 0], [3, 3], [5, 5]], [[1, 1], [4, 4]], [[2, 2]]]
GOLD = {"doc_key": "d", "sentences": [list("abcdef")], "clusters": CLUSTERS}
pytestmark = pytest.mark.usefixtures("folder")


@st.composite
def clusterings(draw: st.DrawFn) -> tuple[Value, Value]:
    """Return a text twice: with the same mentions, in other clusters, in another order."""
    spans = draw(st.sets(st.integers(0, 4).flatmap(lambda a: st.tuples(st.just(a), st.integers(a, 4)))))
    nested = [span for span in sorted(spans) if not any(a < span[0] <= b < span[1] for a, b in spans)]
    sides = []
    for _ in range(2):
        names = draw(st.lists(st.integers(0, 3), min_size=len(nested), max_size=len(nested)))
        pairs = draw(st.permutations(list(zip(names, nested, strict=True))))
        clusters = [[[*span] for name, span in pairs if name == one] for one in dict.fromkeys(names)]
        sides.append({"doc_key": "d", "sentences": [list("ab"), list("cde")], "clusters": clusters})
    return sides[0], sides[1]


def written(documents: Sequence[Document], form: str) -> str:
    """Return the file, or why it is refused."""
    try:
        file = write_file(documents, form, lossy=True)
    except InputError as error:
        return str(error.why)
    return f"{file.text}\n{file.text_beside}"


@given(sides=clusterings(), between=st.sampled_from(WRITTEN), mentions=st.booleans())
def test_no_format_tells_the_clusters_of_a_text(
    sides: tuple[Value, Value], between: str, mentions: bool
) -> None:
    documents = []
    for number, value in enumerate(sides):  # what the reader of a format makes of them may tell more
        file = put(f"d{number}.x", written(read(put(f"{number}.jsonl", value)), between))
        try:
            documents.append([blind(one, mentions=mentions) for one in read(file, between)])
        except InputError:
            return
    ids = [[one._replace(id="d") for one in of_side] for of_side in documents]
    for form in WRITTEN:
        assert written(ids[0], form) == written(ids[1], form), form


@pytest.mark.parametrize("path", RICH, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nothing_that_a_format_says_of_mentions_is_left(path: Path) -> None:
    """Compare with a document in which each mention is alone, and of which nothing else is known."""
    for document in read(str(path), path.parent.name):
        mentions = sorted({*chain.from_iterable(document.clusters.values())}, key=repr)
        bare = document._replace(
            clusters={f"x{number}": [mention] for number, mention in enumerate(mentions)},
            annotations=(), anaphora=None, categories=None, markables=None, relations=None, layers={},
        )  # fmt: skip
        one, other = blind(document, mentions=False), blind(bare, mentions=False)
        for form in WRITTEN:
            found = written([one], form)
            assert found == written([other], form), form
            assert "Bridge=" not in found
            assert "SplitAnte=" not in found


@pytest.mark.parametrize(
    "form", ["crac", "jsonlines", "conll", "corefud", "ua", "clusters", "tsv", "webanno"]
)
def test_mentions_are_in_the_order_of_the_text(form: str) -> None:
    assert main(["convert", "-q", f"--to={form}", "--blind=clusters", put("in", GOLD), "out"]) == 0
    (document,) = read("out", form)
    found = list(chain.from_iterable(document.clusters.values()))
    assert found == sorted(found, key=str)
    assert len(found) == len(document.clusters) == 6


def test_the_json_of_a_blind_text_is_written_by_hand() -> None:
    assert main(["convert", "-q", "--to=jsonlines", "--blind=clusters", put("in", GOLD), "out"]) == 0
    assert '"clusters": [[[0, 0]], [[1, 1]], [[2, 2]], [[3, 3]], [[4, 4]], [[5, 5]]]' in text("out")


def test_every_written_format_has_a_rich_example() -> None:
    assert {path.parent.name for path in RICH} >= {name for name in WRITTEN if FORMATS[name].writer}
