# SPDX-License-Identifier: MIT
"""The commands and programs of the user's pages work, and print what the pages say."""

import os
import re

import page_commands
import pytest

GUIDES = ("clients", "many_writers", "places", "rectilinear", "old_stores", "performance", "questions")
PATHS = {"README": "README.md", **{name: f"driver/{name}.md" for name in GUIDES}}
PAGES = tuple(PATHS)
TEXTS = {}
for page_name, page_path in PATHS.items():
    with open(os.path.join(page_commands.ROOT, page_path), encoding="utf-8") as page_file:
        TEXTS[page_name] = page_file.read()
STEPS = {name: page_commands.find_steps(text) for name, text in TEXTS.items()}
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


@pytest.mark.parametrize(("name", "number"), CASES, ids=[f"{n}.md:{STEPS[n][i].line}" for n, i in CASES])
def test_a_step_prints_what_the_page_says(results, name, number):
    step = STEPS[name][number]
    if reason := page_commands.missing_for(step.needs):
        pytest.skip(reason)
    status, printed = results(name)[number]
    assert printed == step.printed, f"to write the page anew: autotest/pymod/page_commands.py {PATHS[name]}"
    fails = page_commands.FAILURE.search(step.printed) is not None
    assert (status != 0) <= fails, f"{step.text} fails, and the page does not say so"


@pytest.mark.parametrize("name", GUIDES)  # test_readme.py runs those of the first page
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
            assert not before.startswith(("- ", "  ")), f"{name}.md:{step.line}"


def test_each_question_has_a_command_and_a_place():
    questions = re.split(r"^### ", TEXTS["questions"], flags=re.MULTILINE)[1:]
    assert len(questions) >= 20
    for question in questions:
        title = question.splitlines()[0]
        assert page_commands.find_steps(question), title
        assert re.search(r"More: .*\]\(", question), title
    listed = re.findall(r"\]\(#([\w-]+)\)", TEXTS["questions"].split("\n## ")[0])
    assert listed == [question.splitlines()[0].lower().replace("'", "").replace(" ", "-") for question in questions]


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
