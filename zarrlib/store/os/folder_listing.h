// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// Lists a folder as Store::List shows it: links are followed, temporary files are hidden, and a folder that is absent
/// is empty. Throws Error(io) without a place. Thread-safe.
Listing ListShown(const std::string& path);

}  // namespace zarr
