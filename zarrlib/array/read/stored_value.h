// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <optional>
#include <span>
#include <string>

#include "zarrlib/codec/codec.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Thrown when a stored value is no longer the one whose index was read.
class ValueChanged : public std::exception {};

/// One value of a store. Keeps the version stamp of the first access; a later access throws ValueChanged if it finds
/// another stamp. Any number of threads may read after the first access, or if a stamp was given.
class StoredValue final : public ValueReader {
 public:
  StoredValue(const Store& store, std::string key) : store_(store), key_(std::move(key)) {}
  StoredValue(const Store& store, std::string key, VersionStamp stamp)
      : store_(store), key_(std::move(key)), stamp_(std::move(stamp)) {}

  /// To be called after an access that found the value.
  const VersionStamp& stamp() const { return *stamp_; }
  std::optional<std::uint64_t> value_size() const override;
  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override;
  std::optional<Suffix> ReadSuffix(std::uint64_t length) const override;
  std::optional<Bytes> ReadAll(std::uint64_t max_size) const override;

 private:
  bool IsAbsent() const;
  /// To be called when a range reaches beyond the end of the value: the range may belong to an older version.
  void CheckUnchanged() const;
  void Check(VersionStamp stamp) const;

  const Store& store_;
  std::string key_;
  mutable std::optional<VersionStamp> stamp_;
};

}  // namespace zarr
