// SPDX-License-Identifier: MIT
#include "zarrlib/store/broken_value.h"

namespace zarr {

void RethrowUnlessWorthGetting(const Store& store, std::string_view key, int status, int times, Error error) {
  if (error.kind() == ErrorKind::kCorrupt && store.NoteBroken(key, status, times, &error)) return;
  throw error;
}

}  // namespace zarr
