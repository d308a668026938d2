# SPDX-License-Identifier: MIT
"""What the limit program is to do for a store: which bytes of which file become which rows of the buffer."""
import itertools
import os
import struct

from stores import chunk_path


def edges_of(store):
    """Per axis, the lengths of the chunks (of the inner ones, where there are shards)."""
    if store.edges:
        return [expand(edges) for edges in store.edges]
    return [[chunk] * -(-length // chunk) for length, chunk in zip(store.shape, store.chunks)]


def expand(edges):
    """Run-length encoded edges of a rectilinear grid, one by one."""
    result = []
    for edge in edges:
        result += [edge[0]] * edge[1] if isinstance(edge, (list, tuple)) else [edge]
    return result


def shard_index(path, count):
    """Offset and length of each inner chunk."""
    with open(path, "rb") as f:
        f.seek(-(16 * count + 4), os.SEEK_END)
        return list(struct.iter_unpack("<QQ", f.read(16 * count)))


class Places:
    """Where the bytes of chunks are."""

    def __init__(self, store, folder):
        self.store, self.folder, self.indices = store, folder, {}
        if store.shard:
            self.per_shard = [shard // chunk for shard, chunk in zip(store.shard, store.chunks)]

    def find(self, index):
        if not self.store.shard:
            path = chunk_path(self.store, self.folder, index)
            return path, 0, os.path.getsize(path)
        outer = tuple(i // n for i, n in zip(index, self.per_shard))
        path = chunk_path(self.store, self.folder, outer)
        if path not in self.indices:
            count = 1
            for n in self.per_shard:
                count *= n
            self.indices[path] = shard_index(path, count)
        number = 0
        for i, n in zip(index, self.per_shard):
            number = number * n + i % n
        return path, *self.indices[path][number]


def codec_line(store):
    name, _, compressor = store.codec.partition(":")[0].partition("-")
    level = {"zstd": 3, "gzip": 5, "blosc": 5, "none": 0}[name]
    return f"codec {name} {level} {store.item_size} {compressor or '-'}"


def write_plan(store, folder, path, window=None):
    """A plan for reading the whole array. Its last two axes are rows and columns; chunks are one element thick along the
    others. `window` (start and end per axis) restricts it to the chunks that it meets, and then nothing is copied."""
    edges = edges_of(store)
    starts = [list(itertools.accumulate([0, *lengths]))[:-1] for lengths in edges]
    places = Places(store, folder)
    lines = [codec_line(store), f"buffer {store.bytes}"]
    for index in itertools.product(*(range(len(lengths)) for lengths in edges)):
        start = [starts[axis][i] for axis, i in enumerate(index)]
        shape = [edges[axis][i] for axis, i in enumerate(index)]
        if window and any(a + n <= w[0] or a >= w[1] for a, n, w in zip(start, shape, window)):
            continue
        rows, columns = (min(n, total - a) for n, total, a in zip(shape[-2:], store.shape[-2:], start[-2:]))
        decoded = store.item_size
        for n in shape:
            decoded *= n
        place = 0
        for a, total in zip(start, store.shape):
            place = place * total + a
        file, offset, length = places.find(index)
        item = store.item_size
        lines.append(
            f"{file} {offset} {length} {decoded} {place * item} 0 {0 if window else rows} {columns * item} "
            f"{shape[-1] * item} {store.shape[-1] * item}"
        )
    if store.shard:  # in the order of the files
        lines[2:] = sorted(lines[2:], key=lambda line: (line.split()[0], int(line.split()[1])))
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
