// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "zarrlib/codec/array_to_array/numeric_elements.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

/// Code shared by the array-to-array codecs that keep the shape and compute with the elements.
namespace zarr {

struct FilterLoops {
  ElementLoop encode;
  ElementLoop decode;
  bool elementwise = true;  ///< If false, the loops need all elements of the chunk, in C order.
};

/// Makes the filter for chunks of `decoded`. Encoded elements have `type`; the encoded fill value is computed from the
/// fill value of `decoded`. Throws Error at `place` if it cannot be encoded.
std::shared_ptr<const ResolvedArrayToArray> MakeArrayFilter(const ChunkSpec& decoded, const DataType& type,
                                                            FilterLoops loops, const JsonNode& place);

/// Parses a numeric NumPy data type from a member of a configuration: "<f4", or "float32" and "f4", which zarr-python 3
/// writes and which do not include a byte order. Returns nullopt if the member is absent; throws Error at the member
/// for any other value.
std::optional<DataType> ParseNumPyTypeOption(const CodecSpec& spec, std::string_view name);

/// A codec of numcodecs with two data types: one for the decoded elements (by default the array's) and one for the
/// encoded elements (by default the decoded type).
///
/// As in numcodecs, an array of another type is read as bytes. If the format's data types include a byte order (v1,
/// v2), so does the encoded type, and the elements may have another size or order: these are then the stored bytes.
struct NumcodecsFilter {
  std::string_view dtype;  ///< The names of the two members for the data types.
  std::string_view astype;
  std::function<FilterLoops(const DataType& dtype, const DataType& astype)> make_loops;
};
Codec MakeNumcodecsFilter(const CodecSpec& spec, NumcodecsFilter filter);

}  // namespace zarr
