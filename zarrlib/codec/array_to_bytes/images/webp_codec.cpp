// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/images/webp_codec.h"

#include <webp/decode.h>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/codec/array_to_bytes/images/image_codec.h"

namespace zarr {
namespace {

const char* GetReason(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return "an unsupported feature";
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
      return "the image is truncated";
    default:
      return "the bytes are damaged";
  }
}

void Check(VP8StatusCode status) {
  if (status == VP8_STATUS_OK) return;
  if (status == VP8_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
  throw Error(ErrorKind::kCorrupt, std::string("the WebP image cannot be read: ") + GetReason(status));
}

class ResolvedWebp final : public ResolvedImage {
 public:
  ResolvedWebp(const ChunkSpec& chunk, std::optional<bool> has_alpha) : ResolvedImage(chunk), has_alpha_(has_alpha) {}

  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(encoded.data());
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0) throw Error(ErrorKind::kUnsupported, "another version of libwebp");
    Check(WebPGetFeatures(bytes, encoded.size(), &config.input));
    if (config.input.has_animation != 0) throw Error(ErrorKind::kUnsupported, "animations of WebP are not supported");
    const bool has_alpha = has_alpha_.value_or(config.input.has_alpha != 0);
    const int samples = has_alpha ? 4 : 3;
    CheckImageShape({static_cast<std::uint64_t>(config.input.height), static_cast<std::uint64_t>(config.input.width),
                     static_cast<std::uint64_t>(samples)});
    config.output.colorspace = has_alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = reinterpret_cast<std::uint8_t*>(decoded.data());
    config.output.u.RGBA.size = decoded.size();
    config.output.u.RGBA.stride = config.input.width * samples;
    Check(WebPDecode(bytes, encoded.size(), &config));
  }

 private:
  std::optional<bool> has_alpha_;  // if not set, the image determines it
};

class WebpCodec final : public ArrayToBytesCodec {
 public:
  explicit WebpCodec(const CodecSpec& spec) : place_(spec.configuration) {
    if (const auto has_alpha = FindOption(spec, "hasalpha")) has_alpha_ = has_alpha->AsBoolean();
    GetIntegerOption(spec, "index", -1, 0, 0);  // an image has one frame
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    CheckElementsAreBytes(decoded.data_type, place_);
    return std::make_shared<ResolvedWebp>(decoded, has_alpha_);
  }

 private:
  JsonNode place_;
  std::optional<bool> has_alpha_;
};

}  // namespace

Codec MakeWebpCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<WebpCodec>(spec));
}

}  // namespace zarr
