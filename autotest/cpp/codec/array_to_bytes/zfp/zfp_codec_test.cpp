// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/zfp/zfp_codec.h"

#include <limits>

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

struct ZfpCodec : codec_test::RequiresCodec {
  ZfpCodec() : RequiresCodec("zfp") {}
};

ArrayCodec Zfpy(const Shape& shape, std::string_view data_type, std::string_view configuration = "{}") {
  return ResolveArrayCodec("numcodecs.zfpy", configuration, Spec(shape, data_type));
}
ArrayCodec GetZfpLibrary(std::string_view configuration, const Shape& shape, std::string_view data_type) {
  return ResolveArrayCodec("zfp", configuration, Spec(shape, data_type));
}

/// 0, 1/4, 1/2, ...
template <typename T>
std::vector<T> Quarters() {
  std::vector<T> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i) / 4;
  return values;
}

// Written by zarr-python 3 (numcodecs, zfpy), from the tests of zarrs: a chunk of 5 x 5 float32 numbers, with a
// tolerance of 0.01.
constexpr std::string_view kZarrPython =
    "7a667005460000400000c0ca0b3105360100000000b01053510100000000000badea1400000060a15501000000000000";
// The next vectors were written by zfpy 1.0.0: `Quarters` as float64, 2 x 3 x 4, with a tolerance of 0.001; and as
// float32, 4 x 6, with 8 bits per value; each also without its header.
constexpr std::string_view kAccuracy =
    "7a6670053b002000100090ca0588030ee00005089040000400100100000000000000000000000000000000000000000000000000"
    "00000000000000";
constexpr std::string_view kAccuracyBare =
    "0588030ee0000508904000040010010000000000000000000000000000000000000000000000000000000000000000";
constexpr std::string_view kRate =
    "7a667005560000300000f00705490525010000000000000000000000056d5154a40000000000000000000000";
constexpr std::string_view kRateBare = "05490525010000000000000000000000056d5154a40000000000000000000000";

TEST_F(ZfpCodec, DecodesWhatZarrPythonWrote) {
  std::vector<float> expected;
  for (int i = 0; i < 25; ++i) expected.push_back(static_cast<float>(i / 5 * 10 + i % 5));
  const auto codec = Zfpy({5, 5}, "float32", R"({"mode": 4, "tolerance": 0.01})");
  EXPECT_EQ(ValuesOf<float>(DecodeChunk(*codec, FromHex(kZarrPython), 100)), expected);
  EXPECT_EQ(ValuesOf<float>(DecodeChunk(*Zfpy({25}, "float32"), FromHex(kZarrPython), 100)), expected)
      << "the header tells the shape";
}

TEST_F(ZfpCodec, DecodesFieldsOfOneToFourDimensions) {
  EXPECT_EQ(ValuesOf<double>(DecodeChunk(*Zfpy({2, 3, 4}, "float64"), FromHex(kAccuracy), 192)), Quarters<double>());
  EXPECT_EQ(ValuesOf<float>(DecodeChunk(*Zfpy({4, 6}, "float32"), FromHex(kRate), 96)), Quarters<float>());
  const Bytes line = FromHex("7a66700580000000000000881c0080c50188360e00001e006ce30000184150");
  EXPECT_EQ(ValuesOf<std::int32_t>(DecodeChunk(*Zfpy({9}, "int32"), line, 36)),
            (std::vector<std::int32_t>{-3000, -2000, -1000, 0, 1000, 2000, 3000, 4000, 5000}));
  const Bytes cube = FromHex("7a6670051d000110000170820000006009001700128001800400040003001180160006");
  const auto values = ValuesOf<std::int64_t>(DecodeChunk(*Zfpy({2, 2, 2, 2}, "int64"), cube, 128));
  EXPECT_EQ(values[0], -16777216);
  EXPECT_EQ(values[15], 15015608320);
}

