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

/// The attributes of CF that name other arrays.
inline constexpr std::array<std::string_view, 4> kReferringAttributes = {"bounds", "climatology", "coordinates",
                                                                         "grid_mapping"};

/// What a list of arrays says of each.
struct ArraySummary {
  Shape shape;
  DataType data_type;
  std::vector<std::optional<std::string>> dimension_names;  ///< Empty, or one per dimension.
  std::vector<std::string> references;  ///< The values of those attributes among kReferringAttributes that are strings.
};

ArraySummary SummaryOf(const ArrayMetadata& metadata);

}  // namespace zarr
