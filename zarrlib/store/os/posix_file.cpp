// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/posix_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "zarrlib/base/error.h"

namespace zarr {

void ThrowSystemError(std::string_view what) {
  throw Error(ErrorKind::kIo, "cannot " + std::string(what) + ": " + std::generic_category().message(errno));
}

bool MeansAbsent(int error) {
  return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

void CheckNoBrokenLink(const std::string& root, const std::string& path) {
  struct stat status;
  for (std::string existing = path; existing.size() > root.size(); existing = GetParent(existing)) {
    if (::lstat(existing.c_str(), &status) != 0) continue;
    if (!S_ISLNK(status.st_mode) || ::stat(existing.c_str(), &status) == 0) return;
    throw Error(ErrorKind::kIo, FormatExpectedGot(existing == path ? "a file" : "a folder",
                                                  "a symbolic link that leads to nothing: " + existing));
  }
}

std::int64_t GetNanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

std::string GetParent(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool LeadsBack(const std::string& root, std::string_view path) {
  struct stat folder;
  if (path.empty() || ::stat((root + "/" + std::string(path)).c_str(), &folder) != 0) return false;
  for (std::size_t end = 0; end != std::string_view::npos; end = path.find('/', end + 1)) {
    struct stat above;
    if (::stat((root + "/" + std::string(path.substr(0, end))).c_str(), &above) == 0 && above.st_dev == folder.st_dev &&
        above.st_ino == folder.st_ino) {
      return true;
    }
  }
  return false;
}

std::string GetCanonicalPath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) return path;
  // If the whole path exists, the system's own function is several times faster.
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(absolute.c_str(), nullptr), &std::free);
  if (real) return real.get();
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
  std::string text = error ? absolute.lexically_normal().string() : canonical.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::vector<std::string> MakeFolders(const std::string& folder) {
  std::vector<std::string> missing;
  std::vector<std::string> made;
  made.reserve(std::count(folder.begin(), folder.end(), '/') + 1);  // so that recording a folder does not allocate
  const auto make = [&](std::string path) {
    const int error = Retry([&] { return ::mkdir(path.c_str(), 0777); }) == 0 ? 0 : errno;
    if (error == 0) {
      made.push_back(std::move(path));
    } else if (error == ENOENT) {
      missing.push_back(std::move(path));
    }
    return error == EEXIST ? 0 : error;
  };
  // Most often only the last one is missing.
  int error = make(folder);
  while (error == ENOENT && GetParent(missing.back()) != missing.back()) error = make(GetParent(missing.back()));
  for (; !missing.empty() && error == 0; missing.pop_back()) error = make(missing.back());
  if (error == 0) return made;
  RemoveEmptyFolders(made);
  throw Error(ErrorKind::kIo, "cannot make the folder " + folder + ": " + std::generic_category().message(error));
}

void RemoveEmptyFolders(const std::vector<std::string>& folders) {
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) ::rmdir(folder->c_str());
}

}  // namespace zarr
