"""Row, what tables are made of: a record with named fields that is made once, when its module is imported."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_: bool) -> Callable[[type], type]:
        """Say nothing: this is for type checkers, and Python 3.10 lacks it."""
        return lambda made: made


@dataclass_transform(frozen_default=True)
class Row:
    """A base with which classes are written as named tuples are: fields with their types, and defaults.

    A class of it is made in a ninth of the time of a named tuple, of which 13 took 4 % of a run over a small
    document. It is no tuple: rows have no order and no length.
    """

    _fields: dict[str, Any]  # defaults by the name of the field, in their order; None if it has none
    _needed: tuple[str, ...]  # the fields without default, which come first

    def __init_subclass__(cls) -> None:
        own = vars(cls)
        cls._fields = {name: own.get(name) for name in cls.__annotations__}
        cls._needed = tuple([name for name in cls._fields if name not in own])

    def __init__(self, *values: Any, **named: Any) -> None:
        for name in self._needed[len(values) :]:
            if name not in named:
                raise KeyError(name)
        fields = vars(self)  # a run makes some hundred rows: no dict is made besides
        fields.update(self._fields)
        fields.update(zip(self._fields, values, strict=False))
        fields.update(named)

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"

    def with_changes(self, **changes: Any) -> "Self":
        """Return the row with other values in some fields."""
        return type(self)(**(vars(self) | changes))
