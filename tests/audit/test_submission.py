"""Submissions to shared tasks: what is said of broken ones, and archives that somebody uploads."""

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from every import every

import scorch2
from scorch2.cli.main import main

TASK = Path(__file__).parents[2] / "fixtures" / "task"
FILE = TASK / "task.json"
SUBMISSIONS = TASK / "submissions"
ALPHA = SUBMISSIONS / "alpha"
Capture: TypeAlias = pytest.CaptureFixture[str]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def checked(capsys: Capture, submission: Path, task: Path = FILE) -> tuple[int, list[str]]:
    """Return the exit status and the lines about a submission."""
    status = main(["task", "check", str(task), str(submission)])
    found = capsys.readouterr()
    assert found.err == ""
    return status, found.out.splitlines()


def test_each_problem_has_a_line(capsys: Capture) -> None:
    status, lines = checked(capsys, SUBMISSIONS / "broken")
    assert status == 1
    mark = 'line 2: a mention of entity "0" begins here ("Joan") and does not end in the document'
    assert lines == [
        'news: n2: word 3 is "Tim", and should be "Tom"',
        "chat: all that is scored equals gold: it is a copy",
        f"stories: stories/s1.conll: {mark}",
        "stories: s2 is missing",
        "4 problems",
    ]


def test_nothing_is_said_of_what_can_be_scored(capsys: Capture) -> None:
    for name in ("alpha", "beta"):
        assert checked(capsys, SUBMISSIONS / name) == (0, ["nothing to mend: 6 documents in 3 corpora"])
    assert checked(capsys, SUBMISSIONS / "gamma") == (1, ["chat: chat.jsonl is missing", "1 problem"])


@pytest.fixture
def alpha(tmp_path: Path) -> Path:
    """Return a copy of a submission that can be scored."""
    shutil.copytree(ALPHA, tmp_path / "alpha")
    return tmp_path / "alpha"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def rename(alpha: Path) -> None:
    edit(alpha / "chat.jsonl", '"c2"', '"c3"')


BROKEN: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "an extra file": (
        lambda alpha: (alpha / "notes.txt").write_text("our best run", encoding="utf-8"),
        ["notes.txt belongs to no corpus of the task"],
    ),
    "another document": (rename, ["chat: c3 is no document of the corpus", "chat: c2 is missing"]),
    "a word less": (
        lambda alpha: edit(alpha / "chat.jsonl", '"saw", "Max", "."', '"saw", "Max"'),
        ['chat: c1: word 4 is "She", and should be "."'],
    ),
    "a word less at the end": (
        lambda alpha: edit(alpha / "chat.jsonl", '"greeted", "him", "."', '"greeted", "him"'),
        ["chat: c1: has 7 words, and should have 8"],
    ),
    "no JSON": (
        lambda alpha: (alpha / "chat.jsonl").write_text('{"doc_key": 3', encoding="utf-8"),
        ["chat: chat.jsonl: line 1, column 14: not JSON: Expecting ',' delimiter"],
    ),
}


@every("what", BROKEN)
def test_a_problem_is_named(what: str, tmp_path: Path, capsys: Capture) -> None:
    change, lines = BROKEN[what]
    alpha = tmp_path / what.replace(" ", "-")
    shutil.copytree(ALPHA, alpha)
    change(alpha)
    status, found = checked(capsys, alpha)
    assert (status, sorted(found[:-1])) == (1, sorted(lines))


def zipped(path: Path, folder: Path, below: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, below + file.relative_to(folder).as_posix())
    return path


@every("below", ("", "our-best-run/"))
def test_an_archive_is_read_as_it_was_uploaded(below: str, tmp_path: Path, capsys: Capture) -> None:
    path = zipped(tmp_path / "a.zip", ALPHA, below)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("__MACOSX/._news.conllu", b"\0\5\x16\7")
        archive.writestr("empty/", b"")
    assert checked(capsys, path) == (0, ["nothing to mend: 6 documents in 3 corpora"])
    assert main(["task", "score", "-q", "-f", "scores", str(FILE), str(path)]) == 0
    shown = capsys.readouterr().out
    assert main(["task", "score", "-q", "-f", "scores", str(FILE), str(ALPHA)]) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("long", [False, True])
