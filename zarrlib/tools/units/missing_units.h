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

/// Calls `use` for each unit of a region inside the array that has no stored data. Takes one bit for each unit, but at
/// most 16 MiB, in addition to the names in one folder of the store. Returns the number of units.
UnitCounts ForEachMissingUnit(const Array& array, const Box& region, const std::function<void(const WriteUnits&)>& use);

}  // namespace zarr::tools
