// SPDX-License-Identifier: MIT
#include "driver/stores/network_settings.h"

#include "driver/gdal/gdal_compat.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {
namespace {

/// Settings that select a server, an account or permissions. Settings for timeouts or request sizes do not belong here.
constexpr const char* kSettings[] = {
    // All network file systems:
    "GDAL_HTTP_AUTH",
    "GDAL_HTTP_BEARER",
    "GDAL_HTTP_COOKIE",
    "GDAL_HTTP_COOKIEFILE",
    "GDAL_HTTP_COOKIEJAR",
    "GDAL_HTTP_HEADERS",
    "GDAL_HTTP_HEADER_FILE",
    "GDAL_HTTP_KEYPASSWD",
    "GDAL_HTTP_NETRC",
    "GDAL_HTTP_NETRC_FILE",
    "GDAL_HTTP_PATH_VERBATIM",
    "GDAL_HTTP_PROXY",
    "GDAL_HTTP_PROXYUSERPWD",
    "GDAL_HTTP_SSLCERT",
    "GDAL_HTTP_SSLKEY",
    "GDAL_HTTP_USERAGENT",
    "GDAL_HTTP_USERPWD",
    "GDAL_HTTPS_PROXY",
    "GDAL_GSSAPI_DELEGATION",
    "GDAL_PROXY_AUTH",
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "HOME",  // contains files with credentials
    // /vsis3/:
    "AWS_ACCESS_KEY_ID",
    "AWS_CONFIG_FILE",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_DEFAULT_PROFILE",
    "AWS_DEFAULT_REGION",
    "AWS_HTTPS",
    "AWS_NO_SIGN_REQUEST",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_REQUEST_PAYER",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_S3_ENDPOINT",
    "AWS_S3SESSION_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_STS_ENDPOINT",
    "AWS_STS_REGION",
    "AWS_STS_REGIONAL_ENDPOINTS",
    "AWS_VIRTUAL_HOSTING",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "CPL_AWS_AUTODETECT_EC2",
    "CPL_AWS_CREDENTIALS_FILE",
    "CPL_AWS_EC2_API_ROOT_URL",
    "CPL_AWS_ROOT_DIR",
    "CPL_AWS_SSO_ENDPOINT",
    "CPL_AWS_STS_ROOT_URL",
    "CPL_AWS_WEB_IDENTITY_ENABLE",
    // /vsigs/:
    "CPL_GCE_CREDENTIALS_URL",
    "CPL_GCE_SKIP",
    "CPL_GS_CREDENTIALS_FILE",
    "CPL_GS_ENDPOINT",
    "CPL_MACHINE_IS_GCE",
    "GOA2_AUTH_URL_TOKEN",
    "GOA2_CLIENT_ID",
    "GOA2_CLIENT_SECRET",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GS_ACCESS_KEY_ID",
    "GS_NO_SIGN_REQUEST",
    "GS_OAUTH2_CLIENT_EMAIL",
    "GS_OAUTH2_CLIENT_ID",
    "GS_OAUTH2_CLIENT_SECRET",
    "GS_OAUTH2_PRIVATE_KEY",
    "GS_OAUTH2_PRIVATE_KEY_FILE",
    "GS_OAUTH2_REFRESH_TOKEN",
    "GS_OAUTH2_SCOPE",
    "GS_SECRET_ACCESS_KEY",
    "GS_USER_PROJECT",
    // /vsiaz/ and /vsiadls/:
    "AZURE_AUTHORITY_HOST",
    "AZURE_CLIENT_ID",
    "AZURE_CONFIG_DIR",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_IMDS_CLIENT_ID",
    "AZURE_IMDS_MSI_RES_ID",
    "AZURE_IMDS_OBJECT_ID",
    "AZURE_NO_SIGN_REQUEST",
    "AZURE_SAS",
    "AZURE_STORAGE_ACCESS_KEY",
    "AZURE_STORAGE_ACCESS_TOKEN",
    "AZURE_STORAGE_ACCOUNT",
    "AZURE_STORAGE_CONNECTION_STRING",
    "AZURE_STORAGE_SAS_TOKEN",
    "AZURE_TENANT_ID",
    "CPL_AZURE_ENDPOINT",
    "CPL_AZURE_USE_HTTPS",
    "CPL_AZURE_VM_API_ROOT_URL",
    // /vsioss/:
    "OSS_ACCESS_KEY_ID",
    "OSS_ENDPOINT",
    "OSS_HTTPS",
    "OSS_SECRET_ACCESS_KEY",
    "OSS_VIRTUAL_HOSTING",
    // /vsiswift/:
    "OS_APPLICATION_CREDENTIAL_ID",
    "OS_APPLICATION_CREDENTIAL_SECRET",
    "OS_AUTH_TYPE",
    "OS_AUTH_URL",
    "OS_IDENTITY_API_VERSION",
    "OS_PASSWORD",
    "OS_PROJECT_DOMAIN_NAME",
    "OS_PROJECT_NAME",
    "OS_REGION_NAME",
    "OS_USERNAME",
    "OS_USER_DOMAIN_NAME",
    "SWIFT_AUTH_TOKEN",
    "SWIFT_AUTH_V1_URL",
    "SWIFT_KEY",
    "SWIFT_STORAGE_URL",
    "SWIFT_USER",
    // /vsiwebhdfs/:
    "WEBHDFS_DATANODE_HOST",
    "WEBHDFS_DELEGATION",
    "WEBHDFS_USERNAME",
    // /vsicrypt/:
    "VSICRYPT_KEY",
    "VSICRYPT_KEY_B64",
};

/// Returns true if a setting is a file name; the file's content may change.
bool NamesFile(std::string_view setting) {
  return setting.ends_with("_FILE") || setting == "GOOGLE_APPLICATION_CREDENTIALS";
}

std::string ComputeHash(const std::string& text) {
  const std::hash<std::string> hash;
  return std::to_string(hash(text)) + "-" + std::to_string(hash(text + "\n" + std::to_string(text.size())));
}

/// Returns the server, bucket or container of a path.
std::string GetServer(const std::string& path) {
  std::size_t begin = path.find('/', 1);  // after "/vsis3"
  const std::size_t scheme = path.find("://");
  if (scheme != path.npos) begin = scheme + 2;
  return begin == path.npos ? path : path.substr(0, path.find_first_of("/?", begin + 1));
}

/// Records the settings of the last request to each server.
class LastAsked {
 public:
  static LastAsked& GetShared() {
    static auto* const shared = new LastAsked;
    return *shared;
  }
  /// Returns true if the last request to the server used other settings.
  bool Change(const std::string& server, const std::string& digest) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = digests_.try_emplace(server, digest);
    if (is_new || entry->second == digest) return false;
    entry->second = digest;
    return true;
  }

