#pragma once

#include <cpl_port.h>

/// Registers the driver "Zarr", unless there is one of that name. GDAL calls this when it loads the plugin.
extern "C" CPL_DLL void GDALRegister_Zarr();
