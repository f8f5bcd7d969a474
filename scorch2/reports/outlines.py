"""The shape of the whole text of a report: what a new report may take the place of.

A text is ours only if all of its lines are those of a report of 1.0.0 or later, or of scorch. So text before,
between or after makes it foreign, and a file is read line by line, once, until one is foreign.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple

from scorch2.model.forms import function_at
from scorch2.scoring.metrics import METRICS

_LONGEST = 1 << 24  # bytes of a line, or of a string in JSON; longer ones are not judged: they are foreign
_RULE = "─"
_LEAST_WIDTH = 60  # characters of a line of prose that was wrapped
_NUMBER = r"-?(?:\d[\d.]*(?:e[+-]?\d+)?|nan|inf)"
_ENDS = rf"\[{_NUMBER}, {_NUMBER}\]"
_VALUE = rf"(?:{_NUMBER}(?: \(0/0\))?(?: {_ENDS})?|{_ENDS})"
_SIGNATURE = r"scorch2 \d+\.\d+[^\s|]*(?: \|.*)?"
_OPENINGS = (
    r"[▲▼*] ", r"\d+ of \d+ ", r"\d+ gates? (?:passed|failed)", r"[\d.]+ % intervals over ",
    r"\d+ (?:documents|mentions?|systems?|pairs?)\b", r"95 % ", r"Scores?\b", r"Counts: ", r"Percent\b",
    r"In brackets: ", r"Most papers pool ", r"F1 (?:in|is) ", r"Lost: ", r"Share: ", r"Parts that ",
    r"In(?: the wrong entity|: )", r"Percentage points ", r"Mentions (?:lost|of each entity)",
    r"(?:[A-Z][a-z ]*? (?:entities|mentions|errors)) cost most: ", r"Classes of mentions: ", r"Left out: ",
    r"Pieces: ", r"Entities with ", r"Of a span error: ", r"Most frequent: ", r"Links of gold ",
    r"Wrong links ", r"Both, first alone", r"Not copied: ", r"Without weight ", r"Intervals\b",
    r"Number of ", r"Less is better", r"Units: ", r"alpha\b", r"kappa\b", r"Bold: ", r"Systems without ",
    r"Systems with ", r"Ranked by ", r"Ranking \d", r"Groups?\b", r"Custom measures ", r"Aggregators:",
    r"Fields, ", r"In other tools:", r"Words? of ", r"No [a-z]+ ",
    r"(?:first|second|brackets|gold|system): ", r"(?:first|second) {2,}\S+(?: \S+)*$", r"Median ", r"Tests? ",
    r"Differences? ", r"Weights? ", r"Documents? ", r"\(after it, ", r"  \S+ {2,}\S", r"  sets, ",
    r" {2,}→ ", r" {2,}\S+  \S", r" {8,}\S", r"Spans? ", r"Rows? ", r"Marks? ", r"Mean ", r"Copied: ",
    r"Windows? ", r"Undefined \(0/0\)",
)  # fmt: skip
"""How the sentences begin that stand above and below tables."""
_COLUMNS = """
    metric document system error first second gate measure file recall precision F1 f1 errors
    mentions R P CoNLL MUC LEA side kind muc nominal window distance antecedent documents rank
    score entity trials ptp measure1 sys1 figure singletons lost_recall correct pieces shared both
    value fp sys2 difference corpus
    units group conll lea share conflated series pronoun via-pronoun pearson-r cycle
