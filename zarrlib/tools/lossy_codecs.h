#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

namespace zarr::tools {

/// The name of a codec that may give other values back than it was given, those within shards included; nothing if all
/// are known to keep every bit. What is not known counts as one that does not.
std::optional<std::string> FindLossyCodec(const std::vector<CodecSpec>& codecs, const DataType& type);

}  // namespace zarr::tools
