"""The cells of a row that are about coreference: the attributes of the column MISC, and errors."""

COLUMNS = 10
"""The columns of CoNLL-U, of which MISC is the last."""
ATTRIBUTES = {"Entity": "Entity", "Bridge": "Bridge", "SplitAnte": "SplitAnte", "Split": "SplitAnte"}
"""The attributes of MISC in which CorefUD says what is coreferent, with what they are called today."""


class CellError(ValueError):
    """A cell that cannot be read; ``str()`` says why."""


def is_coreference(attribute: str) -> bool:
    """Return whether an attribute of MISC is about coreference."""
    name, equals, _ = attribute.partition("=")
    return bool(equals) and name in ATTRIBUTES


def without_coreference(misc: str) -> str:
    """Return the cell MISC without the attributes that say what is coreferent."""
    kept = [attribute for attribute in misc.split("|") if not is_coreference(attribute)]
    return "|".join(kept) or "_"
