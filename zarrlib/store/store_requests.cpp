// SPDX-License-Identifier: MIT
#include "zarrlib/store/store_requests.h"

namespace zarr {

bool KeepsIdentity(const Store& store) {
  const StoreRequests* const requests = store.requests();
  return !requests || requests->KeepsIdentity();
}

bool Prefetch(const Store& store, std::span<const std::string> documents, std::span<const std::string> values) {
  const StoreRequests* const requests = store.requests();
  return requests && requests->Prefetch(documents, values);
}

}  // namespace zarr
