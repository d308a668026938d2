// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include "driver/create/references/source_blocks.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// The first block that is stored, and the first one that is not.
struct FirstBlocks {
  std::optional<std::pair<zarr::Shape, SourceBlock>> present;
  std::optional<zarr::Shape> absent;
};
FirstBlocks FindFirstBlocks(const SourceBlocks& blocks);

/// Reads the stored bytes of a block. Throws zarr::Error(io).
zarr::Bytes ReadBlockBytes(const SourceBlock& block);

/// Describes an array whose chunks are blocks of a source, with the metadata of a copy of that array: `copy` with the
/// grid, the byte order and one of the lists of codecs of the source. Decodes one block, and returns the metadata by
/// which it has the values that the source's driver reads. Throws zarr::Error(unsupported), which names the block, if
/// no list of codecs does that.
zarr::ArrayMetadata DescribeByBlock(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks,
                                    const zarr::Shape& index, const SourceBlock& block);
/// Like DescribeByBlock, without a block: uses the first list of codecs.
zarr::ArrayMetadata DescribeWithoutBlock(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks);

/// Throws like DescribeByBlock unless the block has the values that the source's driver reads.
void CheckBlock(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks, const zarr::Shape& index,
                const SourceBlock& block);

}  // namespace gdal_zarr
