"""The release: its version, notes and links, and the checks before it."""

import re
import subprocess
from pathlib import Path

import pytest
from pages import ROOT, pages, with_links

import scorch2

RELEASE = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")


def step(begin: str) -> str:
    """Return the command of a step, without its first word."""
    (command,) = re.findall(rf"^ +(?:- )?run: ({re.escape(begin)}.*)$", RELEASE, re.MULTILINE)
    return str(command)


def done(command: str, folder: Path, tag: str) -> int:
    """Run a step in a folder as the runner does, and return its status."""
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
    return subprocess.run(
        words, cwd=folder, env={"PATH": "/usr/bin:/bin", "GITHUB_REF_NAME": tag}, check=False
    ).returncode


def test_the_notes_are_those_of_the_version_and_no_other(tmp_path: Path) -> None:
    changes = tmp_path / "scorch2" / "guide" / "changes.md"
    changes.parent.mkdir(parents=True)
    changes.write_text("# Notes\n\n## 1.2.0\n\nnew\n\n### Python\n\nalso new\n\n## 1.1.0\n\nold\n", "utf-8")
    assert done(step("awk"), tmp_path, "v1.2.0") == 0
    assert (tmp_path / "notes.md").read_text("utf-8").split() == ["new", "###", "Python", "also", "new"]
    assert done(step("awk"), tmp_path, "v1.2.1") == 1, "a version without notes"


def test_this_version_has_notes() -> None:
    assert f"\n## {scorch2.__version__}\n" in pages()["scorch2/guide/changes.md"]


@pytest.mark.parametrize(("tag", "status"), [("v1.2.0", 0), ("v1.2", 1), ("v1.2.1", 1)])
def test_a_tag_that_names_another_version_ends_the_release(tmp_path: Path, tag: str, status: int) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "scorch2-1.2.0.tar.gz").touch()
    assert done(step("test -f"), tmp_path, tag) == status


def test_a_release_is_tested_on_every_python_that_the_package_names() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)", text)
    (tested,) = re.findall(r"python: \[(.+)\]", RELEASE)
    assert re.findall(r"3\.\d+", tested) == named


def test_pages_have_the_links_of_the_project() -> None:
    other = [name for name, text in pages().items() if with_links(text) != text]
    assert other == [], "python tests/support/pages.py writes what pyproject.toml says"
