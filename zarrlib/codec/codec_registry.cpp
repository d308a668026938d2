// SPDX-License-Identifier: MIT
#include "zarrlib/codec/codec_registry.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/codec/array_to_array/astype_codec.h"
#include "zarrlib/codec/array_to_array/bitround_codec.h"
#include "zarrlib/codec/array_to_array/cast_value_codec.h"
#include "zarrlib/codec/array_to_array/delta_codec.h"
#include "zarrlib/codec/array_to_array/fixedscaleoffset_codec.h"
#include "zarrlib/codec/array_to_array/predictor_codec.h"
#include "zarrlib/codec/array_to_array/quantize_codec.h"
#include "zarrlib/codec/array_to_array/reshape_codec.h"
#include "zarrlib/codec/array_to_array/scale_offset_codec.h"
#include "zarrlib/codec/array_to_array/transpose_codec.h"
#include "zarrlib/codec/array_to_bytes/bytes_codec.h"
#include "zarrlib/codec/array_to_bytes/categorize_codec.h"
#include "zarrlib/codec/array_to_bytes/fill_hdf_strings_codec.h"
#include "zarrlib/codec/array_to_bytes/json2_codec.h"
#include "zarrlib/codec/array_to_bytes/msgpack2_codec.h"
#include "zarrlib/codec/array_to_bytes/n5_default_codec.h"
#include "zarrlib/codec/array_to_bytes/optional_codec.h"
#include "zarrlib/codec/array_to_bytes/packbits_codec.h"
#include "zarrlib/codec/array_to_bytes/pcodec_codec.h"
#include "zarrlib/codec/array_to_bytes/sharding_codec.h"
#include "zarrlib/codec/array_to_bytes/vlen_array_codec.h"
#include "zarrlib/codec/array_to_bytes/vlen_codec.h"
#include "zarrlib/codec/array_to_bytes/zarrs_vlen_codec.h"
#include "zarrlib/codec/bytes_to_bytes/checksum_codec.h"
#include "zarrlib/codec/bytes_to_bytes/conditional_codec.h"
#include "zarrlib/codec/bytes_to_bytes/crc32c_codec.h"
#include "zarrlib/codec/bytes_to_bytes/imagecodecs_lz_codecs.h"
#include "zarrlib/codec/bytes_to_bytes/shuffle_codec.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/metadata/codec_names.h"
#ifdef ZARR_HAVE_BLOSC
#include "zarrlib/codec/bytes_to_bytes/blosc_codec.h"
#endif
#ifdef ZARR_HAVE_BZ2
#include "zarrlib/codec/bytes_to_bytes/bz2_codec.h"
#endif
#ifdef ZARR_HAVE_DEFLATE
#include "zarrlib/codec/bytes_to_bytes/deflate_codec.h"
#endif
#ifdef ZARR_HAVE_JPEG
#include "zarrlib/codec/array_to_bytes/images/jpeg_codec.h"
#endif
#ifdef ZARR_HAVE_LERC
#include "zarrlib/codec/array_to_bytes/images/lerc_codec.h"
#endif
#ifdef ZARR_HAVE_WEBP
#include "zarrlib/codec/array_to_bytes/images/webp_codec.h"
#endif
#ifdef ZARR_HAVE_LZ4
#include "zarrlib/codec/bytes_to_bytes/lz4_codec.h"
#endif
#ifdef ZARR_HAVE_LZMA
#include "zarrlib/codec/bytes_to_bytes/lzma_codec.h"
#endif
#ifdef ZARR_HAVE_TIFF
#include "zarrlib/codec/bytes_to_bytes/tiff_codec.h"
#endif
#ifdef ZARR_HAVE_ZFP
#include "zarrlib/codec/array_to_bytes/zfp/zfp_codec.h"
#endif
#ifdef ZARR_HAVE_ZSTD
#include "zarrlib/codec/bytes_to_bytes/zstd_codec.h"
#endif

