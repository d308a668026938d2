// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "zarrlib/base/system/file.h"

namespace zarr {

/// An open folder. It stays the same one if another process renames it or replaces it by a link. A function that fails
/// returns false, nullopt or an object that is not open, and sets errno. Use each object from one thread at a time.
class Folder {
 public:
  struct Entry {
    std::string name;
    FileKind kind = FileKind::kOther;
    std::uint64_t order = 0;  ///< Removing files in this order is fastest.
  };

  /// Opens a folder, which may be reached through links.
  static Folder Open(const std::string& path);
  Folder(Folder&&) noexcept;
  ~Folder();

  /// Opens a folder in this one. A link is an error (ELOOP or ENOTDIR).
  Folder OpenFolder(const std::string& name) const;
  /// Opens a file in this folder, for a lock. A link is an error.
  File OpenFile(const std::string& name) const;

  bool is_open() const { return stream_ != nullptr; }
  /// Reads the next entry, except "." and "..". Returns false with errno 0 after the last one. Throws std::bad_alloc.
  bool Next(Entry* entry);
  std::optional<FileStatus> GetStatus(const std::string& name, Links links) const;
  bool RemoveFile(const std::string& name) const;
  bool RemoveFolder(const std::string& name) const;

 private:
  struct Stream;
  explicit Folder(std::unique_ptr<Stream> stream);

  std::unique_ptr<Stream> stream_;
};

}  // namespace zarr
