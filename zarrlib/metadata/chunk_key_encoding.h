#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

/// How a grid index becomes the part of a key behind the array's path. A value type.
struct ChunkKeyEncoding {
  enum class Kind {
    kDefault,  ///< "c/1/2"; "c" for rank 0.
    kV2,       ///< "1.2"; "0" for rank 0.
    kV1,       ///< "1.2"; for rank 0, which zarr 1.x could not write, "0".
    kV0,       ///< "__zdata__/1.2.blosc", of the releases before 1.0.
  };
  Kind kind = Kind::kDefault;
  char separator = '/';

  /// Reads v3's `chunk_key_encoding`, a name or {name, configuration}. Throws Error at `node`.
  static ChunkKeyEncoding FromV3(const JsonNode& node);

  std::string Format(const Shape& grid_index) const;
  /// Appends the key to `key`: as Format, without an allocation once `key` has the capacity.
  void AppendTo(const Shape& grid_index, std::string* key) const;
  /// The grid index of a key of an array of `rank` dimensions; nothing if it is no chunk key.
  std::optional<Shape> Parse(std::string_view key, std::size_t rank) const;

  friend bool operator==(const ChunkKeyEncoding&, const ChunkKeyEncoding&) = default;
};

}  // namespace zarr
