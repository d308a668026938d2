// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/images/jpeg_codec.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <csetjmp>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// libjpeg's headers depend on those above.
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

#include "zarrlib/base/base64.h"
#include "zarrlib/codec/array_to_bytes/images/image_codec.h"

namespace zarr {
namespace {

/// Images have about ten scans; each one goes through the whole image.
constexpr int kMaxScans = 500;

struct JpegOptions {
  Bytes header;  // bytes that precede each image
  Bytes tables;
  J_COLOR_SPACE stored_colors = JCS_UNKNOWN;  // unknown: libjpeg guesses
  J_COLOR_SPACE colors = JCS_UNKNOWN;
};

// --- one image ----------------------------------------------------------------------------------------------------

/// libjpeg reports errors by a longjmp to the function that called it last. Such functions must therefore not have
/// local objects with destructors.
struct ErrorState {
  jpeg_error_mgr manager{};
  std::jmp_buf jump{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void LeaveWithError(j_common_ptr info) {
  auto* state = reinterpret_cast<ErrorState*>(info->err);
  info->err->format_message(info, state->message.data());
  std::longjmp(state->jump, 1);
}

/// Without this, libjpeg would continue after damage, and make up pixels.
void LeaveIfDamaged(j_common_ptr info, int level) {
  constexpr std::array kDamage = {JWRN_ARITH_BAD_CODE, JWRN_BOGUS_PROGRESSION, JWRN_HIT_MARKER,
                                  JWRN_HUFF_BAD_CODE,  JWRN_JPEG_EOF,          JWRN_MUST_RESYNC};
  if (level < 0 && std::find(kDamage.begin(), kDamage.end(), info->err->msg_code) != kDamage.end()) {
    LeaveWithError(info);
  }
}

void LeaveAfterManyScans(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMaxScans) return;
  auto* state = reinterpret_cast<ErrorState*>(info->err);
  constexpr std::string_view kMessage = "more than 500 scans";
  std::copy(kMessage.begin(), kMessage.end(), state->message.begin());
  std::longjmp(state->jump, 1);
}

class JpegImage {
 public:
  JpegImage(ByteSpan bytes, const JpegOptions& options);
  ~JpegImage() { jpeg_destroy_decompress(&info_); }
  JpegImage(const JpegImage&) = delete;  // libjpeg keeps addresses of its members
  JpegImage& operator=(const JpegImage&) = delete;

  Shape GetShape() const {
    return {info_.output_height, info_.output_width, static_cast<std::uint64_t>(info_.output_components)};
  }
  int GetBits() const { return info_.data_precision; }
  /// `out` must have the size of the image.
  void ReadPixels(MutableByteSpan out) {
    if (!TryReadPixels(reinterpret_cast<JSAMPLE*>(out.data()))) Fail();
  }

