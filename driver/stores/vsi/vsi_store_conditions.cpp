// SPDX-License-Identifier: MIT
#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <algorithm>

#include "driver/gdal/gdal_compat.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr const char* kHeaders = "GDAL_HTTP_HEADERS";
/// GDAL sends larger values in several requests.
constexpr std::size_t kMostAtOnce = std::size_t{5} << 20;

bool TakesConditions(const std::string& path) {
  constexpr std::string_view kPrefixes[] = {"/vsis3/", "/vsiaz/"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return path.starts_with(prefix); });
}

/// Returns the entity tag in a stamp, which may have the number of an own write after it.
std::string GetEntityTag(const zarr::VersionStamp& stamp) {
  return stamp.tag.substr(0, stamp.tag.find(' '));
}

/// Makes a header as an item of the configuration option, in which quotes are escaped.
std::string MakeHeaderItem(const zarr::VersionStamp* known) {
  if (!known) return "If-None-Match: *";
  std::string item = "\"If-Match: ";
  for (const char c : GetEntityTag(*known)) item += c == '"' ? std::string("\\\"") : std::string(1, c);
  return item + "\"";
}

/// Makes GDAL send a header with the requests of this thread, during its lifetime.
class SentHeader {
 public:
  SentHeader(const std::string& path, const std::string& item)
      : setter_(kHeaders, MakeList(path, item).c_str(), false) {
    // An option for this path would hide the header, and the request would replace what others have written.
    const char* const set = CPLGetConfigOption(kHeaders, "");
    if (std::string_view(set).ends_with(item) &&
        std::string_view(VSIGetPathSpecificOption(path.c_str(), kHeaders, set)) == set)
      return;
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      "GDAL_HTTP_HEADERS is set for this path, so that a conditional request cannot be sent");
  }

 private:
  static std::string MakeList(const std::string& path, const std::string& item) {
    const std::string others = VSIGetPathSpecificOption(path.c_str(), kHeaders, "");
    return others.empty() ? item : others + "," + item;
  }

  CPLConfigOptionSetter setter_;
};

}  // namespace

bool VsiStore::WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) {
  if (kind_ != Kind::kNetwork) return Store::WriteIfSame(key, value, known);
  CheckWritable(key);
  const bool has_tag = !known || GetEntityTag(*known).starts_with('"');
  if (!TakesConditions(root_) || !has_tag || value.size() > kMostAtOnce) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, root_, std::string(key), "",
                      "values there cannot be replaced on a condition (that takes S3 or Azure, and entity tags)");
  }
  try {
    const SentHeader header(MakePath(key), MakeHeaderItem(known));
    Put(key, value);
    return true;
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kIo) throw error.At(root_, key);
    // The condition may not hold, or the answer to a request that was carried out may be lost.
    zarr::Bytes present;
    zarr::VersionStamp stamp;
    const bool is_there = Get(key, &present, &stamp, UINT64_MAX, zarr::Freshness::kNow);
    if (is_there && std::ranges::equal(present, value)) return true;
    const bool is_same = known ? is_there && GetEntityTag(stamp) == GetEntityTag(*known) : !is_there;
    if (is_same) throw;
    return false;
  }
}

}  // namespace gdal_zarr
