# SPDX-License-Identifier: MIT
"""Makes stores of kerchunk references, and the files that they refer to."""

import base64
import json

import numpy as np
import pytest
from osgeo import gdal

DATA = np.arange(1, 25, dtype="<i2").reshape(4, 6)
OTHER = DATA.astype("<f4") / 4
HEADER = b"not a chunk"


def make_zarray(data, chunks):
    return {
        "zarr_format": 2,
        "shape": list(data.shape),
        "chunks": list(chunks),
        "dtype": data.dtype.str,
        "compressor": None,
        "filters": None,
        "order": "C",
        "fill_value": 0,
    }


def write_blob(path):
    """Writes a file with a header, the rows of DATA in reverse order, and the whole of OTHER."""
    with open(path, "wb") as f:
        f.write(HEADER + b"".join(row.tobytes() for row in DATA[::-1]) + OTHER.tobytes())


def locate_row(row):
    return [len(HEADER) + 12 * (3 - row), 12]


def make_references(url="data.bin"):
    """Returns references to two arrays, and to a group with one, with metadata as text, as base64, and as objects."""
    meta = json.dumps(make_zarray(DATA, (1, 6)))
    attributes = '{"_ARRAY_DIMENSIONS":["y","x"]}'
    refs = {
        ".zgroup": '{"zarr_format":2}',
        ".zattrs": {"title": "all", "limit": [1, 2]},
        "a/.zarray": meta,
        "a/.zattrs": attributes,
        "g/.zgroup": "base64:" + base64.b64encode(b'{"zarr_format":2}').decode(),
        "g/b/.zarray": make_zarray(OTHER, (4, 6)),
        "g/b/.zattrs": json.loads(attributes),
        "g/b/0.0": [url, len(HEADER) + DATA.nbytes, OTHER.nbytes],
    }
    refs.update({f"a/{i}.0": [url, *locate_row(i)] for i in range(4)})
    return refs


def write_references(path, content):
    with open(path, "w") as f:
        f.write(content if isinstance(content, str) else json.dumps(content))
    return str(path)


@pytest.fixture
def folder(tmp_path):
    write_blob(tmp_path / "data.bin")
    return tmp_path


def read_array(name):
    return gdal.Open(name).ReadAsArray()


def read_subdatasets(name, *options):
    """Returns the array of each subdataset, by the part of its name after the store."""
    dataset = gdal.OpenEx(name, allowed_drivers=["Zarr"], open_options=options)
    names = [item for key, item in dataset.GetMetadata("SUBDATASETS").items() if key.endswith("_NAME")]
    return {item.rsplit(":", 1)[1]: read_array(item) for item in names}


def check_arrays(name):
    arrays = read_subdatasets(name)
    assert sorted(arrays) == ["/a", "/g/b"]
    np.testing.assert_array_equal(arrays["/a"], DATA)
    np.testing.assert_array_equal(arrays["/g/b"], OTHER)


def catch_error(name, *, flags=gdal.OF_RASTER):
    with pytest.raises(RuntimeError) as info:
        gdal.OpenEx(name, flags, allowed_drivers=["Zarr"]).ReadAsArray()
    return str(info.value)
