#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loads the driver for a while: values must be right, and memory and descriptors must not grow.

    driver.py [--minutes N] [--plugin FOLDER] [windows] [opens] [descriptors] [forks]

    windows      32 threads read windows of several stores, with a cache far smaller than they are; with GDAL 3.10 or
                 later, also through one thread-safe dataset for all
    opens        20,000 times a store is opened, read and closed
    descriptors  200 datasets are open at once in a process that may have 256 descriptors
    forks        children of a process that has used datasets in many threads read and write
"""
import argparse
import os
import random
import resource
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EDGE, BLOCK, THREADS, OPENS = 1024, 128, 32, 20_000
FORMS = {
    "v2": ["FORMAT=ZARR_V2"],
    "v3": ["FORMAT=ZARR_V3", "COMPRESS=ZSTD"],
    "gzip": ["FORMAT=ZARR_V3", "COMPRESS=GZIP", "ZLIB_LEVEL=1"],
    "plain": ["FORMAT=ZARR_V2", "COMPRESS=NONE"],
    "shards": ["FORMAT=ZARR_V3", "SHARD_SHAPE=512,512"],
}


def get_memory():
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * resource.getpagesize() / 1e6


def count_descriptors():
    return len(os.listdir("/proc/self/fd"))


def make_values(seed):
    return np.random.default_rng(seed).integers(0, 1000, (EDGE, EDGE), "int16")


def write_stores(folder):
    stores = {}
    for seed, (name, options) in enumerate(FORMS.items()):
        path = os.path.join(folder, f"{name}.zarr")
        options = [f"BLOCKSIZE={BLOCK},{BLOCK}", *options]
        dataset = gdal.GetDriverByName("Zarr").Create(path, EDGE, EDGE, 1, gdal.GDT_Int16, options)
        dataset.WriteArray(make_values(seed))
        dataset = None
        stores[path] = make_values(seed)
    return stores


def check_window(dataset, values, chance):
    width, height = chance.randrange(1, 400), chance.randrange(1, 400)
    x, y = chance.randrange(EDGE - width), chance.randrange(EDGE - height)
    found = dataset.ReadAsArray(x, y, width, height)
    assert np.array_equal(found, values[y : y + height, x : x + width]), (dataset.GetDescription(), x, y, width, height)


class Readers:
    """Threads that read until a time, each from datasets of its own, or all from the same thread-safe ones."""

    def __init__(self, stores, shared):
        self.stores, self.shared = stores, shared
        self.faults, self.windows = [], 0
        self.lock = threading.Lock()

    def read(self, seed, end):
        chance = random.Random(seed)
        datasets = self.shared or {path: gdal.Open(path) for path in self.stores}
        done = 0
        try:
            while time.monotonic() < end and not self.faults:
                path = chance.choice(list(self.stores))
                check_window(datasets[path], self.stores[path], chance)
                done += 1
        except Exception as fault:  # pylint: disable=broad-except
            self.faults.append(fault)
        with self.lock:
            self.windows += done

    def run(self, seconds):
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=self.read, args=(seed, end)) for seed in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.faults:
            raise self.faults[0]
        return self.windows


def run_windows(stores, minutes):
    gdal.SetConfigOption("ZARR_CACHE_SIZE", "1MB")
    kinds = {"datasets of their own": None}
    if hasattr(gdal, "OF_THREAD_SAFE"):
        flags = gdal.OF_RASTER | gdal.OF_THREAD_SAFE
        kinds["thread-safe datasets"] = {path: gdal.OpenEx(path, flags) for path in stores}
    for kind, shared in kinds.items():
        seconds = minutes * 60 / len(kinds)
        Readers(stores, shared).run(min(20, seconds / 4))  # until memory has its size
        before = get_memory(), count_descriptors()
        windows = Readers(stores, shared).run(seconds)
        after = get_memory(), count_descriptors()
        print(f"{THREADS} threads, {kind}: {windows} windows right; MB {before[0]:.0f} -> {after[0]:.0f}, "
              f"descriptors {before[1]} -> {after[1]}")
        assert after[0] < before[0] * 1.2 + 50 and after[1] <= before[1]
    gdal.SetConfigOption("ZARR_CACHE_SIZE", None)


def run_opens(stores, _):
    chance = random.Random(1)
    paths = list(stores)
    before = None
    for number in range(OPENS):
        path = paths[number % len(paths)]
        dataset = gdal.Open(path)
        check_window(dataset, stores[path], chance)
        dataset = None
        if number == OPENS // 10:
            before = get_memory(), count_descriptors()
    after = get_memory(), count_descriptors()
    print(f"{OPENS} opens: MB {before[0]:.0f} -> {after[0]:.0f}, descriptors {before[1]} -> {after[1]}")
    assert after[0] < before[0] * 1.1 + 20 and after[1] <= before[1]


def run_descriptors(stores, _):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    chance = random.Random(2)
    paths = list(stores)
    datasets = [(gdal.Open(paths[i % len(paths)]), paths[i % len(paths)]) for i in range(200)]
    for _ in range(3):
        for dataset, path in datasets:
            check_window(dataset, stores[path], chance)
    print(f"200 datasets, each read 3 times, with {count_descriptors()} of 256 descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def read_in_child(stores, datasets, folder, number):
    chance = random.Random(number)
    for path, values in stores.items():
        check_window(datasets[path], values, chance)
        check_window(gdal.Open(path), values, chance)
    path = os.path.join(folder, f"child{number}.zarr")
    dataset = gdal.GetDriverByName("Zarr").Create(path, EDGE, EDGE, 1, gdal.GDT_Int16)
    dataset.WriteArray(make_values(number))
    dataset = None
    assert np.array_equal(gdal.Open(path).ReadAsArray(), make_values(number))


def run_forks(stores, _):
    datasets = {path: gdal.Open(path) for path in stores}
    readers = threading.Thread(target=lambda: Readers(stores, None).run(20))
    readers.start()
    children = 0
    while readers.is_alive():
        child = os.fork()
        if child == 0:
            status = 1
            try:
                read_in_child(stores, datasets, os.path.dirname(next(iter(stores))), children)
                status = 0
            finally:
                os._exit(status)
        deadline = time.monotonic() + 60
        while (found := os.waitpid(child, os.WNOHANG))[0] == 0:
            assert time.monotonic() < deadline, "a child hangs"
            time.sleep(0.01)
        assert found[1] == 0, f"a child ended with status {found[1]}"
        children += 1
    readers.join()
    print(f"{children} children of a process of {THREADS} reading threads: all read and wrote")


LOADS = {"windows": run_windows, "opens": run_opens, "descriptors": run_descriptors, "forks": run_forks}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("loads", nargs="*", choices=[[], *LOADS], default=[])
    parser.add_argument("--minutes", type=float, default=10, help="of the threads that read windows")
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build", "gdalplugins"))
    arguments = parser.parse_args()
    os.environ["GDAL_DRIVER_PATH"] = arguments.plugin
    global gdal, np
    import numpy as np
    from osgeo import gdal

    gdal.UseExceptions()
    driver = gdal.GetDriverByName("Zarr")
    assert driver and (driver.GetMetadataItem("ZARRLIB_VERSION") or ""), "the plugin is not loaded"
    with tempfile.TemporaryDirectory() as folder:
        stores = write_stores(folder)
        for name in arguments.loads or LOADS:
            LOADS[name](stores, arguments.minutes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
