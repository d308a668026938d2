// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_conditions.h"

#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cstdlib>

#include "driver/gdal/gdal_compat.h"
#include "driver/stores/http/http_transfer.h"

namespace gdal_zarr {
namespace {

constexpr const char* kAmazon = "/vsis3/";
constexpr const char* kAzure = "/vsiaz/";
constexpr const char* kGoogle = "/vsigs/";
constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr const char* kNoGeneration = "0";  // of an object that does not exist

/// Returns true if a path's server compares generations, instead of entity tags.
bool HasGenerations(const std::string& path) {
  return path.starts_with(kGoogle);
}

/// Returns how the names of GDAL's options for writing to a path begin.
std::string GetPrefixOfOptions(const std::string& path) {
  return HasGenerations(path) ? "VSIGS" : path.starts_with(kAzure) ? "VSIAZ" : "VSIS3";
}

/// Returns the value of a configuration option, or a large number if it is not set.
std::size_t GetNumber(const std::string& path, const std::string& option) {
  constexpr std::size_t kMany = 1 << 10;
  const char* const text = VSIGetPathSpecificOption(path.c_str(), option.c_str(), "");
  const long number = std::strtol(text, nullptr, 10);
  return number > 0 ? static_cast<std::size_t>(number) : kMany * kMebibyte;
}

}  // namespace

bool TakesConditions(const std::string& path) {
  return path.starts_with(kAmazon) || path.starts_with(kAzure) || HasGenerations(path);
}

std::string GetComparedPart(const std::string& path, const zarr::VersionStamp& stamp) {
  const bool is_strong_tag = stamp.condition.starts_with('"');
  return is_strong_tag == HasGenerations(path) ? "" : stamp.condition;
}

std::string MakeCondition(const std::string& path, const zarr::VersionStamp* known) {
  const std::string part = known ? GetComparedPart(path, *known) : kNoGeneration;
  if (HasGenerations(path)) return "x-goog-if-generation-match: " + part;
  return known ? "If-Match: " + part : "If-None-Match: *";
}

std::size_t GetMostInOneRequest(const std::string& path) {
  // GDAL sends larger values in several requests, the first of which replaces what is there on Azure.
  const std::size_t by_default = (path.starts_with(kAzure) ? 4 : 5) * kMebibyte;
  const std::string option = GetPrefixOfOptions(path) + "_CHUNK_SIZE";
  const std::size_t set =
      std::min(std::min(GetNumber(path, option), kMebibyte) * kMebibyte, GetNumber(path, option + "_BYTES"));
  return std::min(by_default, set) - 1;
}

std::string ReadComparedPart(const std::string& path) {
  // GDAL remembers the headers and the bytes of an earlier state.
  VSICurlPartialClearCache(path.c_str());
  const CPLStringList headers(VSIGetFileMetadata(path.c_str(), "HEADERS", nullptr));
  VSICurlPartialClearCache(path.c_str());
  return headers.FetchNameValueDef(HasGenerations(path) ? kGenerationHeader : "ETag", "");
}

}  // namespace gdal_zarr
