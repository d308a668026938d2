#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A file descriptor, closed when this goes out of scope.
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

/// Calls a system function until no signal interrupts it.
template <typename Function>
auto Retry(const Function& function) {
  auto result = function();
  while (result < 0 && errno == EINTR) result = function();
  return result;
}

/// Throws Error(io) for what errno says.
[[noreturn]] void ThrowSystemError(std::string_view what);

/// Whether errno says that there is no such file, and cannot be.
bool MeansAbsent(int error);

/// Nanoseconds since 1970.
std::int64_t Nanoseconds(const timespec& time);

/// The folder that a path is in.
std::string ParentOf(const std::string& path);

/// Whether the folder at `root` + `/` + `path` is one of those on the way to it, from `root` on: a symbolic link leads
/// back to where it was met. What is absent is not.
bool LeadsBack(const std::string& root, std::string_view path);

/// What a path means now, whatever folder is the current one later, and wherever symbolic links lead then: one spelling
/// for all that name a folder, also one that is not there yet. As it is where there is no current folder.
std::string CanonicalPath(const std::string& path);

void MakeFolders(const std::string& folder);

}  // namespace zarr
