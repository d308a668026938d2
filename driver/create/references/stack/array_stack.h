// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/create/references/block_check.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// One array of several files, which are parts of it along one axis. The parts' blocks are chunks of the whole: of a
/// regular grid, or of a rectilinear one if their lengths differ. Small parts may become one chunk in the references
/// instead. Not thread-safe. All functions throw zarr::Error.
class ArrayStack {
 public:
  /// `axis` is that of the parts; nullopt for a new first axis, along which each part has the length 1.
  explicit ArrayStack(std::optional<std::size_t> axis) : axis_(axis) {}

  /// Adds a part. `blocks` is null if they are not known. `with_unit` is the array that has the unit of the values, to
  /// which that of the first part's applies: times are converted. Throws if the part does not belong to the ones
  /// before: it has another type, another shape along other axes, or another meaning of values.
  void Add(const std::string& file, const GDALMDArray& array, const GDALMDArray& with_unit, const SourceBlocks* blocks);
  /// Call this after the last part. Throws if neither blocks nor values can be stacked.
  void Complete();
  bool needs_v3() const;
  /// Returns the length along the axis.
  std::uint64_t length() const { return length_; }
  /// Describes the whole array by the metadata of a copy of the first part. `dimension` is the name of a new axis.
  DescribedArray Describe(const zarr::ArrayMetadata& copy, const std::string& dimension) const;

 private:
  /// The properties that all parts must share.
  struct Meaning {
    std::string type;
    std::string nodata;
    std::string scale;
    std::string unit;
    std::string calendar;
  };
  struct StoredBlock {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::size_t path = 0;  // the number of its file; or, for kInline, of its bytes
    enum class Kind : std::uint8_t { kAbsent, kInFile, kInline } kind = Kind::kAbsent;
  };
  struct Part {
    std::uint64_t first_chunk = 0;  // along the axis
    zarr::Shape grid;               // the number of blocks
    std::vector<StoredBlock> blocks;
  };
  class Blocks;

  static Meaning GetMeaning(const GDALMDArray& array, const GDALMDArray& with_unit);
  void CheckMeaning(const Meaning& meaning) const;
  void CheckShape(const zarr::Shape& shape) const;
  void AddValues(const GDALMDArray& array, const GDALMDArray& with_unit, const Meaning& meaning);
  void AddBlocks(const GDALMDArray& array, const Meaning& meaning, const SourceBlocks* blocks);
  void AddCoding(const GDALMDArray& array, const SourceBlocks& blocks, const BlockSurvey& survey);
  void AddEdges(const zarr::ChunkGrid& grid);
  void CheckOtherAxes(const zarr::ChunkGrid& grid) const;
  void TrimLast();
  void AddStored(const SourceBlocks& blocks);
  zarr::ChunkGrid MakeGrid(const zarr::Shape& shape) const;
  zarr::ChunkAxis MakeAxis() const;
  bool uses_values() const;

  std::optional<std::size_t> axis_;
  bool is_begun_ = false;
  std::size_t count_ = 0;  // of parts that are not empty
  std::uint64_t length_ = 0;
  zarr::Shape shape_;  // of the first part
  Meaning meaning_;
  zarr::DataType type_;
  std::optional<zarr::Bytes> values_ = zarr::Bytes();  // nullopt if they are not collected
  std::optional<zarr::Error> misfit_;                  // why blocks cannot be stacked
  BlockCoding coding_;                                 // of the first part, with one list of codecs
  bool has_codecs_ = false;                            // a block has confirmed the list
  std::vector<zarr::ChunkRun> runs_;
  std::uint64_t chunk_count_ = 0;  // along the axis
  zarr::ChunkSpan last_;           // the last chunk along the axis, in its part
  std::optional<zarr::FillValue> absent_;
  std::vector<Part> parts_;
  std::vector<std::string> paths_;
  std::vector<std::string> inline_;
};

}  // namespace gdal_zarr