TEST_F(ZfpCodec, DecodesStreamsWithoutHeader) {
  const auto accuracy = GetZfpLibrary(R"({"mode": "fixed_accuracy", "tolerance": 0.001})", {2, 3, 4}, "float64");
  EXPECT_EQ(ValuesOf<double>(DecodeChunk(*accuracy, FromHex(kAccuracyBare), 192)), Quarters<double>());
  const auto rate = GetZfpLibrary(R"({"mode": "fixed_rate", "rate": 8})", {4, 6}, "float32");
  EXPECT_EQ(ValuesOf<float>(DecodeChunk(*rate, FromHex(kRateBare), 96)), Quarters<float>());
}

TEST_F(ZfpCodec, EncodesAsZfpyDoes) {
  const auto codec = Zfpy({4, 6}, "float32", R"({"mode": 2, "rate": 8})");
  const Bytes encoded = EncodeChunk(*codec, BytesOf(Quarters<float>()));
  const Bytes expected = FromHex(kRate);
  ASSERT_GE(encoded.size(), expected.size()) << "words of this build of zfp may be longer";
  EXPECT_EQ(Bytes(encoded.begin(), encoded.begin() + static_cast<std::ptrdiff_t>(expected.size())), expected);
}

TEST_F(ZfpCodec, RoundTripsExactlyWhereItIsReversible) {
  const Bytes noise = codec_test::Noise(8 * 120);
  for (const char* type : {"int32", "int64", "float32", "float64"}) {
    const std::size_t size = Spec({120}, type).byte_size();
    const ByteSpan decoded = ByteSpan(noise).first(size);
    for (const Shape& shape : {Shape{120}, Shape{8, 15}, Shape{2, 3, 20}, Shape{2, 3, 4, 5}, Shape{1, 120, 1, 1}}) {
      SCOPED_TRACE(std::string(type) + " " + ToString(shape));
      const auto codec = GetZfpLibrary(R"({"mode": "reversible"})", shape, type);
      EXPECT_EQ(DecodeChunk(*codec, EncodeChunk(*codec, decoded), size), Bytes(decoded.begin(), decoded.end()));
      const auto zfpy = Zfpy(shape, type, R"({"mode": 4, "tolerance": -1})");
      EXPECT_EQ(DecodeChunk(*zfpy, EncodeChunk(*zfpy, decoded), size), Bytes(decoded.begin(), decoded.end()));
    }
  }
}

TEST_F(ZfpCodec, TakesTheOneElementOfAnArrayWithoutDimensions) {
  const auto codec = GetZfpLibrary(R"({"mode": "reversible"})", {}, "float64");
  EXPECT_EQ(DecodeChunk(*codec, EncodeChunk(*codec, BytesOf({1.5})), 8), BytesOf({1.5}));
}

TEST_F(ZfpCodec, KeepsWithinTheToleranceInEveryMode) {
  for (const char* mode : {R"({"mode": "fixed_accuracy", "tolerance": 0.01})",
                           R"({"mode": "fixed_precision", "precision": 24})", R"({"mode": "fixed_rate", "rate": 24})",
                           R"({"mode": "expert", "minbits": 1, "maxbits": 16658, "maxprec": 64, "minexp": -10})"}) {
    const auto codec = GetZfpLibrary(mode, {4, 6}, "float64");
    const auto decoded = ValuesOf<double>(DecodeChunk(*codec, EncodeChunk(*codec, BytesOf(Quarters<double>())), 192));
    for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(decoded[i], Quarters<double>()[i], 0.01) << mode;
  }
}

TEST_F(ZfpCodec, DecodesToBuffersOfAnyAlignment) {
  std::vector<std::byte> out(1 + 96);
  const MutableByteSpan unaligned = MutableByteSpan(out).subspan(1);
  Zfpy({4, 6}, "float32")->Decode(FromHex(kRate), unaligned);
  EXPECT_EQ(ValuesOf<float>(unaligned), Quarters<float>());
}

