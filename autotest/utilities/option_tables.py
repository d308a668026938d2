#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of options in driver/doc/options.md from the lists that the driver declares.

    option_tables.py            prints the tables
    option_tables.py --write    puts them into the page, between the comments that mark their places

GDAL must load the plugin: GDAL_DRIVER_PATH is build/gdalplugins unless it is set.
"""
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "driver", "doc", "options.md")
COMMAND = "/usr/bin/python3 autotest/utilities/option_tables.py --write"
# Each table, the driver's metadata item that it is made of, and those whose options stand in other tables.
TABLES = {
    "open": ("DMD_OPENOPTIONLIST", ()),
    "raster": (
        "DMD_CREATIONOPTIONLIST",
        ("DMD_MULTIDIM_DATASET_CREATIONOPTIONLIST", "DMD_MULTIDIM_ARRAY_CREATIONOPTIONLIST"),
    ),
    "store": ("DMD_MULTIDIM_DATASET_CREATIONOPTIONLIST", ()),
    "array": ("DMD_MULTIDIM_ARRAY_CREATIONOPTIONLIST", ()),
}
NAMES_OF_TYPES = {"boolean": "YES, NO", "string": "text", "int": "integer"}


def begin_mark(name):
    return f"<!-- options: {name} -->\n"


END_MARK = "<!-- end of options -->"


def options_of(driver, item):
    return list(ElementTree.fromstring(driver.GetMetadataItem(item)).iter("Option"))


def values_of(option):
    values = [value.text for value in option.iter("Value")]
    if values:
        return ", ".join(values)
    if option.get("min") and option.get("max"):
        return f"{option.get('min')} to {option.get('max')}"
    return NAMES_OF_TYPES.get(option.get("type"), option.get("type"))


def row_of(option):
    names = f"`{option.get('name')}`" + (f" (or `{option.get('alias')}`)" if option.get("alias") else "")
    # A bar would end the cell, and Markdown takes a name in angle brackets for a tag.
    meaning = option.get("description").replace("|", "\\|").replace("<", "&lt;")
    return f"| {names} | {values_of(option)} | {option.get('default') or ''} | {meaning} |"


def table_of(driver, name):
    item, others = TABLES[name]
    elsewhere = {option.get("name") for other in others for option in options_of(driver, other)}
    rows = [row_of(option) for option in options_of(driver, item) if option.get("name") not in elsewhere]
    return "\n".join(["| option | values | default | meaning |", "|---|---|---|---|", *rows]) + "\n"


def with_tables(page, driver):
    """The page with the driver's tables between the marks. Throws ValueError for a mark that is not there once."""
    for name in TABLES:
        if page.count(begin_mark(name)) != 1:
            raise ValueError(f"{PAGE} must have one line {begin_mark(name).strip()}")
        pattern = "(?s)" + re.escape(begin_mark(name)) + ".*?" + re.escape(END_MARK)
        page = re.sub(pattern, lambda _: begin_mark(name) + table_of(driver, name) + END_MARK, page, count=1)
    return page


def load_driver():
    os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(ROOT, "build", "gdalplugins"))
    from osgeo import gdal  # reads GDAL_DRIVER_PATH

    gdal.UseExceptions()
    driver = gdal.GetDriverByName("Zarr")
    if driver.GetMetadataItem("ZARRLIB_VERSION") is None:
        sys.exit("option_tables.py: GDAL has not loaded the plugin; set GDAL_DRIVER_PATH")
    return driver


def main():
    driver = load_driver()
    if sys.argv[1:] == ["--write"]:
        with open(PAGE, encoding="utf-8") as f:
            page = f.read()
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(with_tables(page, driver))
    elif len(sys.argv) == 1:
        print("\n".join(f"{name}\n\n{table_of(driver, name)}" for name in TABLES))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
