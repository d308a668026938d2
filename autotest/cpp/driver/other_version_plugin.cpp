// SPDX-License-Identifier: MIT
// The plugin as if it were built for another minor version of GDAL than the one that loads it.
#include "driver/gdal/gdal_compat.h"  // chooses by the true version

#undef GDAL_VERSION_MINOR
#define GDAL_VERSION_MINOR 99
#include "driver/plugin/plugin.cpp"  // NOLINT(bugprone-suspicious-include)
