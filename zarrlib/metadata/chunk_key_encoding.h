// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

/// The name of the encoding of the library zarrs that adds a suffix to the keys of `default`.
inline constexpr std::string_view kSuffixName = "zarrs.default_suffix";

/// Makes the part of a chunk's key that follows the array's path, from the grid index. A value type.
struct ChunkKeyEncoding {
  enum class Kind {
    kDefault,  ///< "c/1/2"; "c" for rank 0.
    kV2,       ///< "1.2"; "0" for rank 0.
    kV1,       ///< "1.2"; "0" for rank 0, which zarr 1.x could not write.
    kV3Draft,  ///< "c1/2"; "c0" for rank 0.
    kV0,       ///< "__zdata__/1.2.blosc", from releases before 1.0.
  };
  Kind kind = Kind::kDefault;
  char separator = '/';
  char letter = 'c';        ///< Used by kDefault; 'C' if a file system has changed the case of names.
  std::string suffix = {};  ///< Used by kDefault: ends all keys of `default_suffix`.

  /// Parses the `chunk_key_encoding` of v3, a name or {name, configuration}. Throws Error at `node`.
  static ChunkKeyEncoding FromV3(const JsonNode& node);

  std::string Format(const Shape& grid_index) const;
  /// Appends to `key` the text that Format returns. Does not allocate if `key` has the capacity.
  void AppendTo(const Shape& grid_index, std::string* key) const;
  /// Returns the folder that contains the folders and chunks of all indices: "c" for "c/1/2"; "" if there is none.
  std::string GetTopFolder() const;
  /// Parses a key of an array of `rank` dimensions to the grid index. Returns nullopt if it is not a chunk key.
  std::optional<Shape> Parse(std::string_view key, std::size_t rank) const;

  /// Returns this encoding with keys in one of kChunkKeyForms. Returns nullopt for any other text, and for arrays of v1
  /// or older and of the draft of v3, whose keys have only one form.
  std::optional<ChunkKeyEncoding> WithForm(std::string_view form) const;
  /// Returns the shortest form that turns this encoding into `other`; "" if there is none.
  std::string_view FindForm(const ChunkKeyEncoding& other) const;

  friend bool operator==(const ChunkKeyEncoding&, const ChunkKeyEncoding&) = default;
};

/// The forms of chunk keys that writers use: a separator alone, or the key of the first chunk of a two-dimensional
/// array.
inline constexpr std::string_view kChunkKeyForms[] = {".", "/", "0.0", "0/0", "c.0.0", "c/0/0", "C.0.0", "C/0/0"};

}  // namespace zarr
