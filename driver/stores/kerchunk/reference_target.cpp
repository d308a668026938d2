// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_target.h"

#include <cpl_conv.h>
#include <cpl_string.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

struct Scheme {
  std::string_view prefix;
  std::string_view path;  // GDAL's prefix for it
};

constexpr std::array<Scheme, 15> kSchemes = {{
    {"http://", "/vsicurl/http://"},
    {"https://", "/vsicurl/https://"},
    {"ftp://", "/vsicurl/ftp://"},
    {"s3://", "/vsis3/"},
    {"s3a://", "/vsis3/"},
    {"gs://", "/vsigs/"},
    {"gcs://", "/vsigs/"},
    {"az://", "/vsiaz/"},
    {"abfs://", "/vsiaz/"},
    {"abfss://", "/vsiaz/"},
    {"oss://", "/vsioss/"},
    {"hdfs://", "/vsihdfs/hdfs://"},
    {"file://", ""},
    {"local://", ""},
    {"file:", ""},
}};

/// Servers and file systems accept much less. GDAL and this driver process parts of a path one by one.
constexpr std::size_t kMaxUrlLength = 1 << 14;

/// File systems that are always remote. Others, such as /vsizip/ or /vsicached, may contain a local file.
constexpr std::array<std::string_view, 10> kNetworks = {
    "/vsicurl/http://", "/vsicurl/https://", "/vsicurl/ftp://", "/vsis3/",    "/vsigs/",
    "/vsiaz/",          "/vsiadls/",         "/vsioss/",        "/vsiswift/", "/vsihdfs/",
};

/// Returns where the query of a URL begins. Slashes in a query do not separate folders.
std::size_t FindEndOfPath(const std::string& path) {
  return path.starts_with("/vsicurl/http") ? std::min(path.find('?'), path.size()) : path.size();
}

}  // namespace

FolderAndName SplitPath(const std::string& path) {
  const std::size_t end = FindEndOfPath(path);
  const std::size_t slash = path.substr(0, end).rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {path.substr(0, std::max<std::size_t>(slash, 1)) + path.substr(end), path.substr(slash + 1, end - slash - 1)};
}

std::string MakeReferenceUrl(const std::string& path) {
  for (const Scheme& scheme : kSchemes) {
    if (scheme.path.empty() || !path.starts_with(scheme.path)) continue;
    return std::string(scheme.prefix) + path.substr(scheme.path.size());
  }
  if (path.starts_with('/') || !CPLIsFilenameRelative(path.c_str())) return path;
  const std::unique_ptr<char, void (*)(void*)> folder(CPLGetCurrentDir(), VSIFree);
  if (!folder) throw zarr::Error(zarr::ErrorKind::kIo, path, "", "", "the working directory cannot be found");
  std::string_view rest = path;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  return std::string(folder.get()) + "/" + std::string(rest);
}

ReferenceTargets::ReferenceTargets(std::string file) : file_(std::move(file)), remote_(LeadsToNetwork(file_)) {
  const std::size_t end = FindEndOfPath(file_);
  folder_ = file_.substr(0, file_.substr(0, end).rfind('/') + 1);  // npos + 1 is 0
  query_ = file_.substr(end);
}

bool LeadsToHost(std::string_view url) {
  if (url.starts_with("/vsi")) return !url.starts_with("/vsimem/");
  return url.find("://") != std::string_view::npos && !url.starts_with("file:") && !url.starts_with("local:");
}

std::string ReferenceTargets::GetPath(const std::string& url, std::string_view folder) const {
  if (url.empty() || url.find('\0') != std::string::npos) {
    throw zarr::Error(zarr::ErrorKind::kCorrupt,
                      zarr::FormatExpectedGot("a URL or a path", url.empty() ? "\"\"" : "NUL"));
  }
  if (url.size() > kMaxUrlLength) {
    throw zarr::Error(zarr::ErrorKind::kLimitExceeded,
                      zarr::FormatExpectedGot("a URL of at most " + std::to_string(kMaxUrlLength) + " characters",
                                              std::to_string(url.size())));
  }
  std::string path = url;
  for (const Scheme& scheme : kSchemes) {
    if (!url.starts_with(scheme.prefix)) continue;
    path = std::string(scheme.path) + url.substr(scheme.prefix.size());
    break;
  }
  if (!path.starts_with('/')) {
    if (path.find("://") != std::string::npos) {
      throw zarr::Error(
          zarr::ErrorKind::kUnsupported,
          zarr::FormatExpectedGot("a path, or a URL of http, https, ftp, s3, gs, az, abfs, oss, hdfs or file", url));
    }
    return MakeRelativePath(path, folder);
  }
  CheckAllowed(path);
  return path;
}

/// Resolves "..", because GDAL's virtual file systems do not.
std::string ReferenceTargets::MakeRelativePath(std::string_view path, std::string_view below) const {
  std::string folder = folder_ + std::string(below);
  if (folder.starts_with("/vsi")) {
    while (path.starts_with("./") || path.starts_with("../")) {
      if (path.starts_with("../")) {
        folder.pop_back();
        folder.resize(folder.rfind('/') + 1);  // npos + 1 is 0
        if (folder.empty()) folder = "/";
      }
      path.remove_prefix(path.find('/') + 1);
    }
  }
  // A path in a remote folder stays remote.
  std::string result = folder + std::string(path) + query_;
  if (!LeadsToNetwork(folder)) CheckAllowed(result);
  return result;
}

void ReferenceTargets::CheckAllowed(const std::string& path) const {
  constexpr const char* kOption = "GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE";
  if (!remote_) return;
  for (const std::string_view network : kNetworks) {
    if (path.starts_with(network)) return;
  }
  if (CPLTestBool(CPLGetConfigOption(kOption, "NO"))) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, "references on a network name the local file " + path +
                                                           ", which is allowed only by the configuration option " +
                                                           kOption + "=YES");
}

}  // namespace gdal_zarr
