"""The lines of brat standoff: what each kind is like, which are coreference, and how a file begins."""

import re

_PLACES = "[0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*"
MENTION = re.compile(rf"(T\S+)\t(\S+) ({_PLACES})\s*(?:\t(.*))?")
"""Id, type, places and the text of a mention."""
LINES = {
    "T": MENTION,
    "E": re.compile(r"(E\S+)\t[^\s:]+:(T\S+)(?:\s.*)?"),
    "R": re.compile(r"R\S+\t(\S+) [^\s:]+:(\S+) [^\s:]+:(\S+)(?:\s.*)?"),
    "*": re.compile(r"\*\t(\S+) (\S+(?: \S+)+)\s*"),
    **dict.fromkeys("AMN", re.compile(r"\S\S+\t\S+ \S.*")),
    "#": re.compile(r"#\S*\t.*"),
}
"""What lines are like, by the sign that they begin with."""
SHAPES = {
    "T": "T1, tab, type, start and end (0 4;6 9 if in pieces)",
    "E": "E1, tab, type:T1 and what takes part",
    "R": "R1, tab, name, Arg1:T1 Arg2:T2",
    "*": "*, tab, Equiv, T1 T2",
    "A": "A1, tab, name, T1",
    "M": "M1, tab, name, E1",
    "N": "N1, tab, Reference T1 id",
    "#": "#1, tab, kind, T1, tab, remark",
}
"""The same for messages."""
REFERENCE = re.compile(r"N\S+\t\S+ (T\S+) ([^\t]+)(?:\t.*)?")
"""A line that says what a mention denotes: the mention and the id."""
BEGIN = re.compile(
    rf"(?:T\S+\t\S+ {_PLACES}"  # T1 Type 0 4
    r"|R[0-9]\S*\t\S+(?: \S+:[TE][0-9]\S*){2}"  # R1 Coref Arg1:T2 Arg2:T1
    r"|E[0-9]\S*\t\S+:T[0-9]\S*(?: \S+:[TE][0-9]\S*)*"  # E1 Type:T1 Theme:T2
    r"|\*\t\S+(?: [TE][0-9]\S*){2,}"  # * Equiv T1 T2
    r"|[AM][0-9]\S*\t\S+ [TER][0-9]\S*(?: \S+)?|N[0-9]\S*\t\S+ T[0-9]\S* \S+|#[0-9]\S*\t\S+ [TERAMN][0-9]\S*"
    r") ?(?:\t|\r?\n|\Z)"
)
"""How a file begins: with a line of `LINES` whose ids are like those that brat gives, since rows of other
formats may look like the rest."""


def is_coreference(name: str, *, is_equivalence: bool) -> bool:
    """Return whether a relation or an equivalence of this name says that mentions are coreferent."""
    return name.casefold().startswith("coref") or (is_equivalence and name == "Equiv")