"""
_HEADS = "(?:document|error|first|metric|system|rank|kind|gate)"  # of the first columns of tables in LaTeX
_OF_SCORES = r"recall|precision|F1|CoNLL|MUC|LEA|B\\text|CEAF|BLANC|mentions|units|alpha|kappa|MASI|value"
_ALONE = r"(?:CoNLL-2012 average score|Entities(?:, weighted)?)"  # metrics that have one number
_COUNTED = {
    *("extra", "missing", "wrong-link", "wrong-type", "correct link", "correct nil", "wrong nil"),
    *("nil-as-link", "link-as-nil"),
}
_KINDS = rf"(?:{'|'.join(sorted(_COUNTED))})"
_LINES_OF_TEXT = (
    rf"(?:[^\t]*(?:\t|  ))?[^\t]+:(?:(?:\t|  )(?:R|P|F₁|F1)={_VALUE})+",  # XML has no tabs
    rf"(?:[^\t]*(?:\t|  ))?{_ALONE}(?: [\d.]+ %)?: {_VALUE}",
    rf"(?:# )?{_SIGNATURE}",
    r"Most papers pool counts over documents instead: see scorch2 help paper\.",
    rf"{_KINDS}\t[^\t]+(?:\t[^\t]*){{2}}\t\d*\t\d*",
    rf"\d+\t{_KINDS}",
    r"\S+:(?: line)? ?\d*.*: (?:error|warning|note): .* in \".*\": .* and .*",
)
_FOUND = r"\d+ (?:of \d+ numbers?|numbers?|documents?|other (?:file|value)s?|pairs?|options?)\b"
_LINES_OF_VERIFY = (
    r".* (?:holds|differs)(?:\b|, |: ).*",
    r"(?:(?:gold|system) )?\".*\" is [a-z ]+",
    r"the file of .* is another one",
    r"note: .*",
    r"(?:and|\.\.\.|…) (?:and )?\d+ .*",
    r"\S+.*: .*",
)
_LINES_OF_EXPLAIN = (
    _SIGNATURE,
    r".* taken for .*", r"No setting gives .*", r"By chance, .*", r"Not tried, .*", r"Nearest others:",
    r"\.\.\. and \d+ more .*", r".* \d+\.\d{4}.*", r"[RPF]1? .*", r" .*",
)  # fmt: skip
_LINES_OF_CONLL = (
    r":", r"version: .*", r"METRIC \w+:", r"====> .*", r"File \(?.*", r"Entity \d+: .*", r".*; part \d+:",
    r"\(.*\)(?:;.*)?:?", r"Total .*: \d+", r"(?:Strictly|Partially) correct .*: \d+",
    r"(?:No identified|Invented): \d+", r"(?:[\w -]+: )?Recall: .*F1: .*", r"-{5,}", r"=+ ?TOTALS ?=+",
    r"[A-Z][\w -]*:", r"(?:Repeated|Extra) .*",
)  # fmt: skip
_LINES_OF_BIBTEX = (r"@\w+\{[\w:-]+,", r"  [a-z]+ = \{.*\},?", r"\}", r"% .*")
_OF_EXERCISE = ("success_rate", "overlap", "overlap_muc")
_AGGREGATORS = r"(?:sets|overlap-[a-z]+|muc|b_cubed|(?:entity|mention)_ceaf|pairwise(?:_negative)?|lea)"
_OF_LINKING = (
    r"(?:(?:strong|entity)_(?:[a-z_]+_)?match|b_cubed_plus|(?:typed_)?mention_ceaf(?:_plus)?)(?:-micro)?",
    rf"{_AGGREGATORS}(?:-micro|:[a-z_]*:\S.*)?",
)
"""Measures of a table, and those that are spelled out: ``sets::span+kbid``."""
_UA_NAMES = "|".join(("bcub", "ceafe", "ceafm", "mor", "zero", *_OF_EXERCISE, *_OF_LINKING, *METRICS))
_LINES_OF_UA = (
    rf"(?:{_UA_NAMES})", r"(?:(?:  )?(?:Recall|Precision|F1): [\d.]+)+", r"CoNLL score: [\d.]+", r"={44}",
    r"[A-Z][\w -]* scores(?: \([\w ]+\))?:",
)  # fmt: skip


class Shape(NamedTuple):
    """The lines of a form. A line of prose begins as in `_OPENINGS`, or goes on with a line that was full."""

    begins: str  # a pattern: how the first line begins
    lines: tuple[str, ...]  # patterns of whole lines
    ends: str = ""  # a pattern of the last line
    has_tables: bool = False  # whether there are tables, aligned or with tabs
    wraps: bool = False  # whether its lines go on as prose does
    before_prose: str | None = None  # what stands before lines of prose; None if there are none
    needs: tuple[str, ...] = ()  # patterns of lines that must be there


SHAPES: Mapping[str, Shape] = {
    "plain": Shape("", _LINES_OF_TEXT, has_tables=True, before_prose=r"(?:# )?"),
    "flat": Shape(
        r"\S+: [\d.e-]+$", (r"(?:\S+_)?(?:recall|precision|f1|primary): [\d.e-]+", r"\S+_defined: 0")
    ),
    "object": Shape(
        r"\{$",
        (r"[{}]", r" \"(?:\S+_)?(?:recall|precision|f1|primary)\": [\d.e-]+,?", r" \"\S+_defined\": 0,?"),
        needs=(r" \".*",),
    ),
    "ua": Shape(
        rf"(?:{_UA_NAMES})$|CoNLL score|={44}$|[A-Z].* scores",
        _LINES_OF_UA,
        needs=(r".*F1: .*|CoNLL .*|Recall: [\d.]+",),
    ),
    "markdown": Shape(
        r"\||\*\*|`scorch2 |\d+ |[A-Z]",
        (
            r"\*\*\d+ (?:of \d+ )?gates? (?:passed|failed)\*\*",
            rf"`{_SIGNATURE}`",
            r"</?details>.*",
            r"<summary>.*",
        ),
        has_tables=True,
        before_prose="",
    ),
    "latex": Shape(
        r"% needs \\usepackage\{booktabs\}|\\begin\{(?:table\*?|tabular)\}",
        (
            r"\\.*",
            r"[{}]",
            r".*\\\\",
            r"Table~\\ref\{tab:\w+\}, continued\.",
            r"% needs .*",
            rf"% {_SIGNATURE}",
        ),
        before_prose="% ",
        needs=(
            r"\\toprule",
            rf"(?:{_HEADS} & (?:.* & )?(?:{_OF_SCORES})\b|(?:errors|share) & ).*\\\\",
        ),
    ),
    "junit": Shape(
        r"<\?xml version=\"1\.0\" encoding=\"UTF-8\"\?>$",
        (r"<[^<>]+>(?:[^<>]*</failure>)?", r"<system-out>.*", *_LINES_OF_TEXT, r"</system-out>"),
        ends="</testsuites>",
        needs=(r"<testsuites .*", r"<testsuite name=\"scorch2\".*"),
    ),
    "github": Shape(
        r"::(?:error title=\w+[.\[]|\w+ title=(?:scorch2|\d+ ))",
        (r"::(?:notice|warning|error) title=[^:]*::.*",),
    ),
    "openmetrics": Shape(
        r"# TYPE scorch2_",
        (r"# (?:TYPE|HELP) scorch2_.*", r"scorch2_\w+(?:\{.*\})? \S+", r"# EOF"),
        ends="# EOF",
    ),
    "conll": Shape(
        r"version: \S+ scorch2 |METRIC ", _LINES_OF_CONLL, needs=(r"(?:[\w -]+: )?Recall: .*F1: .*",)
    ),
    "jsonl": Shape(
        r"\{\"(?:document|file)\": ",
        (r"\{\"(?:document|file)\": .*\"scores\": \{.*\}",),
        ends=r"\{\"document\": null, .*",
    ),
    "verification": Shape(
        rf".* (?:holds|differs): (?:{_FOUND}|all \d+ numbers |what it says)", _LINES_OF_VERIFY
    ),
    "explanation": Shape(
        r".*, taken for |No setting gives ", _LINES_OF_EXPLAIN, has_tables=True, wraps=True, before_prose=""
    ),
    "svg": Shape(
        r"<\?xml version=\"1\.0\" encoding=\"UTF-8\"\?>$",
        (r"<.*>",),
        ends="</svg>",
        needs=(r"<svg xmlns=\"http://www\.w3\.org/2000/svg\" .* font-family=\"DejaVu Sans, Verdana.*",),
    ),
}
"""The texts that we write in lines, by form. Text, tabs and aligned tables may stand in one file."""

_BIBTEX = Shape(r"@\w+\{|% ", _LINES_OF_BIBTEX, needs=(r"@.*",))


def is_report(stream: BinaryIO) -> bool:
    """Return whether all that a stream holds, from its first byte on, has the shape of one of our outputs."""
    for judge in JUDGES.values():
        stream.seek(0)
        try:
            if judge(stream):
                return True
        except ValueError:  # no UTF-8, or a line that is too long
            pass
    return False


def described(stream: BinaryIO) -> str:
    """Return in words what a file that is not ours looks like, by how it begins."""
    head = stream.read(_BLOCK)
    return next(what for pattern, what in _LOOKS if re.search(pattern, head, re.DOTALL))


_LOOKS = (
    (rb"\A\x89PNG|\A%PDF|\A\xff\xd8\xff|\AGIF8", "an image or a PDF of another program"),
    (rb"\0", "binary data"),
    (rb"\A\s*[\[{]\s*[\"\]}{\[]", "other JSON"),
    (rb"\]\(#[^)\s]*\)|\][_:]? ?\w+|</\w+>#\w+|<(\w+)>[^<]*</\1>", "an answer with marks or other markup"),
    (rb"\A\s*<", "other markup"),
    (rb"\A\s*@\w+\{", "another bibliography"),
    (rb"", "another text"),
)
"""How files of others begin, or what they hold: for messages."""


def _lines_of(stream: BinaryIO) -> Iterator[str]:
    while line := stream.readline(_LONGEST):
        if len(line) == _LONGEST:
            raise ValueError(_LONGEST)
        yield line.decode("utf-8").rstrip("\r\n")


@cache
def _pattern(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.DOTALL).fullmatch


@cache
def _prose(before: str) -> Callable[[str], object]:
    return re.compile(rf"{before}(?:{'|'.join(_OPENINGS)})").match


def _has_shape(shape: Shape, stream: BinaryIO) -> bool:
    lines, table = _lines_of(stream), _Table()
    line = next(lines, "")
    if not re.match(shape.begins, line):
        return False
    needed = [_pattern(need) for need in shape.needs]
    before = last = ""
    is_ours = False  # prose alone may be anybody's
    for after in chain(lines, [""]):
        prose = ""
        if not line:
            table = _Table()
        elif shape.has_tables and table.has(line, after):
            is_ours = True
        elif any(_pattern(one)(line) for one in shape.lines):  # most reports need few of them compiled
            is_ours, prose = True, line if shape.wraps or _signed(line) else ""
        elif _is_prose(shape, before, line):
            prose = line
        else:
            return False
        needed = [found for found in needed if not found(line)] if needed else needed
        before, last, line = prose, line or last, after
    return is_ours and not needed and bool(_pattern(shape.ends or ".*")(last))


def _is_prose(shape: Shape, before: str, line: str) -> bool:
    prefix = shape.before_prose
    return prefix is not None and (_prose(prefix)(line) is not None or _goes_on(before, line, prefix))


def _goes_on(before: str, line: str, prefix: str) -> bool:
    """Return whether a line goes on with the one before, on which its first word had no place."""
    if _signed(before):
        return re.match(r"(?:\| )?[\w-]+[= ]", line) is not None and "=" in line
    first = line.removeprefix(prefix).split(" ", 1)[0]
    if before[:1].isspace() != line[:1].isspace():
        return False
    return before != "" and len(before) + 1 + len(first) > _LEAST_WIDTH and before[-1:] != "."


def _signed(line: str) -> bool:
    return re.match(rf"(?:% |# |`)?{_SIGNATURE}", line) is not None


_EMPTY = ("Entities", "BLANC", "CoNLL")  # metrics whose row may be empty


class _Table:
    """The table that a line may belong to: with tabs, aligned above and below a rule, or of Markdown."""

    def __init__(self) -> None:
        self._tabs = self._bars = self._rule = 0

    def has(self, line: str, after: str) -> bool:
        """Return whether a line is a head, a rule or a row."""
        if line.startswith("|"):
            is_row = self._bars == line.count("|") - line.count("\\|")
            if not is_row and _is_head(line.split("|")):
                self._bars, is_row = line.count("|") - line.count("\\|"), True
            return is_row
        if after and not after.strip(_RULE):
            return _is_head(line.split("  "))
        if not line.strip(_RULE):
            self._rule = len(line)
        if self._rule:
            return len(line) <= self._rule and ("  " in line or line.startswith((*_EMPTY, _RULE)))
        tabs = line.count("\t")
        if tabs and tabs != self._tabs and _is_head(line.split("\t")):
            self._tabs = tabs
        return tabs > 0 and tabs == self._tabs


@cache
def _columns() -> set[str]:
    """Return columns of our tables: the first two of each are among them, or metrics."""
    metrics = {name for row in METRICS.values() for name in (row.name, row.label)}
    return metrics | {*_COLUMNS.split(), "recall counts", "precision counts"}


def _is_head(cells: Iterable[str]) -> bool:
    """Return whether the first two columns are ours; what follows a dot in a name is about it."""
    names = (name.partition(".")[0] for name in map(str.strip, cells) if name)
    first, second = next(names, ""), next(names, "")
    if second in ("metric", "gold") or re.fullmatch(".+ [RP]", second):
        dimensions: Any = function_at("analysis.table:DIMENSIONS")
        if first == "genre" or first in dimensions:
            return True
    if first.endswith(":"):  # a line of text, which no head is like: the metrics need not be imported
        return False
    return {first, second} <= _columns() or (first, second) == ("Name", "Aggregate")


_SYSTEM = b"system,"  # how rows of systems begin


def _is_csv(stream: BinaryIO) -> bool:
    """Return whether a stream is rows of systems, all with as many cells as the head."""
    if stream.read(len(_SYSTEM)) != _SYSTEM:
        return False
    from csv import Error, reader

    stream.seek(0)
    try:
        rows = reader(f"{line}\n" for line in _lines_of(stream))
        head = next(rows, [])
        is_ours = len(head) > 1 and _is_head(head)
        return is_ours and all(len(row) == len(head) for row in rows)
    except Error:
        return False


def _is_bibtex(stream: BinaryIO) -> bool:
    """Return whether a stream is a list of papers that we cite."""
    if not _has_shape(_BIBTEX, stream):
        return False
    papers: Any = function_at("audit.cite:PAPERS")
    stream.seek(0)
    found = (re.match(r"@\w+\{(.*),", line) for line in _lines_of(stream))
    return all(key is None or key[1] in papers for key in found)


_PNG, _PDF = b"\x89PNG\r\n\x1a\n", b"%PDF-"
_NAMED = {
    b"<?xml ve": (b"<dc:title>scorch2</dc:title>", b"</svg>\n"),  # of matplotlib
    _PNG: (b"tEXtSoftware\0scorch2", b"IEND\xaeB`\x82"),
    _PDF: (b"/Creator (scorch2)", b"%%EOF\n"),
}
"""What is in an image that we wrote, by how it begins, and how it ends."""


def _is_image(stream: BinaryIO) -> bool:
    head = stream.read(8)
    for begin, (name, end) in _NAMED.items():
        if head.startswith(begin):
            stream.seek(-len(end), 2)
            if stream.read() != end:
                return False
            stream.seek(0)
            before = b""
            while block := stream.read(_LONGEST):
                if name in before + block:
                    return True
                before = block[-len(name) :]
    return False


_POLICY = '<meta http-equiv="Content-Security-Policy" content="'


def _is_page(stream: BinaryIO) -> bool:
    """Return whether a stream is a page: each line is markup, or a style or script that its head allows."""
    lines = _lines_of(stream)
    head = list(islice(lines, _HEAD)) if next(lines, "") == "<!DOCTYPE html>" else []
    policy = next((line for line in head if line.startswith(_POLICY)), "")
    inside, last, text = "", "", ""
    if not policy or not head[0].startswith('<html lang="en">'):
        return False
    for line in chain(head, lines):
        last = line or last
        if not (inside or line.startswith("<")):
            return False
        at = 0
        while found := re.compile(f"</{inside}>" if inside else _CODE).search(line, at):
            if inside and not _is_allowed(text + line[at : found.start()], policy):
                return False
            inside, text, at = "" if inside else found[1], "", found.end()
        text += f"{line[at:]}\n" if inside else ""
    return not inside and last.endswith("</html>")


def _is_allowed(code: str, policy: str) -> bool:
    from base64 import b64encode
    from hashlib import sha256

    return f"sha256-{b64encode(sha256(code.encode()).digest()).decode()}" in policy


_HEAD = 4  # lines, the last of which is the policy at the latest
_CODE = "<(style|script)>"
_JSON_PIECE = r'[ \t\r\n]+|"(?:[^"\\]|\\.)*"|[-+.\w]+|[\[\]{},:]'
_BLOCK = 1 << 16
_OF_REPORTS: Sequence[tuple[set[str], set[str]]] = (
    ({"schema", "version", "signature"}, set()),
    ({"schema", "version", "rankings"}, set()),
    ({"measures", "groups", "default"}, set()),
    (set(), {"fn", "fp", "ptp", "rtp", "fscore"}),
    (set(), {"measure", "stats"}),
    (set(), {"measure", "intervals"}),
    (set(), {"label", "document", "gold", "system", "start", "end"}),
    (set(), {"level", "kind", "document", "path"}),
)
"""The keys of an object, and of the objects in it or in a list, by which JSON of ours is known."""


def _is_json(stream: BinaryIO) -> bool:
    """Return whether a stream is one JSON value with keys of ours; nothing of it is kept but two sets."""
    keys: tuple[set[str], set[str]] = (set(), set())
    open_: list[str] = []
    want, size = "v", 0  # a value, a key (k), a colon, a comma or an end (,), nothing more (.)
    are_numbers = True
    for token in _tokens(stream):
        size += 1
        kind = token[0]
        if kind in "}]":
            if not open_ or open_.pop() != "{["["}]".index(kind)] or want not in (",", "v?", "k?"):
                return False
            want = "," if open_ else "."
        elif want in ("k", "k?") and kind == '"':
            if len(open_) <= len(keys) and len(keys[len(open_) - 1]) < _MOST_KEYS:
                keys[len(open_) - 1].add(token[1:-1])
            want = ":"
        elif want == kind and kind in ":,":
            want = "v" if kind == ":" or open_[-1] == "[" else "k"
        elif want in ("v", "v?") and kind in "{[":
            open_.append(kind)
            want = "k?" if kind == "{" else "v?"
        elif want in ("v", "v?") and kind not in ":,":
            want, are_numbers = "," if open_ else ".", are_numbers and kind != '"'
        else:
            return False
    known = any(of_value <= keys[0] and of_members <= keys[1] for of_value, of_members in _OF_REPORTS)
    is_count = are_numbers and bool(keys[0]) and keys[0].issubset(_COUNTED)
    return want == "." and (known or is_count or size == _EMPTY_LIST)


_MOST_KEYS = 100
_EMPTY_LIST = 2  # tokens


def _tokens(stream: BinaryIO) -> Iterator[str]:
    decode = getincrementaldecoder("utf-8")().decode
    token = re.compile(_JSON_PIECE, re.DOTALL)
    text, is_last = "", False
    while not is_last:
        block = stream.read(_BLOCK)
        is_last = not block
        text, at = text + decode(block, is_last), 0
        while (found := token.match(text, at)) and (is_last or found.end() < len(text)):
            at = found.end()
            if not found[0].isspace():
                yield found[0]
        text = text[at:]
        is_odd = text and not found and text[0] != '"'  # only strings go on in the next block
        if is_odd or len(text) > _LONGEST or (is_last and text):
            raise ValueError(_LONGEST)


JUDGES: Mapping[str, Callable[[BinaryIO], bool]] = {
    "image": _is_image,
    "json": _is_json,
    "html": _is_page,
    "csv": _is_csv,
    "bibtex": _is_bibtex,
    **{name: partial(_has_shape, shape) for name, shape in SHAPES.items()},
}
"""What tells the shapes, by their names; each of `FORMS` names its own."""
