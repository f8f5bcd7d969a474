"""Fuzzing of ARE: whatever the XML, it is refused in one line or scored as the plain model scores it.

Mutations of valid files, of elements and of bytes, are read for one of the four tasks as gold, as the
system's answer, or as both. What is read and what is refused must be what plain_xml.py reads and refuses,
and the counts must be those of are_model.py.

    python tests/campaigns/fuzz_are.py --inputs=1000000 --seed=0 --jobs=2

Deterministic for a seed, whatever the number of jobs.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parent.parent / "models"))

import are_model
import fuzzing
import plain_xml
from broken_bytes import bent
from dice import Dice
from findings import BrokenPromiseError
from fuzzing import Outcome, Task

from scorch2.formats.xml.are import Purpose, documents, read_gold, read_system, write
from scorch2.model.document import Document
from scorch2.model.errors import InputError, MarkupError
from scorch2.model.score import Tally
from scorch2.tasks.anaphora import TASKS

LONGEST_MESSAGE = 400
CASES = Path(__file__).parent.parent.parent / "fixtures" / "are"
SEEDS = [
    (
        (CASES / folder / f"{stem}gold.xml").read_bytes(),
        (CASES / folder / f"{stem}sys.xml").read_bytes(),
        task,
    )
    for folder, stem, task in (
        ("cases/s01-task1-basic", "", 1), ("cases/s02-task1-pronoun-paths", "", 1),
        ("cases/s03-task2-muc", "", 2), ("cases/s04-task3-tokens", "", 3),
        ("cases/s05-task3-chars-with-text", "", 3), ("cases/s06-task4-overlap-muc", "", 4),
        ("good", "ids.", 1), ("good", "ids.", 2), ("good", "spans.", 3), ("good", "spans.", 4),
    )
]  # fmt: skip
PIECES = tuple(
    piece.encode()
    for piece in """
<pair><pronoun id="2"/><antecedent id="1"/></pair>
<pair><pronoun id="3"/></pair>
<pair/>
<pair><pronoun start="5" end="6"/><antecedent start="1" end="3"/></pair>
<pair><antecedent start="9" end="11"/><pronoun start="14" end="16"/></pair>
<chain><element id="1"/><element id="9"/></chain>
<chain></chain>
<element id="5"/>
<element start="3" end="9"/>
<element start="0" end="2"/>
<entity id="1"/>
<entity id="2" type="pronoun"/>
<text>a b</text>
<!-- it -->
<?it it?>
<![CDATA[ ]]>
<![CDATA[it]]>
&#32;
&#160;
&amp;
&x;
it
<!DOCTYPE are>
<!DOCTYPE are [<!ENTITY x "y">]>
<pairs>
</pairs>
<chains>
</chains>
</are>
<are/>
 value="it"
 ends="inclusive"
 unit="char"
 unit="token"
 unit="word"
 task="1"
 task="9"
 type="np"
 doc="d"
 xmlns="u:a"
 start="4"
 end="99999999999999999999"
