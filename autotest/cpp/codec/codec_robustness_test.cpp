// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <set>

#include "autotest/cpp/support/filter_test_util.h"
#include "zarrlib/codec/array_to_array/numeric_elements.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

/// Decoding damaged bytes gives a value or an Error, and never a crash; sanitizers find more.
namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr std::string_view kZarrsVlen = R"({"index_codecs": ["bytes", "crc32c"], "data_codecs": ["bytes"],
    "index_data_type": "uint32", "index_location": "end"})";

struct Sample {
  std::string_view name;
  std::string_view configuration = "{}";
  std::string_view data_type = "int32";
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.name;
}

constexpr std::string_view kSharding = R"({"chunk_shape": [2, 5],
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"],
    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})";
constexpr std::string_view kN5 = R"({"codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}},
    {"name": "bytes", "configuration": {"endian": "big"}}]})";
constexpr std::string_view kConditional = R"({"header_bits": 16, "codecs": ["crc32c",
    {"name": "numcodecs.shuffle", "configuration": {"elementsize": 4}}]})";
constexpr std::string_view kTwoTypes = R"({"scale": 4, "offset": -20, "dtype": "<f4", "astype": "<u2"})";

const std::vector<Sample> kSamples = {
    {"transpose", R"({"order": [1, 0]})"},
    {"bitround", R"({"keepbits": 3})", "float32"},
    {"cast_value", R"({"data_type": "uint8"})"},
    {"cast_value", R"({"data_type": "uint8"})", "float64"},
    {"reshape", R"({"shape": [-1]})"},
    {"zarrs.squeeze"},
    {"scale_offset", R"({"scale": 4, "offset": -20})", "float32"},
    {"scale_offset", R"({"offset": -20})"},
    {"numcodecs.astype", R"({"encode_dtype": "<f4", "decode_dtype": "<i4"})"},
    {"numcodecs.delta", R"({"dtype": "<i4", "astype": "<i2"})"},
    {"numcodecs.fixedscaleoffset", kTwoTypes, "float32"},
    {"numcodecs.quantize", R"({"digits": 2, "dtype": "<f4"})", "float32"},
    {"bytes", R"({"endian": "big"})"},
    {"bytes", "{}", "int4"},
    {"sharding_indexed", kSharding},
    {"vlen-utf8", "{}", "string"},
    {"vlen-bytes", "{}", "bytes"},
    {"zarrs.vlen", kZarrsVlen, "string"},
    {"zarrs.vlen_v2", "{}", "string"},
    {"packbits", R"({"padding_encoding": "first_byte"})", "bool"},
    {"packbits", R"({"first_bit": 2, "last_bit": 9})"},
    {"numcodecs.packbits", "{}", "bool"},
    {"n5_default", kN5},
    {"zfp", R"({"mode": "fixed_accuracy", "tolerance": 0.1})", "float32"},
    {"numcodecs.zfpy", R"({"mode": 3, "precision": 16})", "float32"},
    {"numcodecs.json2", "{}", "string"},
    {"numcodecs.msgpack2", "{}", "string"},
    {"numcodecs.categorize", R"({"labels": ["other", "text"]})", "string"},
    {"blosc", R"({"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0})"},
    {"blosc", R"({"cname": "zstd", "clevel": 5, "shuffle": "bitshuffle", "typesize": 4, "blocksize": 0})"},
    {"crc32c"},
    {"gzip", R"({"level": 5})"},
    {"zstd", R"({"level": 5, "checksum": false})"},
    {"numcodecs.bz2", R"({"level": 1})"},
    {"numcodecs.lz4"},
    {"numcodecs.lzma", R"({"preset": 1})"},
    {"numcodecs.lzma", R"({"format": 2, "preset": 1})"},
    {"numcodecs.zlib", R"({"level": 1})"},
    {"numcodecs.adler32"},
    {"numcodecs.crc32"},
    {"numcodecs.fletcher32"},
    {"numcodecs.jenkins_lookup3"},
    {"numcodecs.shuffle", R"({"elementsize": 4})"},
    {"conditional", kConditional},
    {"imagecodecs_bz2"},
    {"imagecodecs_deflate"},
    {"imagecodecs_deflate", R"({"level": 12, "raw": true})"},
    {"imagecodecs_delta", R"({"axis": -2, "dist": 1})"},
    {"imagecodecs_floatpred", R"({"axis": -1, "dist": 1})", "float32"},
    {"imagecodecs_lzma"},
    {"imagecodecs_zlib", R"({"level": null})"},
    {"imagecodecs_zstd"},
};

/// Returns the codecs of a pipeline that has the sample's codec.
std::vector<CodecSpec> PipelineOf(const Sample& sample) {
  const CodecSpec spec = NamedCodec(sample.name, sample.configuration);
  const CodecSpec bytes = NamedCodec("bytes", R"({"endian": "little"})");
  switch (MakeCodec(spec).index()) {
    case 0:
      return {spec, bytes};
    case 1:
      return {spec};
    default:
      return {bytes, spec};
  }
}

