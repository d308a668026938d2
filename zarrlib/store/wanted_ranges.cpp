// SPDX-License-Identifier: MIT
#include "zarrlib/store/wanted_ranges.h"

#include <algorithm>
#include <string>

namespace zarr {

WantedRanges::WantedRanges(const ReadRequest& request, std::uint64_t value_size) {
  using Part = ReadRequest::Part;
  if (request.part == Part::kRanges) {
    CheckRanges(request.ranges, request.buffers, value_size);
    ranges_ = request.ranges;
    buffers_ = request.buffers;
  }
  if (request.part != Part::kWhole && request.part != Part::kSuffix) return;
  const bool is_whole = request.part == Part::kWhole && !IsForPrefix(request);
  if (is_whole) CheckValueSize(value_size, request.max_size);
  range_.length = is_whole ? value_size : std::min(request.length, value_size);
  range_.offset = IsForPrefix(request) ? 0 : value_size - range_.length;
  request.value->clear();  // so that growing does not copy bytes
  request.value->resize(static_cast<std::size_t>(range_.length));
  buffer_ = *request.value;
  ranges_ = {&range_, 1};
  buffers_ = {&buffer_, 1};
}

void CheckValueSize(std::uint64_t value_size, std::uint64_t max_size) {
  if (value_size <= max_size) return;
  throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("a value of at most " + std::to_string(max_size) + " bytes",
                                                           std::to_string(value_size)));
}

void CheckRanges(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 std::uint64_t value_size) {
  if (ranges.size() != buffers.size()) {
    throw Error(ErrorKind::kInvalidArgument,
                FormatExpectedGot(std::to_string(ranges.size()) + " buffers", std::to_string(buffers.size())));
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [offset, length] = ranges[i];
    if (length != buffers[i].size()) {
      throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot("a buffer of " + std::to_string(length) + " bytes",
                                                                 std::to_string(buffers[i].size())));
    }
    if (offset > value_size || length > value_size - offset) {
      throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(length) + " bytes at " + std::to_string(offset),
                                                         "a value of " + std::to_string(value_size) + " bytes"));
    }
  }
}

}  // namespace zarr
