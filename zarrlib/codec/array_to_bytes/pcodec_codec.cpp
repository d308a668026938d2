// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/pcodec_codec.h"

#include <memory>
#include <optional>
#include <utility>

#include "zarrlib/codec/array_to_bytes/pco/pco_file.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

class ResolvedPcodec final : public ResolvedArrayToBytes {
 public:
  explicit ResolvedPcodec(std::uint64_t size) : size_(size) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  std::optional<std::uint64_t> max_encoded_size() const override { return GetCompressedBound({size_, true}).bytes; }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override { DecodePcoFile(encoded, decoded); }
  void Encode(ByteSpan, Bytes*) const override { throw Error(ErrorKind::kUnsupported, "pco files cannot be encoded"); }

 private:
  std::uint64_t size_;
};

class PcodecCodec final : public ArrayToBytesCodec {
 public:
  explicit PcodecCodec(JsonNode place) : place_(std::move(place)) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    const DataType& type = decoded.data_type;
    if (type.swap_size() == 0 || type.bits != 0) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("numbers", "data type \"" + type.name + "\""));
    }
    return std::make_shared<ResolvedPcodec>(decoded.byte_size());
  }

 private:
  JsonNode place_;
};

}  // namespace

Codec MakePcodecCodec(const CodecSpec& spec) {
  return std::make_shared<PcodecCodec>(spec.configuration);
}

}  // namespace zarr
