#pragma once

#include "zarrlib/base/bytes.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

namespace zarr {

/// The value of elements that are not stored.
struct FillValue {
  /// One element in memory form (native order); for types of variable length the string itself.
  Bytes bytes;
  /// False where the metadata say null: the content is then undefined, and read as zeros.
  bool defined = false;

  /// Whether every element of `elements` equals this value, byte for byte.
  bool EqualsAll(ByteSpan elements) const;
  friend bool operator==(const FillValue&, const FillValue&) = default;
};

/// Undefined, zeros.
FillValue ZeroFill(const DataType& type);

/// Reads the `fill_value` of v1 (raw JSON, `S` as plain text) or v2 (base64 for `S`, `V` and structs).
/// Throws Error at `node` for a value that the type cannot hold.
FillValue FillValueFromV1(const JsonNode& node, const DataType& type);
FillValue FillValueFromV2(const JsonNode& node, const DataType& type);
/// Reads the `fill_value` of v3: numbers, "NaN", "Infinity", "-Infinity", "0x…", pairs, base64, "NaT", objects.
/// Null, which GDAL wrote, is undefined.
FillValue FillValueFromV3(const JsonNode& node, const DataType& type);

}  // namespace zarr
