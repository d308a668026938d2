// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/store/store.h"

namespace zarr {

/// Reports a decoding error to the store. Returns if the value should be read again; otherwise throws the error, with
/// the origin of the value added. `times` is as in StoreRequests::NoteBroken.
void RethrowUnlessWorthGetting(const Store& store, std::string_view key, int status, int times, Error error);

/// Returns the result of `read`, which reads and decodes a value. Calls it again on Error(corrupt) as often as the
/// store asks for it. `stamp` is the value's stamp, if `read` sets it.
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
