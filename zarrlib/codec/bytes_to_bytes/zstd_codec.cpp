// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/zstd_codec.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/codec/per_thread.h"

namespace zarr {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* p) const { ZSTD_freeDCtx(p); }
  void operator()(ZSTD_CCtx* p) const { ZSTD_freeCCtx(p); }
};
using DecompressionContext = std::unique_ptr<ZSTD_DCtx, FreeContext>;
using CompressionContext = std::unique_ptr<ZSTD_CCtx, FreeContext>;

// High levels use hundreds of megabytes for a large chunk, which a thread should not keep.
constexpr std::size_t kMaxKeptContext = std::size_t{32} << 20;

std::string GetErrorName(std::size_t error) {
  return ZSTD_getErrorName(error);
}

class ZstdCodec final : public BytesToBytesCodec {
 public:
  ZstdCodec(int level, bool checksum) : level_(level), checksum_(checksum) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return GetCompressedBound(decoded); }
  std::optional<std::uint64_t> GetClaimedSize(ByteSpan encoded) const override;
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  int level_;
  bool checksum_;
};

std::optional<std::uint64_t> ZstdCodec::GetClaimedSize(ByteSpan encoded) const {
  std::uint64_t total = 0;
  while (!encoded.empty()) {
    const unsigned long long content = ZSTD_getFrameContentSize(encoded.data(), encoded.size());
    const std::size_t frame = ZSTD_findFrameCompressedSize(encoded.data(), encoded.size());
    if (content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR || ZSTD_isError(frame)) {
      return std::nullopt;
    }
    const std::optional<std::uint64_t> sum = AddChecked(total, content);
    if (!sum) return std::nullopt;
    total = *sum;
    encoded = encoded.subspan(frame);
  }
  return total;
}

std::optional<std::size_t> ZstdCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  // The library decodes empty input to empty output without an error.
  if (encoded.empty()) throw Error(ErrorKind::kCorrupt, FormatExpectedGot("a zstd frame", "no bytes"));
  PerThread<DecompressionContext> context;
  if (!*context) context->reset(ZSTD_createDCtx());
  if (!*context) throw std::bad_alloc();
  const std::size_t result =
      ZSTD_decompressDCtx(context->get(), out.data(), out.size(), encoded.data(), encoded.size());
  if (!ZSTD_isError(result)) return result;
  switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_dstSize_tooSmall:
      return std::nullopt;
    case ZSTD_error_memory_allocation:
      throw std::bad_alloc();
    case ZSTD_error_srcSize_wrong:
      throw Error(ErrorKind::kCorrupt, "frame truncated");
    default:
      throw Error(ErrorKind::kCorrupt, "the frame cannot be decoded: " + GetErrorName(result));
  }
}

void ZstdCodec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  PerThread<CompressionContext> context;
  if (!*context) context->reset(ZSTD_createCCtx());
  if (!*context) throw std::bad_alloc();
  ZSTD_CCtx* const handle = context->get();
  ZSTD_CCtx_setParameter(handle, ZSTD_c_compressionLevel, level_);
  ZSTD_CCtx_setParameter(handle, ZSTD_c_checksumFlag, checksum_ ? 1 : 0);
  encoded->resize(ZSTD_compressBound(decoded.size()));
  const std::size_t result = ZSTD_compress2(handle, encoded->data(), encoded->size(), decoded.data(), decoded.size());
  if (ZSTD_sizeof_CCtx(handle) > kMaxKeptContext) context->reset();
  if (ZSTD_isError(result)) {
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    throw Error(ErrorKind::kInvalidArgument, "the bytes cannot be encoded: " + GetErrorName(result));
  }
  encoded->resize(result);
}

/// GDAL's built-in driver writes the text of its option into v2.
bool ParseChecksumOption(const CodecSpec& spec) {
  const std::optional<JsonNode> member = FindOption(spec, "checksum");
  if (!member) return false;
  if (!member->IsString()) return member->AsBoolean();
  std::string text = member->AsString();
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::count(words, text) > 0;
  };
  if (is_one_of({"YES", "TRUE", "ON", "1"})) return true;
  if (is_one_of({"NO", "FALSE", "OFF", "0"})) return false;
  member->FailExpected("true or false");
}

}  // namespace

Codec MakeZstdCodec(const CodecSpec& spec) {
  const auto level = static_cast<int>(GetIntegerOption(spec, "level", ZSTD_minCLevel(), ZSTD_maxCLevel(), 0));
  return std::make_shared<ZstdCodec>(level, ParseChecksumOption(spec));
}

}  // namespace zarr
