// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/value_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "zarrlib/store/os/file_stamp.h"

namespace zarr {
namespace {

void CheckRegular(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return;
  throw Error(ErrorKind::kIo, FormatExpectedGot("a file", S_ISDIR(status.st_mode) ? "a folder" : "something else"));
}

}  // namespace

std::optional<File> OpenValueFile(const std::string& root, const std::string& path, struct stat* status) {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int descriptor = Retry([&] { return ::open(path.c_str(), flags); });
  if (descriptor < 0) {
    if (!MeansAbsent(errno)) ThrowSystemError("open");
    CheckNoBrokenLink(root, path);
    return std::nullopt;
  }
  File file(descriptor);
  if (::fstat(descriptor, status) != 0) ThrowSystemError("get the status");
  CheckRegular(*status);
  return file;
}

bool LookAtValue(const std::string& root, const std::string& path, VersionStamp* stamp) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (!MeansAbsent(errno)) ThrowSystemError("get the status");
    CheckNoBrokenLink(root, path);
    return false;
  }
  CheckRegular(status);
  if (stamp) *stamp = MakeFileStamp(status);
  return true;
}

void ReadFileAt(const File& file, std::uint64_t offset, MutableByteSpan buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t count = Retry([&] {
      return ::pread(file.get(), buffer.data() + done, buffer.size() - done, static_cast<off_t>(offset + done));
    });
    if (count < 0) ThrowSystemError("read");
    if (count == 0) {
      throw Error(ErrorKind::kIo,
                  FormatExpectedGot(std::to_string(buffer.size()) + " bytes at " + std::to_string(offset),
                                    std::to_string(done) + ": the file was cut while it was read"));
    }
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace zarr
