# SPDX-License-Identifier: MIT
"""One piece of work that a user can do n times, for linear.py: linear_work.py NAME FORMAT N FOLDER prints the seconds of the
processor that it takes, after what has to be there has been made, and a number that tells what came out."""
import os
import resource
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
FLOAT = gdal.ExtendedDataType.Create(gdal.GDT_Float32)
TEXT = gdal.ExtendedDataType.CreateString()
ARRAY_OPTIONS = ["COMPRESS=NONE"]


class Work:
    """The place of the stores, and how they are made."""

    def __init__(self, version, count, folder):
        self.version, self.count = version, count
        self.path = os.path.join(folder, "store.zarr")
        self.driver = gdal.GetDriverByName("Zarr")
        self.options = [f"FORMAT=ZARR_V{version}"]

    def make_multidim(self):
        return self.driver.CreateMultiDimensional(self.path, [], self.options)

    def make_array(self, root, name, sizes, chunks=None):
        dimensions = [root.CreateDimension(f"{name}_{i}", None, None, size) for i, size in enumerate(sizes)]
        block = [] if chunks is None else ["BLOCKSIZE=" + ",".join(map(str, chunks))]
        return root.CreateMDArray(name, dimensions, FLOAT, ARRAY_OPTIONS + block)

    def make_raster(self, bands, items=0):
        return describe(self.driver.Create(self.path, 4, 2, bands, gdal.GDT_Float32, self.options), items)

    def in_memory(self, bands, items):
        return describe(gdal.GetDriverByName("MEM").Create("", 4, 2, bands, gdal.GDT_Float32), items)


def describe(dataset, items):
    """Gives each band a description, a nodata value and so many items."""
    for i in range(dataset.RasterCount if items else 0):
        band = dataset.GetRasterBand(i + 1)
        band.SetDescription(f"hour {i}")
        band.SetNoDataValue(-9999)
        for item in range(items):
            band.SetMetadataItem(f"ITEM_{item}", f"{i}")
    return dataset


def add_attributes(node, count):
    for i in range(count):
        node.CreateAttribute(f"attribute_{i}", [], TEXT).Write(f"value {i}")


def copy_bands(work):
    """gdal_translate of n bands with a description, a nodata value and three items."""
    source = work.in_memory(work.count, 3)
    yield
    work.driver.CreateCopy(work.path, source, options=work.options)


def create_bands(work):
    """Create of n bands, each of which gets a description, a nodata value and three items."""
    yield
    work.make_raster(work.count, 3)


def set_band_properties(work):
    """Each of n bands of a store that is open for update gets a unit, a scale, an offset, statistics, names of
    categories and a colour."""
    work.make_raster(work.count)
    dataset = gdal.OpenEx(work.path, gdal.OF_RASTER | gdal.OF_UPDATE)
    yield
    for i in range(work.count):
        band = dataset.GetRasterBand(i + 1)
        band.SetUnitType("K")
        band.SetScale(0.5)
        band.SetOffset(10)
        band.SetStatistics(0, i, 0.5 * i, 1)
        band.SetCategoryNames([f"a {i}", f"b {i}"])
        band.SetColorInterpretation(gdal.GCI_GrayIndex if i else gdal.GCI_RedBand)


def describe_opened_bands(work):
    """Each of n bands of a store that is open for update gets a description, a nodata value and three items."""
    work.make_raster(work.count)
    dataset = gdal.OpenEx(work.path, gdal.OF_RASTER | gdal.OF_UPDATE)
    yield
    describe(dataset, 3)
    del dataset


def read_bands(work):
    """Open, and what gdalinfo asks each of n bands."""
    work.make_raster(work.count, 3)
    yield
    gdal.Info(work.path)


def write_bands(work):
    """Each of n bands is written, and read back, in a dataset that is open for update."""
    work.make_raster(work.count)
    dataset = gdal.OpenEx(work.path, gdal.OF_RASTER | gdal.OF_UPDATE)
    yield
    for i in range(work.count):
        dataset.GetRasterBand(i + 1).WriteArray(np.full((2, 4), i, "f4"))
    for i in range(work.count):
        assert dataset.GetRasterBand(i + 1).ReadAsArray()[1, 3] == i
    del dataset


