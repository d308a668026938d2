// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/stored_value.h"

#include <algorithm>
#include <utility>

namespace zarr {

void FailChanging(const Store& store, const std::string& key) {
  throw Error(ErrorKind::kIo, store.name(), key, "", "the value changes all the time while it is read");
}

std::optional<ByteRange> KeptPart::FindMissing(const ByteRange& range) const {
  const std::uint64_t end = begin + bytes.size();
  if (range.length > UINT64_MAX - range.offset || bytes.empty()) return std::nullopt;
  const std::uint64_t range_end = range.offset + range.length;
  if (range.offset < begin && range_end > begin && range_end <= end)
    return ByteRange{range.offset, begin - range.offset};
  if (range.offset >= begin && range.offset < end && range_end > end) return ByteRange{end, range_end - end};
  return std::nullopt;
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
  const bool is_start = ranges.size() == 1 && ranges[0].offset == 0 && MayKeep(ranges[0].length);
  if (is_start && !KeepStart()) return false;
  if (ReadKept(ranges, buffers)) return true;
  const auto missing = kept_ && ranges.size() == 1 ? kept_->FindMissing(ranges[0]) : std::nullopt;
  return missing ? ReadMissing(*missing, ranges[0], buffers[0]) : ReadFromStore(ranges, buffers);
}

bool StoredValue::ReadMissing(const ByteRange& missing, const ByteRange& range, MutableByteSpan buffer) const {
  const bool is_first = missing.offset == range.offset;
  const ByteRange kept{is_first ? kept_->begin : range.offset, range.length - missing.length};
  const MutableByteSpan of_missing = is_first ? buffer.first(missing.length) : buffer.last(missing.length);
  const MutableByteSpan of_kept = is_first ? buffer.last(kept.length) : buffer.first(kept.length);
  return ReadFromStore({&missing, 1}, {&of_missing, 1}) && ReadKept({&kept, 1}, {&of_kept, 1});
}

bool StoredValue::ReadFromStore(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const {
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

bool StoredValue::ReadKept(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const {
  const bool has_all = kept_ && std::ranges::all_of(ranges, [&](const auto& range) { return kept_->Contains(range); });
  if (!has_all) return false;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const ByteSpan bytes = ByteSpan(kept_->bytes).subspan(ranges[i].offset - kept_->begin, ranges[i].length);
    std::ranges::copy(bytes, buffers[i].begin());
  }
  status_ = stamp_->status;
  return true;
}

bool StoredValue::MayKeep(std::uint64_t length) const {
  return !stamp_ && length < kReadWithIndex && store_.info().is_on_network();
}

bool StoredValue::KeepStart() const {
  VersionStamp stamp;
  Bytes bytes;
  ReadRequest request = MakeRequest(ReadRequest::Part::kWhole, &stamp);
  request.value = &bytes;
  request.length = kReadWithIndex;
  if (!store_.Read(request)) return IsAbsent();
  Check(std::move(stamp));
  kept_ = std::make_shared<KeptPart>(KeptPart{0, std::move(bytes)});
  return true;
}

std::optional<ValueReader::Suffix> StoredValue::ReadSuffix(std::uint64_t length) const {
  const bool may_keep = MayKeep(length);
  VersionStamp stamp;
  Suffix suffix;
  ReadRequest request = MakeRequest(ReadRequest::Part::kSuffix, &stamp);
  request.value = &suffix.bytes;
  request.length = may_keep ? kReadWithIndex : length;
  if (!store_.Read(request)) {
    IsAbsent();
    return std::nullopt;
  }
  suffix.value_size = stamp.size;
  Check(std::move(stamp));
  if (suffix.bytes.size() <= length) return suffix;
  auto kept = std::make_shared<KeptPart>(KeptPart{suffix.value_size - suffix.bytes.size(), std::move(suffix.bytes)});
  suffix.bytes.assign(kept->bytes.end() - static_cast<std::ptrdiff_t>(length), kept->bytes.end());
  kept_ = std::move(kept);
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
