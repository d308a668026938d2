# SPDX-License-Identifier: MIT
"""A process that forks while threads read leaves a child that can read."""

import subprocess

import numpy as np
from plugin_in_use import python
from sanitizer import skip_with_sanitizer
from stores import write_v3

SCRIPT = """
import os, signal, sys, threading
from osgeo import gdal
gdal.UseExceptions()
root = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER).GetRootGroup()
array = root.OpenMDArray(root.GetMDArrayNames()[0])
array.Read()
stop = False


def read():
    while not stop:
        array.Read(array_start_idx=[0, 0], count=[4, 4])


threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
good = 0
for i in range(100):
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(20)
        array.Read(array_start_idx=[0, 0], count=[4, 4])
        os._exit(0)
    good += os.waitpid(child, 0)[1] == 0
    if good <= i:
        break
stop = True
for thread in threads:
    thread.join()
print(good)
"""


def test_children_of_a_fork_read_what_is_in_memory(store):
    skip_with_sanitizer("its malloc waits in a child for a thread that only the parent has")
    write_v3(store, np.arange(64, dtype="<i4").reshape(8, 8))
    result = subprocess.run(python(SCRIPT, store), capture_output=True, text=True, check=True, timeout=300)
    assert result.stdout.strip() == "100", result.stderr
