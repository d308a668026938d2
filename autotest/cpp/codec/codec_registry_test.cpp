// SPDX-License-Identifier: MIT
#include "zarrlib/codec/codec_registry.h"

#include <algorithm>

#include "autotest/cpp/support/codec_test_util.h"
#include "zarrlib/metadata/codec_names.h"

namespace zarr::codec_test {
namespace {

TEST(CodecRegistry, MakesEveryCodecThatItNames) {
  const std::vector<std::string> names = ListCodecNames();
  for (const char* expected : {"bytes", "transpose", "crc32c"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), expected), names.end()) << expected;
  }
  for (const std::string& name : names) {
    try {
      MakeCodec(Spec(name, R"({"endian": "little"})"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << name << " may need more configuration: " << error.what();
    }
  }
}

TEST(CodecRegistry, TakesNumcodecsNamesAndAliases) {
  for (const char* name : {"numcodecs.crc32c", "crc32c"}) EXPECT_NO_THROW(Make(name)) << name;
  EXPECT_NO_THROW(MakeCodec(Spec("endian", R"({"endian": "big"})")));
}

/// The registry makes codecs whose other names stand in the table of names.
TEST(CodecRegistry, NamesCodecsThatHaveNamesInMetadata) {
  for (const std::string& name : ListCodecNames()) {
    const CodecName* names = FindCodecName(name);
    ASSERT_NE(names, nullptr) << name;
    for (const std::string& other :
         {std::string(names->name), std::string(names->alias), names->id.empty() ? "" : MakeNumcodecsName(names->id)}) {
      if (other.empty()) continue;
      try {
        MakeCodec({other, JsonNode::MakeObject({})});
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << other << " may need more configuration: " << error.what();
      }
    }
  }
}

TEST(CodecRegistry, TakesAnAbsentConfiguration) {
  EXPECT_NO_THROW(MakeCodec({"crc32c", JsonNode()}));
}

TEST(CodecRegistry, IgnoresMembersThatItDoesNotKnow) {
  EXPECT_NO_THROW(Make("numcodecs.crc32c", R"({"id": "crc32c", "colour": "red"})"));
}

TEST(CodecRegistry, NamesAnUnknownCodec) {
  const Error error = MakeError("nosuch", "{}");
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(error.message(), "unknown codec \"nosuch\"");
  EXPECT_EQ(error.key(), "zarr.json");
}

TEST(CodecRegistry, DoesNotTakeV3NamesForNumcodecs) {
  for (const char* name :
       {"numcodecs.bytes", "numcodecs.transpose", "numcodecs.endian", "numcodecs.", "numcodecs", ""}) {
    EXPECT_EQ(MakeError(name).message().substr(0, 13), "unknown codec") << name;
  }
}

TEST(CodecRegistry, CutsANameThatIsNone) {
  EXPECT_LT(MakeError(std::string(1'000'000, 'x')).message().size(), 200u);
}

TEST(CodecRegistry, SaysWhatIsKnownButNotImplemented) {
  const Error error = MakeError("numcodecs.grib");
  EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(error.message(), "codec \"numcodecs.grib\" is not in this library: the GDAL driver adds it");
}

TEST(CodecRegistry, TakesCodecsOfOthers) {
  RegisterCodec("numcodecs.test", [](const CodecSpec&) { return MakeCodec(Spec("numcodecs.crc32", "{}")); });
  EXPECT_NO_THROW(Make("numcodecs.test"));
  RegisterCodec("numcodecs.test", [](const CodecSpec& spec) -> Codec { spec.configuration.Fail({}, "another"); });
  EXPECT_EQ(MakeError("numcodecs.test").message(), "another");
  const std::vector<std::string> names = ListCodecNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), "numcodecs.test"), 1);
  RegisterCodec("numcodecs.test", nullptr);
  EXPECT_EQ(MakeError("numcodecs.test").message(), "unknown codec \"numcodecs.test\"");
}

TEST(CodecRegistry, SaysWhatWasLeftOutOfTheBuild) {
  const std::vector<std::string> names = ListCodecNames();
  for (const char* name :
       {"blosc", "gzip", "zstd", "numcodecs.bz2", "numcodecs.lz4", "numcodecs.lzma", "numcodecs.zlib"}) {
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      EXPECT_NO_THROW(Make(name));
      continue;
    }
    const Error error = MakeError(name);
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(error.message().find("left out of this build (ZARR_CODEC_"), std::string::npos) << error.what();
  }
}

TEST(CodecRegistry, RefusesPickle) {
  for (const char* name : {"numcodecs.pickle", "pickle"}) {
    const Error error = MakeError(name, R"({"id": "pickle", "protocol": 5})");
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(error.message().find("refused: "), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace zarr::codec_test
