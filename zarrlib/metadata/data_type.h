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
inline constexpr Endian kNativeEndian = Endian::kLittle;  // asserted in bytes.h

struct Field;

/// The type of an array's elements: what v1 and v2 call `dtype` and v3 `data_type`.
///
/// In memory an element is always packed and in native byte order. Sizes are in bytes, at most 16 MiB. A value type.
struct DataType {
  enum class Kind {
    kBool,        ///< One byte, 0 or 1.
    kInt,         ///< Two's complement; size 1, 2, 4, 8.
    kUint,        ///< Size 1, 2, 4, 8.
    kFloat,       ///< IEEE 754; size 2, 4, 8.
    kBfloat16,    ///< Size 2.
    kSmallFloat,  ///< Size 1, in one of the formats of base/small_float.h, which `name` names.
    kComplex,     ///< A pair of floats; size 4, 8, 16.
    kDatetime64,  ///< int64, `unit_count` x `unit` since 1970; the lowest value is "not a time".
    kTimedelta64,
    kFixedBytes,  ///< NumPy's `S`: padded with NUL bytes. Size may be 0.
    kFixedUtf32,  ///< NumPy's `U`: 4 bytes a character, padded with NUL.
    kRaw,         ///< NumPy's `V`, v3's `r<N>`: opaque bytes.
    kStruct,      ///< Packed fields.
    kString,      ///< UTF-8 of any length.
    kBytes,       ///< Bytes of any length.
    kUnknown,     ///< A name that is not implemented: the array can be listed, not read.
  };

  Kind kind = Kind::kUint;
  std::size_t size = 1;  ///< Of one element; 0 for types of variable length.
  /// Of integers narrower than their byte (int2, int4 and their unsigned kin): the number of bits, else 0. In memory
  /// they are extended to the byte; stored, what stands above them is ignored.
  unsigned bits = 0;
  /// The byte order in which v1 and v2 say that elements are stored; in v3 the codec says it.
  std::optional<Endian> endian;
  std::string unit;              ///< Of kDatetime64 and kTimedelta64: Y M W D h m s ms us ns ps fs as, or "generic".
  std::uint64_t unit_count = 1;  ///< Of the same: `[25s]` is 25.
  std::vector<Field> fields;     ///< Of kStruct.
  std::string name;              ///< The v3 name, or the v1/v2 typestr, as it stands in the metadata.

  bool variable() const { return kind == Kind::kString || kind == Kind::kBytes; }

  /// Of the numbers that it is made of (the width of a complex number's part, of a character, 1 for bytes): what is
  /// reversed when byte orders differ. 0 for structs and types of variable length.
  std::size_t swap_size() const;

  /// Reads a v1 or v2 `dtype`: a typestr such as "<f4", or a list of fields [name, dtype] or [name, dtype, shape].
  /// "|O" is kUnknown with the name "|O": the filters say what it is. Throws Error at `node`.
  static DataType FromV2(const JsonNode& node);
  /// Reads a v3 `data_type`: a name or an object {name, configuration}. A name that is not known gives kUnknown;
  /// a known one with wrong configuration throws Error at `node`.
  static DataType FromV3(const JsonNode& node);

  friend bool operator==(const DataType& a, const DataType& b);  ///< Byte order and spelling do not count.
};

/// A member of a struct. `shape` is that of a sub-array (empty: one element).
struct Field {
  std::string name;
  DataType type;
  std::size_t offset = 0;  ///< From the start of the struct.
  Shape shape;
  std::size_t size() const { return type.size * Product(shape); }
  friend bool operator==(const Field&, const Field&) = default;
};

/// Turns `count` elements from `stored` byte order into native order or back, in place where `from == to`. The byte
/// order of a type (or field) that names its own goes before `stored`. The two must be equal or not overlap.
void SwapBytes(const DataType& type, Endian stored, const std::byte* from, std::byte* to, std::size_t count);
/// Whether elements stored in that order have other bytes than in memory.
bool NeedsSwap(const DataType& type, Endian stored);

}  // namespace zarr
