// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Encodes a string as a value of a commit's metadata: as a FlexBuffer in format 2, as MessagePack in format 1. Throws
/// Error(invalid_argument) for one of more than 200 bytes.
Bytes EncodeMetadataText(const std::string& text, int version);

}  // namespace zarr