namespace zarr {
namespace {

/// How to make a codec, or why it cannot be made.
struct Row {
  std::string_view name;        ///< One of its names in codec_names.cpp, which lists the others.
  CodecFactory make = nullptr;  ///< Null if the codec cannot be made.
  std::string_view reason{};    ///< Why it cannot be made.
};

#ifdef ZARR_HAVE_BLOSC
constexpr CodecFactory kMakeBlosc = MakeBloscCodec;
#else
constexpr CodecFactory kMakeBlosc = nullptr;
#endif
#ifdef ZARR_HAVE_BZ2
constexpr CodecFactory kMakeBz2 = MakeBz2Codec;
#else
constexpr CodecFactory kMakeBz2 = nullptr;
#endif
#ifdef ZARR_HAVE_DEFLATE
constexpr CodecFactory kMakeDeflate = MakeDeflateCodec;
#else
constexpr CodecFactory kMakeDeflate = nullptr;
#endif
#ifdef ZARR_HAVE_JPEG
constexpr CodecFactory kMakeJpeg = MakeJpegCodec;
#else
constexpr CodecFactory kMakeJpeg = nullptr;
#endif
#ifdef ZARR_HAVE_LERC
constexpr CodecFactory kMakeLerc = [](const CodecSpec& spec) { return MakeLercCodec(spec, MakeCodec); };
#else
constexpr CodecFactory kMakeLerc = nullptr;
#endif
#ifdef ZARR_HAVE_WEBP
constexpr CodecFactory kMakeWebp = MakeWebpCodec;
#else
constexpr CodecFactory kMakeWebp = nullptr;
#endif
#ifdef ZARR_HAVE_LZ4
constexpr CodecFactory kMakeLz4 = MakeLz4Codec;
#else
constexpr CodecFactory kMakeLz4 = nullptr;
#endif
#ifdef ZARR_HAVE_LZMA
constexpr CodecFactory kMakeLzma = MakeLzmaCodec;
#else
constexpr CodecFactory kMakeLzma = nullptr;
#endif
#ifdef ZARR_HAVE_TIFF
constexpr CodecFactory kMakeTiff = MakeTiffCodec;
#else
constexpr CodecFactory kMakeTiff = nullptr;
#endif
#ifdef ZARR_HAVE_ZFP
constexpr CodecFactory kMakeZfp = MakeZfpCodec;
#else
constexpr CodecFactory kMakeZfp = nullptr;
#endif
#ifdef ZARR_HAVE_ZSTD
constexpr CodecFactory kMakeZstd = MakeZstdCodec;
#else
constexpr CodecFactory kMakeZstd = nullptr;
#endif

constexpr std::string_view kPickle = "refused: reading a pickle runs code that the data bring along";

constexpr auto kTable = std::to_array<Row>({
    // array to array
    {"transpose", MakeTransposeCodec},
    {"bitround", MakeBitRoundCodec},
    {"cast_value", MakeCastValueCodec},
    {"reshape", MakeReshapeCodec},
    {"scale_offset", MakeScaleOffsetCodec},
    {"zarrs.squeeze", MakeSqueezeCodec},
    {"numcodecs.astype", MakeAsTypeCodec},
    {"numcodecs.delta", MakeDeltaCodec},
    {"numcodecs.fixedscaleoffset", MakeFixedScaleOffsetCodec},
    {"numcodecs.quantize", MakeQuantizeCodec},
    {"numcodecs.packbits", MakePackBitsCodec},
    {"imagecodecs_delta", MakeAxisDeltaCodec},
    {"imagecodecs_floatpred", MakeFloatPredictorCodec},
    // array to bytes
    {"bytes", MakeBytesCodec},
    {kShardingName, [](const CodecSpec& spec) { return MakeShardingCodec(spec, MakeCodec); }},
    {"vlen-utf8", MakeVlenCodec},
    {"vlen-bytes", MakeVlenCodec},
    {"numcodecs.categorize", MakeCategorizeCodec},
    {"numcodecs.vlen-array", MakeVlenArrayCodec},
    {"numcodecs.fill_hdf_strings", MakeFillHdfStringsCodec},
    {"numcodecs.grib", nullptr, "is not in this library: the GDAL driver adds it"},
    {"packbits", MakePackBitsCodec},
    {"n5_default", [](const CodecSpec& spec) { return MakeN5DefaultCodec(spec, MakeCodec); }},
    {"zarrs.optional", [](const CodecSpec& spec) { return MakeOptionalCodec(spec, MakeCodec); }},
    {"zarrs.vlen", [](const CodecSpec& spec) { return MakeZarrsVlenCodec(spec, MakeCodec); }},
    {"zarrs.vlen_v2", MakeVlenCodec},
    {"zfp", kMakeZfp, "was left out of this build (ZARR_CODEC_ZFP is off)"},
    {"numcodecs.zfpy", kMakeZfp, "was left out of this build (ZARR_CODEC_ZFP is off)"},
    {"numcodecs.pcodec", MakePcodecCodec},
    {"imagecodecs_pcodec", MakePcodecCodec},
    {"imagecodecs_jpeg", kMakeJpeg, "was left out of this build (ZARR_CODEC_JPEG is off)"},
    {"imagecodecs_lerc", kMakeLerc, "was left out of this build (ZARR_CODEC_LERC is off)"},
    {"imagecodecs_webp", kMakeWebp, "was left out of this build (ZARR_CODEC_WEBP is off)"},
    {"numcodecs.json2", MakeJson2Codec},
    {"numcodecs.msgpack2", MakeMsgpack2Codec},
    {"numcodecs.pickle", nullptr, kPickle},
    {"pickle", nullptr, kPickle},
    // bytes to bytes
    {"blosc", kMakeBlosc, "was left out of this build (ZARR_CODEC_BLOSC is off)"},
    {"conditional", [](const CodecSpec& spec) { return MakeConditionalCodec(spec, MakeCodec); }},
    {"crc32c", MakeCrc32cCodec},
    {"gzip", kMakeDeflate, "was left out of this build (ZARR_CODEC_DEFLATE is off)"},
    {"zstd", kMakeZstd, "was left out of this build (ZARR_CODEC_ZSTD is off)"},
    {"numcodecs.bz2", kMakeBz2, "was left out of this build (ZARR_CODEC_BZ2 is off)"},
    {"numcodecs.lz4", kMakeLz4, "was left out of this build (ZARR_CODEC_LZ4 is off)"},
    {"numcodecs.lzma", kMakeLzma, "was left out of this build (ZARR_CODEC_LZMA is off)"},
    {"numcodecs.zlib", kMakeDeflate, "was left out of this build (ZARR_CODEC_DEFLATE is off)"},
    {"numcodecs.adler32", MakeAdler32Codec},
    {"numcodecs.crc32", MakeCrc32Codec},
    {"numcodecs.fletcher32", MakeFletcher32Codec},
    {"numcodecs.jenkins_lookup3", MakeJenkinsLookup3Codec},
    {"numcodecs.shuffle", MakeShuffleCodec},
    {"imagecodecs_bz2", kMakeBz2, "was left out of this build (ZARR_CODEC_BZ2 is off)"},
    {"imagecodecs_deflate", kMakeDeflate, "was left out of this build (ZARR_CODEC_DEFLATE is off)"},
    {"imagecodecs_lzf", MakeLzfCodec},
    {"imagecodecs_lzma", kMakeLzma, "was left out of this build (ZARR_CODEC_LZMA is off)"},
    {"imagecodecs_lzw", MakeLzwCodec},
    {"imagecodecs_packbits", MakeRunLengthCodec},
    {"imagecodecs_tiff", kMakeTiff, "was left out of this build (ZARR_CODEC_TIFF is off)"},
    {"imagecodecs_zlib", kMakeDeflate, "was left out of this build (ZARR_CODEC_DEFLATE is off)"},
    {"imagecodecs_zstd", kMakeZstd, "was left out of this build (ZARR_CODEC_ZSTD is off)"},
});

/// Returns `codec "<name>"`. The name may be anything, so it is escaped and cut.
std::string Quote(const std::string& name) {
  return "codec " + JsonNode::MakeString(name).GetExcerpt();
}

/// The codecs added by RegisterCodec.
struct RegisteredCodecs {
  std::mutex mutex;
  std::vector<std::pair<std::string, CodecFactory>> codecs;
};

RegisteredCodecs& GetRegistered() {
  static auto* const registered = new RegisteredCodecs();  // other static objects may need it until the end
  return *registered;
}

/// Finds the factory of a registered codec; null if there is none.
CodecFactory FindRegistered(std::string_view name, const CodecName* names) {
  RegisteredCodecs& registered = GetRegistered();
  const std::lock_guard lock(registered.mutex);
  for (const auto& [known, make] : registered.codecs) {
    if (name == known || (names != nullptr && HasName(*names, known))) return make;
  }
  return nullptr;
}

std::atomic<std::optional<Codec> (*)(const CodecSpec& spec)> make_unknown = nullptr;

}  // namespace

void SetMakerOfUnknownCodecs(std::optional<Codec> (*make)(const CodecSpec& spec)) {
  make_unknown = make;
}

void RegisterCodec(std::string_view name, CodecFactory make) {
  RegisteredCodecs& registered = GetRegistered();
  const std::lock_guard lock(registered.mutex);
  for (auto& [known, factory] : registered.codecs) {
    if (known == name) return void(factory = make);
  }
  registered.codecs.emplace_back(name, make);
}

Codec MakeCodec(const CodecSpec& spec) {
  const CodecName* names = FindCodecName(spec.name);
  if (const CodecFactory make = FindRegistered(spec.name, names)) return make(spec);
  for (const Row& row : kTable) {
    if (spec.name != row.name && (names == nullptr || !HasName(*names, row.name))) continue;
    if (row.make != nullptr) return row.make(spec);
    spec.configuration.Fail(ErrorKind::kUnsupported, Quote(spec.name) + " " + std::string(row.reason));
  }
  const auto make = make_unknown.load();
  if (auto codec = make != nullptr ? make(spec) : std::nullopt) return *std::move(codec);
  spec.configuration.Fail(ErrorKind::kUnsupported, "unknown " + Quote(spec.name));
}

std::shared_ptr<const CodecPipeline> MakePipeline(std::span<const CodecSpec> specs, bool implicit_bytes) {
  return CodecPipeline::Make(specs, implicit_bytes, MakeCodec);
}

std::vector<std::string> ListCodecNames() {
  std::vector<std::string> names;
  for (const Row& row : kTable) {
    if (row.make != nullptr) names.emplace_back(row.name);
  }
  RegisteredCodecs& registered = GetRegistered();
  const std::lock_guard lock(registered.mutex);
  for (const auto& [name, make] : registered.codecs) {
    if (make != nullptr) names.push_back(name);
  }
  return names;
}

std::vector<std::string> ListBloscCompressors() {
#ifdef ZARR_HAVE_BLOSC
  return ListCompressorsOfBlosc();
#else
  return {};
#endif
}

}  // namespace zarr
