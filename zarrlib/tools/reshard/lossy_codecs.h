// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

namespace zarr::tools {

/// Returns the name of a codec, including codecs inside shards, that may change values; nullopt if all codecs are known
/// to preserve every bit. An unknown codec counts as lossy.
std::optional<std::string> FindLossyCodec(const std::vector<CodecSpec>& codecs, const DataType& type);

}  // namespace zarr::tools
