// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/deflate_codec.h"

#include <libdeflate.h>

#include <memory>
#include <new>
#include <optional>
#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/codec/per_thread.h"

namespace zarr {
namespace {

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* p) const { libdeflate_free_decompressor(p); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

struct FreeCompressor {
  void operator()(libdeflate_compressor* p) const { libdeflate_free_compressor(p); }
};
struct Compressor {
  std::unique_ptr<libdeflate_compressor, FreeCompressor> handle;
  int level = 0;
};

enum class Wrapper { kGzip, kZlib, kNone };

constexpr auto GetDecompressor(Wrapper wrapper) {
  if (wrapper == Wrapper::kNone) return libdeflate_deflate_decompress_ex;
  return wrapper == Wrapper::kGzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
}
constexpr auto GetCompressor(Wrapper wrapper) {
  if (wrapper == Wrapper::kNone) return libdeflate_deflate_compress;
  return wrapper == Wrapper::kGzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
}
constexpr auto GetBound(Wrapper wrapper) {
  if (wrapper == Wrapper::kNone) return libdeflate_deflate_compress_bound;
  return wrapper == Wrapper::kGzip ? libdeflate_gzip_compress_bound : libdeflate_zlib_compress_bound;
}
const char* GetName(Wrapper wrapper) {
  if (wrapper == Wrapper::kNone) return "deflate";
  return wrapper == Wrapper::kGzip ? "gzip" : "zlib";
}

class DeflateCodec final : public BytesToBytesCodec {
 public:
  DeflateCodec(Wrapper wrapper, int level) : wrapper_(wrapper), level_(level) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return GetCompressedBound(decoded); }
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  Wrapper wrapper_;
  int level_;
};

std::optional<std::size_t> DeflateCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  PerThread<Decompressor> decompressor;
  if (!*decompressor) decompressor->reset(libdeflate_alloc_decompressor());
  if (!*decompressor) throw std::bad_alloc();
  const auto decompress = GetDecompressor(wrapper_);
  const std::string format = GetName(wrapper_);

  std::size_t decoded = 0;
  do {
    const MutableByteSpan rest = out.subspan(decoded);
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const libdeflate_result result =
        decompress(decompressor->get(), encoded.data(), encoded.size(), rest.data(), rest.size(), &consumed, &produced);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return std::nullopt;
    if (result != LIBDEFLATE_SUCCESS) {
      throw Error(ErrorKind::kCorrupt, "the " + format + " stream is damaged or truncated");
    }
    decoded += produced;
    encoded = encoded.subspan(consumed);
  } while (wrapper_ == Wrapper::kGzip && !IsPadding(encoded));

  if (!IsPadding(encoded)) {
    throw Error(ErrorKind::kCorrupt,
                std::to_string(encoded.size()) + " bytes follow the end of the " + format + " stream");
  }
  return decoded;
}

void DeflateCodec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  PerThread<Compressor> compressor;
  if (!compressor->handle || compressor->level != level_) {
    compressor->handle.reset(libdeflate_alloc_compressor(level_));
    compressor->level = level_;
  }
  libdeflate_compressor* const handle = compressor->handle.get();
  if (handle == nullptr) throw std::bad_alloc();
  encoded->resize(GetBound(wrapper_)(handle, decoded.size()));
  const auto compress = GetCompressor(wrapper_);
  encoded->resize(compress(handle, decoded.data(), decoded.size(), encoded->data(), encoded->size()));
}

}  // namespace

Codec MakeDeflateCodec(const CodecSpec& spec) {
  constexpr int kDefaultLevel = 1;    // the default of numcodecs; the specification requires the member
  constexpr int kAutomaticLevel = 6;  // the level that zlib uses for -1
  const bool deflate = spec.name.ends_with("deflate");
  const std::optional<JsonNode> raw = deflate ? FindOption(spec, "raw") : std::nullopt;
  const Wrapper wrapper = raw && raw->AsBoolean()                  ? Wrapper::kNone
                          : deflate || spec.name.ends_with("zlib") ? Wrapper::kZlib
                                                                   : Wrapper::kGzip;
  const std::int64_t lowest = spec.name == "gzip" ? 0 : -1;  // the specification's codec does not have -1
  const int level = static_cast<int>(GetIntegerOption(spec, "level", lowest, deflate ? 12 : 9, kDefaultLevel));
  return std::make_shared<DeflateCodec>(wrapper, level < 0 ? kAutomaticLevel : level);
}

}  // namespace zarr
