// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "zarrlib/json/json_cursor.h"
#include "zarrlib/metadata/array_summary.h"

namespace zarr {

/// The text of the members that a summary needs, in the text of a node's document; "" for absent members. It is found
/// while stepping over the document, without parsing it.
struct Outline {
  std::string_view node_type;
  std::string_view shape;
  std::string_view data_type;
  std::string_view dimension_names;  ///< Of v3, or the attribute of xarray.
  std::array<std::string_view, kReferringAttributes.size()> references;
};

/// Steps over the next value, the v3 document of an array or a group, and takes its outline.
Outline TakeOutlineOfV3(JsonCursor* cursor);
/// Steps over the next value, a v2 document (`.zarray` or `.zattrs`), and takes its outline.
Outline TakeOutlineOfV2(JsonCursor* cursor);
Outline TakeOutlineOfAttributes(JsonCursor* cursor);

/// Makes the summary of an array from its outline, without the data type. Nothing if the text is not as plain as
/// writers make it: then the document must be parsed.
std::optional<ArraySummary> MakeSummaryWithoutType(const Outline& outline);

}  // namespace zarr
