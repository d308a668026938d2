// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/lz4_codec.h"

#include <lz4.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

constexpr std::size_t kPrefixSize = 4;
/// Upper bound on decoded bytes per encoded byte of an LZ4 block.
constexpr std::size_t kMostExpansion = 255;

const char* AsChars(const std::byte* p) {
  return reinterpret_cast<const char*>(p);
}
char* AsChars(std::byte* p) {
  return reinterpret_cast<char*>(p);
}

class Lz4Codec final : public BytesToBytesCodec {
 public:
  explicit Lz4Codec(int acceleration) : acceleration_(acceleration) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return GetCompressedBound(decoded); }
  std::optional<std::uint64_t> GetClaimedSize(ByteSpan encoded) const override;
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  int acceleration_;
};

std::optional<std::uint64_t> Lz4Codec::GetClaimedSize(ByteSpan encoded) const {
  if (encoded.size() < kPrefixSize) return std::nullopt;
  return LoadLittleEndian<std::uint32_t>(encoded.data());
}

std::optional<std::size_t> Lz4Codec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  constexpr std::size_t kMaxInt = std::numeric_limits<int>::max();
  if (encoded.size() <= kPrefixSize) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a size and an LZ4 block", std::to_string(encoded.size()) + " bytes"));
  }
  const std::size_t size = LoadLittleEndian<std::uint32_t>(encoded.data());
  const ByteSpan block = encoded.subspan(kPrefixSize);
  if (size > LZ4_MAX_INPUT_SIZE || block.size() > kMaxInt) {
    throw Error(
        ErrorKind::kCorrupt,
        FormatExpectedGot("at most " + std::to_string(LZ4_MAX_INPUT_SIZE) + " bytes in a block", std::to_string(size)));
  }
  if (size / kMostExpansion > block.size()) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("at most " + std::to_string(kMostExpansion * block.size()) +
                                                           " bytes in a block of " + std::to_string(block.size()),
                                                       std::to_string(size)));
  }
  if (size > out.size()) return std::nullopt;
  const int result = LZ4_decompress_safe(AsChars(block.data()), AsChars(out.data()), static_cast<int>(block.size()),
                                         static_cast<int>(size));
  if (result < 0) throw Error(ErrorKind::kCorrupt, "the LZ4 block is damaged or truncated");
  if (static_cast<std::size_t>(result) != size) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot(std::to_string(size) + " bytes in the block", std::to_string(result)));
  }
  return size;
}

void Lz4Codec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  if (decoded.size() > LZ4_MAX_INPUT_SIZE) {
    throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("at most " + std::to_string(LZ4_MAX_INPUT_SIZE) + " bytes",
                                                             std::to_string(decoded.size())));
  }
  const int size = static_cast<int>(decoded.size());
  const int bound = LZ4_compressBound(size);
  encoded->resize(kPrefixSize + static_cast<std::size_t>(bound));
  WriteLittleEndian(encoded->data(), static_cast<std::uint32_t>(size));
  const int written =
      LZ4_compress_fast(AsChars(decoded.data()), AsChars(encoded->data() + kPrefixSize), size, bound, acceleration_);
  encoded->resize(kPrefixSize + static_cast<std::size_t>(written));
}

}  // namespace

Codec MakeLz4Codec(const CodecSpec& spec) {
  constexpr std::int64_t kLow = std::numeric_limits<int>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<int>::max();
  return std::make_shared<Lz4Codec>(static_cast<int>(GetIntegerOption(spec, "acceleration", kLow, kHigh, 1)));
}

}  // namespace zarr
