// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/memory_store.h"

/// A store as one input of a fuzzer: keys and values, one after the other.
namespace zarr::fuzz {

struct ArchiveEntry {
  std::string key;
  std::string value;
  friend bool operator==(const ArchiveEntry&, const ArchiveEntry&) = default;
};
using Archive = std::vector<ArchiveEntry>;

/// The number of entries that are read of an input.
inline constexpr std::size_t kMaxEntries = 256;

/// Parses an input. Each entry is: the length of the key (2 bytes, little-endian), that of the value (4 bytes), the
/// key, the value. All inputs are valid: lengths end at the end of the input.
Archive ParseArchive(std::string_view input);
std::string FormatArchive(const Archive& archive);

/// Makes a store of the entries whose keys have the form of one. No two stores have the same name.
std::shared_ptr<MemoryStore> MakeStore(const Archive& archive);

}  // namespace zarr::fuzz
