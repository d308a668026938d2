// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/data_type.h"

namespace zarr {

/// The CF attributes that name other arrays.
inline constexpr std::array<std::string_view, 4> kReferringAttributes = {"bounds", "climatology", "coordinates",
                                                                         "grid_mapping"};

/// A short description of an array, as shown in a list of arrays.
struct ArraySummary {
  Shape shape;
  DataType data_type;
  std::vector<std::optional<std::string>> dimension_names;  ///< Empty, or one per dimension.
  std::vector<std::string> references;  ///< The values of the attributes in kReferringAttributes that are strings.
};

ArraySummary MakeSummary(const ArrayMetadata& metadata);

}  // namespace zarr
