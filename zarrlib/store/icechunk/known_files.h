// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zarr {

/// The files of virtual chunks to which references lead, with numbers from 0. Immutable after it was filled; then safe
/// for any number of threads.
class KnownFiles {
 public:
  /// A file as references tell of it; see ChunkRef.
  struct File {
    std::string location;
    std::string etag;
    std::uint32_t last_modified = 0;
  };

  /// Returns the number of a file. One that is not known yet is added if all files are then few and take at most
  /// `max_memory` bytes; else the result is nullopt.
  std::optional<std::uint32_t> Find(std::string_view location, std::string_view etag, std::uint32_t last_modified,
                                    std::uint64_t max_memory);
  /// Frees what only `Find` needs.
  void Finish();

  const File& Get(std::uint64_t number) const { return files_[static_cast<std::size_t>(number)]; }
  /// Bytes of memory.
  std::uint64_t memory() const { return memory_; }

 private:
  std::vector<File> files_;
  std::uint64_t memory_ = 0;
  // For `Find`.
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string key_;
};

}  // namespace zarr
