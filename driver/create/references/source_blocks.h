// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// The stored bytes of a block of a source.
struct SourceBlock {
  std::string path;  ///< The file, as GDAL names it; "" for bytes that are not in a file.
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::optional<std::string> bytes = {};  ///< The bytes themselves, if they are not in a file.
};

/// How the blocks of a source are stored.
struct BlockCoding {
  zarr::ChunkGrid grid;
  zarr::Endian endian = zarr::kNativeEndian;
  /// The type of the stored elements, if it is not the one of which GDAL reads them.
  std::optional<zarr::DataType> type = {};
  /// The possible lists of codecs, in the order of encoding: several if the source does not tell their order. They have
  /// the names of numcodecs, or of v3 if `needs_v3`.
  std::vector<std::vector<zarr::CodecSpec>> codecs;
  bool needs_v3 = false;  ///< Zarr v2 cannot describe the blocks.
};

/// The blocks of one array of a source. Not thread-safe. All functions throw zarr::Error.
class SourceBlocks {
 public:
  SourceBlocks() = default;
  virtual ~SourceBlocks() = default;
  SourceBlocks(const SourceBlocks&) = delete;
  SourceBlocks& operator=(const SourceBlocks&) = delete;

  virtual const BlockCoding& coding() const = 0;
  /// Finds a block by its grid index; nullopt if it is not stored, and has the fill value. An error names the block.
  virtual std::optional<SourceBlock> Find(const zarr::Shape& index) const = 0;
  /// Reads elements by the source's own driver: packed, in C order, in native byte order, and of the coding's
  /// type, or else GDAL's.
  virtual void ReadElements(const zarr::Box& box, zarr::MutableByteSpan out) const = 0;
};

/// Parses a codec: its name, and its configuration in JSON.
inline zarr::CodecSpec MakeCodecSpec(std::string name, std::string_view configuration) {
  return {std::move(name), zarr::JsonNode::Parse(configuration, "", "")};
}

}  // namespace gdal_zarr
