// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/images/lerc_codec.h"

#include <Lerc_c_api.h>
#include <Lerc_types.h>

#include <algorithm>
#include <array>
#include <climits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "zarrlib/codec/array_to_bytes/images/image_codec.h"

namespace zarr {
namespace {

/// The types of LERC, in the order of their numbers.
struct LercType {
  DataType::Kind kind;
  std::size_t size;
};
constexpr std::array<LercType, 8> kTypes = {{{DataType::Kind::kInt, 1},
                                             {DataType::Kind::kUint, 1},
                                             {DataType::Kind::kInt, 2},
                                             {DataType::Kind::kUint, 2},
                                             {DataType::Kind::kInt, 4},
                                             {DataType::Kind::kUint, 4},
                                             {DataType::Kind::kFloat, 4},
                                             {DataType::Kind::kFloat, 8}}};

/// The fields of an image's header, in the order of liblerc.
struct Header {
  unsigned version = 0, type = 0, depth = 0, columns = 0, rows = 0, bands = 0, valid = 0, size = 0, masks = 0;
};

[[noreturn]] void FailCorrupt(const std::string& message) {
  throw Error(ErrorKind::kCorrupt, message);
}

void Check(lerc_status status) {
  if (status == 0) return;
  if (status == static_cast<lerc_status>(LercNS::ErrCode::HasNoData)) {
    throw Error(ErrorKind::kUnsupported, "pixels of which some samples are invalid are not supported");
  }
  FailCorrupt("the LERC image cannot be read: liblerc says " + std::to_string(status));
}

const std::uint8_t* GetBytes(ByteSpan bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

Header ReadHeader(ByteSpan encoded) {
  if (encoded.size() > UINT_MAX) FailCorrupt("expected at most 2^32-1 bytes, got " + std::to_string(encoded.size()));
  if (AsText(encoded).starts_with("CntZImage")) throw Error(ErrorKind::kUnsupported, "LERC 1 is not supported");
  if (!AsText(encoded).starts_with("Lerc2 ")) FailCorrupt("expected an image of LERC");
  std::array<unsigned, 9> info{};
  std::array<double, 3> range{};
  Check(lerc_getBlobInfo(GetBytes(encoded), static_cast<unsigned>(encoded.size()), info.data(), range.data(),
                         static_cast<int>(info.size()), static_cast<int>(range.size())));
  const Header header{info[0], info[1], info[2], info[3], info[4], info[5], info[6], info[7], info[8]};
  if (header.size > encoded.size()) {
    FailCorrupt(FormatExpectedGot(std::to_string(header.size) + " bytes", std::to_string(encoded.size())));
  }
  return header;
}

class ResolvedLerc final : public ResolvedImage {
 public:
  ResolvedLerc(const ChunkSpec& chunk, unsigned type, CodecFactory make)
      : ResolvedImage(chunk), type_(type), make_(make) {}

  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override {
    MemoryShare share;
    ScratchBuffer plain;
    if (const char* codec = FindCompression(encoded)) encoded = Decompress(codec, encoded, &plain.bytes(), &share);
    const Header header = ReadHeader(encoded);
    CheckFits(header);
    std::fill(decoded.begin(), decoded.end(), std::byte{0});
    ScratchBuffer masks(std::size_t{header.masks} * header.rows * header.columns);
    Check(lerc_decode(GetBytes(encoded), header.size, static_cast<int>(header.masks),
                      header.masks > 0 ? reinterpret_cast<std::uint8_t*>(masks.bytes().data()) : nullptr,
                      static_cast<int>(header.depth), static_cast<int>(header.columns), static_cast<int>(header.rows),
                      static_cast<int>(header.bands), header.type, decoded.data()));
  }

 private:
  /// Finds the codec that compressed these bytes; null if there is none.
  static const char* FindCompression(ByteSpan encoded) {
    const std::string_view text = AsText(encoded);
    if (text.starts_with("\x28\xB5\x2F\xFD")) return "zstd";
    return text.starts_with('\x78') ? "numcodecs.zlib" : nullptr;
  }
  ByteSpan Decompress(const char* name, ByteSpan encoded, Bytes* plain, MemoryShare* share) const {
    const Codec codec = make_({name, JsonNode::MakeObject({})});
    const std::uint64_t limit = *max_encoded_size();
    const auto size =
        DecodeGrowing(*std::get<std::shared_ptr<const BytesToBytesCodec>>(codec), encoded, limit, plain, share);
    if (!size) FailCorrupt(FormatExpectedGot("at most " + std::to_string(limit) + " bytes", "more"));
    return ByteSpan(*plain).first(*size);
  }
  void CheckFits(const Header& header) const {
    if (header.type != type_) {
      FailCorrupt(FormatExpectedGot("LERC's data type " + std::to_string(type_), std::to_string(header.type)));
    }
    CheckImageShape({header.bands, header.rows, header.columns, header.depth});
    if (header.masks > header.bands) {
      FailCorrupt(
          FormatExpectedGot("at most " + std::to_string(header.bands) + " masks", std::to_string(header.masks)));
    }
  }

  unsigned type_;
  CodecFactory make_;  // of the compressor of the image
};

class LercCodec final : public ArrayToBytesCodec {
 public:
  LercCodec(JsonNode place, CodecFactory make) : place_(std::move(place)), make_(make) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    const DataType& type = decoded.data_type;
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const LercType& known) {
      return known.kind == type.kind && known.size == type.size && type.bits == 0;
    });
    if (found == kTypes.end()) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("integers of up to 32 bits, or floats of 32 or 64",
                                                             "data type \"" + type.name + "\""));
    }
    return std::make_shared<ResolvedLerc>(decoded, static_cast<unsigned>(found - kTypes.begin()), make_);
  }

 private:
  JsonNode place_;
  CodecFactory make_;
};

}  // namespace

Codec MakeLercCodec(const CodecSpec& spec, CodecFactory make) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<LercCodec>(spec.configuration, make));
}

}  // namespace zarr
