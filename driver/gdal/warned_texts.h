// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <unordered_set>

namespace gdal_zarr {

/// Reports each text to the user once, as a GDAL warning. Thread-safe.
class WarnedTexts {
 public:
  void Warn(const std::string& text);

 private:
  std::mutex mutex_;  // not held while calling GDAL
  std::unordered_set<std::string> texts_;
};

}  // namespace gdal_zarr
