// SPDX-License-Identifier: MIT
#include "zarrlib/store/broken_value.h"

#include "zarrlib/store/store_requests.h"

namespace zarr {

void RethrowUnlessWorthGetting(const Store& store, std::string_view key, int status, int times, Error error) {
  const StoreRequests* const requests = store.requests();
  if (requests && error.kind() == ErrorKind::kCorrupt && requests->NoteBroken(key, status, times, &error)) return;
  throw error;
}

}  // namespace zarr
