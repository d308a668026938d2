// SPDX-License-Identifier: MIT
#pragma once

#include <cpl_port.h>

/// Registers the driver "Zarr", unless a driver of that name is registered. GDAL calls this when it loads the plugin.
extern "C" CPL_DLL void GDALRegister_Zarr();
