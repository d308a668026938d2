# SPDX-License-Identifier: MIT
"""What a power failure may leave of a folder, by the record of a process that changed it: autotest/faults/fault_trace.c.

The promise of a POSIX file system: the content of a file is on the disk after fsync of the file, and the names in a
folder after fsync of the folder. Everything else may be on the disk or not, each change for itself, in any order; of a
write, also a half. A change of a name is made wholly or not at all.
"""

import dataclasses
import itertools
import os
import random


@dataclasses.dataclass(frozen=True)
class Change:
    """A change of a file's content (`data`), or of a name (`inode`, None if it goes away)."""

    place: object  # the inode, or the path
    offset: int = 0
    data: bytes | None = None
    inode: object = None


class Record:
    """The changes in their order, what was forced to the disk when, and the marks of the program."""

    def __init__(self, trace, folder, before=None):
        """`before` is a copy of the folder as it was, which is on the disk."""
        self.folder = os.path.realpath(folder)
        self.events = []  # lists of changes that belong together; ("sync", inode), ("syncdir", path), ("mark", text)
        self.names = {self.folder: "folder"}
        self.inodes = {}
        self.base = list(self.find_base(before)) if before else []
        with open(trace, encoding="utf-8") as file:
            for line in file:
                self.add(*line.rstrip("\n").split(" ", 1))

    def find_base(self, before):
        for root, folders, files in os.walk(before):
            here = os.path.normpath(os.path.join(self.folder, os.path.relpath(root, before)))
            for name in folders:
                self.names[f"{here}/{name}"] = "folder"
                yield Change(f"{here}/{name}", inode="folder")
            for name in files:
                self.names[f"{here}/{name}"] = ("before", f"{here}/{name}")
                yield Change(f"{here}/{name}", inode=("before", f"{here}/{name}"))
                with open(f"{root}/{name}", "rb") as file:
                    yield Change(("before", f"{here}/{name}"), data=file.read())

    def add(self, what, rest):
        if what == "new":
            inode, path = rest.split(" ", 1)
            self.inodes[inode] = (inode, len(self.events))  # the system uses the numbers of removed files again
            self.name([(path, self.inodes[inode])] if path != "-" else [])
        elif what == "write":
            inode, offset, digits = rest.split(" ")
            self.events.append([Change(self.inodes[inode], int(offset), bytes.fromhex(digits))])
        elif what == "sync":
            self.events.append(("sync", self.inodes.get(rest)))
        elif what in ("syncdir", "mark"):
            self.events.append((what, rest))
        elif what == "link":
            inode, path = rest.split(" ", 1)
            self.name([(path, self.inodes[inode])])
        elif what == "mkdir":
            self.name([(rest, "folder")])
        elif what == "remove":
            self.name([(rest, None)])
        else:
            source, target = rest.split("\t")
            self.move(source, target, what == "exchange")

    def move(self, source, target, both):
        there, here = self.names.get(source), self.names.get(target)
        pairs = [(target, there), (source, here if both else None)]
        for path, inode in list(self.names.items()):
            if path.startswith(source + "/"):
                pairs.append((target + path[len(source) :], inode))
                if not both:
                    pairs.append((path, None))
            if both and path.startswith(target + "/"):
                pairs.append((source + path[len(target) :], inode))
        self.name(pairs)

    def name(self, pairs):
        """Changes of names that are made together: of a rename, the file has one of the names."""
        for path, inode in pairs:
            self.names[path] = inode
        if pairs:
            self.events.append([Change(path, inode=inode) for path, inode in pairs])


def is_forced(changes, later):
    """Whether later events force changes to the disk. Those of one rename are in one transaction of the file system."""
    first = changes[0]
    if first.data is not None:
        return ("sync", first.place) in later
    return ("syncdir", os.path.dirname(first.place)) in later


def build(changes):
    """Returns the tree: bytes, or None for a folder, by path. What is in a folder without a name is lost."""
    names, contents = {}, {}
    for change in changes:
        if change.data is None:
            names[change.place] = change.inode
        else:
            old = contents.get(change.place, b"").ljust(change.offset, b"\0")
            contents[change.place] = old[: change.offset] + change.data + old[change.offset + len(change.data) :]
    return names, contents


def make_tree(record, changes):
    names, contents = build(changes)
    names[record.folder] = "folder"
    tree = {}
    for path, inode in sorted(names.items()):
        parents = itertools.takewhile(lambda p: len(p) >= len(record.folder), get_parents(path))
        if inode is None or any(names.get(parent) != "folder" for parent in parents):
            continue
        tree[path[len(record.folder) :]] = None if inode == "folder" else contents.get(inode, b"")
    return tree


def get_parents(path):
    while path != "/":
        path = os.path.dirname(path)
        yield path


def halve(change):
    if change.data is None or len(change.data) < 2:
        return change
    return dataclasses.replace(change, data=change.data[: len(change.data) // 2])


def find_states(record, most=64, seed=1):
    """Yields the marks that were made before a power failure and what the disk then has, for each instant of it and
    each choice of what had come to the disk; at most `most` choices for an instant, at random if there are more."""
    chooser = random.Random(seed)
    seen = set()
    for instant in range(len(record.events) + 1):
        events = record.events[:instant]
        marks = tuple(event[1] for event in events if event[0] == "mark")
        groups = [(i, event) for i, event in enumerate(events) if isinstance(event, list)]
        forced = [is_forced(changes, events[i + 1 :]) for i, changes in groups]
        for choice in choose(forced.count(False), most, chooser):
            picks = iter(choice)
            changes = list(record.base)
            for (_, group), is_safe in zip(groups, forced, strict=True):
                pick = 1 if is_safe else next(picks)
                changes += [[], group, [halve(change) for change in group]][pick]
            tree = make_tree(record, changes)
            key = (marks, tuple(sorted(tree.items(), key=lambda item: item[0])))
            if key not in seen:
                seen.add(key)
                yield marks, tree


def choose(count, most, chooser):
    """Tuples of 1 (on the disk), 0 (not), and -1 (a half)."""
    if 3**count <= most:
        yield from itertools.product((1, 0, -1), repeat=count)
        return
    yield (1,) * count
    yield (0,) * count
    for _ in range(most - 2):
        yield tuple(chooser.choice((1, 0, -1)) for _ in range(count))


def write_tree(tree, folder):
    os.makedirs(folder)
    for path, content in tree.items():
        if content is None:
            os.makedirs(folder + path, exist_ok=True)
            continue
        with open(folder + path, "wb") as file:
            file.write(content)
