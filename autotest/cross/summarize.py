#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the results of GoogleTest programs: run, passed, failed, and skipped, with each reason.

    summarize.py FILE.xml...      as written by --gtest_output=xml:FILE.xml

Exits 1 if a test has failed, or if a program has not come to its end: then its file is missing.
"""
import collections
import os
import sys
import xml.etree.ElementTree


def summarize(path):
    """Prints the results of one program. Returns true if all is well."""
    name = os.path.splitext(os.path.basename(path))[0]
    if not os.path.exists(path):
        print(f"{name}: has not come to its end")
        return False
    cases = xml.etree.ElementTree.parse(path).getroot().findall("testsuite/testcase")
    failed = [case for case in cases if case.find("failure") is not None]
    skipped = collections.Counter()
    for case in cases:
        skip = case.find("skipped")
        if skip is not None and case not in failed:
            skipped[skip.get("message", "").split("\n")[-1].strip() or "no reason"] += 1
    count = sum(skipped.values())
    passed = len(cases) - count - len(failed)
    print(f"{name}: {len(cases)} run, {passed} passed, {len(failed)} failed, {count} skipped")
    for reason, number in skipped.most_common():
        print(f"  {number} skipped: {reason}")
    for case in failed:
        print(f"  failed: {case.get('classname')}.{case.get('name')}")
    return not failed


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(0 if all([summarize(path) for path in sys.argv[1:]]) else 1)
