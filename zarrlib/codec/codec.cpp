// SPDX-License-Identifier: MIT
#include "zarrlib/codec/codec.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/per_thread.h"

namespace zarr {
namespace {

// Limits on the memory that a thread keeps: enough for a pipeline that holds a few chunks at once, but not for a huge
// chunk.
constexpr std::size_t kMaxKeptSize = std::size_t{32} << 20;
constexpr std::size_t kMaxKeptBuffers = 8;

struct ScratchStock {
  std::vector<Bytes> buffers;
};

}  // namespace

void ResolvedArrayToBytes::DecodeVariable(ByteSpan, VariableChunk*) const {
  throw Error(ErrorKind::kUnsupported, "elements of variable length cannot be decoded");
}

void ResolvedArrayToBytes::EncodeVariable(std::span<const std::string_view>, Bytes*) const {
  throw Error(ErrorKind::kUnsupported, "elements of variable length cannot be encoded");
}

EncodedValue MakeEncodedValue(ByteSpan bytes) {
  return {bytes.size(), [bytes](std::uint64_t offset, MutableByteSpan buffer) {
            const ByteSpan range = bytes.subspan(static_cast<std::size_t>(offset), buffer.size());
            std::copy(range.begin(), range.end(), buffer.begin());
          }};
}

std::shared_ptr<const ShardReader> ResolvedArrayToBytes::Open(const ValueReader&) const {
  throw Error(ErrorKind::kUnsupported, "values can only be read whole");
}

ScratchBuffer::ScratchBuffer() {
  PerThread<ScratchStock> stock;
  stock->buffers.reserve(kMaxKeptBuffers);  // here, because the destructor must not allocate
  if (stock->buffers.empty()) return;
  bytes_ = std::move(stock->buffers.back());
  stock->buffers.pop_back();
}

ScratchBuffer::~ScratchBuffer() {
  if (bytes_.capacity() == 0 || bytes_.capacity() > kMaxKeptSize) return;
  PerThread<ScratchStock> stock;
  if (stock->buffers.size() >= kMaxKeptBuffers || stock->buffers.size() == stock->buffers.capacity()) return;
  bytes_.clear();  // so that growing does not copy
  stock->buffers.push_back(std::move(bytes_));
}

}  // namespace zarr
