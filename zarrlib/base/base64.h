// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Decodes base64 (RFC 4648, section 4); padding may be missing. Returns nullopt if there are other characters.
std::optional<Bytes> DecodeBase64(std::string_view text);
/// Encodes with padding and without line breaks.
std::string EncodeBase64(ByteSpan bytes);

}  // namespace zarr
