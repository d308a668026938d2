#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "zarrlib/codec/array_to_array/numeric_elements.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

/// What the array-to-array codecs have in common that keep the shape and compute with the elements.
namespace zarr {

struct FilterLoops {
  ElementLoop encode;
  ElementLoop decode;
  bool elementwise = true;  ///< If not, the loops need all elements of the chunk, in C order.
};

/// The filter for chunks of `decoded`, whose encoded elements have `type`, and whose encoded fill value is the encoded
/// fill value. Throws Error at `place` if that one cannot be encoded.
std::shared_ptr<const ResolvedArrayToArray> MakeArrayFilter(const ChunkSpec& decoded, const DataType& type,
                                                            FilterLoops loops, const JsonNode& place);

/// A NumPy data type of numbers as a member of a configuration: "<f4", or "float32" and "f4", which have no byte order,
/// as zarr-python 3 writes it; nothing if it is absent. Error at the member for what else it is.
std::optional<DataType> NumPyTypeOption(const CodecSpec& spec, std::string_view name);

/// A codec of numcodecs that has two types: its decoded elements', by default the array's, and its encoded ones', by
/// default the same. As in numcodecs, an array of another type is taken by its bytes, if its elements are as large.
/// In a format whose data types name a byte order (v1, v2), so does the encoded type.
struct NumcodecsFilter {
  std::string_view dtype;  ///< The names of the two members.
  std::string_view astype;
  std::function<FilterLoops(const DataType& dtype, const DataType& astype)> make_loops;
};
Codec MakeNumcodecsFilter(const CodecSpec& spec, NumcodecsFilter filter);

}  // namespace zarr
