// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "driver/stores/kerchunk/reference_target.h"
#include "driver/stores/kerchunk/references.h"
#include "driver/stores/request_log.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {

/// A read-only store whose values are byte ranges of other files of any format. Kerchunk references, in a JSON file or
/// in a folder of Parquet files, list the keys and the locations of their values.
///
/// If the file of a listed key is missing or too short, reading fails. Such a key never counts as absent, because
/// absent chunks would be filled with the fill value.
class ReferenceStore final : public zarr::Store, private zarr::StoreRequests {
 public:
  /// `path` is the JSON file of references, or a name that ParseReferenceName supports. A JSON file that is in use by a
  /// store is not read again if it has not changed. Throws Error(not_found) if there are no references, and like
  /// ReferenceFile or ParquetReferences. `parquet_document` is the text of a Parquet folder's document if the caller
  /// has read it.
  explicit ReferenceStore(const std::string& path, const std::optional<std::string>& parquet_document = {});

  std::string identity() const override { return identity_; }
  zarr::StoreInfo info() const override;
  bool Read(const zarr::ReadRequest& request) const override;
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  /// Includes requests for the references and for the files that they refer to.
  const zarr::StoreRequests* requests() const override { return this; }

 private:
  using Location = zarr::ValueLocation;
  bool KeepsIdentity() const override { return settings_.empty() || settings_ == GetCurrentSettings(); }
  bool NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const override;
  /// Returns nullopt if there is no such key. The path is for GDAL's file functions.
  std::optional<Location> Locate(std::string_view key) const override;
  bool knows_keys() const override { return true; }
  bool ReadTogether(std::span<const zarr::ReadRequest> requests) const override;
  bool reads_together() const override { return info().is_on_network(); }
  std::optional<zarr::RequestCounts> counts() const override;

  std::string GetCurrentSettings() const;
  [[noreturn]] void FailReadOnly(std::string_view key) const;
  template <typename Function>
  void Follow(std::string_view key, const Location& location, const Function& read) const;
  bool ReadInline(const zarr::ReadRequest& request, const std::string& bytes) const;
  void CheckReachesTo(const zarr::ReadRequest& request, const Location& location) const;
  bool ReadRanges(const zarr::ReadRequest& request, const Location& location) const;
  bool ReadFile(const zarr::ReadRequest& request, const Location& location) const;

  std::shared_ptr<RequestLog> log_;
  std::string prefix_;
  std::shared_ptr<const References> references_;
  ReferenceTargets targets_;
  std::string settings_;  // a digest of the settings for requests to other hosts; empty if there are none
  std::string identity_;
};

}  // namespace gdal_zarr
