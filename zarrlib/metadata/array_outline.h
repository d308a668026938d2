#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "zarrlib/json/json_cursor.h"
#include "zarrlib/metadata/array_summary.h"

namespace zarr {

/// Where the members that a summary needs stand in the text of a node's document; "" for those that do not. It is found
/// while stepping over the document, and costs no parsing.
struct Outline {
  std::string_view node_type;
  std::string_view shape;
  std::string_view data_type;
  std::string_view dimension_names;  ///< v3's, or xarray's attribute.
  std::array<std::string_view, kReferringAttributes.size()> references;
};

/// Takes the value that comes next, the document of an array or a group in v3.
Outline TakeOutlineOfV3(JsonCursor* cursor);
/// The same for the documents of v2: `.zarray`, and `.zattrs`.
Outline TakeOutlineOfV2(JsonCursor* cursor);
Outline TakeOutlineOfAttributes(JsonCursor* cursor);

/// The summary of an array with that outline, but for its data type. Nothing where the text is not as plain as writers
/// have it: parsing the document then says what it means.
std::optional<ArraySummary> SummaryWithoutType(const Outline& outline);

}  // namespace zarr
