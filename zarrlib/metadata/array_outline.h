// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "zarrlib/json/json_cursor.h"
#include "zarrlib/metadata/array_summary.h"

namespace zarr {

/// The parts of a node's document that a summary needs, as JSON text; "" for absent members. They are found by stepping
/// over the document, without parsing it.
struct Outline {
  std::string_view node_type;
  std::string_view shape;
  std::string_view data_type;
  std::string_view dimension_names;  ///< From v3, or from xarray's attribute.
  std::array<std::string_view, kReferringAttributes.size()> references;
};

/// Steps over the next value, the v3 document of an array or a group, and returns its outline.
Outline TakeOutlineOfV3(JsonCursor* cursor);
/// Steps over the next value, a v2 document (`.zarray` or `.zattrs`), and returns its outline.
Outline TakeOutlineOfV2(JsonCursor* cursor);
Outline TakeOutlineOfAttributes(JsonCursor* cursor);

/// Makes the summary of an array from its outline, without the data type. Returns nullopt if the text is not as plain
/// as writers make it: the document must then be parsed.
std::optional<ArraySummary> MakeSummaryWithoutType(const Outline& outline);

}  // namespace zarr