def set_dataset_items(work):
    """n metadata items of a dataset."""
    dataset = work.make_raster(1)
    yield
    for i in range(work.count):
        dataset.SetMetadataItem(f"ITEM_{i}", f"{i}")
    del dataset


def set_opened_items(work):
    """n metadata items of a dataset that is open for update, each of which is read back."""
    work.make_raster(1)
    dataset = gdal.OpenEx(work.path, gdal.OF_RASTER | gdal.OF_UPDATE)
    yield
    for i in range(work.count):
        dataset.SetMetadataItem(f"ITEM_{i}", f"{i}")
        assert dataset.GetMetadataItem(f"ITEM_{i}") == f"{i}"
    del dataset


def set_band_items(work):
    """n items of one band."""
    dataset = work.make_raster(1)
    yield
    for i in range(work.count):
        dataset.GetRasterBand(1).SetMetadataItem(f"ITEM_{i}", f"{i}")
    del dataset


def add_group_attributes(work):
    """n attributes of a group."""
    dataset = work.make_multidim()
    yield
    add_attributes(dataset.GetRootGroup(), work.count)
    del dataset


def add_array_attributes(work):
    """n attributes of an array."""
    dataset = work.make_multidim()
    array = work.make_array(dataset.GetRootGroup(), "a", [10])
    yield
    add_attributes(array, work.count)
    del array, dataset


def read_attributes(work):
    """Each of n attributes of an array is asked for by its name."""
    dataset = work.make_multidim()
    array = work.make_array(dataset.GetRootGroup(), "a", [10])
    add_attributes(array, work.count)
    del array, dataset
    dataset = gdal.OpenEx(work.path, gdal.OF_MULTIDIM_RASTER)
    array = dataset.GetRootGroup().OpenMDArray("a")
    yield
    for i in range(work.count):
        assert array.GetAttribute(f"attribute_{i}").Read() == f"value {i}"


def create_arrays(work):
    """n arrays, each with two attributes, of which one is the unit."""
    dataset = work.make_multidim()
    root = dataset.GetRootGroup()
    dimension = root.CreateDimension("x", None, None, 10)
    yield
    for i in range(work.count):
        array = root.CreateMDArray(f"a_{i}", [dimension], FLOAT, ARRAY_OPTIONS)
        array.SetUnit("K")
        add_attributes(array, 1)
        del array
    del root, dimension, dataset


def create_placed_arrays(work):
    """n arrays along the same X and Y, each of which gets a CRS."""
    dataset = work.make_multidim()
    root = dataset.GetRootGroup()
    types = {"y": gdal.DIM_TYPE_HORIZONTAL_Y, "x": gdal.DIM_TYPE_HORIZONTAL_X}
    dimensions = [root.CreateDimension(name, kind, None, 4) for name, kind in types.items()]
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32632)
    yield
    for i in range(work.count):
        array = root.CreateMDArray(f"a_{i}", dimensions, FLOAT, ARRAY_OPTIONS)
        array.SetSpatialRef(srs)
        del array
    del root, dimensions, dataset


def copy_arrays(work):
    """A multidimensional copy of n arrays with data, a unit and an attribute."""
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
    root = source.GetRootGroup()
    dimension = root.CreateDimension("x", None, None, 10)
    for i in range(work.count):
        array = root.CreateMDArray(f"a_{i}", [dimension], FLOAT)
        array.SetUnit("K")
        add_attributes(array, 1)
        array.Write(np.full(10, i, "f4"))
    yield
    work.driver.CreateCopy(work.path, source, options=work.options)


