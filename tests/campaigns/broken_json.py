"""Mutations of JSON documents as trees: subtrees replaced, doubled, moved, retyped. Used by fuzz.py.

A tree keeps its scalars and keys as they are written, so that it can hold what no parser would return: keys
twice, NaN, half surrogates.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

from broken_bytes import bent
from dice import Dice
from json_seeds import SEEDS, SEEDS_OF_LINES

Node: TypeAlias = Union[str, "Tree"]


@dataclass
class Tree:
    """An array or, with keys, an object."""

    items: list[Node]
    keys: list[str] | None = None


SCALARS = (
    "null", "true", "false", "0", "1", "-1", "-0", "2", "7", "1.0", "1.5", "1e3", "1E400", "-0.0", "01",
    "+1", ".5", "1.", "0x10", "NaN", "Infinity", "-Infinity", "nan", "None", "'a'", '""', '"a"', '"m1"',
    '"m2"', '"m3"', '"1"', '"0.0-0"', '"clusters"', '"graph"', '"Clusters"', '"jsonlines"', '"\\u0061"',
    '"\\u0000"', '"\\u001b[2J"', '"\\n"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\uD800x"',
    '"\\u2028"', '"\\u202e"', '"\\x41"', '"a', '"\t"', "[]", "{}", "[1,2]", "[2,1]", "[1]", '["a","b"]',
    '["m1","m2"]', '[1,"a"]', "[1,true]", "[1.5]", "[[1]]", "[null]", '{"a":1}', '{"a":1,"a":1}',
    '{"type":"clusters"}', "", "12345678901234567890123", "9" * 4400, "-" + "9" * 4400,
    '"' + "long" * 60 + '"', '"' + "\\u0007" * 90 + '"', "[" * 50 + "]" * 50, "[" * 3000 + "]" * 3000,
    '{"a":' * 3000 + "1" + "}" * 3000, "[" * 60000, '{"a":' * 300 + '"\\ud800"' + "}" * 300,
    "[" + "1," * 300 + "1]", "// comment\n1", "/* c */ 1", "1 2", "1,",
)  # fmt: skip
KEYS = (
    "type", "clusters", "doc_key", "sentences", "text", "tokens", "document_id", "span_clusters",
    "clusters_token_offsets", "part_id", "sent_id", "mentions", "links", "name", "c0", "c1", "c2", "", "x",
    "predicted_clusters", "subtoken_map", "sentence_map", "document", "mention_clusters", "spans", "sents",
    "coref_clusters_1", "start", "end", "corefs", "sentNum", "startIndex", "coref_chains", "index",
    "doc_id", "conll_doc_key", "tokens_number", "tokens_ids", "coref_chain", "cluster_id", "mention_id",
    "is_start", "is_end", "sens", "tok", "coref", "coref_spans", "words", "resolved", "id", "a b", "é",
    "\\ud800",
    "\\u0063", "\\u001b[31m", "\\u0000", "__proto__", "$", "long" * 60, "e" * 500, "\\u2028" * 30, "a\\tb",
    "TYPE", "type ",
)  # fmt: skip


def example(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid document and a broken copy of it."""
    value = dice.pick(SEEDS)
    tree = _tree(value)
    for _ in range(1 + dice.below(3)):
        dice.pick(_CHANGES if dice.chance(0.5) else _MILD_CHANGES)(tree, dice)
    broken = _text(tree, dice.pick((",", ", ", ",\n\t"))).encode("utf-8", "surrogatepass")
    return json.dumps(value).encode(), bent(broken, dice) if dice.chance(0.15) else broken


def example_of_lines(dice: Dice, seeds: Sequence[Sequence[Any]] = SEEDS_OF_LINES) -> tuple[bytes, bytes]:
    """Return a valid file of documents of a neural system, and a broken copy of it."""
    values = dice.pick(seeds)
    in_list = dice.chance(0.3)
    line_feed = "" if dice.chance(0.15) and not in_list else "\n"
    tree = _tree(list(values))
    for _ in range(1 + dice.below(3)):
        changed = tree if dice.chance(0.2) or not tree.items else dice.pick(tree.items)
        if isinstance(changed, Tree):
            dice.pick(_CHANGES if dice.chance(0.5) else _MILD_CHANGES)(changed, dice)
    lines = [_text(item, ", ") for item in tree.items]
    broken = (_text(tree, ",\n") if in_list else line_feed.join([*lines, ""])).encode(
        "utf-8", "surrogatepass"
    )
    valid = json.dumps(values) if in_list else "".join(f"{json.dumps(value)}\n" for value in values)
    return valid.encode(), bent(broken, dice) if dice.chance(0.15) else broken


def _tree(value: Any) -> Tree:
    """Return an array or object of parsed values as a tree."""
    keys = [_written(key) for key in value] if isinstance(value, dict) else None
    inner = list(value.values()) if isinstance(value, dict) else value
    return Tree([_tree(v) if isinstance(v, dict | list) else _written(v) for v in inner], keys)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(node: Node, comma: str) -> str:
    if isinstance(node, str):
        return node
    inner = [_text(item, comma) for item in node.items]
    if node.keys is None:
        return f"[{comma.join(inner)}]"
    pairs = zip(node.keys, inner, strict=True)
    return f"{{{comma.join(f'{key}: {item}' for key, item in pairs)}}}"


def _copy(node: Node) -> Node:
    if isinstance(node, str):
        return node
    return Tree([_copy(item) for item in node.items], None if node.keys is None else list(node.keys))


