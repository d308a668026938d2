# SPDX-License-Identifier: MIT
"""A web server that many sites run, by HTTP/1.1 and by HTTP/2."""

import numpy as np
import pytest
from osgeo import gdal
from stores import write_sharded
from web_layouts import DATA, FILL, LAYOUTS


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return LAYOUTS[request.param]


def open_store(nginx, store="a.zarr"):
    return gdal.Open(f'ZARR:"/vsicurl/{nginx.url}/{store}"')


def test_reading(tmp_path, nginx, layout):
    layout.write(str(tmp_path / "www" / "a.zarr"), ())
    dataset = open_store(nginx)
    assert nginx.count() == layout.opening
    nginx.clear()
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert nginx.count() == layout.reading
    assert {(request.method, request.status // 100) for request in nginx.log} == {("GET", 2)}


def test_the_multidimensional_api(tmp_path, nginx, layout):
    layout.write(str(tmp_path / "www" / "a.zarr"), ())
    name = f'ZARR:"/vsicurl/{nginx.url}/a.zarr"'
    group = gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    nginx.clear()
    np.testing.assert_array_equal(array.ReadAsArray(), DATA)
    assert nginx.count() == layout.reading


def test_absent_chunks(tmp_path, nginx, layout):
    layout.write(str(tmp_path / "www" / "a.zarr"), [(0, 0)])
    values = open_store(nginx).ReadAsArray()
    assert (values[:16, :16] == FILL).all()
    np.testing.assert_array_equal(values[32:], DATA[32:])
    assert 404 in {request.status for request in nginx.log}


def test_protocol(tmp_path, nginx):
    """HTTP/2 carries all requests over one connection."""
    LAYOUTS["v3"].write(str(tmp_path / "www" / "a.zarr"), ())
    open_store(nginx).ReadAsArray()
    protocol = "HTTP/2.0" if nginx.tls else "HTTP/1.1"
    assert {request.protocol for request in nginx.log} == {protocol}
    if nginx.tls:
        assert len({request.connection for request in nginx.log}) == 1


def test_an_inner_chunk_takes_its_bytes(tmp_path, nginx):
    noise = np.random.default_rng(0).integers(0, 1 << 30, (512, 512), "i4")
    for location in ("end", "start"):
        write_sharded(str(tmp_path / "www" / f"{location}.zarr"), noise, (512, 512), (64, 64), location=location)
        dataset = open_store(nginx, f"{location}.zarr")
        nginx.clear()
        np.testing.assert_array_equal(dataset.ReadAsArray(256, 256, 64, 64), noise[256:320, 256:320])
        spans = [request.span for request in nginx.log]
        assert spans[0] == ("bytes=-65536" if location == "end" else "bytes=0-65535")  # with the index
        assert len(spans) == 2 and {request.status for request in nginx.log} == {206}
        begin, end = map(int, spans[1].removeprefix("bytes=").split("-"))
        assert end - begin < 64 * 64 * 4


def test_a_refusal_is_an_error(tmp_path, nginx):
    LAYOUTS["v3"].write(str(tmp_path / "www" / "forbidden" / "a.zarr"), ())
    with pytest.raises(RuntimeError, match="403"):
        open_store(nginx, "forbidden/a.zarr")


def test_a_certificate_that_nobody_signed_is_an_error(tmp_path, nginx):
    if not nginx.tls:
        pytest.skip("plain HTTP has no certificates")
    LAYOUTS["v3"].write(str(tmp_path / "www" / "a.zarr"), ())
    gdal.SetConfigOption("GDAL_HTTP_UNSAFESSL", None)
    # The server, which is told of the refusal, may end the connection before curl reports why.
    with pytest.raises(RuntimeError, match="(?i)certificate|TLS|connection reset"):
        open_store(nginx)
    assert nginx.count() == 0


def test_a_new_chunk_is_seen_by_a_new_dataset(tmp_path, nginx, layout):
    store = str(tmp_path / "www" / "a.zarr")
    layout.write(store, [(1, 1)])
    assert FILL in open_store(nginx).ReadAsArray()[16:]
    layout.write(store, ())
    np.testing.assert_array_equal(open_store(nginx).ReadAsArray(), DATA)
