// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// Lists a folder as Store::List does: links are followed, temporary files are hidden, and an absent folder is empty.
/// Throws Error(io) without a location. Thread-safe.
Listing ListShown(const std::string& path);

}  // namespace zarr
