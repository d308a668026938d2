// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/paths.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "zarrlib/base/error.h"
#include "zarrlib/base/system/file_names.h"

namespace zarr {
namespace {

/// Throws Error(invalid_argument) if there is no such folder, and the system forbids its name.
void CheckMayBeMade(const std::string& folder) {
  const std::string name = folder.substr(folder.find_last_of(kPathSeparators) + 1);
  const std::string fault = FindNameFault(name);
  if (fault.empty() || GetStatus(folder, Links::kFollow)) return;
  throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot(fault, "\"" + name + "\""));
}

}  // namespace

void ThrowSystemError(std::string_view what) {
  throw Error(ErrorKind::kIo, "cannot " + std::string(what) + ": " + std::generic_category().message(errno));
}

bool MeansAbsent(int error) {
  return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

std::string FindBrokenLink(const std::string& root, const std::string& path) {
  for (std::string existing = path; existing.size() > root.size(); existing = GetParent(existing)) {
    const auto status = GetStatus(existing, Links::kKeep);
    if (!status) continue;
    return status->kind != FileKind::kLink || GetStatus(existing, Links::kFollow) ? "" : existing;
  }
  return "";
}

void CheckNoBrokenLink(const std::string& root, const std::string& path) {
  const std::string link = FindBrokenLink(root, path);
  if (link.empty()) return;
  throw Error(ErrorKind::kIo, FormatExpectedGot(link == path ? "a file" : "a folder",
                                                "a symbolic link that leads to nothing: " + link));
}

std::string GetParent(const std::string& path) {
  const std::size_t slash = path.find_last_of(kPathSeparators);
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool LeadsBack(const std::string& root, std::string_view path) {
  if (path.empty()) return false;
  const auto folder = GetStatus(root + "/" + std::string(path), Links::kFollow);
  for (std::size_t end = 0; folder && end != std::string_view::npos; end = path.find('/', end + 1)) {
    const auto above = GetStatus(root + "/" + std::string(path.substr(0, end)), Links::kFollow);
    if (above && above->identity == folder->identity) return true;
  }
  return false;
}

std::vector<std::string> MakeFolders(const std::string& folder) {
  std::vector<std::string> missing;
  std::vector<std::string> made;
  made.reserve(std::count(folder.begin(), folder.end(), '/') + 1);  // so that recording a folder does not allocate
  const auto make = [&](std::string path) {
    CheckMayBeMade(path);
    const int error = MakeFolder(path) ? 0 : errno;
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
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) RemoveFolder(*folder);
}

}  // namespace zarr
