#pragma once

#include <exception>
#include <optional>
#include <span>
#include <string>

#include "zarrlib/codec/codec.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// The stored value is not the one whose index was read.
class ValueChanged : public std::exception {};

/// One value of a store. The stamp of the first access is kept; another one later is ValueChanged. Once that has been
/// made, or a stamp was given, any number of threads may read.
class StoredValue final : public ValueReader {
 public:
  StoredValue(const Store& store, std::string key) : store_(store), key_(std::move(key)) {}
  StoredValue(const Store& store, std::string key, VersionStamp stamp)
      : store_(store), key_(std::move(key)), stamp_(std::move(stamp)) {}

  /// After an access that found the value.
  const VersionStamp& stamp() const { return *stamp_; }
  std::optional<std::uint64_t> value_size() const override;
  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override;
  std::optional<Suffix> ReadSuffix(std::uint64_t length) const override;
  std::optional<Bytes> ReadAll(std::uint64_t max_size) const override;

 private:
  bool Absent() const;
  /// A range beyond the value's end may be one of the value before.
  void CheckUnchanged() const;
  void Check(VersionStamp stamp) const;

  const Store& store_;
  std::string key_;
  mutable std::optional<VersionStamp> stamp_;
};

}  // namespace zarr
