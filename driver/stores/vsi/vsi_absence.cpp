// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_absence.h"

#include <cpl_vsi_error.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/gdal/option_values.h"
#include "driver/stores/archive_check.h"
#include "driver/stores/network_listing.h"
#include "zarrlib/store/files/paths.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kArchives[] = {"/vsizip/", "/vsitar/", "/vsi7z/", "/vsirar/"};
/// File systems whose paths wrap the path of another file.
constexpr std::string_view kWrappers[] = {"/vsigzip/", "/vsicrypt/", "/vsicached?", "/vsisparse/"};
constexpr std::string_view kArchiveEndings[] = {".zip", ".kmz", ".tar", ".tgz", ".tar.gz", ".7z", ".rar"};

/// Longer than any local path, and than what web servers accept.
constexpr std::size_t kMaxPathOfArchive = 1 << 13;

template <typename List>
std::string_view FindPrefix(const std::string& path, const List& prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (path.starts_with(prefix)) return prefix;
  }
  return "";
}

Presence LookUp(const std::string& path);

Presence LookLocally(const std::string& path) {
  VSIStatBufL status;
  errno = 0;
  if (VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0) {
    return VSI_ISDIR(status.st_mode) ? Presence::kFolder : Presence::kFile;
  }
  const int error_number = errno;
  const bool in_memory = path.starts_with("/vsi");  // where operations do not fail
  return in_memory || zarr::MeansAbsent(error_number) ? Presence::kAbsent : Presence::kFailed;
}

Presence LookOnNetwork(const std::string& path) {
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(OpenOnNetwork(path), VSIFCloseL);
  if (file) return Presence::kFile;
  return IsNotFound() ? Presence::kAbsent : Presence::kFailed;
}

/// Removes a wrapping file system's prefix and its options from a path.
std::string WithoutWrapper(const std::string& path, std::string_view prefix) {
  std::string rest = path.substr(prefix.size());
  const std::size_t file = rest.find("file=");
  if (file == rest.npos) return rest;
  return prefix == "/vsicached?" ? rest.substr(file + 5, rest.find('&', file) - file - 5) : rest.substr(file + 5);
}

bool IsNamedAsArchive(const std::string& path) {
  return std::any_of(std::begin(kArchiveEndings), std::end(kArchiveEndings), [&](std::string_view ending) {
    return path.size() >= ending.size() &&
           IsEqualIgnoringCase(std::string_view(path).substr(path.size() - ending.size()), ending);
  });
}

/// Lists the parts of a path that may be the archive: the text in braces, or each part that ends before a "/". Parts
/// with an archive's extension come first. `rest` is the path after "/vsitar/" or the like.
std::vector<std::string> ListPossibleArchives(const std::string& rest) {
  if (rest.starts_with('{')) {
    int depth = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      depth += rest[i] == '{' ? 1 : rest[i] == '}' ? -1 : 0;
      if (depth == 0) return {rest.substr(1, i - 1)};
    }
  }
  std::vector<std::string> named;
  std::vector<std::string> others;
  for (std::size_t end = rest.find('/', 1);; end = rest.find('/', end + 1)) {
    const std::string path = rest.substr(0, end);
    if (!path.ends_with('/')) (IsNamedAsArchive(path) ? named : others).push_back(path);
    if (end == rest.npos || end > kMaxPathOfArchive) break;
  }
  return named.empty() ? others : named;
}

/// Looks up a file in an archive. GDAL does not report why an archive or its table of contents cannot be read.
Presence LookIntoArchive(const std::string& path, std::string_view prefix) {
  for (const std::string& archive : ListPossibleArchives(path.substr(prefix.size()))) {
    const Presence presence = LookUp(archive);
    if (presence == Presence::kFailed) return presence;
    if (presence != Presence::kFile) continue;
    const bool in_braces = path.substr(prefix.size()).starts_with('{');
    const std::string root = std::string(prefix) + (in_braces ? "{" + archive + "}" : archive);
    return KnowsContent(std::string(prefix), archive, root) ? LookLocally(path) : Presence::kFailed;
  }
  return Presence::kAbsent;
}

/// Removes the prefixes of wrapping file systems, and their options, from a path.
std::string_view FindLocalPart(std::string_view path) {
  const std::size_t wrapper = path.rfind("/vsi");
  if (wrapper == path.npos) return path;
  path.remove_prefix(std::min(path.find_first_of("/?", wrapper + 1), path.size()));
  for (const std::string_view before : {"//", ",/", "=/", "{/"}) {
    const std::size_t begin = path.find(before);
    if (begin != path.npos) return path.substr(begin + 1);
  }
  return path.substr(std::min<std::size_t>(path.starts_with("/{") ? 2 : 1, path.size()));
}

/// Returns the mode of a local path, or 0 if it is unknown.
int GetLocalMode(const std::string& path) {
  VSIStatBufL status;
  const bool found = VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0;
  return found ? static_cast<int>(status.st_mode) : 0;
}

Presence LookUp(const std::string& path) {
  if (const auto prefix = FindPrefix(path, kArchives); !prefix.empty()) {
    const Presence known = LookLocally(path);
    return known == Presence::kAbsent ? LookIntoArchive(path, prefix) : known;
  }
  if (const auto prefix = FindPrefix(path, kWrappers); !prefix.empty()) return LookUp(WithoutWrapper(path, prefix));
  const bool is_network = path.starts_with("/vsi") && !VSIIsLocal(path.c_str());
  return is_network ? LookOnNetwork(path) : LookLocally(path);
}

}  // namespace

bool IsSpecialFile(const std::string& path) {
  const auto is_special = [](int mode) { return mode != 0 && !VSI_ISREG(mode) && !VSI_ISDIR(mode); };
  if (!path.starts_with("/vsi")) return is_special(GetLocalMode(path));
  if (path.starts_with("/vsistdin")) return true;
  if (path.starts_with("/vsimem/")) return false;
  // Only the virtual file system knows which part of the path is the file that it opens.
  const std::string local(FindLocalPart(path));
  std::size_t end = 0;
  while (end < local.size() && end < kMaxPathOfArchive) {
    end = std::min(local.find_first_of("/}&", end + 1), local.size());
    if (is_special(GetLocalMode(local.substr(0, end)))) return true;
  }
  return false;
}

Presence LookAgain(const std::string& path) {
  return LookUp(path);
}

void ForgetFolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const bool is_bucket = path.find('/', 1) == slash;  // in no folder: GDAL fails for the rest of its path
  VSICurlPartialClearCache(is_bucket ? path.c_str() : path.substr(0, slash).c_str());
}

VSILFILE* OpenOnNetwork(const std::string& path) {
  VSILFILE* file = VSIFOpenExL(path.c_str(), "rb", TRUE);
  if (file || VSIGetLastErrorNo() != VSIE_None) return file;
  // With the folder's listing, which later versions take for the answer.
  ForgetFolderOf(path);
  VSIErrorReset();
  return VSIFOpenExL(path.c_str(), "rb", TRUE);
}

bool IsNotFound() {
  return VSIGetLastErrorNo() == VSIE_AWSObjectNotFound ||
         (VSIGetLastErrorNo() == VSIE_HttpError &&
          std::string_view(VSIGetLastErrorMsg()).starts_with("HTTP response code: 404"));
}

}  // namespace gdal_zarr
