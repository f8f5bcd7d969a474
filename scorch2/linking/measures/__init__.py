"""The table of linking measures: each is an aggregator, a filter and a key of fields."""

from collections.abc import Iterable, Mapping

from scorch2.linking.fields import FIELDS
from scorch2.linking.measures.measure import AGGREGATORS, Measure
from scorch2.linking.mentions import Mentions
from scorch2.model.errors import UsageError, quoted, unknown_name

_TAGGING, _COREF = ("all", "all-tagging"), ("all", "all-coref")

_ROWS = (
    Measure("strong_mention_match", "sets", "", ("span",), (*_TAGGING, "hachey", "tac14"),
            equals="mention detection; recognition in GERBIL (strong)"),
    Measure("strong_typed_mention_match", "sets", "", ("span", "type"), (*_TAGGING, "tac14"),
            equals="NER F1 of CoNLL-2002/2003 (conlleval); not GERBIL's typing, which weighs a hierarchy"),
    Measure("strong_linked_mention_match", "sets", "is_linked", ("span",), (*_TAGGING, "cornolti", "hachey"),
            equals="mentions of Cornolti et al. 2013"),
    Measure("strong_link_match", "sets", "is_linked", ("span", "kbid"),
            (*_TAGGING, "cornolti", "hachey", "tac09", "tac11", "tac14"),
            equals="A2KB in GERBIL (strong, micro); recall: KB accuracy of TAC 2009-2013"),
    Measure("strong_nil_match", "sets", "is_nil", ("span",), (*_TAGGING, "tac09", "tac11", "tac14"),
            equals="recall: NIL accuracy of TAC 2009-2013"),
    Measure("strong_all_match", "sets", "", ("span", "kbid"), (*_TAGGING, "tac09", "tac11", "tac14"),
            equals="recall: overall accuracy of TAC 2009-2013"),
    Measure("strong_typed_link_match", "sets", "is_linked", ("span", "type", "kbid"), _TAGGING),
    Measure("strong_typed_nil_match", "sets", "is_nil", ("span", "type"), _TAGGING),
    Measure("strong_typed_all_match", "sets", "", ("span", "type", "kbid"), (*_TAGGING, "tac14"),
            equals="official score of TAC 2014, with mention_ceaf"),
    Measure("entity_match", "sets", "is_linked", ("docid", "kbid"), (*_TAGGING, "cornolti", "hachey"),
            equals="C2KB in GERBIL (micro)"),
    Measure("muc", "muc", "", ("span",), (*_COREF, "luo"), equals="muc over the whole corpus"),
    Measure("b_cubed", "b_cubed", "", ("span",), (*_COREF, "luo", "tac11", "tac14"),
            aliases=("bcub", "b3"), equals="b_cubed over the whole corpus"),
    Measure("b_cubed_plus", "b_cubed", "", ("span", "kbid"), (*_COREF, "tac11", "tac14"),
            equals="B³+ of TAC 2011-2013"),
    Measure("entity_ceaf", "entity_ceaf", "", ("span",), (*_COREF, "luo", "tmp"),
            aliases=("ceaf_e", "ceafe"), equals="ceaf_e over the whole corpus"),
    Measure("mention_ceaf", "mention_ceaf", "", ("span",), (*_COREF, "luo", "tac14", "tmp"),
            aliases=("ceaf_m", "ceafm"),
            equals="ceaf_m over the whole corpus; official score of TAC 2014, with strong_typed_all_match"),
    Measure("mention_ceaf_plus", "mention_ceaf", "", ("span", "kbid"), _COREF),
    Measure("typed_mention_ceaf", "mention_ceaf", "", ("span", "type"), (*_COREF, "tac14"),
            equals="official clustering score of TAC 2015-2017"),
    Measure("typed_mention_ceaf_plus", "mention_ceaf", "", ("span", "type", "kbid"), _COREF,
            equals="with knowledge base ids, TAC 2015-2017"),
    Measure("pairwise", "pairwise", "", ("span",), (*_COREF, "tmp"), equals="pairwise over the whole corpus"),
)  # fmt: skip
MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in _ROWS}
GROUPS: Mapping[str, tuple[str, ...]] = {
    group: tuple(measure.name for measure in _ROWS if group in measure.groups)
    for group in sorted({group for measure in _ROWS for group in measure.groups})
}
"""The names of measures by the name of their group."""
DEFAULT = "all"
MICRO_SUFFIX = "-micro"
"""An ending of measure names in old scripts of neleval: ignored, but kept in the name."""
_CUSTOM = 2
"""Colons in the name of a measure that is spelled out: ``aggregator:filter:key+key``."""


def named(names: Iterable[str]) -> tuple[Measure, ...]:
    """Return the measures that `names` mean: measures, groups of them, or ``aggregator:filter:key+key``.

    The names of measures and groups are understood in any case, those of fields as they are written.

    Raises
    ------
    UsageError
        For a name that is none, with the nearest one.

    >>> [measure.name for measure in named(["luo", "muc", "sets:is_nil:span+type"])]
    ['muc', 'b_cubed', 'entity_ceaf', 'mention_ceaf', 'sets:is_nil:span+type']
    """
    aliases = {alias: measure.name for measure in _ROWS for alias in measure.aliases}
    found: dict[str, Measure] = {}
    for name in names:
        meant = name.casefold().removesuffix(MICRO_SUFFIX)
        if meant in GROUPS:
            found |= {one: MEASURES[one] for one in GROUPS[meant]}
        elif name.count(":") == _CUSTOM:
            found[name] = _spelled_out(name)
        elif aliases.get(meant, meant) in MEASURES:
            measure = MEASURES[aliases.get(meant, meant)]
            measure = measure._replace(name=name) if name.casefold().endswith(MICRO_SUFFIX) else measure
            found[measure.name] = measure
        else:
            raise UsageError(unknown_name(name, "measure", [*MEASURES, *GROUPS]))
    return tuple(found.values())


def single(name: str) -> Measure:
    """Return the single measure that `name` means; see `named`."""
    found = named([name])
    if len(found) > 1:
        raise UsageError(f"{quoted(name)} is a group of measures: name one of them")
    return found[0]


def _spelled_out(name: str) -> Measure:
    aggregator, field, key = name.split(":")
    if aggregator not in AGGREGATORS:
        raise UsageError(f"measure {quoted(name)}: {unknown_name(aggregator, 'aggregator', AGGREGATORS)}")
    fields = tuple(key.split("+"))
    for one in fields:
        if one in FIELDS and not FIELDS[one].comparable:
            raise UsageError(f"measure {quoted(name)}: mentions cannot be compared by {one}")
        if not one:
            raise UsageError(f"measure {quoted(name)}: the key after the last colon lacks a field")
    return Measure(name, aggregator, "" if field == "None" else field, fields)


def check_fields(names: Iterable[str], sides: Iterable[Mentions]) -> None:
    """Raise a UsageError for a field that is neither in the table nor in a JSON type of any mention."""
    unknown = [name for name in names if name and name not in FIELDS]
    if not unknown:
        return
    there = {name for side in sides for name in side.members()}
    for name in unknown:
        if name not in there:
            raise UsageError(unknown_name(name, "field", [*FIELDS, *sorted(there)]))
