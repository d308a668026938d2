// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/vlen_codec.h"

#include <algorithm>
#include <limits>
#include <string>

#include "zarrlib/codec/array_to_bytes/variable_codec.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

constexpr std::size_t kNumberSize = sizeof(std::uint32_t);
constexpr std::uint64_t kMaxNumber = std::numeric_limits<std::uint32_t>::max();

class ResolvedVlen final : public ResolvedVariable {
 public:
  explicit ResolvedVlen(const Shape& shape) : count_(ComputeProduct(shape)) {}

  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;

 private:
  /// Checks the number of elements, and that there are enough bytes for them, before memory is allocated for them.
  void CheckCount(ByteSpan encoded) const;

  std::uint64_t count_;
};

void ResolvedVlen::CheckCount(ByteSpan encoded) const {
  if (encoded.size() < kNumberSize) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a count of 4 bytes", std::to_string(encoded.size()) + " bytes"));
  }
  const auto count = LoadLittleEndian<std::uint32_t>(encoded.data());
  if (count != count_) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(count_) + " elements", std::to_string(count)));
  }
  if (encoded.size() / kNumberSize - 1 < count_) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("the lengths of " + std::to_string(count_) + " elements",
                                                       std::to_string(encoded.size()) + " bytes"));
  }
}

void ResolvedVlen::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  CheckCount(encoded);
  decoded->arena.assign(encoded.begin(), encoded.end());
  decoded->elements.clear();
  decoded->elements.reserve(static_cast<std::size_t>(count_));
  ByteSpan rest = ByteSpan(decoded->arena).subspan(kNumberSize);
  for (std::uint64_t i = 0; i < count_; ++i) {
    const std::size_t length = rest.size() < kNumberSize ? 0 : LoadLittleEndian<std::uint32_t>(rest.data());
    if (rest.size() < kNumberSize || length > rest.size() - kNumberSize) {
      throw Error(ErrorKind::kCorrupt, "element " + std::to_string(i) + " of " + std::to_string(count_) +
                                           " reaches beyond the end of the chunk");
    }
    decoded->elements.push_back(AsText(rest.subspan(kNumberSize, length)));
    rest = rest.subspan(kNumberSize + length);
  }
  if (!IsPadding(rest)) {
    throw Error(ErrorKind::kCorrupt, std::to_string(rest.size()) + " bytes follow the last element");
  }
}

void ResolvedVlen::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  std::size_t size = kNumberSize * (decoded.size() + 1);
  std::uint64_t largest = decoded.size();
  for (const std::string_view element : decoded) {
    size += element.size();
    largest = std::max<std::uint64_t>(largest, element.size());
  }
  if (largest > kMaxNumber) {
    throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("counts and lengths below 2^32", std::to_string(largest)));
  }
  encoded->resize(size);
  std::byte* out = encoded->data();
  WriteLittleEndian(out, static_cast<std::uint32_t>(decoded.size()));
  out += kNumberSize;
  for (const std::string_view element : decoded) {
    WriteLittleEndian(out, static_cast<std::uint32_t>(element.size()));
    const ByteSpan bytes = AsBytes(element);
    out = std::copy(bytes.begin(), bytes.end(), out + kNumberSize);
  }
}

}  // namespace

Codec MakeVlenCodec(const CodecSpec& spec) {
  return std::make_shared<VariableCodec<ResolvedVlen>>(spec.configuration);
}

}  // namespace zarr
