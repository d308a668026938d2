// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <unordered_set>

namespace gdal_zarr {

/// Gives each text once to the user, as a warning of GDAL. Thread-safe.
class WarnedTexts {
 public:
  void Warn(const std::string& text);

 private:
  std::mutex mutex_;  // not held while GDAL is called
  std::unordered_set<std::string> texts_;
};

}  // namespace gdal_zarr
