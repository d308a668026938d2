# SPDX-License-Identifier: MIT
"""The commands and programs of the pages work and print what the pages show, and the pages are short."""

import os
import re
from glob import glob

import page_commands
import pytest

FOLDERS = ("driver/doc", "zarrlib/doc")
GUIDES = sorted(
    os.path.relpath(path, page_commands.ROOT)
    for folder in FOLDERS
    for path in glob(os.path.join(page_commands.ROOT, folder, "*.md"))
)
# autotest/cloud/test_cloud_page.py runs the commands of these, with servers of its own.
CLOUD_PAGES = ("driver/doc/cloud.md", "driver/doc/requests.md")
PAGES = ("README.md", *(name for name in GUIDES if name not in CLOUD_PAGES))
TEXTS = {}
for page_name in ("README.md", *GUIDES):
    with open(os.path.join(page_commands.ROOT, page_name), encoding="utf-8") as page_file:
        TEXTS[page_name] = page_file.read()
STEPS = {name: page_commands.find_steps(TEXTS[name]) for name in PAGES}
# Pages with generated tables may be longer.
WORDS_OF_A_PAGE, WORDS_OF_ALL = 1500, 26900
GENERATED = ("driver/doc/options.md",)
ZARRKIT = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")

pytestmark = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")


@pytest.fixture(scope="module")
def results():
    """The results of all steps of a page, which build upon each other."""
    known = {}

    def of(name):
        if name not in known:
            with page_commands.session() as session:
                known[name] = [
                    None if page_commands.missing_for(step.needs) else session.run(step) for step in STEPS[name]
                ]
        return known[name]

    return of


CASES = [(name, number) for name in PAGES for number in range(len(STEPS[name]))]


@pytest.mark.parametrize(("name", "number"), CASES, ids=[f"{n}:{STEPS[n][i].line}" for n, i in CASES])
def test_a_step_prints_what_the_page_says(results, name, number):
    step = STEPS[name][number]
    if reason := page_commands.missing_for(step.needs):
        pytest.skip(reason)
    status, printed = results(name)[number]
    assert printed == step.printed, f"to write the page anew: autotest/pymod/page_commands.py {name}"
    fails = page_commands.FAILURE.search(step.printed) is not None
    assert (status != 0) <= fails, f"{step.text} fails, and the page does not say so"


@pytest.mark.parametrize("name", PAGES[1:])  # test_readme.py runs those of the first page
def test_each_command_is_a_step(name):
    """A command that a page shows without a "$" would not be run."""
    commands = re.findall(r"^ {4,}(?:\w+=\S+ )*(?:gdal\w*|zarrkit|python3?|cp|rm|mv) .*$", TEXTS[name], re.MULTILINE)
    printed = "".join(step.printed for step in STEPS[name])
    assert [command for command in commands if command.strip() not in printed] == []


@pytest.mark.parametrize("name", PAGES)
def test_commands_stand_outside_of_lists(name):
    """Markdown takes an indented line behind an item of a list for a part of the item's text."""
    lines = TEXTS[name].split("\n")
    for step in STEPS[name]:
        if not step.is_python:
            before = next(line for line in lines[step.line - 1 :: -1] if line.strip() and not line.startswith("    "))
            assert not before.startswith(("- ", "  ")), f"{name}:{step.line}"


def test_each_question_has_a_link():
    """The answer is short, and a page with commands has more."""
    questions = re.split(r"^### ", TEXTS["driver/doc/faq.md"], flags=re.MULTILINE)[1:]
    assert len(questions) >= 20
    for question in questions:
        title = question.splitlines()[0]
        assert title.endswith("?")
        assert re.search(r"\]\(\S+\.md(#[\w-]+)?\)", question), title
        assert len(question.split()) <= 60, title


@pytest.mark.parametrize("name", GUIDES)
def test_a_page_opens_with_its_purpose_and_an_example(name):
    """A title, a paragraph that begins with "This page", and an example before the first section."""
    first = TEXTS[name].split("\n## ")[0]
    assert re.match(r"# [^\n]+\n\nThis page [^\n]", first)
    assert re.search(r"^(    |```)", first, re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in GUIDES if name not in GENERATED])
def test_a_page_is_short(name):
    assert len(TEXTS[name].split()) <= WORDS_OF_A_PAGE


def test_all_pages_together_are_short():
    assert sum(len(TEXTS[name].split()) for name in GUIDES) <= WORDS_OF_ALL


@pytest.mark.parametrize("name", [f"{os.path.dirname(folder)}/README.md" for folder in FOLDERS])
def test_entrances_are_short_and_list_all_pages(name):
    with open(os.path.join(page_commands.ROOT, name), encoding="utf-8") as f:
        text = f.read()
    assert len(text.split()) <= 250
    folder = os.path.dirname(name)
    listed = {f"{folder}/{target}" for target in re.findall(r"\]\((doc/[\w/]+\.md)\)", text)}
    assert listed == {page for page in GUIDES if page.startswith(folder + "/")}


# --- the finder itself --------------------------------------------------------------------------------------------

PAGE = """Text.

    a picture

    $ first \\
        second
    printed

    $ third
    $ fourth

<!-- needs: GDAL 99.0 -->

```python
print(1)
```

```text
1
```
"""


def test_the_finder():
    steps = page_commands.find_steps(PAGE)
    assert [(step.line, step.text, step.printed) for step in steps] == [
        (5, "first \\\n    second", "printed\n"),
        (9, "third", ""),
        (10, "fourth", ""),
        (15, "print(1)\n", "1\n"),
    ]
    assert [bool(page_commands.missing_for(step.needs)) for step in steps] == [False, False, False, True]


def test_unknown_needs_are_an_error():
    with pytest.raises(ValueError, match="a page needs something unknown: luck"):
        page_commands.missing_for("luck")
