// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driver/create/references/source_blocks.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// An array whose chunks are blocks of sources.
struct DescribedArray {
  zarr::ArrayMetadata metadata;
  std::shared_ptr<const SourceBlocks> blocks;
};

/// Which blocks of an array are stored.
struct BlockSurvey {
  std::optional<std::pair<zarr::Shape, SourceBlock>> first;
  std::optional<std::pair<zarr::Shape, SourceBlock>> last;
  std::optional<zarr::Shape> absent;  ///< The first one that is not.
  /// Those of another shape than the first one of the grid: some writers store a last strip whole.
  std::vector<std::pair<zarr::Shape, SourceBlock>> short_ones;
};
/// Finds all blocks.
BlockSurvey SurveyBlocks(const SourceBlocks& blocks);

/// Reads the stored bytes of a block. Throws zarr::Error(io).
zarr::Bytes ReadBlockBytes(const SourceBlock& block);

/// Describes an array whose chunks are blocks of a source: `copy`, the metadata of a copy of that array, with the grid,
/// the byte order and one of the lists of codecs of the source.
zarr::ArrayMetadata DescribeWith(const zarr::ArrayMetadata& copy, const BlockCoding& coding,
                                 const std::vector<zarr::CodecSpec>& codecs);

/// Decodes the first and the last block that are stored, and the short ones, and returns the number of the list of
/// codecs by which they have the values that the source's driver reads. Throws zarr::Error(unsupported), which names
/// the block, if there is none.
std::size_t ChooseCodecs(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks, const BlockSurvey& survey);

/// Returns the value that a block has which is not stored: one element.
zarr::FillValue ReadAbsentValue(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks,
                                const zarr::Shape& absent);
/// Gives an array the fill value of blocks that are not stored. A nodata value that was its fill value becomes the
/// attribute `_FillValue`.
void SetAbsentValue(const zarr::FillValue& value, zarr::ArrayMetadata* metadata);

/// Describes an array whose chunks are blocks of a source. Throws like ChooseCodecs.
zarr::ArrayMetadata DescribeArray(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks);

}  // namespace gdal_zarr
