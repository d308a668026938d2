// SPDX-License-Identifier: MIT
#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <optional>

#include "driver/gdal/gdal_compat.h"
#include "driver/stores/vsi/vsi_conditions.h"
#include "driver/stores/vsi/vsi_store_call.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr const char* kHeaders = "GDAL_HTTP_HEADERS";
constexpr int kMostTries = 10;

/// Makes an item of the configuration option, in which quotes are escaped.
std::string MakeHeaderItem(const std::string& header) {
  if (header.find('"') == std::string::npos) return header;
  std::string item = "\"";
  for (const char c : header) item += c == '"' ? std::string("\\\"") : std::string(1, c);
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
  const bool is_known = !known || !GetComparedPart(root_, *known).empty();
  if (!TakesConditions(root_) || !is_known || value.size() > GetMostInOneRequest(root_)) {
    throw zarr::Error(
        zarr::ErrorKind::kUnsupported, root_, std::string(key), "",
        "the value there cannot be replaced on a condition (that takes S3, Azure or Google Cloud Storage, "
        "an entity tag or a generation, and less than " +
            std::to_string(GetMostInOneRequest(root_)) + " bytes)");
  }
  try {
    const SentHeader header(MakePath(key), MakeHeaderItem(MakeCondition(root_, known)));
    Put(key, value);
    return true;
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kIo) throw error.At(root_, key);
    // The condition may not hold, or the answer to a request that was carried out may be lost.
    zarr::Bytes present;
    zarr::VersionStamp stamp;
    const bool is_there = Get(key, &present, &stamp, UINT64_MAX, zarr::Freshness::kNow);
    if (is_there && std::ranges::equal(present, value)) return true;
    const bool is_same =
        known ? is_there && GetComparedPart(root_, stamp) == GetComparedPart(root_, *known) : !is_there;
    if (is_same) throw;
    return false;
  }
}

bool VsiStore::ReadForCondition(const Call& call, const zarr::ReadRequest& request) const {
  for (int i = 0; i < kMostTries; ++i) {
    const std::string before = ReadComparedPart(call.path());
    std::optional<zarr::Error> failure;
    bool found = false;
    try {
      found = ReadByGdal(call, request);
    } catch (const zarr::Error& error) {
      failure = error;  // for instance, the size that GDAL has asked for is that of another state
    }
    if (ReadComparedPart(call.path()) != before) continue;
    if (failure) throw zarr::Error(*failure);
    request.stamp->condition = before;
    return found;
  }
  call.Fail(zarr::ErrorKind::kIo, "the value changes all the time while it is read");
}

}  // namespace gdal_zarr
