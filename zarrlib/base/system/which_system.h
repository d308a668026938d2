// SPDX-License-Identifier: MIT
#pragma once

// ZARR_PORTABLE, an option of the build, leaves out what only Linux has, so that the rest can be tested there.
#if defined(__linux__) && !defined(ZARR_PORTABLE)
#define ZARR_LINUX
#endif
