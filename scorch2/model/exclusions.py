"""Options that change numbers and exclude each other."""

from collections.abc import Mapping

from scorch2.model.errors import UsageError


def check_together(chosen: Mapping[str, object]) -> None:
    """Check what is chosen together.

    Raises
    ------
    UsageError
        For options that exclude each other.
    """
    documents = chosen.get("documents", "file")
    if chosen.get("average") == "files" and documents != "file":
        raise UsageError(f"documents={documents} joins documents of several files: average=files has no use")
    lookup = chosen.get("lookup", "pairs")
    if lookup == "pairs":
        return
    if chosen.get("twinless") == "singletons":
        raise UsageError(f"twinless=singletons needs lookup=pairs, not lookup={lookup}")
    if lookup == "nearest" and chosen.get("match") in ("craft", "mina"):
        why = "lookup=nearest knows match=exact, head and partial"
        raise UsageError(f"{why}, not {chosen['match']} (use lookup=reference)")
    if (lookup, chosen.get("zeros")) == ("nearest", "dependency"):
        raise UsageError("zeros=dependency makes pairs, which lookup=nearest does not know (use reference)")
