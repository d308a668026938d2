// SPDX-License-Identifier: MIT
#include "driver/dataset/request_items.h"

#include <string>

#include "driver/stores/request_log.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/zip/zip_store.h"

namespace gdal_zarr {

namespace {

/// What counts the requests of a store; null if it needs none. An archive is a value of another store.
const HasRequestLog* FindCounting(const zarr::Store& store) {
  if (const auto* zip = zarr::FindWrapped<zarr::ZipStore>(store)) return FindCounting(zip->archives());
  if (store.current().capabilities().concurrency == 0) return nullptr;
  return dynamic_cast<const HasRequestLog*>(&store.current());
}

}  // namespace

bool IsRequestsDomain(const char* domain) {
  return domain && EQUAL(domain, kRequestsDomain);
}

void UpdateRequestItems(const zarr::Store& store, NativeMetadata* metadata) {
  const HasRequestLog* const counting = FindCounting(store);
  if (!counting) return;
  const RequestCounts counts = counting->requests().counts();
  CPLStringList items;
  const auto add = [&](const char* name, std::uint64_t value) {
    items.SetNameValue(name, std::to_string(value).c_str());
  };
  add("REQUESTS", counts.requests);
  add("ROUND_TRIPS", counts.round_trips);
  add("BYTES", counts.bytes);
  add("RETRIES", counts.retries);
  items.SetNameValue("SECONDS", CPLSPrintf("%.3f", counts.seconds));
  if (counts.values > 0) add("VALUES_READ_BY_GDAL", counts.values);
  metadata->SetAll(items, kRequestsDomain);
}

}  // namespace gdal_zarr
