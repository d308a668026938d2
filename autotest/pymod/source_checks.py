# SPDX-License-Identifier: MIT
"""What the programs have in common that check the sources: check_layers.py, check_guards.py,
check_widths.py and check_words.py."""

import contextlib
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@contextlib.contextmanager
def make_tree(files):
    """Gives a folder with these files, a text for each path, while the context lasts."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        yield root


def run(name, check, self_test):
    """Runs a program with its arguments, ROOT or --self-test, and returns its status. `check` gives the violations in the
    sources below a folder, and `self_test` tells what is wrong with the check, or ""."""
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        fault = self_test()
        if fault:
            print(fault)
        return 1 if fault else 0
    violations = list(check(arguments[0] if arguments else ROOT))
    print("\n".join(violations) if violations else f"{name}: ok")
    return 1 if violations else 0
