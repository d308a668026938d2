// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "zarrlib/codec/codec_pipeline.h"

/// The pipelines whose decoders are fuzzed.
namespace zarr::fuzz {

/// A list of codecs as v3 has it, and a data type. Both are JSON.
struct CodecRow {
  std::string_view codecs;
  std::string_view data_type;
};

/// Rows are only added at the end: the first byte of the inputs that are kept is the number of a row.
std::span<const CodecRow> GetCodecRows();
/// The shapes of chunks, of which the second byte of an input chooses one.
std::span<const Shape> GetChunkShapes();

/// Throws Error for a codec that this build does not have, and for a shape that the codecs refuse.
std::shared_ptr<const ResolvedPipeline> ResolveRow(const CodecRow& row, const Shape& shape);

}  // namespace zarr::fuzz
