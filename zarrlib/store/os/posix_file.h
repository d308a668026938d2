// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A file descriptor, closed when the object goes out of scope.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Repeats a system call while signals interrupt it.
template <typename Function>
auto Retry(const Function& function) {
  auto result = function();
  while (result < 0 && errno == EINTR) result = function();
  return result;
}

/// Throws Error(io) with the message of errno.
[[noreturn]] void ThrowSystemError(std::string_view what);

/// Returns true if `error`, a value of errno, means that the file does not or cannot exist.
bool MeansAbsent(int error);

/// Throws Error(io) if `path`, which could not be found, is at or below a broken symbolic link: the target may be on a
/// disk that is not mounted, or in an annex that was not fetched. Checks the folders from `root` down; `root` itself
/// may be anything.
void CheckNoBrokenLink(const std::string& root, const std::string& path);

/// Returns the nanoseconds since 1970.
std::int64_t GetNanoseconds(const timespec& time);

/// Returns the folder that contains a path.
std::string GetParent(const std::string& path);

/// Returns true if the folder at `root` + `/` + `path` is one of the folders on the way to it, from `root` on, so that
/// a symbolic link forms a cycle. Returns false for an absent path.
bool LeadsBack(const std::string& root, std::string_view path);

/// Returns the absolute path with all symbolic links resolved, spelled the same for all names of a folder. The folder
/// need not exist. Returns the path unchanged if there is no current folder.
std::string GetCanonicalPath(const std::string& path);

/// Creates a folder and its missing parents. Returns the created folders, the highest first. After an error, none of
/// them is left.
std::vector<std::string> MakeFolders(const std::string& folder);

/// Removes folders that are empty, the last one first.
void RemoveEmptyFolders(const std::vector<std::string>& folders);

}  // namespace zarr
