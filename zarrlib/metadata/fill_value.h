// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

namespace zarr {

/// Begins a variable-length element that stands for the JSON number in the rest of it. It is not UTF-8, so that no text
/// begins with it.
inline constexpr std::string_view kNumberMark{"\xFF\0number", 8};

/// The value of elements that are not stored.
struct FillValue {
  /// One element in memory form (native byte order); for variable-length types the string itself.
  Bytes bytes;
  /// False if the metadata contain null: elements that are not stored are then undefined, and read as zeros.
  bool defined = false;
  /// For a number as the fill value of Python objects, whose text is in `bytes`: kNumberMark and that text.
  Bytes number = {};

  /// Returns true if each of `elements` equals this value, byte for byte.
  bool EqualsAll(ByteSpan elements) const;
  friend bool operator==(const FillValue&, const FillValue&) = default;
};

/// The string that is read for variable-length elements that are not stored if the fill value is undefined, and for
/// those that are stored as null. Its address distinguishes it from an empty string that is stored. Writers that pass
/// it store null where the codec has one, and an empty string elsewhere.
inline constexpr char kMissingText[1] = "";

/// Makes the element that represents a missing one of the type `optional`: NaN, the lowest signed or the highest
/// unsigned integer, "not a time", 255 for booleans, and zeros for other types of fixed size. It is empty for
/// variable-length types; see kMissingText.
Bytes MakeMissingElement(const DataType& type);

/// Makes the undefined fill value, which reads as zeros.
FillValue MakeZeroFill(const DataType& type);

/// Rounds `value` to the value that a floating-point type stores; beyond its range that is infinity or NaN.
double RoundToFloat(const DataType& type, double value);

/// Parse the `fill_value` of v1 (raw JSON, `S` as plain text) and v2 (base64 for `S`, `V` and structs). Throw Error at
/// `node` for a value that the type cannot hold. With `warnings`, the forms that CorrectFillValue accepts are read too.
FillValue ParseFillValueV1(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings = nullptr);
FillValue ParseFillValueV2(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings = nullptr);
/// Parses the `fill_value` of v3: numbers, "NaN", "Infinity", "-Infinity", "0x…", "0b…", pairs, base64, "NaT", objects.
/// Null, which GDAL wrote, is undefined. For the type `optional`: null for a missing element (undefined for
/// variable-length strings), otherwise a list of one value. `warnings` as above.
FillValue ParseFillValueV3(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings = nullptr);

}  // namespace zarr
