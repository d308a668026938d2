// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/grid/write_units.h"

namespace zarr::tools {

struct UnitCounts {
  std::uint64_t all = 0;
  std::uint64_t missing = 0;
};

/// Calls `use` for each unit of a region, which is inside the array, of which nothing is stored. Takes one bit for each
/// unit, and no more than 16 MiB, besides the names in one folder of the store. Returns how many units there are.
UnitCounts ForEachMissingUnit(const Array& array, const Box& region, const std::function<void(const WriteUnits&)>& use);

}  // namespace zarr::tools
