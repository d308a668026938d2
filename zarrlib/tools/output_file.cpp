// SPDX-License-Identifier: MIT
#include "zarrlib/tools/output_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <system_error>

#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/tools/arguments.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;

/// Returns true if a name is an ordinary file or does not exist. A link is neither, wherever it leads.
bool IsOrdinary(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  return fs::is_regular_file(status) || status.type() == fs::file_type::not_found;
}

/// Returns true if the target of a name is a device, a pipe or similar.
bool IsSpecial(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// Returns true if a name ends in a lower-case suffix, ignoring case.
bool HasSuffix(const fs::path& file, std::string_view suffix) {
  return std::ranges::equal(ToText(file.extension()), suffix, [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == static_cast<unsigned char>(b);
  });
}

void WriteThrough(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(ToPath(path), std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return;
  const int code = errno;
  const std::string reason = code == 0 ? "" : ": " + std::generic_category().message(code);
  throw Error(ErrorKind::kIo, path, "", "", "cannot be written" + reason);
}

}  // namespace

bool IsStandardOutput(const std::string& path) {
  constexpr std::string_view kNames[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  if (std::ranges::find(kNames, path) != std::end(kNames)) return true;
  std::error_code error;
  return fs::equivalent(ToPath(path), "/dev/stdout",
                        error);  // false for pipes and devices, which may have several writers
}

void CheckOutput(const std::string& path, std::string_view suffix) {
  if (IsStandardOutput(path)) return;
  const fs::path file = ToPath(path);
  if (!file.has_filename() || fs::is_directory(file)) {
    throw Error(ErrorKind::kInvalidArgument, path, "", "", "this is a folder, and no file to write");
  }
  if (IsSpecial(file)) return;
  if (!HasSuffix(file, suffix)) {
    throw UsageError{FormatExpectedGot(
        "a file to write whose name ends in " + std::string(suffix) + ", or - for standard output", path)};
  }
  if (!fs::is_directory(GetFolder(file))) {
    throw Error(ErrorKind::kNotFound, path, "", "", "there is no such folder to write to");
  }
}

void WriteOutput(const std::string& path, const std::string& text, std::ostream& out) {
  if (IsStandardOutput(path)) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    return;
  }
  const fs::path file = ToPath(path);
  if (!IsOrdinary(file)) return WriteThrough(path, text);
  FilesystemStore(ToText(GetFolder(file))).Set(ToText(file.filename()), AsBytes(text));
}

}  // namespace zarr::tools
