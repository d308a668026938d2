// SPDX-License-Identifier: MIT
#pragma once

#include <cpl_conv.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_error.h"
#include "driver/stores/vsi/vsi_store.h"

namespace gdal_zarr {

/// Returns a counter of this process's own writes, which distinguishes values that were written in the same second.
/// Several paths share one counter.
std::atomic<std::uint64_t>& GetVersion(const std::string& path);

/// Adds GDAL's messages to a message, if there are any.
std::string WithReason(const std::string& message, const ErrorCollector& errors);

/// Wraps a call of GDAL: errors are collected, and opening a file does not list its folder. Otherwise GDAL hides why a
/// request failed.
class VsiStore::Call {
 public:
  Call(const VsiStore& store, std::string_view key);

  const char* path() const { return path_.c_str(); }
  /// The path's version when the call began.
  std::uint64_t version() const { return version_; }
  const ErrorCollector& errors() const { return errors_; }
  [[noreturn]] void Fail(zarr::ErrorKind kind, std::string message) const;
  [[noreturn]] void FailIo(const std::string& message) const;

 private:
  const VsiStore& store_;
  std::string key_;
  std::string path_;
  std::uint64_t version_;
  ErrorCollector errors_;
  std::optional<CPLConfigOptionSetter> no_listing_;
};

}  // namespace gdal_zarr
