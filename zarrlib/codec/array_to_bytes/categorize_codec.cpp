// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/categorize_codec.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/codec/array_to_array/array_filter.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/metadata/fill_value.h"

namespace zarr {
namespace {

/// How the numbers of labels are stored.
struct NumberFormat {
  std::size_t size = 1;
  Endian endian = Endian::kLittle;

  std::uint64_t Load(const std::byte* bytes) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::byte byte = bytes[endian == Endian::kLittle ? size - 1 - i : i];
      number = (number << 8) | std::to_integer<std::uint64_t>(byte);
    }
    return number;
  }
  void Write(std::uint64_t number, std::byte* bytes) const {
    for (std::size_t i = 0; i < size; ++i) {
      bytes[endian == Endian::kLittle ? i : size - 1 - i] = static_cast<std::byte>(number >> (8 * i));
    }
  }
};

/// Returns the bytes of an element of fixed size without trailing zeros.
ByteSpan WithoutPadding(ByteSpan element) {
  while (!element.empty() && element.back() == std::byte{0}) element = element.first(element.size() - 1);
  return element;
}

/// Makes the bytes of a label, without padding: an element may have a megabyte, and there may be many labels.
Bytes MakeLabel(const JsonNode& label, const DataType& type) {
  if (type.kind != DataType::Kind::kFixedUtf32) return ParseFillValueV2(label, type).bytes;
  DataType shorter = type;
  shorter.size = std::min(type.size, label.AsString().size() * sizeof(char32_t));
  if (shorter.size == 0) return {};
  const Bytes element = ParseFillValueV2(label, shorter).bytes;
  const ByteSpan kept = WithoutPadding(element);
  return {kept.begin(), kept.end()};
}

class ResolvedCategorize final : public ResolvedArrayToBytes {
 public:
  /// `labels` are bytes as in memory; for elements of fixed size without trailing zeros.
  ResolvedCategorize(const ChunkSpec& chunk, std::vector<Bytes> labels, const NumberFormat& format)
      : count_(chunk.element_count()), item_size_(chunk.data_type.size), labels_(std::move(labels)), format_(format) {}

  std::optional<std::uint64_t> encoded_size() const override { return count_ * format_.size; }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void Encode(ByteSpan decoded, Bytes* encoded) const override;
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;

 private:
  void CheckSize(ByteSpan encoded) const;
  /// Returns the index of the label of a stored number, or nullopt if there is no such label.
  std::optional<std::size_t> LoadIndex(const std::byte* bytes) const {
    const std::uint64_t number = format_.Load(bytes);
    if (number == 0 || number > labels_.size()) return std::nullopt;
    return static_cast<std::size_t>(number) - 1;
  }
  /// Returns the number of a label; 0 if the element is not a label. If labels are equal, the last one counts.
  std::uint64_t FindNumber(ByteSpan element) const {
    const ByteSpan text = item_size_ > 0 ? WithoutPadding(element) : element;
    const auto found = std::find_if(labels_.rbegin(), labels_.rend(), [&](const Bytes& label) {
      return std::equal(label.begin(), label.end(), text.begin(), text.end());
    });
    return static_cast<std::uint64_t>(labels_.rend() - found);
  }

  std::uint64_t count_;
  std::size_t item_size_;
  std::vector<Bytes> labels_;
  NumberFormat format_;
};

void ResolvedCategorize::CheckSize(ByteSpan encoded) const {
  if (encoded.size() == *encoded_size()) return;
  throw Error(ErrorKind::kCorrupt,
              FormatExpectedGot(std::to_string(*encoded_size()) + " bytes", std::to_string(encoded.size())));
}

void ResolvedCategorize::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  CheckSize(encoded);
  decoded->arena.clear();
  for (const Bytes& label : labels_) decoded->arena.insert(decoded->arena.end(), label.begin(), label.end());
  std::vector<std::string_view> texts;
  std::string_view rest = AsText(decoded->arena);
  for (const Bytes& label : labels_) {
    texts.push_back(rest.substr(0, label.size()));
    rest.remove_prefix(label.size());
  }
  decoded->elements.clear();
  decoded->elements.reserve(encoded.size() / format_.size);
  for (std::size_t i = 0; i < encoded.size(); i += format_.size) {
    const std::optional<std::size_t> index = LoadIndex(encoded.data() + i);
    decoded->elements.push_back(index ? texts[*index] : std::string_view());
  }
}

void ResolvedCategorize::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  CheckSize(encoded);
  std::fill(decoded.begin(), decoded.end(), std::byte{0});
  std::byte* out = decoded.data();
  for (std::size_t i = 0; i < encoded.size(); i += format_.size, out += item_size_) {
    const std::optional<std::size_t> index = LoadIndex(encoded.data() + i);
    if (index) std::copy(labels_[*index].begin(), labels_[*index].end(), out);
  }
}

void ResolvedCategorize::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  encoded->resize(decoded.size() * format_.size);
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    format_.Write(FindNumber(AsBytes(decoded[i])), encoded->data() + i * format_.size);
  }
}

void ResolvedCategorize::Encode(ByteSpan decoded, Bytes* encoded) const {
  encoded->resize(static_cast<std::size_t>(*encoded_size()));
  for (std::size_t i = 0; i < count_; ++i) {
    format_.Write(FindNumber(decoded.subspan(i * item_size_, item_size_)), encoded->data() + i * format_.size);
  }
}

class CategorizeCodec final : public ArrayToBytesCodec {
 public:
  explicit CategorizeCodec(const CodecSpec& spec) : place_(spec.configuration) {
    const JsonNode labels = place_.At("labels");
    if (!labels.IsArray()) labels.FailExpected("a list of labels");
    labels_ = labels.GetItems();
    for (const JsonNode& label : labels_) label.AsString();
    if (const auto type = ParseNumPyTypeOption(spec, "astype")) SetFormat(*type);
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    const DataType& type = decoded.data_type;
    std::vector<Bytes> labels;
    if (type.kind != DataType::Kind::kString && type.kind != DataType::Kind::kFixedUtf32) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("text", "data type \"" + type.name + "\""));
    }
    for (const JsonNode& label : labels_) labels.push_back(MakeLabel(label, type));
    return std::make_shared<ResolvedCategorize>(decoded, std::move(labels), format_);
  }

 private:
  void SetFormat(const DataType& type) {
    if (type.kind != DataType::Kind::kInt && type.kind != DataType::Kind::kUint) {
      place_.At("astype").Fail(ErrorKind::kUnsupported,
                               FormatExpectedGot("a type of integers", "\"" + type.name + "\""));
    }
    format_ = {type.size, type.endian.value_or(Endian::kLittle)};
  }

  JsonNode place_;
  std::vector<JsonNode> labels_;
  NumberFormat format_;
};

}  // namespace

Codec MakeCategorizeCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<CategorizeCodec>(spec));
}

}  // namespace zarr
