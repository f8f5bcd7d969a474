"""The number of things that are compared or kept for a document: more than real documents ever have."""

_MOST, _EACH = 300_000, 20


def is_too_many(number: int, units: int) -> bool:
    """Return whether a number is above 300 000, and above 20 for each mention, word or line there is.

    So the time and the memory of a run grow with its input, whatever its shape.
    """
    return number > _MOST and number > _EACH * units