""".strip("\n").split("\n")
)
NUMBERS = (
    b"0",
    b"1",
    b"2",
    b"3",
    b"5",
    b"11",
    b"14",
    b"22",
    b"55",
    b"-1",
    b"03",
    b"",
    b" 2",
    b"1e1",
    b"\xd9\xa3",
)


class Trial(NamedTuple):
    """Two files that are scored for a task."""

    gold: bytes
    system: bytes
    task: int


def main() -> int:
    given = fuzzing.parser(__doc__, 1_000_000, "run").parse_args()
    return fuzzing.run("fuzz_are", ["are"], attempt_chunk, given)


def attempt_chunk(task: Task) -> Outcome:
    """Make and try the inputs of a chunk."""
    dice = Dice(task.seed, task.number)
    trials = (_trial(dice) for _ in range(task.inputs))
    return fuzzing.tried(task.subject, trials, lambda trial: _attempt(*trial), _files)


def _trial(dice: Dice) -> Trial:
    gold, system, wanted = dice.pick(SEEDS)
    side = dice.pick(("gold", "sys", "both"))
    gold = gold if side == "sys" else _broken(gold, dice)
    system = gold if side == "both" else system if side == "gold" else _broken(system, dice)
    return Trial(gold, system, dice.pick((1, 2, 3, 4)) if dice.chance(0.2) else wanted)


def _files(trial: Trial) -> dict[str, bytes]:
    return {"gold": trial.gold, "sys": trial.system, "how": f"task {trial.task}\n".encode()}


def _broken(data: bytes, dice: Dice) -> bytes:
    for _ in range(dice.below(3) or 1):
        data = dice.pick((_with_piece, _with_number, _without_element, _doubled_element, bent))(data, dice)
    return data


def _with_piece(data: bytes, dice: Dice) -> bytes:
    piece = dice.pick(PIECES)
    places = [match.end() for match in re.finditer(rb"<\w+" if piece[:1] == b" " else rb">", data)] or [0]
    place = dice.pick(places)
    return data[:place] + piece + data[place:]


def _with_number(data: bytes, dice: Dice) -> bytes:
    found = list(re.finditer(rb'(?<=")[0-9]+(?=")', data))
    if not found:
        return data
    match = dice.pick(found)
    return data[: match.start()] + dice.pick(NUMBERS) + data[match.end() :]


def _without_element(data: bytes, dice: Dice) -> bytes:
    found = list(re.finditer(rb"<[^<>]*>", data))
    if not found:
        return data
    match = dice.pick(found)
    return data[: match.start()] + data[match.end() :]


def _doubled_element(data: bytes, dice: Dice) -> bytes:
    found = list(re.finditer(rb"<(pair|chain|entity|text)\b.*?(/>|</\1>)", data, re.DOTALL))
    if not found:
        return data
    match = dice.pick(found)
    place = dice.pick(found).start()
    return data[:place] + match[0] + data[place:]


def _attempt(gold: bytes, system: bytes, task: int) -> str:
    wanted = Purpose(task)
    expected = plain_xml.read(gold, task, None, is_gold=True)
    try:
        key = read_gold(gold, "d", "g.xml", wanted)
    except InputError as error:
        _check_refusal(error, expected)
        return "gold refused"
    if expected is None:
        raise BrokenPromiseError("gold is taken that a plain reader refuses", str(key))
    answers = plain_xml.read(system, task, expected, is_gold=False)
    try:
        response = read_system(system, "d", "s.xml", wanted, key)
    except InputError as error:
        _check_refusal(error, answers)
        return "system refused"
    if answers is None:
        raise BrokenPromiseError("a system file is taken that a plain reader refuses", str(response))
    _check_counts(key, response, expected.side, answers.side, task)
    _check_writing(key)
    return "scored"


def _check_refusal(error: InputError, expected: object) -> None:
    if expected is not None:
        raise BrokenPromiseError("what a plain reader takes is refused", str(error))
    message = str(error)
    if not isinstance(error, MarkupError) or not message.isprintable() or len(message) > LONGEST_MESSAGE:
        raise BrokenPromiseError("a message that is not one short line", message)


def _check_counts(
    key: Document, response: Document, gold: are_model.Side, system: are_model.Side, task: int
) -> None:
    found, _ = TASKS[task].resolve("d", key, response, TASKS[task])
    ((tally,),) = found.measured.tallies
    worth, left, right = (are_model.pronouns if task in (1, 3) else are_model.chains)(gold, system)
    expected = Tally(float(worth), left, *((0, 0) if task == 1 else (float(worth), right)))
    if tally != expected:
        raise BrokenPromiseError(f"task {task} counts what the model does not", f"{tally}, not {expected}")


def _check_writing(document: Document) -> None:
    """Check that what is written is read as it was."""
    try:
        text = write(document._replace(anaphora=document.anaphora and document.anaphora._replace(text=None)))
    except InputError as error:
        raise BrokenPromiseError("what was read is not written", str(error)) from None
    (again,) = documents(text.encode(), "d", "a.xml")
    if dict(again.clusters) != dict(document.clusters) and list(again.clusters.values()) != list(
        document.clusters.values()
    ):
        raise BrokenPromiseError("what is written is read as something else", text)


if __name__ == "__main__":
    sys.exit(main())