def _trees(node: Tree) -> list[Tree]:
    return [node, *(below for item in node.items if isinstance(item, Tree) for below in _trees(item))]


def _filled(tree: Tree, dice: Dice, deepest: int = 1) -> Tree:
    """Return an array or object that holds at least `deepest` items, or the root."""
    return dice.pick([tree] + 3 * [inner for inner in _trees(tree) if len(inner.items) >= deepest])


def _lists(tree: Tree) -> list[Tree]:
    return [inner for inner in _trees(tree) if inner.keys is None]


def _odd(dice: Dice) -> str:
    return dice.pick(SCALARS)


def _key(dice: Dice) -> str:
    return f'"{dice.pick(KEYS)}"'


def _put(tree: Tree, place: int, key: str, node: Node) -> None:
    tree.items.insert(place, node)
    if tree.keys is not None:
        tree.keys.insert(place, key)


def _replace(tree: Tree, dice: Dice) -> None:
    where = _filled(tree, dice)
    if where.items:
        where.items[dice.below(len(where.items))] = _odd(dice)


def _delete(tree: Tree, dice: Dice) -> None:
    where = _filled(tree, dice)
    if where.items:
        place = dice.below(len(where.items))
        del where.items[place]
        if where.keys is not None:
            del where.keys[place]


def _insert(tree: Tree, dice: Dice) -> None:
    where = _filled(tree, dice, 0)
    _put(where, dice.below(len(where.items) + 1), _key(dice), _odd(dice))


def _double(tree: Tree, dice: Dice) -> None:
    where = _filled(tree, dice)
    if where.items:
        place = dice.below(len(where.items))
        key = _key(dice) if where.keys is None or dice.chance(0.5) else where.keys[place]
        _put(where, dice.below(len(where.items) + 1), key, _copy(where.items[place]))


def _transplant(tree: Tree, dice: Dice) -> None:
    source, target = _filled(tree, dice), _filled(tree, dice)
    if source.items and target.items:
        target.items[dice.below(len(target.items))] = _copy(dice.pick(source.items))


def _rename(tree: Tree, dice: Dice) -> None:
    where = dice.pick([inner for inner in _trees(tree) if inner.keys is not None] or [tree])
    if where.keys:
        where.keys[dice.below(len(where.keys))] = _key(dice)


def _wrap(tree: Tree, dice: Dice) -> None:
    where = _filled(tree, dice)
    if where.items:
        place = dice.below(len(where.items))
        where.items[place] = Tree([where.items[place]], [_key(dice)] if dice.chance(0.3) else None)


def _unwrap(tree: Tree, dice: Dice) -> None:
    where = _filled(tree, dice)
    places = [i for i, item in enumerate(where.items) if isinstance(item, Tree) and item.items]
    if places:
        place = dice.pick(places)
        inner = where.items[place]
        where.items[place] = inner.items[0] if isinstance(inner, Tree) else inner


def _retype(tree: Tree, dice: Dice) -> None:
    """Write the integers of an array as strings, or the other way round."""
    where = dice.pick(_lists(tree) or [tree])
    for i, item in enumerate(where.items):
        if isinstance(item, str) and (item.startswith('"') or item.isdigit()):
            where.items[i] = f'"{item}"' if item.isdigit() else str(i)


def _retype_all(tree: Tree, dice: Dice) -> None:
    """Write every scalar in an array as a mention of another kind."""
    form = dice.pick(('"{}"', "{}", "[{}, 1]", "[{}]"))
    for where in _lists(tree):
        where.items = [
            form.format(sum(item.encode()) % 50) if isinstance(item, str) else item for item in where.items
        ]


def _shuffle(tree: Tree, dice: Dice) -> None:
    where = _filled(tree, dice, 2)
    order = dice.shuffled(range(len(where.items)))
    where.items = [where.items[i] for i in order]
    if where.keys is not None:
        where.keys = [where.keys[i] for i in order]


def _move(tree: Tree, dice: Dice) -> None:
    """Move a member of an array to another one: a mention into another cluster."""
    sources = [inner for inner in _lists(tree) if inner.items]
    if sources:
        source, target = dice.pick(sources), dice.pick(_lists(tree))
        node = source.items.pop(dice.below(len(source.items)))
        _put(target, 0, "", node)


def _fresh(tree: Tree, dice: Dice) -> None:
    """Add a mention of a kind that the document may have, declared or not."""
    number = dice.below(40)
    node = dice.pick((f'"m{number}"', str(number), f"[{number}, {number + 1}]"))
    _put(dice.pick(_lists(tree) or [tree]), 0, _key(dice), node)


def _drop_member(tree: Tree, dice: Dice) -> None:
    sources = [inner for inner in _lists(tree) if inner.items]
    if sources:
        source = dice.pick(sources)
        del source.items[dice.below(len(source.items))]


def _new_cluster(tree: Tree, dice: Dice) -> None:
    where = dice.pick([inner for inner in _trees(tree) if inner.keys is not None] or [tree])
    _put(
        where, dice.below(len(where.items) + 1), f'"n{dice.below(99)}"', Tree([_written(f"n{dice.below(9)}")])
    )


_CHANGES = (
    _replace, _replace, _replace, _delete, _insert, _double, _transplant, _rename, _wrap, _unwrap, _retype,
    _retype_all,
)  # fmt: skip
_MILD_CHANGES = (_shuffle, _move, _move, _fresh, _drop_member, _new_cluster)