 private:
  bool TryReadHeader(ByteSpan bytes, const JpegOptions& options);
  bool TryReadPixels(JSAMPLE* out);
  void SetSource(ByteSpan bytes) {
    jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes.data()),
                 static_cast<unsigned long>(bytes.size()));
  }
  [[noreturn]] void Fail() const {
    if (error_.manager.msg_code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
    throw Error(ErrorKind::kCorrupt, std::string("the JPEG image cannot be read: ") + error_.message.data());
  }

  ErrorState error_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct info_{};
};

JpegImage::JpegImage(ByteSpan bytes, const JpegOptions& options) {
  info_.err = jpeg_std_error(&error_.manager);
  error_.manager.error_exit = LeaveWithError;
  error_.manager.emit_message = LeaveIfDamaged;
  if (TryReadHeader(bytes, options)) return;
  jpeg_destroy_decompress(&info_);
  Fail();
}

bool JpegImage::TryReadHeader(ByteSpan bytes, const JpegOptions& options) {
  if (setjmp(error_.jump) != 0) return false;
  jpeg_create_decompress(&info_);
  progress_.progress_monitor = LeaveAfterManyScans;
  info_.progress = &progress_;
  if (!options.tables.empty()) {
    SetSource(options.tables);
    jpeg_read_header(&info_, FALSE);
  }
  SetSource(bytes);
  jpeg_read_header(&info_, TRUE);
  if (options.stored_colors != JCS_UNKNOWN) info_.jpeg_color_space = options.stored_colors;
  const J_COLOR_SPACE colors = options.colors == JCS_UNKNOWN ? options.stored_colors : options.colors;
  if (colors != JCS_UNKNOWN) info_.out_color_space = colors;
  jpeg_calc_output_dimensions(&info_);
  return true;
}

bool JpegImage::TryReadPixels(JSAMPLE* out) {
  if (setjmp(error_.jump) != 0) return false;
  jpeg_start_decompress(&info_);
  while (info_.output_scanline < info_.output_height) {
    JSAMPROW row = out + std::size_t{info_.output_scanline} * info_.output_width *
                             static_cast<std::size_t>(info_.output_components);
    jpeg_read_scanlines(&info_, &row, 1);
  }
  jpeg_finish_decompress(&info_);
  return true;
}

// --- the codec ----------------------------------------------------------------------------------------------------

class ResolvedJpeg final : public ResolvedImage {
 public:
  ResolvedJpeg(const ChunkSpec& chunk, std::shared_ptr<const JpegOptions> options)
      : ResolvedImage(chunk), options_(std::move(options)) {}

  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override {
    ScratchBuffer whole;
    if (!options_->header.empty()) {
      Bytes& bytes = whole.bytes();
      bytes.assign(options_->header.begin(), options_->header.end());
      bytes.insert(bytes.end(), encoded.begin(), encoded.end());
      bytes.insert(bytes.end(), {std::byte{0xFF}, std::byte{JPEG_EOI}});
      encoded = bytes;
    }
    JpegImage image(encoded, *options_);
    if (image.GetBits() != 8) {
      throw Error(ErrorKind::kUnsupported, FormatExpectedGot("8 bits a sample", std::to_string(image.GetBits())));
    }
    CheckImageShape(image.GetShape());
    image.ReadPixels(decoded);
  }

 private:
  std::shared_ptr<const JpegOptions> options_;
};

class JpegCodec final : public ArrayToBytesCodec {
 public:
  JpegCodec(JsonNode place, JpegOptions options)
      : place_(std::move(place)), options_(std::make_shared<JpegOptions>(std::move(options))) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    CheckElementsAreBytes(decoded.data_type, place_);
    return std::make_shared<ResolvedJpeg>(decoded, options_);
  }

 private:
  JsonNode place_;
  std::shared_ptr<const JpegOptions> options_;
};

struct ColorName {
  std::string_view name;
  J_COLOR_SPACE colors;
};
constexpr std::array<ColorName, 11> kColorNames = {{{"unknown", JCS_UNKNOWN},
                                                    {"gray", JCS_GRAYSCALE},
                                                    {"grayscale", JCS_GRAYSCALE},
                                                    {"miniswhite", JCS_GRAYSCALE},
                                                    {"minisblack", JCS_GRAYSCALE},
                                                    {"rgb", JCS_RGB},
                                                    {"ycbcr", JCS_YCbCr},
                                                    {"cmyk", JCS_CMYK},
                                                    {"separated", JCS_CMYK},
                                                    {"ycck", JCS_YCCK},
                                                    {"rgba", JCS_EXT_RGBA}}};

/// Parses a colour space: a name, in any case, or libjpeg's number.
J_COLOR_SPACE ParseColors(const CodecSpec& spec, std::string_view member) {
  const auto node = FindOption(spec, member);
  if (!node) return JCS_UNKNOWN;
  if (!node->IsString()) return static_cast<J_COLOR_SPACE>(node->AsIntegerIn(JCS_UNKNOWN, JCS_YCCK));
  std::string name = node->AsString();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found =
      std::find_if(kColorNames.begin(), kColorNames.end(), [&](const ColorName& known) { return known.name == name; });
  if (found == kColorNames.end()) {
    node->Fail(ErrorKind::kUnsupported, FormatExpectedGot("a known colour space", node->GetExcerpt()));
  }
  return found->colors;
}

Bytes ParseBytes(const CodecSpec& spec, std::string_view member) {
  const auto node = FindOption(spec, member);
  if (!node) return {};
  auto bytes = DecodeBase64(node->AsString());
  if (!bytes) node->FailExpected("base64");
  return *std::move(bytes);
}

}  // namespace

Codec MakeJpegCodec(const CodecSpec& spec) {
  JpegOptions options{ParseBytes(spec, "header"), ParseBytes(spec, "tables"), ParseColors(spec, "colorspace_jpeg"),
                      ParseColors(spec, "colorspace_data")};
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<JpegCodec>(spec.configuration, std::move(options)));
}

}  // namespace zarr
