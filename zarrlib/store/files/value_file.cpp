// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/value_file.h"

#include <cerrno>

#include "zarrlib/store/files/file_stamp.h"
#include "zarrlib/store/files/paths.h"

namespace zarr {
namespace {

void CheckRegular(const FileStatus& status) {
  if (status.kind == FileKind::kFile) return;
  const bool is_folder = status.kind == FileKind::kFolder;
  throw Error(ErrorKind::kIo, FormatExpectedGot("a file", is_folder ? "a folder" : "something else"));
}

}  // namespace

std::optional<File> OpenValueFile(const std::string& root, const std::string& path, FileStatus* status) {
  File file = OpenToRead(path);
  if (!file.is_open()) {
    if (!MeansAbsent(errno)) ThrowSystemError("open");
    CheckNoBrokenLink(root, path);
    return std::nullopt;
  }
  const auto found = GetStatus(file);
  if (!found) ThrowSystemError("get the status");
  CheckRegular(*found);
  *status = *found;
  return file;
}

bool LookAtValue(const std::string& root, const std::string& path, VersionStamp* stamp) {
  const auto status = GetStatus(path, Links::kFollow);
  if (!status) {
    if (!MeansAbsent(errno)) ThrowSystemError("get the status");
    CheckNoBrokenLink(root, path);
    return false;
  }
  CheckRegular(*status);
  if (stamp) *stamp = MakeFileStamp(*status);
  return true;
}

void ReadFileAt(const File& file, std::uint64_t offset, MutableByteSpan buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const std::int64_t count = ReadAt(file, offset + done, buffer.subspan(done));
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
