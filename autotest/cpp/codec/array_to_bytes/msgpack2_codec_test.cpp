// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/msgpack2_codec.h"

#include <cmath>

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

using Strings = std::vector<std::string>;

ArrayCodec Msgpack(const ChunkSpec& spec) {
  return ResolveArrayCodec("numcodecs.msgpack2",
                           R"({"id": "msgpack2", "raw": false, "use_single_float": false, "use_bin_type": true})",
                           spec);
}

Strings DecodeHex(const Shape& shape, std::string_view hex) {
  return DecodeStrings(*Msgpack(Spec(shape, "string")), FromHex(hex));
}

// The bytes were written by numcodecs 0.11.

TEST(Msgpack2Codec, DecodesStrings) {
  EXPECT_EQ(DecodeHex({3}, "95a3666f6fa668c3a96c6c6fa0a27c4f9103"), (Strings{"foo", "h\u00e9llo", ""}));
  EXPECT_EQ(DecodeHex({2, 2}, "9492a161a16292a163c0a27c4f920202"), (Strings{"a", "b", "c", ""}));
}

TEST(Msgpack2Codec, GivesOtherValuesAsJson) {
  EXPECT_EQ(DecodeHex({11},
                      "9d01cb4004000000000000c3f9c402787981a16b9201a2c3a9cd012cce00011170d1ff38cf0000010000000000"
                      "cb7e37e43c8800759ca27c4f910b"),
            (Strings{"1", "2.5", "true", "-7", "xy", R"({"k":[1,"\u00e9"]})", "300", "70000", "-200", "1099511627776",
                     "1e+300"}));
  // Lists inside elements belong to the elements.
  EXPECT_EQ(DecodeHex({2}, "9492010290a27c4f9102"), (Strings{"[1,2]", "[]"}));
}

TEST(Msgpack2Codec, KeepsOtherValuesInAnUpdate) {
  // A number, null, bytes, an object and text.
  const Bytes stored = FromHex("9701c0c402787981a16b9201a2c3a9a174a27c4f91cf0000000000000005");
  const auto codec = Msgpack(Spec({5}, "string"));
  VariableChunk chunk;
  chunk.for_update = true;
  codec->DecodeVariable(stored, &chunk);
  EXPECT_EQ(chunk.elements[4], "t");
  Bytes encoded;
  codec->EncodeVariable(chunk.elements, &encoded);
  EXPECT_EQ(HexOf(encoded), HexOf(stored));
}

TEST(Msgpack2Codec, HasNull) {
  const Bytes stored = FromHex("94c0a0a27c4f91cf0000000000000002");
  const auto codec = Msgpack(Spec({2}, "string"));
  VariableChunk chunk;
  codec->DecodeVariable(stored, &chunk);
  EXPECT_EQ(chunk.elements[0].data(), kMissingText);
  EXPECT_NE(chunk.elements[1].data(), kMissingText);
  Bytes encoded;
  codec->EncodeVariable(chunk.elements, &encoded);
  EXPECT_EQ(HexOf(encoded), HexOf(stored));
}

TEST(Msgpack2Codec, DecodesNumbers) {
  EXPECT_EQ(ValuesOf<std::int32_t>(DecodeChunk(*Msgpack(Spec({4}, "int32")), FromHex("9600010203a33c69349104"), 16)),
            (std::vector<std::int32_t>{0, 1, 2, 3}));
  const auto floats = ValuesOf<float>(DecodeChunk(
      *Msgpack(Spec({2, 2}, "float32")),
      FromHex("9492cb3ff8000000000000cbc00000000000000092cb4008000000000000cb7ff8000000000000a33c6634920202"), 16));
  EXPECT_EQ(std::vector<float>(floats.begin(), floats.begin() + 3), (std::vector<float>{1.5f, -2, 3}));
  EXPECT_TRUE(std::isnan(floats[3]));
  EXPECT_EQ(HexOf(DecodeChunk(*Msgpack(Spec({2}, "bool")), FromHex("94c3c2a37c62319102"), 2)), "01 00");
}

/// Made by hand: every form of a number, of text and of a list.
TEST(Msgpack2Codec, TakesEveryForm) {
  EXPECT_EQ(
      DecodeHex({8}, "dc000accffd080d2fffffffed3fffffffffffffffdca3fc00000cfffffffffffffffffd90161da000162a27c4f9108"),
      (Strings{"255", "-128", "-2", "-3", "1.5", "18446744073709551615", "a", "b"}));
  EXPECT_EQ(DecodeHex({4}, "dd00000006db0000000163c5000164c60000000165de0001a16bdd00000000a27c4f9104"),
            (Strings{"c", "d", "e", R"({"k":[]})"}));
  EXPECT_EQ(DecodeHex({1}, "93df00000001a16bc2a27c4f9101"), (Strings{R"({"k":false})"}));
}

