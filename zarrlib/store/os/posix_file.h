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

/// Repeats a system call until no signal interrupts it.
template <typename Function>
auto Retry(const Function& function) {
  auto result = function();
  while (result < 0 && errno == EINTR) result = function();
  return result;
}

/// Throws Error(io) with the text of errno.
[[noreturn]] void ThrowSystemError(std::string_view what);

/// Whether `error`, a value of errno, says that there is no such file or cannot be one.
bool MeansAbsent(int error);

/// Throws Error(io) if `path`, which could not be found, stands at or below a symbolic link that leads to nothing: its
/// target may be on a disk that is not mounted, or in an annex that was not fetched. Looks at the folders down from
/// `root`, which may itself be anything.
void CheckNoBrokenLink(const std::string& root, const std::string& path);

/// GetNanoseconds since 1970.
std::int64_t GetNanoseconds(const timespec& time);

/// The folder that a path is in.
std::string GetParent(const std::string& path);

/// Whether the folder at `root` + `/` + `path` is one of the folders on the way to it, from `root` on. Then a symbolic
/// link leads back. False for a path that is absent.
bool LeadsBack(const std::string& root, std::string_view path);

/// The path with all symbolic links resolved, absolute, in the same spelling for all names of a folder. The folder need
/// not exist. Returns the path as it is if there is no current folder.
std::string GetCanonicalPath(const std::string& path);

/// Makes a folder and those above it, as far as they are absent. Returns those that it has made, the highest first.
/// After an error none of them is left.
std::vector<std::string> MakeFolders(const std::string& folder);

/// Removes folders, the last one first, as far as they are empty.
void RemoveEmptyFolders(const std::vector<std::string>& folders);

}  // namespace zarr