 private:
  LastAsked() { zarr::HoldWhileForking(&mutex_); }

  std::mutex mutex_;
  std::map<std::string, std::string> digests_;
};

}  // namespace

std::string MakeDigestOfSettings(const std::string& path) {
  std::string text;
  for (const char* name : kSettings) {
    const char* value = VSIGetPathSpecificOption(path.c_str(), name, nullptr);
    if (!value) continue;
    text += std::string(name) + "=" + value + "\n";
    VSIStatBufL status;
    if (NamesFile(name) && VSIStatL(value, &status) == 0) {
      text += std::to_string(status.st_size) + " " + std::to_string(status.st_mtime) + "\n";
    }
  }
  return ComputeHash(text);
}

void ForgetAnswersToOthers(const std::string& path, const std::string& digest) {
  const std::string server = GetServer(path);
  if (LastAsked::GetShared().Change(server, digest)) VSICurlPartialClearCache(server.c_str());
}

std::string FindNetworkPart(const std::string& path) {
  std::size_t last = 0;
  for (std::size_t at = path.starts_with("/vsi") ? 0 : path.npos; at != path.npos; at = path.find("/vsi", at + 1)) {
    // A folder may have such a name, too. GDAL also takes "/vsizip/vsis3/...".
    const bool is_path =
        at == 0 || at == path.find('/', last + 1) || std::string_view("/{,=").find(path[at - 1]) != path.npos;
    if (!is_path) continue;
    std::string part = path.substr(at);
    if (part.starts_with("/vsimem/")) return "";
    if (!VSIIsLocal(part.c_str())) return part;
    last = at;
  }
  return "";
}

}  // namespace gdal_zarr
