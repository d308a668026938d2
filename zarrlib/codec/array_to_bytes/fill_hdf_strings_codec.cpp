// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/fill_hdf_strings_codec.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "zarrlib/codec/array_to_bytes/variable_codec.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// The strings of a file by their numbers, or one string for all numbers.
struct HdfStrings {
  std::size_t number_size = 0;
  std::map<std::string, std::string, std::less<>> by_number;
  std::optional<std::string> for_all;
  bool is_map = false;
};

class ResolvedFillHdfStrings final : public ResolvedVariable {
 public:
  ResolvedFillHdfStrings(std::uint64_t count, std::shared_ptr<const HdfStrings> strings)
      : count_(count), strings_(std::move(strings)) {}

  std::optional<std::uint64_t> encoded_size() const override { return count_ * strings_->number_size; }

  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override {
    if (encoded.size() != *encoded_size()) {
      throw Error(ErrorKind::kCorrupt,
                  FormatExpectedGot(std::to_string(*encoded_size()) + " bytes", std::to_string(encoded.size())));
    }
    decoded->arena.clear();  // the strings belong to this object
    decoded->elements.clear();
    decoded->elements.reserve(static_cast<std::size_t>(count_));
    for (; !encoded.empty(); encoded = encoded.subspan(strings_->number_size)) {
      decoded->elements.push_back(FindString(AsText(encoded.first(strings_->number_size))));
    }
  }

  void EncodeVariable(std::span<const std::string_view>, Bytes*) const override {
    throw Error(ErrorKind::kUnsupported, "strings of HDF5 files are for reading only");
  }

 private:
  /// The numbers have a NumPy type, which drops trailing NUL bytes.
  std::string_view FindString(std::string_view number) const {
    if (!strings_->is_map) return strings_->for_all ? *strings_->for_all : std::string_view(kMissingText, 0);
    number = number.substr(0, number.find_last_not_of('\0') + 1);
    const auto found = strings_->by_number.find(number);
    if (found != strings_->by_number.end()) return found->second;
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("the number of a string in the configuration",
                                                       JsonNode::MakeString(number).GetExcerpt()));
  }

  std::uint64_t count_;
  std::shared_ptr<const HdfStrings> strings_;
};

class FillHdfStringsCodec final : public ArrayToBytesCodec {
 public:
  explicit FillHdfStringsCodec(const CodecSpec& spec)
      : place_(spec.configuration), strings_(std::make_shared<HdfStrings>()) {
    strings_->number_size = ParseNumberSize(place_.At("dtype"));
    const auto strings = FindOption(spec, "id_map");
    if (!strings) return;
    strings_->is_map = strings->IsObject();
    if (!strings_->is_map) {
      strings_->for_all = strings->AsString();
      return;
    }
    for (const auto& [number, text] : strings->GetMembers()) strings_->by_number.emplace(number, text.AsString());
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    if (decoded.data_type.kind != DataType::Kind::kString) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot("strings", "data type \"" + decoded.data_type.name + "\""));
    }
    return std::make_shared<ResolvedFillHdfStrings>(decoded.element_count(), strings_);
  }

 private:
  /// Parses NumPy's name of the type of numbers, which may omit the byte order: `S16`.
  static std::size_t ParseNumberSize(const JsonNode& node) {
    const bool is_name = node.IsString() && !node.AsString().starts_with('[');
    const std::string prefix = is_name && node.AsString().starts_with('S') ? "|" : "";
    const DataType type = is_name ? DataType::FromV2(JsonNode::MakeString(prefix + node.AsString(), node)) : DataType();
    if (type.kind == DataType::Kind::kFixedBytes && type.size > 0) return type.size;
    node.Fail(ErrorKind::kUnsupported, FormatExpectedGot("bytes such as \"S16\"", node.GetExcerpt()));
  }

  JsonNode place_;
  std::shared_ptr<HdfStrings> strings_;
};

}  // namespace

Codec MakeFillHdfStringsCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<FillHdfStringsCodec>(spec));
}

}  // namespace zarr
