"""The release: its version, notes and links, and the checks before it."""

import os
import re
import subprocess
from pathlib import Path
from zipfile import ZipFile

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
    environment = {"PATH": os.environ["PATH"], "GITHUB_REF_NAME": tag, "GITHUB_REPOSITORY": "us/scorch2"}
    return subprocess.run(words, cwd=folder, env=environment, check=False).returncode


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


def test_a_tag_beside_main_ends_the_release(tmp_path: Path) -> None:
    new = "git init -qb main && git -c user.name=n -c user.email=e commit -q --allow-empty -m"
    assert done(f"{new} first && git update-ref refs/remotes/origin/main HEAD", tmp_path, "") == 0
    assert done(step("git merge-base"), tmp_path, "v1.2.0") == 0
    assert done(new.partition("&& ")[2] + " second", tmp_path, "") == 0
    assert done(step("git merge-base"), tmp_path, "v1.2.0") == 1


def test_links_that_lead_nowhere_end_the_release(tmp_path: Path) -> None:
    def links(home: str, description: str) -> int:
        wheel = tmp_path / "scorch2-1.2.0-py3-none-any.whl"
        with ZipFile(wheel, "w") as archive:
            metadata = f"Metadata-Version: 2.4\nProject-URL: Source, {home}\n\n{description}"
            archive.writestr("scorch2-1.2.0.dist-info/METADATA", metadata)
        return done(f"'{ROOT}/.ci/links' {wheel.name}", tmp_path, "v1.2.0")

    readme = tmp_path / "README.md"
    readme.write_text((ROOT / "README.md").read_text("utf-8").replace("OWNER", "us"), "utf-8")
    relative = readme.read_text("utf-8")
    assert done(step("sed"), tmp_path, "v1.2.0") == 0
    absolute = readme.read_text("utf-8")
    assert "](https://github.com/us/scorch2/blob/v1.2.0/scorch2/guide/quickstart.md)" in absolute
    assert "](https://raw.githubusercontent.com/us/scorch2/v1.2.0/.github/errors-page.png)" in absolute
    assert links("https://github.com/us/scorch2", absolute) == 0
    assert links("https://github.com/OWNER/scorch2", absolute) == 1
    assert links("https://github.com/us/scorch2", relative) == 1


def test_a_release_is_tested_on_every_python_that_the_package_names() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)", text)
    (tested,) = re.findall(r"python: \[(.+)\]", RELEASE)
    assert re.findall(r"3\.\d+", tested) == named


def test_actions_of_others_are_what_was_read() -> None:
    """A tag can be moved, a commit cannot."""
    files = [*(ROOT / ".github" / "workflows").glob("*.yml"), ROOT / ".github/actions/score/action.yml"]
    used = [use for file in files for use in re.findall(r"uses: (.+)", file.read_text("utf-8"))]
    assert len(used) > len(files)
    assert [use for use in used if not re.match(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+\b", use)] == []


def test_pages_have_the_links_of_the_project() -> None:
    other = [name for name, text in pages().items() if with_links(text) != text]
    assert other == [], "python tests/support/pages.py writes what pyproject.toml says"
