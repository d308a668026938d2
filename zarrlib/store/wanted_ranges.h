// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "zarrlib/store/store.h"

namespace zarr {

/// Returns true if a request for a whole value needs only the first bytes.
inline bool IsForPrefix(const ReadRequest& request) {
  return request.part == ReadRequest::Part::kWhole && request.length > 0;
}

/// The parts of a value of known size that a request asks for: ranges, and buffers of their lengths. Both are empty for
/// a request that does not ask for bytes. For implementations of Store::Read; must not outlive the request.
class WantedRanges {
 public:
  /// Resizes the request's value. Throws Error(limit_exceeded) for a value that is too large, Error(corrupt) for a
  /// range past its end, and Error(invalid_argument) for buffers that do not match the ranges.
  WantedRanges(const ReadRequest& request, std::uint64_t value_size);
  WantedRanges(const WantedRanges&) = delete;
  WantedRanges& operator=(const WantedRanges&) = delete;

  std::span<const ByteRange> ranges() const { return ranges_; }
  std::span<const MutableByteSpan> buffers() const { return buffers_; }

 private:
  ByteRange range_{0, 0};
  MutableByteSpan buffer_;
  std::span<const ByteRange> ranges_;
  std::span<const MutableByteSpan> buffers_;
};

/// Throws Error(limit_exceeded) if a value is larger than allowed.
void CheckValueSize(std::uint64_t value_size, std::uint64_t max_size);
/// Throws the same errors as WantedRanges for the ranges.
void CheckRanges(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers, std::uint64_t value_size);

}  // namespace zarr