def add_arrays(work):
    """n arrays are added to a store that is open for update."""
    work.make_multidim()
    dataset = gdal.OpenEx(work.path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    root = dataset.GetRootGroup()
    dimension = root.CreateDimension("x", None, None, 10)
    yield
    for i in range(work.count):
        array = root.CreateMDArray(f"a_{i}", [dimension], FLOAT, ARRAY_OPTIONS)
        add_attributes(array, 1)
        del array
    del root, dimension, dataset


def read_arrays(work):
    """n arrays are listed and opened."""
    for _ in create_arrays(work):
        pass
    yield
    dataset = gdal.OpenEx(work.path, gdal.OF_MULTIDIM_RASTER)
    root = dataset.GetRootGroup()
    for name in root.GetMDArrayNames():
        root.OpenMDArray(name).GetUnit()


def create_groups(work):
    """n groups, each with an attribute."""
    dataset = work.make_multidim()
    root = dataset.GetRootGroup()
    yield
    for i in range(work.count):
        add_attributes(root.CreateGroup(f"g_{i}"), 1)
    del root, dataset


def create_nested_groups(work):
    """n groups in each other's neighbourhood: ten in each group of a row of them."""
    dataset = work.make_multidim()
    yield
    for i in range(work.count // 10):
        group = dataset.GetRootGroup().CreateGroup(f"g_{i}")
        for j in range(9):
            group.CreateGroup(f"h_{j}")
    del group, dataset


def create_dimensions(work):
    """n dimensions, each of which an array has."""
    dataset = work.make_multidim()
    root = dataset.GetRootGroup()
    yield
    dimensions = [root.CreateDimension(f"x_{i}", None, None, 10) for i in range(work.count)]
    for i in range(work.count):
        root.CreateMDArray(f"x_{i}", [dimensions[i]], FLOAT, ARRAY_OPTIONS)
    assert len(root.GetDimensions()) == work.count
    del root, dimensions, dataset


def append_steps(work):
    """n steps are appended to an array, one by one (GDAL 3.7 and later)."""
    dataset = work.make_multidim()
    array = work.make_array(dataset.GetRootGroup(), "a", [1, 10], [1, 10])
    yield
    for i in range(work.count):
        array.Resize([i + 1, 10])
        array.Write(np.full((1, 10), i, "f4"), [i, 0], [1, 10])
    del array, dataset


def write_rows(work):
    """n chunks of one row are written, one by one."""
    dataset = work.make_multidim()
    array = work.make_array(dataset.GetRootGroup(), "a", [work.count, 10], [1, 10])
    yield
    for i in range(work.count):
        array.Write(np.full((1, 10), i + 1, "f4"), [i, 0], [1, 10])
    del array, dataset


def write_columns(work):
    """n chunks of one column are written, all at once."""
    dataset = work.make_multidim()
    array = work.make_array(dataset.GetRootGroup(), "a", [10, work.count], [10, 1])
    yield
    array.Write(np.ones((10, work.count), "f4"))
    del array, dataset


def read_rows(work):
    """n chunks of one row are read, one by one."""
    for _ in write_rows(work):
        pass
    dataset = gdal.OpenEx(work.path, gdal.OF_MULTIDIM_RASTER)
    array = dataset.GetRootGroup().OpenMDArray("a")
    yield
    for i in range(work.count):
        array.Read([i, 0], [1, 10])


WORK = {
    function.__name__: function
    for function in (
        copy_bands,
        create_bands,
        describe_opened_bands,
        set_band_properties,
        read_bands,
        write_bands,
        set_dataset_items,
        set_opened_items,
        set_band_items,
        add_group_attributes,
        add_array_attributes,
        read_attributes,
        create_arrays,
        create_placed_arrays,
        copy_arrays,
        add_arrays,
        read_arrays,
        create_groups,
        create_nested_groups,
        create_dimensions,
        append_steps,
        write_rows,
        write_columns,
        read_rows,
    )
}


def measure(name, version, count, folder):
    steps = WORK[name](Work(version, count, folder))
    next(steps)
    begin = count_seconds()
    for _ in steps:
        pass
    del steps
    return count_seconds() - begin


def count_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    print(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