/// Returns values that repeat enough to be compressed, and that the types of the samples can hold.
Bytes Elements(const ChunkSpec& spec) {
  Bytes elements(spec.byte_size());
  for (std::size_t i = 0; i < spec.element_count(); ++i) {
    const auto value = static_cast<int>(i * 5 % 7);
    if (spec.data_type.name == "float32") {
      WriteElement<float>(elements, i, static_cast<float>(value));
    } else if (spec.data_type.name == "float64") {
      WriteElement<double>(elements, i, value);
    } else if (spec.data_type.size == 1) {
      WriteElement<std::int8_t>(elements, i, static_cast<std::int8_t>(value % 2));
    } else {
      WriteElement<std::int32_t>(elements, i, value);
    }
  }
  return elements;
}

class CodecRobustness : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    const std::vector<std::string> names = ListCodecNames();
    if (std::find(names.begin(), names.end(), GetParam().name) == names.end()) {
      GTEST_SKIP() << GetParam().name << " is not in this build";
    }
    pipeline_ = MakePipeline(PipelineOf(GetParam()), false)->Resolve(Spec({4, 5}, GetParam().data_type));
    encoded_ = Encoded();
  }

  Bytes Encoded() const {
    Bytes encoded;
    if (pipeline_->decoded().data_type.variable()) {
      const std::vector<std::string_view> texts(20, "text");
      pipeline_->EncodeVariable(texts, &encoded);
    } else {
      pipeline_->Encode(Elements(pipeline_->decoded()), &encoded);
    }
    return encoded;
  }

  /// Returns whether there was a value. The test fails for exceptions other than Error.
  bool Decodes(ByteSpan encoded) const {
    try {
      const ExactBuffer in(encoded);
      if (pipeline_->decoded().data_type.variable()) {
        VariableChunk chunk;
        pipeline_->DecodeVariable(in.span(), &chunk);
      } else {
        const ExactBuffer out(pipeline_->decoded().byte_size());
        pipeline_->Decode(in.span(), out.span());
      }
      return true;
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::kIo) << error.what();
      EXPECT_NE(error.kind(), ErrorKind::kInvalidArgument) << error.what();
    } catch (const std::exception& exception) {
      ADD_FAILURE() << exception.what();
    }
    return false;
  }

  std::shared_ptr<const ResolvedPipeline> pipeline_;
  Bytes encoded_;
};

TEST_P(CodecRobustness, DecodesWhatItEncodes) {
  EXPECT_TRUE(Decodes(encoded_));
}

TEST_P(CodecRobustness, TakesEveryChangeOfAByte) {
  for (std::size_t i = 0; i < encoded_.size(); ++i) {
    for (const unsigned change : {0x01u, 0x02u, 0x10u, 0x40u, 0x80u, 0xFFu}) {
      Bytes damaged = encoded_;
      damaged[i] ^= static_cast<std::byte>(change);
      Decodes(damaged);
    }
  }
}

/// Sets sizes and offsets of 4 or 8 bytes to the largest value, the largest signed value, and zero.
TEST_P(CodecRobustness, TakesEveryChangeOfAWord) {
  for (const std::size_t length : {4, 8}) {
    for (std::size_t i = 0; i + length <= encoded_.size(); ++i) {
      for (const std::byte value : {std::byte{0xFF}, std::byte{0x7F}, std::byte{0}}) {
        Bytes damaged = encoded_;
        std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(i), length, value);
        Decodes(damaged);
      }
    }
  }
}

TEST_P(CodecRobustness, TakesEveryLength) {
  for (std::size_t size = 0; size < encoded_.size(); ++size) Decodes(ByteSpan(encoded_).first(size));
  for (const std::size_t more : {1, 2, 4, 100}) {
    Bytes longer = encoded_;
    longer.resize(encoded_.size() + more, std::byte{0xA5});
    Decodes(longer);
  }
}

std::string NameOf(const testing::TestParamInfo<Sample>& info) {
  std::string name = std::string(info.param.name) + "_" + std::to_string(info.index);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, CodecRobustness, testing::ValuesIn(kSamples), NameOf);

TEST(CodecRobustnessSamples, ThereIsOneForEveryCodec) {
  // These cannot encode, and have their own tests.
  std::set<std::string_view> names = {"imagecodecs_tiff",     "imagecodecs_lzw",    "imagecodecs_lzf",
                                      "imagecodecs_packbits", "imagecodecs_pcodec", "numcodecs.pcodec",
                                      "numcodecs.vlen-array", "zarrs.optional",     "imagecodecs_lerc",
                                      "imagecodecs_jpeg",     "imagecodecs_webp",   "numcodecs.fill_hdf_strings"};
  for (const Sample& sample : kSamples) names.insert(sample.name);
  for (const std::string& name : ListCodecNames()) EXPECT_EQ(names.count(name), 1u) << name;
}

}  // namespace
}  // namespace zarr
