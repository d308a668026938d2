# SPDX-License-Identifier: MIT
"""What stands at a name, against all calls that remove, move, copy or replace a whole store: the table in whole_store.h."""

import os

import pytest
from foreign_files import make_store, read_tree
from store_calls import (
    CALLS,
    FAILING,
    MOVES,
    REMOVALS,
    REPLACEMENTS,
    convert,
    copy,
    create_multidimensional,
    delete,
    delete_by_prefix,
    is_replaced,
    rename,
    skip_without_program,
)
from store_states import (
    STATES,
    STORES,
    absent,
    damaged_node,
    damaged_v3,
    empty,
    holder,
    link_to_store,
    store_of_an_implied_group,
    store_with_files,
)


def check_goes(call, path, before, failures):
    """The store has gone, been moved, copied or replaced as a whole."""
    assert failures == [] or (call in REPLACEMENTS + [create_multidimensional] and "remove it first" in failures[-1])
    if failures:  # GDAL has not let a folder go that it names, or never does
        assert read_tree(os.path.dirname(path)) == before
    elif call in REMOVALS:
        assert read_tree(os.path.dirname(path)) == {}
    elif call in MOVES:
        name = os.path.basename(path)
        assert read_tree(os.path.dirname(path)) == {k.replace(name, name + ".new"): v for k, v in before.items()}
    elif call is copy:
        assert read_tree(path) == read_tree(path + ".new")
    else:
        assert is_replaced(path) and os.listdir(os.path.dirname(path)) == [os.path.basename(path)]


@pytest.mark.parametrize("call", CALLS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("state", STATES, ids=lambda f: f.__name__)
def test_a_cell_of_the_table(tmp_path, state, call):
    skip_without_program(call)
    path = str(tmp_path / "place.zarr")
    state(path)
    before = read_tree(str(tmp_path))
    failures = call(path)
    after = read_tree(str(tmp_path))
    if call in FAILING:
        assert failures
        assert after == before or (state is empty and after == {})
    elif state in STORES:
        check_goes(call, path, before, failures)
    elif state in (store_with_files, store_of_an_implied_group) and call in [*REMOVALS, *MOVES, copy] or (
        state is damaged_node and call in [*MOVES, copy]
    ):
        assert failures == []
        lost = set(before) - set(after)
        kept = {store_with_files: "place.zarr/notes.txt", store_of_an_implied_group: "place.zarr/implied/data/.zarray",
                damaged_node: "place.zarr/broken/.zarray"}[state]  # fmt: skip
        new = kept.replace("place.zarr", "place.zarr.new") if call in MOVES else kept
        assert before[kept] == after[new]
        assert call is not copy or (not lost and read_tree(path) == read_tree(path + ".new"))
        assert call not in REMOVALS or "place.zarr/data" in lost
    elif state is empty and call is convert and failures:
        assert after == before  # the program refuses a folder that no driver knows, before it asks one
    elif state in (absent, empty) and call in [*REPLACEMENTS, create_multidimensional]:
        assert failures == []
        assert call is create_multidimensional or is_replaced(path)
    elif state is absent and call is delete_by_prefix:
        assert failures == [] and after == before
    elif state is link_to_store and call is copy:
        assert failures == [] and read_tree(path + ".new") == read_tree(path + ".target")
    else:
        assert failures
        assert after == before


def test_the_message_names_the_stores_in_a_folder(tmp_path):
    path = str(tmp_path / "place")
    holder(path)
    assert "holds 3 stores: a.zarr, b.zarr, deep/c.zarr" in delete(path)[0]
    make_store(path + "/d.zarr", "ZARR_V3")
    assert "holds 4 stores: a.zarr, b.zarr, d.zarr, ..." in rename(path)[0]


@pytest.mark.parametrize("state, document", [(damaged_v3, "zarr.json"), (damaged_node, "broken/.zarray")])
def test_the_error_of_a_damaged_store_names_the_document(tmp_path, state, document):
    path = str(tmp_path / "place.zarr")
    state(path)
    text = delete(path)[0]
    assert f"{path}/{document}" in text and "nothing is removed" in text
