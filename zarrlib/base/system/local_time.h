// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace zarr {

/// Returns a time as the parts of a date in the local time zone. Thread-safe.
std::tm GetLocalTime(std::time_t time);

}  // namespace zarr