def test_files_of_an_archive_are_named_by_their_paths_in_it(
    long: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A temporary folder has another name in every run: so its name in a report would tell two runs apart."""
    temporary = tmp_path / ("x" * 90 if long else "x")
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ALPHA, tmp_path / "sub")
    no_mention = '{"doc_key": "c1", "sentences": [["Eva", "saw", "Max", "."], ["She", "greeted", "him", "."]]'
    (tmp_path / "sub" / "chat.jsonl").write_text(f'{no_mention}, "clusters": []}}\n', encoding="utf-8")
    zipped(Path("sub.zip"), Path("sub"), "best/")
    warnings, reports = [], []
    for path in ("sub.zip", "sub.zip", "sub"):
        assert main(["task", "score", "-f", "json", str(FILE), path]) == 0
        found = capsys.readouterr()
        warnings.append(found.err)
        reports.append(found.out)
    assert "sub.zip/best/chat.jsonl: no mention in it" in warnings[0]
    assert reports[0] == reports[1]
    assert reports[2] == reports[0].replace("sub.zip/best/", "sub/")
    edit(tmp_path / "sub" / "chat.jsonl", '"c1"', "c1")
    zipped(Path("sub.zip"), Path("sub"))
    assert main(["task", "score", "-q", str(FILE), "sub.zip"]) == 2
    assert capsys.readouterr().err.startswith(
        "scorch2: error: sub.zip/chat.jsonl: line 1, column 13: not JSON"
    )


def member(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


OUTSIDE = "would lie outside of the submission, or has a name that not all systems have"
MEMBERS = {
    "a folder above": (member("../evil.conllu"), f"../evil.conllu: {OUTSIDE}"),
    "an absolute path": (member("/etc/evil"), f"/etc/evil: {OUTSIDE}"),
    "a drive": (member("c:/evil"), f"c:/evil: {OUTSIDE}"),
    "a folder above inside": (member("stories/../../evil"), f"stories/../../evil: {OUTSIDE}"),
    "a backslash": (member("..\\evil"), OUTSIDE),
    "control characters": (member("a\x1b[31mb"), f"a\\x1b[31mb: {OUTSIDE}"),
    "a link": (member("news.conllu", stat.S_IFLNK | 0o777), "news.conllu: is a link"),
    "a pipe": (member("news.conllu", stat.S_IFIFO | 0o644), "news.conllu: is no file"),
}


def refused(capsys: Capture, path: Path) -> str:
    assert main(["task", "check", str(FILE), str(path)]) == 2
    found = capsys.readouterr()
    assert (found.out, found.err.count("\n")) == ("", 1)
    return found.err


@every("what", MEMBERS)
def test_a_hostile_member_is_refused_in_one_line(
    what: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # below which archives are unpacked
    info, why = MEMBERS[what]
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert why in refused(capsys, path)
    assert [*tmp_path.rglob("evil*")] == []


def test_a_file_twice_is_refused(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("news.conllu", "")
        archive.writestr("NEWS.conllu", "")
    assert "the archive holds a file twice" in refused(capsys, path)


def test_a_bomb_is_refused_before_it_expands(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("news.conllu", "w") as file,
    ):
        for _ in range(200):
            file.write(bytes(1 << 20))
    tracemalloc.start()
    said = refused(capsys, path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "the archive expands to more than any text does" in said
    assert most < 1 << 23


def test_many_members_are_refused_before_they_are_listed(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(10_001):
            archive.writestr(f"{number}", "")
    assert "the archive holds more than 10000 files" in refused(capsys, path)


def test_a_list_of_members_that_lies_about_their_number_is_bounded(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(6_000):
            archive.writestr(f"{number:0700}", "")
    data = bytearray(path.read_bytes())
    end = data.rindex(b"PK\5\6")
    data[end + 8 : end + 12] = b"\1\0\1\0"
    path.write_bytes(data)
    assert "the archive holds more than 10000 files" in refused(capsys, path)


@every("cut", (1, 30, 200))
def test_a_broken_archive_is_refused(cut: int, tmp_path: Path, capsys: Capture) -> None:
    path = zipped(tmp_path / "a.zip", ALPHA)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    said = refused(capsys, path)
    assert "the zip is broken" in said
    path.write_bytes(data[:60] + bytes(40) + data[100:])
    assert "the zip is broken" in refused(capsys, path)


def test_an_encrypted_archive_is_refused(tmp_path: Path, capsys: Capture) -> None:
    path = zipped(tmp_path / "a.zip", ALPHA)
    data = path.read_bytes()
    place = data.index(b"PK\1\2") + 8  # the flags of the first member in the list
    path.write_bytes(data[:place] + bytes([data[place] | 1]) + data[place + 1 :])
    assert "is encrypted" in refused(capsys, path)


@POSIX
def test_links_and_pipes_in_a_folder_are_refused(alpha: Path, capsys: Capture) -> None:
    (alpha / "news.conllu").unlink()
    (alpha / "news.conllu").symlink_to(TASK / "gold" / "news.conllu")
    assert "is a link, or lies in one: a submission holds files" in refused(capsys, alpha)
    (alpha / "news.conllu").unlink()
    os.mkfifo(alpha / "news.conllu")  # to open it would wait for ever
    waiting = threading.Timer(20, lambda: (alpha / "news.conllu").write_text("", encoding="utf-8"))
    waiting.start()
    assert "neither a file nor a folder" in refused(capsys, alpha)
    waiting.cancel()
    (alpha / "news.conllu").unlink()
    shutil.rmtree(alpha / "stories")
    (alpha / "stories").symlink_to(TASK / "gold" / "stories")
    assert "is a link, or lies in one: a submission holds files" in refused(capsys, alpha)


def test_words_are_not_compared_where_texts_are_copied(alpha: Path, tmp_path: Path, capsys: Capture) -> None:
    """A language model copies a text: `align` says that its words may differ."""
    shutil.copytree(TASK / "gold", tmp_path / "gold")
    task = json.loads(FILE.read_text("utf-8"))
    task["settings"] = [{"name": "copies", "profile": "conll", "options": {"align": "text"}}]
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    edit(alpha / "news.conllu", "\tTom\t", "\tTim\t")
    assert checked(capsys, alpha, path) == (0, ["nothing to mend: 6 documents in 3 corpora"])


# What participants get


@pytest.fixture
def handed_out(tmp_path: Path) -> Path:
    """Return the folder of what participants get."""
    assert main(["task", "blind", str(FILE), str(tmp_path / "out")]) == 0
    return tmp_path / "out"


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "file" / "out"
    place.parent.write_text("", encoding="utf-8")
    assert main(["task", "blind", str(FILE), str(place)]) == 2
    assert capsys.readouterr().err == f"scorch2: error: {place}: Not a directory\n"


def test_what_is_handed_out_has_the_words_of_gold_and_no_mention(handed_out: Path) -> None:
    assert {path.relative_to(handed_out).as_posix() for path in handed_out.rglob("*") if path.is_file()} == {
        *("task.json", "news.conllu", "chat.jsonl", "stories/s1.conll", "stories/s2.conll")
    }
    for path in handed_out.rglob("*.*"):
        if path.name != "task.json":
            (gold,) = (TASK / "gold").rglob(path.name)
            blind, whole = scorch2.read(path), scorch2.read(gold)
            assert [one.id for one in blind] == [one.id for one in whole]
            assert [one.words() for one in blind if one.words] == [one.words() for one in whole if one.words]
            assert [one.clusters for one in blind] == [{}] * len(whole)
            assert "Entity=(" not in path.read_text("utf-8")


def test_the_task_of_participants_has_hashes_and_no_gold(handed_out: Path) -> None:
    text = (handed_out / "task.json").read_text("utf-8")
    task = json.loads(text)
    assert "gold" not in text
    for corpus in task["corpora"]:
        for name, found in corpus["sha256"].items():
            assert hashlib.sha256((handed_out / name).read_bytes()).hexdigest() == found
    assert task["settings"] == json.loads(FILE.read_text("utf-8"))["settings"]


def test_participants_check_without_gold_and_are_told_what_was_not_looked_at(
    handed_out: Path, capsys: Capture
) -> None:
    unchecked = "; not checked without gold: news, chat, stories"
    task = handed_out / "task.json"
    said = [f"nothing to mend: 6 documents in 3 corpora{unchecked}"]
    assert checked(capsys, ALPHA, task) == (0, said)
    _, lines = checked(capsys, SUBMISSIONS / "broken", task)
    _, of_keeper = checked(capsys, SUBMISSIONS / "broken")
    copied = "chat: all that is scored equals gold: it is a copy"
    assert lines == [*(line for line in of_keeper[:-1] if line != copied), f"3 problems{unchecked}"]
    assert "names no gold" in refused_score(capsys, task)
    edit(handed_out / "chat.jsonl", "Max", "Mex")
    status, lines = checked(capsys, ALPHA, task)
    assert status == 1
    assert lines[:2] == [
        "chat: chat.jsonl: the blind file is not the one that was handed out",
        'chat: c1: word 3 is "Max", and should be "Mex"',
    ]


def refused_score(capsys: Capture, task: Path) -> str:
    assert main(["task", "score", str(task), str(ALPHA)]) == 2
    return capsys.readouterr().err


def test_formats_that_are_not_written_are_handed_out_by_hand(tmp_path: Path, capsys: Capture) -> None:
    gold = next((TASK.parent / "formats" / "litbank").glob("example.*"))
    shutil.copytree(gold.parent, tmp_path / "gold")
    task = json.loads(FILE.read_text("utf-8"))
    task["corpora"] = [{"name": "books", "gold": f"gold/{gold.name}"}]
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    assert main(["task", "blind", str(path), str(tmp_path / "out")]) == 2
    assert 'is not written: name files without annotation as "blind"' in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@every("of", ("a folder", "a file"))
def test_texts_beside_files_are_carried_along(of: str, tmp_path: Path, capsys: Capture) -> None:
    """A file of brat has its text beside it."""
    folder = tmp_path / of.replace(" ", "-")
    (folder / "gold").mkdir(parents=True)
    assert main(["convert", "-q", "--to=brat", str(TASK / "gold" / "chat.jsonl"), str(folder / "gold")]) == 0
    gold = "gold" if of == "a folder" else "gold/c1.ann"
    task = {"name": "b", "corpora": [{"name": "chat", "gold": gold}], "settings": [{"name": "a"}]}
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
    path, sent = str(folder / "task.json"), folder / "sent"
    assert main(["task", "blind", path, str(folder / "out")]) == 0
    assert main(["task", "codabench", path, str(folder / "bundle.zip")]) == 0
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        names = {name.rpartition("/")[2] for name in archive.namelist() if "reference_data/gold" in name}
    expected = {"c1.ann", "c1.txt"} if of == "a file" else {"c1.ann", "c1.txt", "c2.ann", "c2.txt"}
    assert names == expected
    blind = {file.name: file for file in (folder / "out").rglob("*.*") if file.name != "task.json"}
    assert {*blind} == expected
    assert blind["c1.txt"].read_text("utf-8") == (folder / "gold" / "c1.txt").read_text("utf-8")
    assert "Coreference" not in blind["c1.ann"].read_text("utf-8")
    for name, file in blind.items():
        place = sent / file.relative_to(folder / "out")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "gold" / name, place)
    for of_whom in ("task.json", "out/task.json"):
        capsys.readouterr()
        main(["task", "check", str(folder / of_whom), str(sent)])
        assert "belongs to no corpus" not in capsys.readouterr().out
    assert main(["task", "check", str(folder / "out" / "task.json"), str(sent)]) == 0


# A bundle for Codabench


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a bundle that was unpacked."""
    folder = tmp_path_factory.mktemp("of_a_platform") / "bundle"
    assert main(["task", "codabench", "--start=2026-05-01", str(FILE), f"{folder}.zip"]) == 0
    with zipfile.ZipFile(f"{folder}.zip") as archive:
        archive.extractall(folder)
    return folder


PLATFORMS = {
    "Codabench": {"$program": "program", "$input": "input", "$output": "output"},
    "CodaLab": {"$program": "program", "$predictions": "input/res", "$input": "input", "$output": "output"},
}
"""What the workers of both put in the place of names, in this order, as their sources say."""


def run_as_the_platform(
    bundle: Path, submission: Path, app: Path, platform: str = "Codabench", python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """Run the scoring program in the folders of the platform: nothing is installed, input is read-only."""
    shutil.copytree(bundle / "scoring_program", app / "program")
    shutil.copytree(bundle / "reference_data", app / "input" / "ref")
    shutil.copytree(submission, app / "input" / "res")
    (app / "output").mkdir()
    (app / "input" / "res" / "metadata").write_text("exitCode: 0\nelapsedTime: 1\n", encoding="utf-8")
    if platform == "CodaLab":  # where a page of details is shown, its worker makes an empty one
        (app / "output" / "detailed_results.html").touch()
    command = (app / "program" / "metadata").read_text("utf-8").removeprefix("command: python3 ")
    for name, folder in PLATFORMS[platform].items():
        command = command.replace(name, f"{app.as_posix()}/{folder}")
    words = command.strip().split(" ")
    places = [app / "input", *(app / "input").rglob("*"), *(app / "program").iterdir()]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        return subprocess.run(
            [python, "-I", "-S", *words],  # without the packages of this installation
            cwd=app / "program" if platform == "Codabench" else app,
            env={"PATH": "", "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    finally:
        for place in places:
            place.chmod(0o755)


def test_a_corpus_may_be_called_like_the_primary_metric(tmp_path: Path) -> None:
    shutil.copytree(TASK / "gold", tmp_path / "gold")
    task = json.loads(FILE.read_text("utf-8"))
    task["corpora"][0]["name"] = "conll"
    (tmp_path / "task.json").write_text(json.dumps(task), encoding="utf-8")
    assert main(["task", "codabench", str(tmp_path / "task.json"), str(tmp_path / "bundle.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        text = archive.read("competition.yaml").decode()
    keys = re.findall(r'"title": "(\w+)", "key": "(\w+)", "index": (\d)', text)
    assert keys == [
        ("conll", "primary", "0"),
        ("conll", "conll_conll_f1", "1"),
        ("chat", "chat_conll_f1", "2"),
        ("stories", "stories_conll_f1", "3"),
    ]


@every("platform", PLATFORMS)
def test_a_bundle_scores_as_the_platform_runs_it(
    platform: str, bundle: Path, tmp_path: Path, capsys: Capture
) -> None:
    done = run_as_the_platform(bundle, ALPHA, tmp_path / platform / "app", platform)
    assert (done.returncode, done.stderr) == (0, "")
    assert "6  0.6991         0.6568\n" in done.stdout
    output = tmp_path / platform / "app" / "output"
    assert {path.name for path in output.iterdir()} == {"scores.txt", "scores.json", "detailed_results.html"}
    assert main(["task", "score", "-f", "scores", str(FILE), str(ALPHA)]) == 0
    scores = (output / "scores.txt").read_text("utf-8")
    assert scores == capsys.readouterr().out
    of_json = json.loads((output / "scores.json").read_text("utf-8"))
    assert of_json == dict(zip(of_json, map(float, re.findall(": (.*)", scores)), strict=True))
    page = (output / "detailed_results.html").read_text("utf-8")
    assert "69.91" in page
    assert "news/n1" not in page


@every("platform", PLATFORMS)
def test_a_refused_submission_leaves_a_line_and_no_scores(
    platform: str, bundle: Path, tmp_path: Path
) -> None:
    """The platforms take an exit status, or no file of scores, for a failure, and show standard error."""
    app = tmp_path / platform / "app"
    done = run_as_the_platform(bundle, SUBMISSIONS / "broken", app, platform)
    assert (done.returncode, done.stdout) == (2, "")
    mark = 'line 2: a mention of entity "0" begins here ("Joan") and does not end in the document'
    assert done.stderr.splitlines() == [
        'scorch2: error: news: n2: word 3 is "Tim", and should be "Tom"',
        "scorch2: error: chat: all that is scored equals gold: it is a copy",
        f"scorch2: error: stories: stories/s1.conll: {mark}",
        "scorch2: error: stories: s2 is missing",
    ]
    assert [path.read_bytes() for path in (app / "output").iterdir()] == [b""] * (platform == "CodaLab")


def test_a_folder_around_a_submission_is_found_beside_what_the_platform_adds(
    bundle: Path, tmp_path: Path
) -> None:
    shutil.copytree(ALPHA, tmp_path / "sent" / "our-best-run")
    assert run_as_the_platform(bundle, tmp_path / "sent", tmp_path / "app").returncode == 0


@POSIX
def test_the_program_runs_without_network_and_by_another_user(bundle: Path, tmp_path: Path) -> None:
    """As in a container: no network, nobody's rights, and output that is not waited for."""
    program, unshare = tmp_path / "python", shutil.which("unshare")
    program.write_text(f'#!/bin/sh\nexec {unshare} -r -n {sys.executable} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    if subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody leave the network")
    done = run_as_the_platform(bundle, ALPHA, tmp_path / "app", python=str(program))
    assert (done.returncode, done.stderr) == (0, "")


LIST = "doc1\t0\t0\tperson\n"


def test_files_that_options_name_are_carried_along(tmp_path: Path, capsys: Capture) -> None:
    shutil.copytree(TASK / "gold", tmp_path / "gold")
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "tagged.tsv").write_text(LIST, encoding="utf-8")
    task = json.loads(FILE.read_text("utf-8"))
    task["settings"][1]["options"]["sys-categories"] = "lists/tagged.tsv"
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    assert main(["task", "blind", str(path), str(tmp_path / "out")]) == 0
    assert main(["task", "codabench", str(path), str(tmp_path / "bundle.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        archive.extractall(tmp_path / "bundle")
    for folder in ("out", "bundle/reference_data", "bundle/public_data"):
        carried = json.loads((tmp_path / folder / "task.json").read_text("utf-8"))["settings"]
        place = carried[1]["options"].pop("sys-categories")
        assert (tmp_path / folder / place).read_text("utf-8") == LIST
        assert carried[1]["options"] == {"singletons": "drop"}
        assert carried[0] == task["settings"][0]
    task["settings"][0]["options"] = {"categories": "lists/tagged.tsv"}
    path.write_text(json.dumps(task), encoding="utf-8")
    capsys.readouterr()
    assert main(["task", "blind", str(path), str(tmp_path / "more")]) == 2
    why = "exact: categories names a file about gold: write the task.json of participants by hand"
    assert capsys.readouterr().err == f"scorch2: error: {why}\n"
    assert not (tmp_path / "more").exists()


def test_a_bundle_says_what_the_platform_asks_for(bundle: Path, capsys: Capture) -> None:
    text = (bundle / "competition.yaml").read_text("utf-8")
    fields = dict(re.findall(r"^\s*(?:- )?(\w+): (.+)$", text, re.MULTILINE))
    for name in ("image", "terms", "file"):
        assert (bundle / fields[name]).is_file()
    for name in ("reference_data", "scoring_program", "public_data"):
        assert (bundle / fields[name]).is_dir()
    assert (bundle / "logo.png").read_bytes().startswith(b"\x89PNG")
    assert (fields["title"], fields["start"], fields["version"]) == ("Results", '"2026-05-01"', "2")
    image, version = fields["docker_image"].split(":")
    assert image == "python"
    assert tuple(map(int, version.split("-")[0].split("."))) >= (3, 10)
    columns = json.loads(fields["columns"])
    assert [column["index"] for column in columns] == [0, 1, 2, 3]
    assert main(["task", "score", "-f", "scores", str(FILE), str(ALPHA)]) == 0  # as the platform runs it
    lines = capsys.readouterr().out.splitlines()
    assert {column["key"] for column in columns} <= {line.split(":")[0] for line in lines}
    assert json.loads((bundle / "public_data" / "task.json").read_text("utf-8"))["corpora"][0]["sha256"]
    assert "gold" not in (bundle / "public_data" / "task.json").read_text("utf-8")


def test_a_bundle_has_the_same_bytes_at_any_time(bundle: Path, tmp_path: Path) -> None:
    path = tmp_path / "again.zip"
    assert bundle.is_dir()
    assert main(["task", "codabench", "--start=2026-05-01", str(FILE), str(path)]) == 0
    assert path.read_bytes() == bundle.with_suffix(".zip").read_bytes()
