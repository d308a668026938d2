// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_conditions.h"

#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "driver/gdal/gdal_compat.h"
#include "driver/stores/http/http_transfer.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr const char* kAmazon = "/vsis3/";
constexpr const char* kAzure = "/vsiaz/";
constexpr const char* kGoogle = "/vsigs/";
constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr const char* kHeaders = "GDAL_HTTP_HEADERS";
constexpr const char* kChunkSize = "_CHUNK_SIZE";
constexpr std::size_t kMostMebibytes = 1000;  // GDAL takes no larger number
/// Azure answers 409 to "If-None-Match: *" if there is a value. GDAL takes that for a value of another kind, and
/// removes it. The answer to this condition is 412; without a value, the condition does not count.
constexpr const char* kAbsentOnAzure = "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT";
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

/// Makes an item of the configuration option, in which quotes are escaped.
std::string MakeHeaderItem(const std::string& header) {
  if (header.find_first_of("\",") == std::string::npos) return header;
  std::string item = "\"";
  for (const char c : header) item += c == '"' ? std::string("\\\"") : std::string(1, c);
  return item + "\"";
}

std::string MakeList(const std::string& path, const std::string& item) {
  const std::string others = VSIGetPathSpecificOption(path.c_str(), kHeaders, "");
  return others.empty() ? item : others + "," + item;
}

/// Returns the size of GDAL's parts with which a value is sent as a whole, in mebibytes.
std::string MakePartSize(const std::string& path, std::size_t size) {
  const std::string option = GetPrefixOfOptions(path) + kChunkSize;
  if (path.starts_with(kAzure)) return VSIGetPathSpecificOption(path.c_str(), option.c_str(), "4");
  constexpr std::size_t kLeast = 5;
  return std::to_string(std::max(kLeast, size / kMebibyte + 1));
}

/// Returns false if an option of the path hides that of the thread.
bool IsUsed(const std::string& path, const std::string& option) {
  const std::string set = CPLGetConfigOption(option.c_str(), "");
  return set == VSIGetPathSpecificOption(path.c_str(), option.c_str(), set.c_str());
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
  if (known) return "If-Match: " + part;
  return path.starts_with(kAzure) ? kAbsentOnAzure : "If-None-Match: *";
}

std::size_t GetMostInOneRequest(const std::string& path) {
  // GDAL sends parts of that size. For S3 and Google, it takes larger ones if the thread's option tells so, which does
  // not hide the path's.
  const std::string option = GetPrefixOfOptions(path) + kChunkSize;
  const bool is_azure = path.starts_with(kAzure);
  const std::size_t most = (is_azure ? 4 : kMostMebibytes) * kMebibyte;
  const std::size_t set = is_azure || !IsUsed(path, option) ? GetNumber(path, option) : kMebibyte;
  return std::min({most, std::min(set, kMebibyte) * kMebibyte, GetNumber(path, option + "_BYTES")}) - 1;
}

ConditionalRequest::ConditionalRequest(const std::string& path, const std::string& condition, std::size_t size)
    : header_(kHeaders, MakeList(path, MakeHeaderItem(condition)).c_str(), false),
      retries_("GDAL_HTTP_MAX_RETRY", "0", false),
      size_((GetPrefixOfOptions(path) + kChunkSize).c_str(), MakePartSize(path, size).c_str(), false) {
  // The request would replace what others have written.
  if (IsUsed(path, kHeaders)) return;
  throw zarr::Error(zarr::ErrorKind::kUnsupported,
                    "GDAL_HTTP_HEADERS is set for this path, so that a conditional request cannot be sent");
}

std::string MakeFalseCondition(const std::string& path) {
  if (HasGenerations(path)) return "x-goog-if-generation-match: 1";
  return "If-Match: \"0123456789abcdef0123456789abcdef\"";
}

int FindStatus(const std::string& text) {
  constexpr std::string_view kBefore = "HTTP response code: ";
  const std::size_t found = text.rfind(kBefore);
  return found == text.npos ? 0 : std::atoi(text.c_str() + found + kBefore.size());
}

bool MeansOtherState(int status) {
  return status == 404 || status == 409 || status == 412;
}

std::string ReadComparedPart(const std::string& path) {
  // GDAL remembers the headers and the bytes of an earlier state.
  VSICurlPartialClearCache(path.c_str());
  const CPLStringList headers(VSIGetFileMetadata(path.c_str(), "HEADERS", nullptr));
  VSICurlPartialClearCache(path.c_str());
  return headers.FetchNameValueDef(HasGenerations(path) ? kGenerationHeader : "ETag", "");
}

}  // namespace gdal_zarr
