// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/zarrs_vlen_codec.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/base/limits.h"
#include "zarrlib/codec/array_to_bytes/variable_codec.h"
#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {
namespace {

constexpr std::size_t kIndexSizeLength = sizeof(std::uint64_t);

struct Configuration {
  std::shared_ptr<const CodecPipeline> index;
  std::shared_ptr<const CodecPipeline> data;
  bool has_long_offsets = false;  // of 64 bits
  bool index_is_last = false;
};

/// The two encoded arrays of a chunk.
struct Parts {
  ByteSpan index;
  ByteSpan data;
};

std::shared_ptr<const ResolvedPipeline> Resolve(const CodecPipeline& codecs, std::uint64_t count, const char* type) {
  const DataType element = DataType::FromV3(JsonNode::MakeString(type));
  return codecs.Resolve({{count}, element, MakeZeroFill(element)});
}

template <typename Offset>
std::vector<std::uint64_t> DecodeOffsets(const ResolvedPipeline& codecs, ByteSpan encoded, std::size_t count) {
  std::vector<Offset> offsets(count);
  codecs.Decode(encoded, std::as_writable_bytes(std::span(offsets)));
  return {offsets.begin(), offsets.end()};
}

template <typename Offset>
void EncodeOffsets(const ResolvedPipeline& codecs, const std::vector<std::uint64_t>& offsets, Bytes* encoded) {
  if (offsets.back() > std::numeric_limits<Offset>::max()) {
    throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("less than 4 GB of elements, for offsets of 32 bits",
                                                             std::to_string(offsets.back())));
  }
  const std::vector<Offset> narrow(offsets.begin(), offsets.end());
  codecs.Encode(std::as_bytes(std::span(narrow)), encoded);
}

class ResolvedZarrsVlen final : public ResolvedVariable {
 public:
  ResolvedZarrsVlen(const Shape& shape, Configuration configuration)
      : count_(ComputeProduct(shape)),
        configuration_(std::move(configuration)),
        index_(Resolve(*configuration_.index, count_ + 1, configuration_.has_long_offsets ? "uint64" : "uint32")) {}

  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;

 private:
  Parts Split(ByteSpan encoded) const;
  std::vector<std::uint64_t> ReadOffsets(ByteSpan encoded) const;

  std::uint64_t count_;
  Configuration configuration_;
  std::shared_ptr<const ResolvedPipeline> index_;
};

Parts ResolvedZarrsVlen::Split(ByteSpan encoded) const {
  if (encoded.size() < kIndexSizeLength) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("at least 8 bytes", std::to_string(encoded.size())));
  }
  const std::size_t rest = encoded.size() - kIndexSizeLength;
  const bool is_last = configuration_.index_is_last;
  const auto size = LoadLittleEndian<std::uint64_t>(encoded.data() + (is_last ? rest : 0));
  if (size > rest) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("an index of at most " + std::to_string(rest) + " bytes", std::to_string(size)));
  }
  const auto index_size = static_cast<std::size_t>(size);
  if (is_last) return {encoded.subspan(rest - index_size, index_size), encoded.first(rest - index_size)};
  return {encoded.subspan(kIndexSizeLength, index_size), encoded.subspan(kIndexSizeLength + index_size)};
}

std::vector<std::uint64_t> ResolvedZarrsVlen::ReadOffsets(ByteSpan encoded) const {
  const auto count = static_cast<std::size_t>(count_ + 1);
  std::vector<std::uint64_t> offsets = configuration_.has_long_offsets
                                           ? DecodeOffsets<std::uint64_t>(*index_, encoded, count)
                                           : DecodeOffsets<std::uint32_t>(*index_, encoded, count);
  const auto end = std::ranges::is_sorted_until(offsets);
  if (end != offsets.end()) {
    throw Error(ErrorKind::kCorrupt, "element " + std::to_string(end - offsets.begin() - 1) + " of " +
                                         std::to_string(count_) + " ends before it begins");
  }
  if (offsets.back() > GetLimit(Limit::kUnknownChunk)) {
    throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot(FormatAtMost(Limit::kUnknownChunk, "bytes of elements"),
                                                             std::to_string(offsets.back())));
  }
  return offsets;
}

void ResolvedZarrsVlen::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  const Parts parts = Split(encoded);
  const std::vector<std::uint64_t> offsets = ReadOffsets(parts.index);
  decoded->arena.resize(static_cast<std::size_t>(offsets.back()));
  const MutableByteSpan data(decoded->arena.data(), decoded->arena.size());
  if (!data.empty()) Resolve(*configuration_.data, data.size(), "uint8")->Decode(parts.data, data);
  decoded->elements.clear();
  decoded->elements.reserve(offsets.size() - 1);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    decoded->elements.push_back(AsText(ByteSpan(data).subspan(offsets[i - 1], offsets[i] - offsets[i - 1])));
  }
}

void ResolvedZarrsVlen::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  std::vector<std::uint64_t> offsets = {0};
  std::string elements;
  for (const std::string_view element : decoded) offsets.push_back(elements.append(element).size());
  Bytes index;
  configuration_.has_long_offsets ? EncodeOffsets<std::uint64_t>(*index_, offsets, &index)
                                  : EncodeOffsets<std::uint32_t>(*index_, offsets, &index);
  Bytes data;
  if (!elements.empty()) {
    Resolve(*configuration_.data, elements.size(), "uint8")->Encode(AsBytes(elements), &data);
  }
  Bytes size(kIndexSizeLength);
  WriteLittleEndian(size.data(), std::uint64_t{index.size()});
  const Bytes* const first[] = {&size, &index, &data};
  const Bytes* const last[] = {&data, &index, &size};
  encoded->clear();
  for (const Bytes* part : configuration_.index_is_last ? last : first) {
    encoded->insert(encoded->end(), part->begin(), part->end());
  }
}

/// Reads a member that is one of two strings. Returns true for the second one.
bool IsSecond(const JsonNode& member, std::string_view first, std::string_view second) {
  const std::string& text = member.AsString();
  if (text != first && text != second) {
    member.FailExpected("\"" + std::string(first) + "\" or \"" + std::string(second) + "\"");
  }
  return text == second;
}

class ZarrsVlenCodec final : public ArrayToBytesCodec {
 public:
  ZarrsVlenCodec(JsonNode place, CodecFactory make)
      : place_(std::move(place)),
        configuration_{CodecPipeline::Make(ParseCodecsV3(place_.At("index_codecs")), false, make),
                       CodecPipeline::Make(ParseCodecsV3(place_.At("data_codecs")), false, make),
                       IsSecond(place_.At("index_data_type"), "uint32", "uint64")} {
    const auto location = place_.Find("index_location");
    configuration_.index_is_last = location && IsSecond(*location, "start", "end");
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    if (!decoded.data_type.variable() || decoded.data_type.optional_depth > 0) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot("elements of variable length", "data type \"" + decoded.data_type.name + "\""));
    }
    return std::make_shared<ResolvedZarrsVlen>(decoded.shape, configuration_);
  }

 private:
  JsonNode place_;
  Configuration configuration_;
};

}  // namespace

Codec MakeZarrsVlenCodec(const CodecSpec& spec, CodecFactory make) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<ZarrsVlenCodec>(spec.configuration, make));
}

}  // namespace zarr
