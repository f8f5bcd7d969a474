"""The texts of a large page are packed inside it, and are what they are when they are not."""

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path

import pytest
from error_pages import EXAMPLE, RANDOM, Parsed, made

from scorch2.reports.page import texts as page_texts

PACKED = re.compile(
    r'<(tbody|ul) class="([^"]*?) ?packed" data-rows="(\d+)"><(?:tr><td|li)>'
    r'(\d+ rows?: compressed)<script type="text/plain">([^<]*)</script></(?:td></tr|li)></\1>'
)
TEXTS = '<section id="texts"'


@pytest.fixture
def small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every page be a large one, and ten rows a part."""
    monkeypatch.setattr(page_texts, "ROOM", 0)
    monkeypatch.setattr(page_texts, "FIRST", 5_000)
    monkeypatch.setattr(page_texts, "SIZE", 3_000)


def opened(page: str) -> str:
    """Return a page with its packed parts as the browser opens them, and without what says that they are."""

    def plain(part: re.Match[str]) -> str:
        rows = zlib.decompress(b64decode(part[5])).decode("utf-8")
        assert rows.count("<tr ") + rows.count('<li id="') * (part[1] == "ul") == int(part[3])
        start = f'<{part[1]} class="{part[2]}">' if part[2] else f"<{part[1]}>"
        return f"{start}{rows}</{part[1]}>"

    return re.sub(r'<p class="notice" id="packed">[^<]*</p>\n', "", PACKED.sub(plain, page))


@pytest.mark.usefixtures("small_room")
def test_packed_texts_are_those_of_the_plain_page(tmp_path: Path) -> None:
    packed, plain = made(tmp_path, *EXAMPLE), made(tmp_path, "--page=plain", *EXAMPLE)
    assert PACKED.search(packed)
    assert PACKED.search(plain) is None
    assert opened(packed) == plain
    assert packed == made(tmp_path, *EXAMPLE)
    assert Parsed(packed).wrong == []


@pytest.mark.usefixtures("small_room")
def test_tables_examples_and_the_first_text_stay_open(tmp_path: Path) -> None:
    packed, plain = made(tmp_path, *EXAMPLE), made(tmp_path, "--page=plain", *EXAMPLE)
    assert packed.partition(TEXTS)[0] == plain.partition(TEXTS)[0]
    texts = [page.partition(TEXTS)[2].split('<details id="doc=')[1:] for page in (packed, plain)]
    first, second = (PACKED.search(text) for text in texts[0][:2])
    assert first is None or first.start() > page_texts.FIRST
    assert second is not None
    assert [text.partition("</summary>")[0] for text in texts[0]] == [
        text.partition("</summary>")[0] for text in texts[1]
    ]


@pytest.mark.usefixtures("small_room")
def test_a_list_of_errors_without_a_text_is_packed_in_items(tmp_path: Path) -> None:
    words = []
    for side, entities in (("gold", [[f"m{i}", f"n{i}"] for i in range(60)]), ("sys", [["m0", "n0"]])):
        path = tmp_path / f"{side}.json"
        path.write_text(json.dumps({"type": "clusters", "clusters": dict(enumerate(entities))}))
        words.append(str(path))
    packed, plain = made(tmp_path, *words), made(tmp_path, "--page=plain", *words)
    assert '<ul class="why packed"' in packed
    assert opened(packed) == plain


def test_a_small_page_is_not_packed(tmp_path: Path) -> None:
    page = made(tmp_path, *RANDOM)
    assert page == made(tmp_path, "--page=plain", *RANDOM)
    assert 'id="packed"' not in page
