#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of rules in zarrlib/doc/zarrkit_check.md from what `zarrkit check --rules` prints.

    rule_table.py ZARRKIT            prints the table
    rule_table.py ZARRKIT --write    puts it into the page, between the comments that mark its place
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "zarrlib", "doc", "zarrkit_check.md")
BEGIN, END = "<!-- rules -->\n", "<!-- end of rules -->"


def table(zarrkit):
    lines = subprocess.run([zarrkit, "check", "--rules"], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = ["| `{}` | {} | {} |".format(*line.split("\t")) for line in lines]
    return "\n".join(["| rule | severity | what is wrong |", "|---|---|---|", *rows]) + "\n"


def table_in(page):
    return page.split(BEGIN)[1].split(END)[0]


def main():
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    made = table(sys.argv[1])
    if sys.argv[2:] != ["--write"]:
        return print(made, end="")
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(re.sub("(?s)" + re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: BEGIN + made + END, page))


if __name__ == "__main__":
    main()
