// SPDX-License-Identifier: MIT
#include "driver/stores/icechunk/container_settings.h"

#include "driver/gdal/gdal_compat.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kFile = "file://";

bool IsHttp(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

std::string GetOption(const std::string& path, const char* name) {
  return VSIGetPathSpecificOption(path.c_str(), name, "");
}

bool IsOn(const std::string& path, const char* name) {
  return CPLTestBool(VSIGetPathSpecificOption(path.c_str(), name, "NO"));
}

/// Returns a URL up to the slash after its host or bucket.
std::string GetServer(const std::string& url) {
  const std::size_t host = url.find("://") + 3;
  return url.substr(0, url.find('/', host)) + "/";
}

/// Returns the folder of a file; if it has characters that are encoded, of which readers of containers take different
/// views, the first one around it that has none.
std::string GetFolder(const std::string& url) {
  const std::string plain = url.substr(0, url.find('%'));
  return plain.substr(0, plain.rfind('/') + 1);
}

void SetOptionsOfS3(const std::string& path, zarr::Container* container) {
  const std::string region = GetOption(path, "AWS_REGION");
  container->region = region.empty() ? GetOption(path, "AWS_DEFAULT_REGION") : region;
  container->is_anonymous = IsOn(path, "AWS_NO_SIGN_REQUEST");
  container->requester_pays = !GetOption(path, "AWS_REQUEST_PAYER").empty();
  const std::string endpoint = GetOption(path, "AWS_S3_ENDPOINT");
  container->kind = "s3";
  if (endpoint.empty() || endpoint == "s3.amazonaws.com") return;
  container->kind = "s3_compatible";
  const bool is_secure = CPLTestBool(VSIGetPathSpecificOption(path.c_str(), "AWS_HTTPS", "YES"));
  container->endpoint = IsHttp(endpoint) ? endpoint : (is_secure ? "https://" : "http://") + endpoint;
  container->has_path_style = !CPLTestBool(VSIGetPathSpecificOption(path.c_str(), "AWS_VIRTUAL_HOSTING", "YES"));
}

/// Puts the bucket of a URL of S3 in front of the host of its server, or after it.
std::string MakeS3Url(const zarr::Container& container, const std::string& bucket, const std::string& key) {
  std::string server = container.endpoint;
  if (server.empty())
    server = "https://s3." + (container.region.empty() ? "" : container.region + ".") + "amazonaws.com";
  while (server.ends_with('/')) server.pop_back();
  // A certificate for any bucket does not hold for names with dots.
  if (container.has_path_style || bucket.find('.') != bucket.npos) return server + "/" + bucket + "/" + key;
  return server.insert(server.find("://") + 3, bucket + ".") + "/" + key;
}

/// Returns true if the user has told how the files of an object store are reached.
bool HasOwnSettings(const std::string& path) {
  struct Option {
    std::string_view prefix;  // of paths
    const char* name;
  };
  constexpr std::array<Option, 7> kOptions = {{{"/vsis3/", "AWS_S3_ENDPOINT"},
                                               {"/vsis3/", "AWS_NO_SIGN_REQUEST"},
                                               {"/vsigs/", "CPL_GS_ENDPOINT"},
                                               {"/vsigs/", "GS_NO_SIGN_REQUEST"},
                                               {"/vsiaz/", "CPL_AZURE_ENDPOINT"},
                                               {"/vsiaz/", "AZURE_NO_SIGN_REQUEST"},
                                               {"/vsiaz/", "AZURE_STORAGE_CONNECTION_STRING"}}};
  return std::ranges::any_of(kOptions, [&](const Option& option) {
    return path.starts_with(option.prefix) && !GetOption(path, option.name).empty();
  });
}

}  // namespace

zarr::Container MakeContainer(const std::string& path, const std::string& url) {
  if (url.starts_with(kFile)) return {"", GetFolder(url), "local_file_system"};
  zarr::Container container{"", GetServer(url)};
  if (IsHttp(url)) {
    container.kind = "http";
  } else if (url.starts_with("s3://")) {
    SetOptionsOfS3(path, &container);
  } else if (url.starts_with("gs://")) {
    container.kind = "gcs";
    container.is_anonymous = IsOn(path, "GS_NO_SIGN_REQUEST");
  } else if (url.starts_with("az://")) {
    container.kind = "azure";
    container.account = GetOption(path, "AZURE_STORAGE_ACCOUNT");
    container.is_anonymous = IsOn(path, "AZURE_NO_SIGN_REQUEST");
  } else {
    throw zarr::Error(
        zarr::ErrorKind::kUnsupported,
        zarr::FormatExpectedGot("a file on a disk, a web server, S3, Google or Azure, to which an Icechunk "
                                "repository can refer",
                                path));
  }
  return container;
}

std::string MakeContainedPath(const zarr::Container& container, const std::string& path, const std::string& url) {
  if (!container.is_anonymous || IsHttp(url) || url.find("://") == url.npos || HasOwnSettings(path)) return path;
  // A repository must not lead to local files, or to other protocols, by what it calls an endpoint.
  if (!container.endpoint.empty() && !IsHttp(container.endpoint)) return path;
  const std::size_t begin = url.find("://") + 3;
  const std::size_t slash = std::min(url.find('/', begin), url.size());
  const std::string bucket = url.substr(begin, slash - begin);
  const std::string key = url.substr(std::min(slash + 1, url.size()));
  // "tigris" is a service with S3's protocol, which is reached at its own endpoint only.
  const bool is_tigris = container.kind == "tigris" && !container.endpoint.empty();
  if (container.kind == "s3" || container.kind == "s3_compatible" || is_tigris) {
    return "/vsicurl/" + MakeS3Url(container, bucket, key);
  }
  if (container.kind == "gcs") return "/vsicurl/https://storage.googleapis.com/" + bucket + "/" + key;
  if (container.kind != "azure" || container.account.empty()) return path;
  return "/vsicurl/https://" + container.account + ".blob.core.windows.net/" + bucket + "/" + key;
}

}  // namespace gdal_zarr
