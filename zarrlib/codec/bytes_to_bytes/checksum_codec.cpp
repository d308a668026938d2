// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/checksum_codec.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/base/crc32.h"
#include "zarrlib/base/error.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

constexpr std::size_t kChecksumSize = 4;

class ChecksumCodec final : public BytesToBytesCodec {
 public:
  ChecksumCodec(std::function<std::uint32_t(ByteSpan)> checksum, bool at_start)
      : checksum_(std::move(checksum)), at_start_(at_start) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override;
  std::optional<ByteSpan> DecodeView(ByteSpan encoded) const override;
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  std::function<std::uint32_t(ByteSpan)> checksum_;
  bool at_start_;
};

SizeBound ChecksumCodec::GetEncodedSize(SizeBound decoded) const {
  if (!decoded.bytes || *decoded.bytes > std::numeric_limits<std::uint64_t>::max() - kChecksumSize) return {};
  return {*decoded.bytes + kChecksumSize, decoded.exact, decoded.compressed};
}

std::optional<ByteSpan> ChecksumCodec::DecodeView(ByteSpan encoded) const {
  if (encoded.size() < kChecksumSize) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a checksum of 4 bytes", std::to_string(encoded.size()) + " bytes"));
  }
  const std::size_t size = encoded.size() - kChecksumSize;
  const ByteSpan content = encoded.subspan(at_start_ ? kChecksumSize : 0, size);
  const auto stored = LoadLittleEndian<std::uint32_t>(encoded.data() + (at_start_ ? 0 : size));
  const std::uint32_t computed = checksum_(content);
  if (stored != computed) {
    throw Error(ErrorKind::kCorrupt,
                "checksum mismatch: " + FormatExpectedGot(std::to_string(stored), std::to_string(computed)));
  }
  return content;
}

std::optional<std::size_t> ChecksumCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  const ByteSpan content = *DecodeView(encoded);
  if (content.size() > out.size()) return std::nullopt;
  std::copy(content.begin(), content.end(), out.begin());
  return content.size();
}

void ChecksumCodec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  encoded->resize(decoded.size() + kChecksumSize);
  std::byte* const content = encoded->data() + (at_start_ ? kChecksumSize : 0);
  std::copy(decoded.begin(), decoded.end(), content);
  WriteLittleEndian(at_start_ ? encoded->data() : content + decoded.size(), checksum_(decoded));
}

Bytes ReadPrefix(const CodecSpec& spec) {
  const std::optional<JsonNode> prefix = FindOption(spec, "prefix");
  if (!prefix) return {};
  if (prefix->IsString()) return ToBytes(prefix->AsString());
  if (!prefix->IsArray()) prefix->FailExpected("a list of bytes, or a string");
  Bytes bytes;
  for (const JsonNode& byte : prefix->GetItems()) bytes.push_back(static_cast<std::byte>(byte.AsIntegerIn(0, 255)));
  return bytes;
}

}  // namespace

bool HasChecksumAtStart(const CodecSpec& spec, bool fallback) {
  const std::optional<JsonNode> location = FindOption(spec, "location");
  if (!location) return fallback;
  if (location->IsString() && location->AsString() == "end") return false;
  if (location->IsString() && location->AsString() == "start") return true;
  location->FailExpected("\"start\" or \"end\"");
}

Codec MakeChecksumCodec(std::function<std::uint32_t(ByteSpan)> checksum, bool at_start) {
  return std::make_shared<ChecksumCodec>(std::move(checksum), at_start);
}

Codec MakeCrc32Codec(const CodecSpec& spec) {
  return MakeChecksumCodec(ComputeCrc32, HasChecksumAtStart(spec, true));
}

Codec MakeAdler32Codec(const CodecSpec& spec) {
  return MakeChecksumCodec(ComputeAdler32, HasChecksumAtStart(spec, true));
}

Codec MakeFletcher32Codec(const CodecSpec&) {
  return MakeChecksumCodec(ComputeFletcher32, false);
}

Codec MakeJenkinsLookup3Codec(const CodecSpec& spec) {
  constexpr std::int64_t kMax = std::numeric_limits<std::uint32_t>::max();
  const auto initval = static_cast<std::uint32_t>(GetIntegerOption(spec, "initval", 0, kMax, 0));
  const Bytes prefix = ReadPrefix(spec);
  const auto checksum = [initval, prefix](ByteSpan bytes) {
    if (prefix.empty()) return ComputeJenkinsLookup3(bytes, initval);
    Bytes all = prefix;
    all.insert(all.end(), bytes.begin(), bytes.end());
    return ComputeJenkinsLookup3(all, initval);
  };
  return MakeChecksumCodec(checksum, false);
}

}  // namespace zarr
