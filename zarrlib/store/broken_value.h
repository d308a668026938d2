// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/store/store.h"

namespace zarr {

/// Tells the store about an error of decoding. Returns if the value is to be got again; else throws the error, which
/// then says where the value came from. `times` is as in StoreRequests::NoteBroken.
void RethrowUnlessWorthGetting(const Store& store, std::string_view key, int status, int times, Error error);

/// Returns the result of `read`, which gets a value and decodes it. Calls it again while it throws Error(corrupt), as
/// often as the store wants it. `stamp` is that of the value, if `read` sets it.
template <typename Read>
auto ReadUnbroken(const Store& store, std::string_view key, const Read& read, const VersionStamp* stamp = nullptr) {
  for (int times = 1;; ++times) {
    try {
      return read();
    } catch (const Error& error) {
      RethrowUnlessWorthGetting(store, key, stamp ? stamp->status : 0, times, error);
    }
  }
}

}  // namespace zarr
