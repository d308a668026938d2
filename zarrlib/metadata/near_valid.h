// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

/// Forms that the specifications do not have, but that other readers take, all with one meaning. They are changed into
/// the specification's form, and each change is said in `warnings`. Thread-safe. What has no such form is returned as
/// it is: the parsers refuse it.
namespace zarr {

/// Whether the member `zarr_format` of an object is `version`: the integer, or the same number as a float or as text.
bool HasFormat(const JsonNode& document, int version);

/// Corrects the document of an array of v2, or of v3: `zarr_format`, lengths that are floats or text, and in v2 members
/// that are missing, the `order`, the `dimension_separator`, and the spelling of the `dtype`.
JsonNode CorrectArrayV2(const JsonNode& zarray, std::vector<std::string>* warnings);
JsonNode CorrectArrayV3(const JsonNode& zarr_json, std::vector<std::string>* warnings);
/// Corrects `zarr_format` alone.
JsonNode CorrectFormat(const JsonNode& document, int version, std::vector<std::string>* warnings);

/// Corrects the fill value, or a part of one, of a type that is a number or a boolean: a boolean for a number and the
/// other way round, text for a number, and a number beyond the range of a float, which is then infinite.
JsonNode CorrectFillValue(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings);

}  // namespace zarr
