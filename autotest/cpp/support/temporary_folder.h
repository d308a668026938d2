// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "zarrlib/store/temporary_names.h"

namespace zarr {

/// A name that nothing has yet.
inline std::string MakeUniqueName(const std::string& start) {
  return start + std::to_string(MakeRandomNumber());
}

/// A new folder, which is removed with all its content.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / MakeUniqueName("zarr-store-")) {
    std::filesystem::create_directory(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The number of files below the folder, whatever their names.
  std::size_t CountFiles() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) count += entry.is_regular_file();
    return count;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace zarr
