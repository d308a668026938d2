#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs Debian's Dask where it is missing, and runs jobs of many processes. Without Dask the tests are left out.
# Usage: autotest/distributed/run.sh [build folder]    (default: build)
#   ZARR_KILLS   how many workers are killed in each job (default: 4)
set -euo pipefail
cd "$(dirname "$0")/../.."

bash cmake/deps.sh distributed || echo "run.sh: Dask could not be installed" >&2
GDAL_DRIVER_PATH=$(cd "${1:-build}" && pwd)/gdalplugins
export GDAL_DRIVER_PATH
# Tests have time limits of their own. This one is for a process that hangs outside of Python.
limit=$((300 + 60 * ${ZARR_KILLS:-4}))
timeout --kill-after=10 "$limit" /usr/bin/python3 -m pytest -q -rs -p no:cacheprovider autotest/distributed
