// SPDX-License-Identifier: MIT
#include "driver/dataset/request_items.h"

#include <string>

#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {

bool IsRequestsDomain(const char* domain) {
  return domain && EQUAL(domain, kRequestsDomain);
}

void UpdateRequestItems(const zarr::Store& store, NativeMetadata* metadata) {
  const zarr::StoreRequests* const requests = store.requests();
  const auto counts = requests ? requests->counts() : std::nullopt;
  if (!counts) return;
  CPLStringList items;
  const auto add = [&](const char* name, std::uint64_t value) {
    items.SetNameValue(name, std::to_string(value).c_str());
  };
  add("REQUESTS", counts->requests);
  add("ROUND_TRIPS", counts->round_trips);
  add("BYTES", counts->bytes);
  add("RETRIES", counts->retries);
  items.SetNameValue("SECONDS", CPLSPrintf("%.3f", counts->seconds));
  if (counts->values > 0) add("VALUES_READ_BY_GDAL", counts->values);
  metadata->SetAll(items, kRequestsDomain);
}

}  // namespace gdal_zarr
