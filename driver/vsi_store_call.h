#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "driver/gdal_error.h"
#include "driver/vsi_store.h"

namespace gdal_zarr {

/// Errors are collected, and no folder is listed just because a file in it is opened: that is what lets a network's
/// reason for a failure be known.
class VsiStore::Call {
 public:
  Call(const VsiStore& store, std::string_view key) : store_(store), key_(key), path_(store.PathOf(key)) {
    if (store.remote_) no_listing_.emplace("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR", false);
  }

  const char* path() const { return path_.c_str(); }
  const ErrorCollector& errors() const { return errors_; }
  [[noreturn]] void Fail(zarr::ErrorKind kind, std::string message) const {
    throw zarr::Error(kind, store_.root_, key_, "", std::move(message));
  }
  [[noreturn]] void FailIo(std::string message) const {
    const std::string reason = errors_.Text();
    Fail(zarr::ErrorKind::kIo, reason.empty() ? std::move(message) : message + ": " + reason);
  }

 private:
  const VsiStore& store_;
  std::string key_;
  std::string path_;
  ErrorCollector errors_;
  std::optional<CPLConfigOptionSetter> no_listing_;
};

}  // namespace gdal_zarr
