# SPDX-License-Identifier: MIT
"""What is measured, and what it is to reach.

A case runs one job per tool. A goal says that the time of `tool` (wall, or "cpu") is at most `bound` times that of
`other`; with `seconds` instead, that it is at most those.
"""
import dataclasses
from typing import Callable

from stores import Store
from worker import retire


@dataclasses.dataclass(frozen=True)
class Goal:
    tool: str
    other: str
    bound: float
    measure: str = "seconds"


@dataclasses.dataclass
class Case:
    name: str
    jobs: dict[str, Callable]  # tool -> function(tool object, check) -> result
    goals: list
    values: bool = True  # whether the jobs give the same values, and can tell their checksum


class Cases:
    def __init__(self, data, threads, scale):
        self.data, self.scale = data, scale
        self.builtin_many = f"built-in, {threads} threads"
        n, big = 8192 // scale, 16384 // scale
        elevation = {"kind": "elevation", "shape": (n, n), "chunks": (512, 512)}
        self.zstd = Store("v2-zstd", **elevation)
        self.lz4 = Store("v2-lz4", codec="blosc-lz4", **elevation)
        self.full = [
            (self.zstd, "full read, v2 zstd, 512"),
            (self.lz4, "full read, v2 blosc-lz4, 512"),
            (Store("v1-lz4", codec="blosc-lz4", version=1, **elevation), "full read, v1 blosc-lz4, 512"),
            (
                Store("v3-shards", "elevation", (n, n), (256, 256), version=3, shard=(4096 // scale, 4096 // scale)),
                "full read, v3 shards 4096/256 zstd",
            ),
            (
                Store("cube", "cube", (24, n // 4, n // 4), (1, 256, 256), codec="blosc-zstd"),
                "full read, cube 24 x 2048², blosc-zstd",
            ),
            (
                Store("big-lz4", "elevation", (big, big), (1024, 1024), codec="blosc-lz4"),
                "full read, 16384², blosc-lz4, 1024",
            ),
            (Store("v2-gzip", codec="gzip", **elevation), "full read, v2 gzip, 512"),
            (Store("v2-none", codec="none", **elevation), "full read, v2 uncompressed, 512"),
            (Store("v3-zstd", version=3, **elevation), "full read, v3 zstd, 512"),
        ]
        self.cube = self.full[4][0]
        steps = [[384, 8], [640, 8]]
        axis = [[length, count // scale if scale > 1 else count] for length, count in steps]
        self.uneven = Store("v3-rectilinear", version=3, edges=(axis, axis), **elevation)
        self.rgb = Store(
            "v2-pixel", "image", (n // 2, n // 2, 3), (512, 512, 3), "blosc-lz4", dimensions=("y", "x", "band")
        )
        bands = ("band", "y", "x")
        self.planar = [
            (Store(f"planar-{codec}", "planes", (3, n // 2, n // 2), (3, 512, 512), codec, dimensions=bands), codec)
            for codec in ("blosc-lz4", "zstd", "none")
        ]
        self.missing = Store("missing", "elevation", (big, big), (512, 512), filled=False)

    def all(self):
        """Names of cases, and what makes them: data are made when they are needed."""
        for store, name in self.full:
            yield name, lambda store=store, name=name: self.read(store, name)
        yield "full read, rectilinear grid of as many chunks", self.rectilinear
        yield "400 random unaligned 256² windows, v2 zstd, 512", self.windows
        yield "the same 256² window again", self.same_window
        yield "pixel-interleaved, band by band", lambda: self.bands(self.rgb, "pixel-interleaved, band by band")
        for store, codec in self.planar:
            title = f"chunks of three bands, band by band, {codec}"
            yield title, lambda store=store, title=title: self.bands(store, title)
        yield "all chunks missing, 16384² int16", self.nothing_stored
        yield "series of one pixel, 8 times, cube", self.series
        yield "window of an array of 10^12 chunks", self.huge
        for codec in ("blosc-lz4", "zstd"):
            for version, sharded in ((2, False), (3, False), (3, True)):
                name = f"write v{version}{' shards 4096/256' if sharded else ''}, {codec}"
                shard = (4096 // self.scale, 4096 // self.scale) if sharded else ()
                yield name, lambda c=codec, v=version, s=shard, n=name: self.write(n, c, v, s)

        for store, name in self.full[:1] + self.full[3:4]:
            title = f"400 random unaligned 256² windows written, {name.removeprefix('full read, ')}"
            yield title, lambda store=store, title=title: self.write_windows(store, title)
        yield "400 times opened", self.opens

    # --- reading ------------------------------------------------------------------------------------------------

    def gdal_read(self, store, **more):
        path = self.data.store(store)
        return lambda tool, check: tool.run("read_whole", path=path, check=check, **more)

    def limit_read(self, store, window=None):
        plan = self.data.plan(store, window)
        return lambda tool, check: tool.run("read", plan, "check" if check else "")

    def read(self, store, name):
        own = self.gdal_read(store)
        limit = self.limit_read(store)
        jobs = {"limit": limit, "plugin": own, "plugin, 1 thread": own, "limit, 1 thread": limit}
        goals = [
            Goal("plugin", "limit", 1.3 if store.codec == "none" else 1.15),
            Goal("plugin", "plugin, 1 thread", 1.0),
        ]
        if store.version > 1:  # GDAL before 3.8 does not know today's v3, and is left out there
            jobs["built-in"] = jobs[self.builtin_many] = own
            goals += [Goal("plugin", "built-in", 1 / 1.6), Goal("plugin", self.builtin_many, 1 / 1.25)]
        if store.version == 2:
            path = self.data.store(store)
            jobs["zarr-python"] = lambda tool, check: tool.run("zarr_read_whole", path=path, check=check)
        codec = {"zstd": "ZSTD", "gzip": "DEFLATE", "none": "NONE"}.get(store.codec)
        if codec and store.version == 2 and len(store.shape) == 2:
            tiff = self.data.geotiff(store, codec)
            jobs["GeoTIFF"] = lambda tool, check: tool.run("read_whole", path=tiff, check=check, threads=2)
            goals.append(Goal("plugin", "GeoTIFF", 1.1))
        return Case(name, jobs, goals)

    def rectilinear(self):
        regular = next(store for store, _ in self.full if store.name == "v3-zstd")
        uneven, even = self.data.store(self.uneven), self.data.store(regular)
        jobs = {
            "limit": self.limit_read(self.uneven),
            "plugin": lambda tool, check: tool.run("read_whole", path=uneven, check=check),
            "plugin (regular)": lambda tool, check: tool.run("read_whole", path=even, check=check),
        }
        goals = [Goal("plugin", "limit", 1.15), Goal("plugin", "plugin (regular)", 1.05)]
        return Case("full read, rectilinear grid of as many chunks", jobs, goals)

    def windows(self):
        path, tiff = self.data.store(self.zstd), self.data.geotiff(self.zstd, "ZSTD")
        job = lambda tool, check: tool.run("read_windows", path=path, check=check)
        jobs = {
            "plugin": job,
            "built-in": job,
            self.builtin_many: job,
            "GeoTIFF": lambda tool, check: tool.run("read_windows", path=tiff, check=check, threads=2),
            "zarr-python": lambda tool, check: tool.run("zarr_read_windows", path=path, check=check),
        }
        goals = [Goal("plugin", "built-in", 0.45), Goal("plugin", "GeoTIFF", 1.0)]
        return Case("400 random unaligned 256² windows, v2 zstd, 512", jobs, goals)

    def same_window(self):
        path = self.data.store(self.zstd)
        job = lambda tool, check: tool.run("read_same_window", path=path)
        jobs = {"plugin": job, "built-in": job}
        return Case("the same 256² window again", jobs, [Goal("plugin", "", 0.00002)], values=False)

    def bands(self, store, name):
        path = self.data.store(store)
        jobs = {
            "plugin": lambda tool, check: tool.run("read_bands", path=path, check=check),
            "plugin (one read)": lambda tool, check: tool.run("read_whole", path=path, check=check),
        }
        return Case(name, jobs, [Goal("plugin", "plugin (one read)", 1.1)])

    def nothing_stored(self):
        store = self.missing
        own = self.gdal_read(store)
        jobs = {"limit": lambda tool, check: tool.run("fill", str(store.bytes)), "plugin": own, "built-in": own}
        jobs[self.builtin_many] = own
        return Case("all chunks missing, 16384² int16", jobs, [Goal("plugin", "limit", 1.3)], values=False)

    def series(self):
        # At level 3, a chunk has two blocks of 128 KiB; at 5 it is one, of which the library decodes no part.
        store = Store("cube-3", "cube", self.cube.shape, self.cube.chunks, codec="blosc-zstd:3")
        edge = store.shape[1]
        places = [((x * edge // 8 + 77) % edge, ((x * 5 % 8) * edge // 8 + 55) % edge) for x in range(8)]
        path = self.data.store(store)
        plan = self._plan_of_series(store, places)
        job = lambda tool, check: tool.run("read_series", path=path, places=places, check=check)
        jobs = {"limit": lambda tool, check: tool.run("read", plan), "plugin": job, "built-in": job}
        return Case("series of one pixel, 8 times, cube", jobs, [Goal("plugin", "limit", 0.75)], values=False)

    def _plan_of_series(self, store, places):
        """All chunks that the pixels are in, decoded whole."""
        path = self.data._path("series.plan")
        lines = []
        for x, y in places:
            window = ((0, store.shape[0]), (y, y + 1), (x, x + 1))
            with open(self.data.plan(store, window)) as f:
                head, *rest = f.read().splitlines()
                lines += rest[1:]
        with open(path, "w") as f:
            f.write("\n".join([head, "buffer 1", *lines]) + "\n")
        return path

    def huge(self):
        store = Store("huge/a", "elevation", (256 * 10**6, 256 * 10**6), (256, 256), version=3, filled=False)
        self.data.store(store)
        group = self.data._path("huge")
        with open(group + "/zarr.json", "w") as f:
            f.write('{"zarr_format":3,"node_type":"group","attributes":{}}')
        job = lambda tool, check: tool.run("read_window_of_huge", path=group)
        return Case("window of an array of 10^12 chunks", {"plugin": job}, [Goal("plugin", "", 0.001)], values=False)

    # --- writing ------------------------------------------------------------------------------------------------

    def write(self, title, codec, version, shard):
        n = self.zstd.shape[0]
        chunk = 256 if shard else 512
        store = Store(f"write-{version}-{codec}-{'shards' if shard else 'chunks'}", "elevation", (n, n), (chunk, chunk), codec, version, shard)
        values, metadata, plan = self.data.values(store), self.data.empty(store), self.data.plan(store)
        folder = self.data._path("written")
        job = lambda tool, check: tool.run("write_whole", values=values, folder=folder + ".zarr", metadata=metadata)
        jobs = {"limit": lambda tool, check: self.limit_write(tool, plan, folder), "plugin": job, "built-in": job}
        goals = [Goal("plugin", "limit", 1.25), Goal("plugin", "built-in", 0.6)]
        return Case(title, jobs, goals, values=False)

    def write_windows(self, store, title):
        path, folder = self.data.store(store), self.data._path("updated")
        job = lambda tool, check: tool.run("write_windows", path=path, folder=folder)
        return Case(title, {"plugin": job, "built-in": job}, [Goal("plugin", "built-in", 1.0)], values=False)

    def opens(self):
        path = self.data.store(self.zstd)
        job = lambda tool, check: tool.run("open_often", path=path)
        return Case("400 times opened", {"plugin": job, "built-in": job}, [Goal("plugin", "built-in", 1.0)], values=False)

    def limit_write(self, tool, plan, folder):
        retire(folder + ".limit")
        return tool.run("write", plan, folder + ".limit")
