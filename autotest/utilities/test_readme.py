"""What the README says about options is what the driver says."""

import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def driver_options():
    """Of each open option: all its names, and its default."""
    text = subprocess.run(["gdalinfo", "--format", "Zarr"], capture_output=True, text=True, check=True).stdout
    options = ElementTree.fromstring(re.search(r"<OpenOptionList>.*</OpenOptionList>", text, re.DOTALL).group(0))
    return {
        frozenset(n for n in (o.get("name"), o.get("alias")) if n): o.get("default") or "" for o in options.iter("Option")
    }


def readme_options():
    """The same, from the rows of the table; a row of several options without an alias stands for each."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        table = f.read().split("### Open options")[1].split("\n\n")[1]
    options = {}
    for row in table.splitlines()[2:]:
        names, _, default, _ = (cell.strip() for cell in row.strip("|").split("|"))
        found = re.findall(r"`(\w+)`", names)
        for group in [found] if "(or" in names else [[n] for n in found]:
            options[frozenset(group)] = default
    return options


def test_the_readme_lists_the_open_options_of_the_driver():
    assert readme_options() == driver_options()
