"""From two paths to the files that belong together, before anything is read."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.formats.keys import gold_keys, system_keys
from scorch2.formats.source import STDIN, stem
from scorch2.model.errors import InputError, Notice, PairingError
from scorch2.model.messages import counted, quoted, shown_path
from scorch2.model.options import Options
from scorch2.scoring.files import Choice, Side, is_folder, listed_folder, one_file


class Plan(NamedTuple):
    """The files of both sides, by the stems under which they belong together."""

    gold: Side
    system: Side
    stems: Sequence[str]
    """The stems of both sides, sorted by code point; those of the folder if the other side is a file."""
    notices: tuple[Notice, ...] = ()
    """Warnings about the names of the files."""

    @property
    def is_mixed(self) -> bool:
        """True if one side is a folder and the other a file: then documents pair, and not files."""
        return self.gold.is_folder != self.system.is_folder

    def part(self, stems: Sequence[str]) -> "Plan":
        """Return the plan of some of the stems: what another process has to know."""
        gold, system = (
            side._replace(files={name: side.files[name] for name in stems if name in side.files})
            for side in (self.gold, self.system)
        )
        return Plan(gold, system, stems)

    def prefix(self, stem: str) -> str:
        """Return how the ids of several documents of one stem begin."""
        return f"{stem}/" if self.gold.is_folder else ""


def plan(gold: str, system: str, options: Options) -> Plan:
    """Match up two folders, two files or streams, or list a folder that is compared with a file.

    Raises
    ------
    PairingError
        For files on one side only (unless the options allow for them), nothing to score, files that the
        option ``pair`` cannot tell apart.
    InputError
        For a path that does not exist; a folder with two files of one id, a pipe, a device, a dead link.
    """
    if gold == system == STDIN:
        raise PairingError("only one side can be standard input (-)")
    choices = Choice(options.gold_files, "--gold-files"), Choice(options.sys_files, "--sys-files")
    folders = is_folder(gold), is_folder(system)
    name = stem(system if gold == STDIN else gold)
    golds, systems = (
        listed_folder(path, choice) if of_folder else one_file(path, name, choice)
        for path, choice, of_folder in zip((gold, system), choices, folders, strict=True)
    )
    golds = golds._replace(format=options.gold_format, keys=gold_keys(options.gold_key))
    systems = systems._replace(format=options.sys_format, keys=system_keys(options.sys_key))
    if folders[0] != folders[1]:
        return Plan(golds, systems, list((golds if folders[0] else systems).files))
    if not folders[0]:
        return Plan(golds, systems, [name])
    systems = systems._replace(files=_renamed(golds, systems, options))
    if golds.files.keys() == systems.files.keys():
        return Plan(golds, systems, list(golds.files))
    from scorch2.scoring.pairing.unpaired import account

    notices = account(golds.files, systems.files, options, "file")
    if options.missing == "skip" and golds.files.keys().isdisjoint(systems.files):
        raise PairingError("no gold file has a system file: nothing is left to score")
    both = sorted({**golds.files, **systems.files})  # both are sorted: a dict keeps that
    return Plan(golds, systems, both, notices)


def _renamed(gold: Side, system: Side, options: Options) -> Mapping[str, str]:
    """Return the files of the system by the stems of the gold files that they answer to."""
    if options.pair == "name":
        return system.files
    if options.pair == "order":
        if len(gold.files) != len(system.files):
            there = [
                f"{counted(len(side.files), 'file')} in {shown_path(side.path)}" for side in (gold, system)
            ]
            raise PairingError(f"--pair=order needs equal numbers, not {there[0]} and {there[1]}")
        return dict(zip(gold.files, system.files.values(), strict=True))
    from scorch2.scoring.pairing.keys import last_part, the_only_ones

    by_part = the_only_ones({name: last_part(name) for name in gold.files}, "gold file")
    found: dict[str, str] = {}
    for name, path in system.files.items():
        answered = by_part.get(last_part(name), name)
        if answered in found:
            both = f"{shown_path(found[answered])} and {shown_path(path)}"
            raise InputError(system.path, "", f"--pair=basename: {both} both answer to {quoted(answered)}")
        found[answered] = path
    return found
