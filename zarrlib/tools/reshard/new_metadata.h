// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {

/// Makes the metadata of an array with other chunks, in shards if their edges are given. Throws Error: invalid_argument
/// for edges that do not fit, limit_exceeded for chunks that would take too much memory, unsupported for codecs that
/// would round values again (unless `allow_lossy`), and for shards that are not like those of this library.
ArrayMetadata MakeReshardedMetadata(const ArrayMetadata& array, const ReshardOptions& options);

/// Returns the codecs of the innermost chunks. Throws Error(unsupported) for shards with codecs around them, or within
/// shards.
std::vector<CodecSpec> GetInnerCodecs(const ArrayMetadata& array);

/// Throws Error(unsupported) if encoding values again may change them again.
void CheckKeepsValues(const ArrayMetadata& array, const std::vector<CodecSpec>& codecs, bool allow_lossy);

/// Returns the metadata that result from reading the documents again.
ArrayMetadata ReadBack(const std::vector<MetadataDocument>& documents);

}  // namespace zarr::tools
