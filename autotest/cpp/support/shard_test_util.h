// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "autotest/cpp/support/array_codec_test_util.h"

/// What the tests of shards share: values made by hand, and a reader that notes what is read.
namespace zarr::test {

/// The offset and the length of an inner chunk that is absent (Zarr v3, "Sharding codec").
inline constexpr std::uint64_t kAbsent = UINT64_MAX;
using Entry = std::pair<std::uint64_t, std::uint64_t>;
inline constexpr Entry kNoChunk{kAbsent, kAbsent};

/// CRC-32C (RFC 3720), bit by bit: not the library's own.
inline std::uint32_t SlowCrc32c(ByteSpan bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const std::byte byte : bytes) {
    crc ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
  }
  return ~crc;
}

inline void Append(ByteSpan more, Bytes* bytes) {
  bytes->insert(bytes->end(), more.begin(), more.end());
}

/// An index as it is stored: little-endian pairs, and their checksum.
inline Bytes IndexBytes(const std::vector<Entry>& entries, bool checksum = true) {
  std::vector<std::uint64_t> numbers;
  for (const auto& [offset, length] : entries) numbers.insert(numbers.end(), {offset, length});
  Bytes bytes = LittleEndianOf(numbers);
  if (checksum) Append(LittleEndianOf({SlowCrc32c(bytes)}), &bytes);
  return bytes;
}

/// A shard with its index at the end.
inline Bytes ShardOf(const Bytes& payload, const std::vector<Entry>& entries) {
  Bytes shard = payload;
  Append(IndexBytes(entries), &shard);
  return shard;
}

inline Bytes Octets(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

inline constexpr std::string_view kLittleBytes = R"([{"name": "bytes", "configuration": {"endian": "little"}}])";
inline constexpr std::string_view kCheckedIndex =
    R"([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}])";

inline std::string ShardingConfiguration(std::string_view chunk_shape, std::string_view codecs = kLittleBytes,
                                         std::string_view index_codecs = kCheckedIndex, std::string_view more = "") {
  return R"({"chunk_shape": )" + std::string(chunk_shape) + R"(, "codecs": )" + std::string(codecs) +
         R"(, "index_codecs": )" + std::string(index_codecs) + std::string(more) + "}";
}

inline constexpr std::string_view kIndexAtStart = R"(, "index_location": "start")";

using ResolvedShard = std::shared_ptr<const ResolvedArrayToBytes>;

inline ResolvedShard ResolveSharding(const std::string& configuration, const ChunkSpec& spec) {
  const Codec codec = MakeCodec(NamedCodec("sharding_indexed", configuration));
  return std::get<std::shared_ptr<const ArrayToBytesCodec>>(codec)->Resolve(spec);
}

/// A chunk of bytes, with a defined fill value.
inline ChunkSpec ByteSpec(const Shape& shape, int fill = 7) {
  ChunkSpec spec = Spec(shape, "uint8");
  spec.fill_value = {Octets({fill}), true};
  return spec;
}

/// A shard of 8 bytes in inner chunks of 2.
inline ResolvedShard EightBytes(std::string_view more = "") {
  return ResolveSharding(ShardingConfiguration("[2]", kLittleBytes, kCheckedIndex, more), ByteSpec({8}));
}

/// A value in memory that notes what is read of it.
class NotingReader final : public ValueReader {
 public:
  explicit NotingReader(std::optional<Bytes> value, bool tells_size = true)
      : value_(std::move(value)), tells_size_(tells_size) {}

  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override {
    ++requests_;
    if (!value_) return false;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      read_.push_back(ranges[i]);
      EXPECT_EQ(buffers[i].size(), ranges[i].length);
      if (ranges[i].offset > value_->size() || ranges[i].length > value_->size() - ranges[i].offset) {
        throw Error(ErrorKind::kCorrupt, "a range beyond the end");
      }
      std::copy_n(value_->data() + ranges[i].offset, ranges[i].length, buffers[i].data());
    }
    return true;
  }
  std::optional<Suffix> ReadSuffix(std::uint64_t length) const override {
    ++requests_;
    if (!value_) return std::nullopt;
    const std::uint64_t taken = std::min<std::uint64_t>(length, value_->size());
    read_.push_back({value_->size() - taken, taken});
    return Suffix{Bytes(value_->end() - static_cast<std::ptrdiff_t>(taken), value_->end()), value_->size()};
  }
  std::optional<Bytes> ReadAll(std::uint64_t) const override {
    ++requests_;
    return value_;
  }
  std::optional<std::uint64_t> value_size() const override {
    return value_ && tells_size_ ? std::optional<std::uint64_t>(value_->size()) : std::nullopt;
  }

  int TakeRequests() const { return std::exchange(requests_, 0); }
  std::vector<ByteRange> TakeRead() const { return std::exchange(read_, {}); }

 private:
  std::optional<Bytes> value_;
  bool tells_size_;
  mutable int requests_ = 0;
  mutable std::vector<ByteRange> read_;
};

}  // namespace zarr::test