TEST(Msgpack2Codec, TakesValuesOfOrderFAsZarrPythonDoes) {
  EXPECT_EQ(DecodeHex({3, 2}, "9493a161a162a16393a164a165a166a27c4f920203"), (Strings{"a", "b", "c", "d", "e", "f"}));
}

TEST(Msgpack2Codec, RoundTrips) {
  Strings values = {
      "a", "", std::string(31, 'x'), std::string(32, 'y'), std::string(300, 'z'), std::string(70000, '.')};
  EXPECT_EQ(HexOf(EncodeStrings(*Msgpack(Spec({1, 1}, "string")), {"a"})),
            "93 91 a1 61 a2 7c 4f 92 cf 00 00 00 00 00 00 00 01 cf 00 00 00 00 00 00 00 01");
  for (const Shape& shape : {Shape{6}, Shape{2, 3}, Shape{1, 6, 1}}) {
    const auto codec = Msgpack(Spec(shape, "string"));
    EXPECT_EQ(DecodeStrings(*codec, EncodeStrings(*codec, values)), values) << ToString(shape);
  }
  for (const std::uint64_t count : {0, 15, 16, 70000}) {
    const auto codec = Msgpack(Spec({count}, "string"));
    const Strings many(static_cast<std::size_t>(count), "m");
    EXPECT_EQ(DecodeStrings(*codec, EncodeStrings(*codec, many)), many) << count;
  }
  const auto scalar = Msgpack(Spec({}, "string"));
  EXPECT_EQ(DecodeStrings(*scalar, EncodeStrings(*scalar, {"s"})), (Strings{"s"}));
}

TEST(Msgpack2Codec, RefusesAnotherNumberOfElements) {
  for (const char* hex : {"93a161a27c4f9101", "95a161a161a161a27c4f9103", "9491a16192a161a161a27c4f920201"}) {
    ExpectError([&] { DecodeHex({2}, hex); }, ErrorKind::kCorrupt, "", "expected 2 elements");
  }
}

TEST(Msgpack2Codec, RefusesWhatIsNoChunk) {
  const auto kind = [](std::string_view hex) { return ErrorOf([&] { DecodeHex({2}, hex); }).kind(); };
  for (const char* hex :
       {"", "90", "91a161", "a161", "94a161a161a27c4f02", "94a161a161a27c4f910200ff", "94a161c1a27c4f9102",
        "ddffffffff", "dfffffffff", "94a161dbffffffffa27c4f9102", "94a16181010aa27c4f9102"}) {
    EXPECT_EQ(kind(hex), ErrorKind::kCorrupt) << hex;
  }
  EXPECT_EQ(kind("94a161d40100a27c4f9102"), ErrorKind::kUnsupported);
}

TEST(Msgpack2Codec, LimitsTheDepth) {
  std::string deep = "93";
  for (int i = 0; i < 100000; ++i) deep += "91";
  ExpectError([&] { DecodeHex({1}, deep + "c0a27c4f9101"); }, ErrorKind::kCorrupt, "", "deeper");
  std::string ranks = "93c0a27c4fdc0100";
  for (int i = 0; i < 256; ++i) ranks += "01";
  ExpectError([&] { DecodeHex({1}, ranks); }, ErrorKind::kCorrupt, "", "dimensions");
}

TEST(Msgpack2Codec, NumbersMustFitTheType) {
  const auto decode = [](std::string_view type, std::string_view hex) {
    const ChunkSpec spec = Spec({1}, type);
    ExpectError([&] { DecodeChunk(*Msgpack(spec), FromHex(hex), spec.byte_size()); }, ErrorKind::kCorrupt, "",
                "expected a number");
  };
  decode("uint8", "93cd0100a27c4f9101");
  decode("uint8", "93ffa27c4f9101");
  decode("int32", "93ca3fc00000a27c4f9101");
  decode("float32", "93a161a27c4f9101");
  decode("bool", "9301a27c4f9101");
}

TEST(Msgpack2Codec, DoesNotWriteNumbers) {
  ExpectError([] { EncodeChunk(*Msgpack(Spec({1}, "uint8")), FromHex("01")); }, ErrorKind::kUnsupported, "",
              "cannot be encoded");
  ExpectError([] { Msgpack(Spec({1}, "complex64")); }, ErrorKind::kUnsupported, "", "numbers");
}

}  // namespace
}  // namespace zarr
