// SPDX-License-Identifier: MIT
#include "driver/stores/http/http_settings.h"

#include "driver/gdal/gdal_compat.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cstdlib>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

struct OptionName {
  const char* configuration;
  const char* http;
};

/// GDAL's names of an option in the configuration and in lists of HTTP options. If two rows have the same name, the
/// first that is set applies. CPLHTTPSetOptions reads most of them itself, but not those set for a path.
constexpr OptionName kOptions[] = {
    {"GDAL_HTTP_VERSION", "HTTP_VERSION"},
    {"GDAL_HTTP_CONNECTTIMEOUT", "CONNECTTIMEOUT"},
    {"GDAL_HTTP_TIMEOUT", "TIMEOUT"},
    {"GDAL_HTTP_LOW_SPEED_TIME", "LOW_SPEED_TIME"},
    {"GDAL_HTTP_LOW_SPEED_LIMIT", "LOW_SPEED_LIMIT"},
    {"GDAL_HTTP_USERPWD", "USERPWD"},
    {"GDAL_HTTP_PROXY", "PROXY"},
    {"GDAL_HTTPS_PROXY", "HTTPS_PROXY"},
    {"GDAL_HTTP_PROXYUSERPWD", "PROXYUSERPWD"},
    {"GDAL_PROXY_AUTH", "PROXYAUTH"},
    {"GDAL_HTTP_NETRC", "NETRC"},
    {"GDAL_HTTP_NETRC_FILE", "NETRC_FILE"},
    {"GDAL_HTTP_UNSAFESSL", "UNSAFESSL"},
    {"GDAL_CURL_CA_BUNDLE", "CAINFO"},
    {"CURL_CA_BUNDLE", "CAINFO"},
    {"SSL_CERT_FILE", "CAINFO"},
    {"GDAL_HTTP_CAPATH", "CAPATH"},
    {"GDAL_HTTP_SSL_VERIFYSTATUS", "SSL_VERIFYSTATUS"},
    {"GDAL_HTTP_USE_CAPI_STORE", "USE_CAPI_STORE"},
    {"GDAL_HTTP_SSLCERT", "SSLCERT"},
    {"GDAL_HTTP_SSLCERTTYPE", "SSLCERTTYPE"},
    {"GDAL_HTTP_SSLKEY", "SSLKEY"},
    {"GDAL_HTTP_KEYPASSWD", "KEYPASSWD"},
    {"GDAL_HTTP_HEADERS", "HEADERS"},
    {"GDAL_HTTP_HEADER_FILE", "HEADER_FILE"},
    {"GDAL_HTTP_AUTH", "HTTPAUTH"},
    {"GDAL_GSSAPI_DELEGATION", "GSSAPI_DELEGATION"},
    {"GDAL_HTTP_BEARER", "HTTP_BEARER"},
    {"GDAL_HTTP_COOKIE", "COOKIE"},
    {"GDAL_HTTP_COOKIEFILE", "COOKIEFILE"},
    {"GDAL_HTTP_COOKIEJAR", "COOKIEJAR"},
    {"GDAL_HTTP_TCP_KEEPALIVE", "TCP_KEEPALIVE"},
    {"GDAL_HTTP_TCP_KEEPIDLE", "TCP_KEEPIDLE"},
    {"GDAL_HTTP_TCP_KEEPINTVL", "TCP_KEEPINTVL"},
    {"GDAL_HTTP_USERAGENT", "USERAGENT"},
};

}  // namespace

HttpSettings ReadHttpSettings(const std::string& path) {
  const auto get = [&](const char* name) { return VSIGetPathSpecificOption(path.c_str(), name, nullptr); };
  HttpSettings settings;
  for (const OptionName& name : kOptions) {
    const char* value = get(name.configuration);
    if (!value) continue;
    if (!settings.options.FetchNameValue(name.http)) settings.options.AddNameValue(name.http, value);
    if (!EQUAL(value, CPLGetConfigOption(name.configuration, ""))) {
      settings.of_path.emplace_back(name.configuration, value);
    }
  }
  if (const char* most = get("GDAL_HTTP_MAX_RETRY")) settings.retry.most = std::atoi(most);
  if (const char* delay = get("GDAL_HTTP_RETRY_DELAY")) settings.retry.delay = CPLAtof(delay);
  if (const char* codes = get("GDAL_HTTP_RETRY_CODES")) settings.retry.codes = codes;
  if (const char* verbatim = get("GDAL_HTTP_PATH_VERBATIM")) settings.path_verbatim = CPLTestBool(verbatim);
  settings.most_in_flight = GetMostRequests(path);
  return settings;
}

std::size_t GetMostRequests(const std::string& path) {
  const char* most = VSIGetPathSpecificOption(path.c_str(), "ZARR_HTTP_REQUESTS", "64");
  return static_cast<std::size_t>(std::clamp(std::atoi(most), 1, 256));
}

std::chrono::duration<double> GetMetadataAge(const std::string& path) {
  return std::chrono::duration<double>(CPLAtof(VSIGetPathSpecificOption(path.c_str(), "ZARR_HTTP_METADATA_AGE", "0")));
}

bool UsesOwnRequests() {
  const char* client = CPLGetConfigOption("ZARR_HTTP_CLIENT", "OWN");
  if (EQUAL(client, "OWN")) return true;
  if (EQUAL(client, "GDAL")) return false;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    "ZARR_HTTP_CLIENT: " + zarr::FormatExpectedGot("OWN or GDAL", client));
}

}  // namespace gdal_zarr
