// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// The name under which the author of a commit is stored in its metadata.
inline constexpr const char* kAuthorItem = "author";

/// Encodes a string as a value of a commit's metadata: as a FlexBuffer in format 2, as MessagePack in format 1. Throws
/// Error(invalid_argument) for one of more than 200 bytes.
Bytes EncodeMetadataText(const std::string& text, int version);

}  // namespace zarr
