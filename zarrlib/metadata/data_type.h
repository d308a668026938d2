// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

enum class Endian { kLittle, kBig };
inline constexpr Endian kNativeEndian = std::endian::native == std::endian::little ? Endian::kLittle : Endian::kBig;

struct Field;

/// The type of an array's elements: `dtype` in v1 and v2, `data_type` in v3.
///
/// In memory, elements are always packed and in native byte order. Sizes are in bytes, at most Limit::kElement. A value
/// type.
struct DataType {
  enum class Kind {
    kBool,           ///< One byte, 0 or 1.
    kInt,            ///< Two's complement; size 1, 2, 4, 8.
    kUint,           ///< Size 1, 2, 4, 8.
    kFloat,          ///< IEEE 754; size 2, 4, 8.
    kBfloat16,       ///< Size 2.
    kSmallFloat,     ///< Size 1, in the format of base/small_float.h named by `name`.
    kComplex,        ///< A pair of floats; size 4, 8, 16.
    kNarrowComplex,  ///< A pair of bfloat16 or of small floats, as given by `name`; size 4 or 2.
    kDatetime64,     ///< int64, `unit_count` x `unit` since 1970; the lowest value is "not a time".
    kTimedelta64,
    kFixedBytes,  ///< NumPy's `S`: padded with NUL bytes. Size may be 0.
    kFixedUtf32,  ///< NumPy's `U`: 4 bytes a character, padded with NUL.
    kRaw,         ///< NumPy's `V`, v3's `r<N>`: opaque bytes.
    kStruct,      ///< Packed fields.
    kString,      ///< UTF-8 of variable length.
    kBytes,       ///< Bytes of variable length.
    kUnknown,     ///< A type that is not implemented: the array can be listed, but not read.
  };

  Kind kind = Kind::kUint;
  std::size_t size = 1;  ///< The size of one element; 0 for variable-length types.
  /// The number of bits of integers narrower than a byte (int2, int4, uint2, uint4), otherwise 0. In memory they are
  /// extended to a byte; in stored bytes, the upper bits are ignored.
  unsigned bits = 0;
  /// How many times the type is wrapped in v3's `optional`, whose elements may be missing. All other members describe
  /// the wrapped type. In memory, a missing element holds MakeMissingElement (fill_value.h).
  unsigned optional_depth = 0;
  /// The byte order in which v1 and v2 store the elements. In v3 it belongs to the codec.
  std::optional<Endian> endian;
  std::string unit;              ///< For kDatetime64 and kTimedelta64: Y M W D h m s ms us ns ps fs as, or "generic".
  std::uint64_t unit_count = 1;  ///< The number before the unit; 25 for `[25s]`.
  std::vector<Field> fields;     ///< For kStruct.
  std::string name;              ///< The v3 name, or the typestr of v1 and v2, as spelled in the metadata.

  bool variable() const { return kind == Kind::kString || kind == Kind::kBytes; }

  /// Returns the size of the numbers that make up an element, whose bytes are reversed for another byte order: half of
  /// a complex number, a character, or 1 for bytes. Returns 0 for structs and variable-length types.
  std::size_t swap_size() const;

  /// Parses a `dtype` of v1 or v2: a typestr such as "<f4", or a list of fields [name, dtype] or [name, dtype, shape].
  /// "|O" becomes kUnknown with the name "|O", because only the filters determine the type. Throws Error at `node`.
  static DataType FromV2(const JsonNode& node);
  /// Parses a `data_type` of v3: a name or an object {name, configuration}. An unknown name becomes kUnknown; a known
  /// name with an invalid configuration throws Error at `node`.
  static DataType FromV3(const JsonNode& node);

  friend bool operator==(const DataType& a, const DataType& b);  ///< Does not compare byte order and spelling.
};

/// A member of a struct. `shape` is the shape of a sub-array; empty for a single element.
struct Field {
  std::string name;
  DataType type;
  std::size_t offset = 0;  ///< Relative to the start of the struct.
  Shape shape;
  std::size_t size() const { return type.size * ComputeProduct(shape); }
  friend bool operator==(const Field&, const Field&) = default;
};

/// Returns the type of each half of a complex number.
DataType GetComplexPart(const DataType& type);

/// Converts `count` elements from the byte order `stored` to native order, or back. A type or field with its own byte
/// order keeps it. `from` and `to` must be equal or must not overlap.
void SwapBytes(const DataType& type, Endian stored, const std::byte* from, std::byte* to, std::size_t count);
/// Returns true if elements stored in that order differ from those in memory.
bool NeedsSwap(const DataType& type, Endian stored);

}  // namespace zarr
