// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// The ID of an object of an Icechunk repository: of a snapshot, a manifest or a file of chunks.
using ObjectId = std::array<std::byte, 12>;
/// The ID of a node, which it keeps when it is renamed.
using NodeId = std::array<std::byte, 8>;

/// Copies an ID from a FlatBuffer; `bytes` must have its size.
template <typename Id>
Id ReadId(ByteSpan bytes) {
  Id id;
  for (std::size_t i = 0; i < id.size(); ++i) id[i] = bytes[i];
  return id;
}

/// Returns the text of an ID in file names: Crockford's Base32 in upper case, without padding.
std::string FormatObjectId(const ObjectId& id);
/// Parses such a text, in upper or lower case. Returns nullopt for other text.
std::optional<ObjectId> ParseObjectId(std::string_view text);

/// Make random IDs, which no other call makes. Thread-safe.
ObjectId MakeObjectId();
NodeId MakeNodeId();

}  // namespace zarr
