// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/stored_value.h"

#include <utility>

namespace zarr {

void FailChanging(const Store& store, const std::string& key) {
  throw Error(ErrorKind::kIo, store.name(), key, "", "the value changes all the time while it is read");
}

std::optional<std::uint64_t> StoredValue::value_size() const {
  return stamp_ && stamp_->size > 0 ? std::optional(stamp_->size) : std::nullopt;
}

ReadRequest StoredValue::MakeRequest(ReadRequest::Part part, VersionStamp* stamp) const {
  ReadRequest request{key_, part, freshness_};
  request.max_size = most_unpacked_;
  request.stamp = stamp;
  return request;
}

bool StoredValue::Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const {
  VersionStamp stamp;
  ReadRequest request = MakeRequest(ReadRequest::Part::kRanges, &stamp);
  request.ranges = ranges;
  request.buffers = buffers;
  try {
    if (!store_.Read(request)) return IsAbsent();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCorrupt) CheckUnchanged();
    throw;
  }
  Check(std::move(stamp));
  return true;
}

std::optional<ValueReader::Suffix> StoredValue::ReadSuffix(std::uint64_t length) const {
  VersionStamp stamp;
  Suffix suffix;
  ReadRequest request = MakeRequest(ReadRequest::Part::kSuffix, &stamp);
  request.value = &suffix.bytes;
  request.length = length;
  if (!store_.Read(request)) {
    IsAbsent();
    return std::nullopt;
  }
  suffix.value_size = stamp.size;
  Check(std::move(stamp));
  return suffix;
}

std::optional<Bytes> StoredValue::ReadAll(std::uint64_t max_size) const {
  VersionStamp stamp;
  Bytes bytes;
  if (!store_.Get(key_, &bytes, &stamp, max_size, freshness_)) {
    IsAbsent();
    return std::nullopt;
  }
  Check(std::move(stamp));
  return bytes;
}

bool StoredValue::IsAbsent() const {
  if (stamp_) throw ValueChanged();
  return false;
}

void StoredValue::CheckUnchanged() const {
  if (!stamp_) return;
  VersionStamp now;
  if (!store_.GetStamp(key_, &now, freshness_) || now != *stamp_) throw ValueChanged();
}

void StoredValue::Check(VersionStamp stamp) const {
  status_ = stamp.status;
  if (!stamp_) {
    stamp_ = std::move(stamp);
  } else if (*stamp_ != stamp) {
    throw ValueChanged();
  }
}

}  // namespace zarr
