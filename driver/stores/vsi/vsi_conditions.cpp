// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_conditions.h"

#include <cpl_string.h>
#include <cpl_vsi.h>

#include "driver/stores/http/http_transfer.h"

namespace gdal_zarr {
namespace {

constexpr const char* kAmazon = "/vsis3/";
constexpr const char* kAzure = "/vsiaz/";
constexpr const char* kGoogle = "/vsigs/";
constexpr const char* kNoGeneration = "0";  // of an object that does not exist

}  // namespace

bool TakesConditions(const std::string& path) {
  return path.starts_with(kAmazon) || path.starts_with(kAzure) || HasGenerations(path);
}

bool HasGenerations(const std::string& path) {
  return path.starts_with(kGoogle);
}

std::string GetComparedPart(const std::string& path, const zarr::VersionStamp& stamp) {
  if (HasGenerations(path)) return stamp.generation;
  if (!stamp.tag.starts_with('"')) return "";
  return stamp.tag.substr(0, stamp.tag.find(' '));  // the number of an own write may follow
}

std::string MakeCondition(const std::string& path, const zarr::VersionStamp* known) {
  const std::string part = known ? GetComparedPart(path, *known) : kNoGeneration;
  if (HasGenerations(path)) return "x-goog-if-generation-match: " + part;
  return known ? "If-Match: " + part : "If-None-Match: *";
}

std::size_t GetMostInOneRequest(const std::string& path) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  // GDAL appends the rest of a larger value to what is there already.
  return (path.starts_with(kAzure) ? 4 : 5) * kMebibyte - 1;
}

std::string ReadGeneration(const std::string& path) {
  // GDAL remembers the headers and the bytes of an earlier state.
  VSICurlPartialClearCache(path.c_str());
  const CPLStringList headers(VSIGetFileMetadata(path.c_str(), "HEADERS", nullptr));
  VSICurlPartialClearCache(path.c_str());
  return headers.FetchNameValueDef(kGenerationHeader, "");
}

}  // namespace gdal_zarr
