// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

/// Corrects metadata that the specifications do not allow, but that other readers accept, all with the same meaning. It
/// is changed into the specification's form, and each change is recorded in `warnings`. Anything else is returned
/// unchanged, for the parsers to reject. Thread-safe.
namespace zarr {

/// Returns true if the member `zarr_format` of an object is `version`: the integer, or the same number as a float or as
/// text.
bool HasFormat(const JsonNode& document, int version);

/// Corrects the document of a v2 or v3 array: `zarr_format`, and lengths that are floats or text; in v2 also missing
/// members, the `order`, the `dimension_separator`, and the spelling of the `dtype`.
JsonNode CorrectArrayV2(const JsonNode& zarray, std::vector<std::string>* warnings);
JsonNode CorrectArrayV3(const JsonNode& zarr_json, std::vector<std::string>* warnings);
/// Corrects only `zarr_format`.
JsonNode CorrectFormat(const JsonNode& document, int version, std::vector<std::string>* warnings);

/// Corrects the fill value, or a part of one, of a numeric or boolean type: a boolean for a number and the other way
/// round, text for a number, and a number beyond the range of a float, which becomes infinite.
JsonNode CorrectFillValue(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings);

}  // namespace zarr
