// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"

namespace zarr::test {

/// Documents of a group, and of an array with 2 x 2 chunks of a byte for each element.
inline const std::string kGroup = R"({"zarr_format":3,"node_type":"group"})";
inline const std::string kArray =
    R"({"zarr_format":3,"node_type":"array","shape":[4,6],"data_type":"uint8","chunk_grid":{"name":"regular",)"
    R"("configuration":{"chunk_shape":[2,3]}},"chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[]})";

/// The text of a value, or "(absent)".
inline std::string Get(const Store& store, std::string_view key) {
  Bytes value;
  return store.Get(key, &value) ? std::string(AsText(value)) : "(absent)";
}

/// What the error says, or "(no error)".
inline std::string GetError(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace zarr::test