TEST_F(ZfpCodec, RefusesFieldsOfAnotherTypeOrSize) {
  const auto expect = [](const ArrayCodec& codec, std::size_t size, const char* part) {
    ExpectError([&] { DecodeChunk(*codec, FromHex(kRate), size); }, ErrorKind::kCorrupt, "", part);
  };
  expect(Zfpy({4, 6}, "int32"), 96, "expected a field of data type \"int32\"");
  expect(Zfpy({4, 7}, "float32"), 112, "expected a field of 28 elements, got 24");
  ExpectError([] { DecodeChunk(*Zfpy({4}, "float32"), ToBytes("no zfp stream at all"), 16); }, ErrorKind::kCorrupt, "",
              "header");
}

TEST_F(ZfpCodec, NoticesTruncation) {
  const auto codec = Zfpy({4, 6}, "float32", R"({"mode": 5})");
  const Bytes encoded = EncodeChunk(*codec, codec_test::Noise(96));
  const std::size_t slack = sizeof(std::uint64_t);  // words of this build of zfp may have this size
  for (std::size_t length = 0; length + slack <= encoded.size(); ++length) {
    const Error error = ErrorOf([&] { DecodeChunk(*codec, ByteSpan(encoded).first(length), 96); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << length;
  }
}

TEST_F(ZfpCodec, SurvivesCorruption) {
  for (const std::string_view stream : {kRate, kAccuracy, kZarrPython}) {
    const Shape shape = stream == kRate ? Shape{4, 6} : stream == kAccuracy ? Shape{2, 3, 4} : Shape{5, 5};
    const ChunkSpec spec = Spec(shape, stream == kAccuracy ? "float64" : "float32");
    const auto codec = ResolveArrayCodec("numcodecs.zfpy", "{}", spec);
    for (std::size_t i = 0; i < 8 * stream.size() / 2; ++i) {
      Bytes damaged = FromHex(stream);
      damaged[i / 8] ^= static_cast<std::byte>(1u << i % 8);
      try {
        DecodeChunk(*codec, damaged, spec.byte_size());
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
      }
    }
  }
}

TEST_F(ZfpCodec, TakesNoMemoryForWhatTheStreamCannotHold) {
  const auto codec =
      GetZfpLibrary(R"({"mode": "expert", "minbits": 16000, "maxbits": 16000, "maxprec": 64, "minexp": -1074})",
                    {1 << 20}, "float64");
  ExpectError([&] { DecodeChunk(*codec, Bytes(1000), std::size_t{8} << 20); }, ErrorKind::kCorrupt, "", "blocks");
}

TEST_F(ZfpCodec, ChecksItsConfiguration) {
  const auto expect = [](const char* configuration, const char* pointer, const char* part) {
    ExpectError([&] { GetZfpLibrary(configuration, {4}, "float32"); }, ErrorKind::kCorrupt, pointer, part);
  };
  expect("{}", "", "mode");
  expect(R"({"mode": "fast"})", "/mode", "\"reversible\"");
  expect(R"({"mode": 4})", "/mode", "string");
  expect(R"({"mode": "fixed_rate"})", "", "rate");
  expect(R"({"mode": "fixed_rate", "rate": -1})", "/rate", "at least 0");
  expect(R"({"mode": "fixed_rate", "rate": 1e300})", "/rate", "too large");
  expect(R"({"mode": "fixed_precision", "precision": -1})", "/precision", "0");
  expect(R"({"mode": "fixed_accuracy", "tolerance": "x"})", "/tolerance", "number");
  expect(R"({"mode": "expert", "minbits": 9, "maxbits": 8, "maxprec": 1, "minexp": 0})", "", "parameters");
}

TEST_F(ZfpCodec, TakesFourTypesAndAtMostFourDimensions) {
  ExpectError([] { Zfpy({4}, "int16"); }, ErrorKind::kUnsupported, "", "int32, int64, float32 or float64");
  ExpectError([] { Zfpy({1, 1, 1, 1, 4}, "int32"); }, ErrorKind::kUnsupported, "", "at most 4 dimensions, got 5");
}

}  // namespace
}  // namespace zarr
