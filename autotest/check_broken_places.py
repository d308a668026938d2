#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens and reads every malformed store of a fixture folder where stores can be besides a file system: behind a web
server, with and without pages that list its folders, and in a ZIP archive.

    check_broken_places.py FOLDER [--place http|listing|zip] [--only TEXT] [--verbose]

FOLDER has check_broken.py, whose probe and judgement are used, and its limits of time and memory. Exits 1 if a store that
is all right on a file system is not so elsewhere, or the other way round.
"""
import argparse
import concurrent.futures
import contextlib
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "pymod"))

import plugin_in_use  # noqa: E402
from http_server import Server, list_links  # noqa: E402


def load_check(folder):
    spec = importlib.util.spec_from_file_location("check_broken", os.path.join(folder, "check_broken.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def probe(check, path, expect):
    """Returns the verdict, None if all is well, and what the probe printed."""

    def limit_memory():
        resource.setrlimit(resource.RLIMIT_AS, (check.ADDRESS_SPACE, check.ADDRESS_SPACE))

    # The probe adds the prefix itself to a name that ends so. Here it has it, and a slash at the end.
    command = [sys.executable, "-c", check.PROBE, path]
    try:
        # A server of one process answers several probes; it must not be the one that is judged.
        result = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                timeout=check.TIMEOUT_S * 2, preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return check.judge(expect, 0, "", True), ""
    return check.judge(expect, result.returncode, result.stdout, False), result.stdout.strip()


@contextlib.contextmanager
def serve(folder, index_page=None):
    server = Server(folder)
    server.index_page = index_page
    with server.serve():
        yield lambda path: f"/vsicurl/{server.url}/{path}"


@contextlib.contextmanager
def archive(folder):
    with tempfile.TemporaryDirectory() as archives:
        yield lambda path: pack(os.path.join(folder, path), os.path.join(archives, os.path.basename(path)))


def pack(store, result):
    """Returns the name under which GDAL finds the store in an archive of its own."""
    if store.endswith(".zip"):  # an archive in an archive
        with zipfile.ZipFile(result + ".outer.zip", "w", zipfile.ZIP_STORED) as outer:
            outer.write(store, "inner.zip")
        return f"/vsizip/{{/vsizip/{{{result}.outer.zip}}/inner.zip}}/"
    with zipfile.ZipFile(result + ".zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.mkdir("store") if sys.version_info >= (3, 11) else file.writestr("store/", "")
        for folder, names, files in os.walk(store):
            inside = os.path.join("store", os.path.relpath(folder, store))
            for name in names:
                file.writestr(os.path.normpath(os.path.join(inside, name)) + "/", "")
            for name in files:
                file.write(os.path.join(folder, name), os.path.normpath(os.path.join(inside, name)))
    return f"/vsizip/{result}.zip/store"


PLACES = {
    "http": serve,
    "listing": lambda folder: serve(folder, list_links),
    "zip": archive,
}


def judge_places(check, folder, store, places):
    at_home, _ = probe(check, os.path.join(folder, store["path"]), store["expect"])
    verdicts = {}
    for name, find in places.items():
        verdicts[name], said = probe(check, find(store["path"]), store["expect"])
        verdicts[name + " said"] = re.sub(r"127\.0\.0\.1:\d+", "HOST", said)
    return at_home, verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--place", choices=PLACES, action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    plugin_in_use.check()
    folder = os.path.abspath(arguments.folder)
    check = load_check(folder)
    with open(os.path.join(folder, "broken.jsonl")) as f:
        stores = [store for store in map(json.loads, f) if arguments.only in store["path"]]
    names = arguments.place or list(PLACES)

    good = dict.fromkeys(names, 0)
    differ = 0
    with contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        places = {name: stack.enter_context(PLACES[name](folder)) for name in names}
        answers = threads.map(lambda store: judge_places(check, folder, store, places), stores)
        for store, (at_home, verdicts) in zip(stores, answers):
            for name in names:
                good[name] += verdicts[name] is None
                same = (verdicts[name] is None) == (at_home is None)
                differ += not same
                if not same:
                    print(f"{name}: {store['path']}: {verdicts[name]}; on a file system: {at_home} (wrong: {store['wrong']}; expected: {store['expect']})")
                elif arguments.verbose:
                    print(f"{name}: {store['path']}: {verdicts[name] or 'ok'}: {verdicts[name + ' said']}")
    for name in names:
        print(f"{name}: {good[name]} ok of {len(stores)} malformed stores")
    print(f"{differ} not as on a file system")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
