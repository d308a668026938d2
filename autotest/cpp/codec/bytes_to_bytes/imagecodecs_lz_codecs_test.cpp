// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/imagecodecs_lz_codecs.h"

#include <map>

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

/// Changes every byte, and expects an Error of a right kind, or any bytes.
void ExpectSurvival(const BytesToBytesCodec& codec, const Bytes& encoded, std::size_t capacity) {
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    for (unsigned change = 1; change < 256; change = 2 * change + 1) {
      Bytes damaged = encoded;
      damaged[i] ^= static_cast<std::byte>(change);
      try {
        Decode(codec, damaged, capacity);
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::kCorrupt || error.kind() == ErrorKind::kUnsupported) << error.what();
      }
    }
  }
}

void ExpectReadingOnly(const BytesToBytesCodec& codec) {
  Bytes encoded;
  try {
    codec.Encode(ToBytes("abc"), 1, &encoded);
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
  }
}

// --- LZW ----------------------------------------------------------------------------------------------------------

/// Encodes as TIFF 6.0 describes it.
class LzwWriter {
 public:
  explicit LzwWriter(ByteSpan bytes) {
    Write(256);
    for (const std::byte byte : bytes) Add(static_cast<char>(byte));
    if (!string_.empty()) {
      Write(CodeOf(string_));
      table_["the reader's last string"] = 0;
      Grow();
    }
    Write(257);
    if (count_ > 0) encoded_.push_back(static_cast<std::byte>(bits_ << (8 - count_)));
  }
  const Bytes& encoded() const { return encoded_; }

 private:
  unsigned CodeOf(const std::string& string) const {
    return string.size() == 1 ? static_cast<unsigned char>(string[0]) : table_.at(string);
  }
  void Add(char byte) {
    const std::string longer = string_ + byte;
    if (longer.size() == 1 || table_.count(longer) != 0) {
      string_ = longer;
      return;
    }
    Write(CodeOf(string_));
    table_[longer] = 258 + static_cast<unsigned>(table_.size());
    Grow();
    if (table_.size() == 4094 - 258) {
      Write(256);
      table_.clear();
      width_ = 9;
    }
    string_ = std::string(1, byte);
  }
  void Grow() {
    while (258 + table_.size() > (1u << width_) - 1 && width_ < 12) ++width_;
  }
  void Write(unsigned code) {
    for (unsigned i = width_; i-- > 0;) {
      bits_ = bits_ << 1 | (code >> i & 1);
      if (++count_ < 8) continue;
      encoded_.push_back(static_cast<std::byte>(bits_));
      bits_ = count_ = 0;
    }
  }

  std::map<std::string, unsigned> table_;
  std::string string_;
  Bytes encoded_;
  unsigned width_ = 9;
  unsigned bits_ = 0;
  unsigned count_ = 0;
};

/// libtiff wrote these bytes: Clear, 7, 258, 8, 8, 258, 6, 6, and the end.
TEST(LzwCodec, DecodesWhatLibtiffWrote) {
  ExpectDecodes(*Make("imagecodecs_lzw"), FromHex("8001e0408044080c068080"), FromHex("070707080807070606"));
  EXPECT_EQ(LzwWriter(FromHex("070707080807070606")).encoded(), FromHex("8001e0408044080c068080"));
}

TEST(LzwCodec, DecodesCodesOfEveryWidth) {
  const CodecPointer codec = Make("numcodecs.imagecodecs_lzw", R"({"id": "imagecodecs_lzw"})");
  for (const std::size_t size : {0, 1, 2, 255, 256, 257, 600, 1000, 3000, 4000, 10000, 100000}) {
    for (const Bytes& bytes : {Pattern(size), Noise(size), Zeros(size)}) {
      ExpectDecodes(*codec, LzwWriter(bytes).encoded(), bytes);
    }
  }
}

/// Writers leave the end out, and readers of TIFF take what there is.
TEST(LzwCodec, TheEndMayBeAbsent) {
  const Bytes encoded = FromHex("8001e0408044080c06");
  ExpectDecodes(*Make("imagecodecs_lzw"), encoded, FromHex("070707080807070606"));
}

TEST(LzwCodec, RefusesWrongCodes) {
  const CodecPointer codec = Make("imagecodecs_lzw");
  EXPECT_EQ(DecodeErrorKind(*codec, FromHex("80408080"), 10), ErrorKind::kCorrupt) << "258 is the first code";
  EXPECT_EQ(DecodeErrorKind(*codec, FromHex("0001e0"), 10), ErrorKind::kUnsupported) << "the other order of bits";
  ExpectSurvival(*codec, LzwWriter(Pattern(900)).encoded(), 1000);
  ExpectReadingOnly(*codec);
}

// --- LZF ----------------------------------------------------------------------------------------------------------

TEST(LzfCodec, DecodesPiecesOfEveryKind) {
  const CodecPointer codec = Make("imagecodecs_lzf", R"({"header": false})");
  // 3 bytes, a copy of 3 from the begin, and a long copy of the last byte.
  ExpectDecodes(*codec,
                FromHex("02616263"
                        "2002"
                        "e00100"),
                ToBytes("abcabc"
                        "cccccccccc"));
  ExpectDecodes(*codec, {}, {});
  Bytes far = FromHex("1f");
  const Bytes start = Noise(32);
  far.insert(far.end(), start.begin(), start.end());
  Bytes expected = start;
  for (int i = 0; i < 31; ++i) {  // copies of 264 bytes
    far.insert(far.end(), {std::byte{0xE0}, std::byte{0xFF}, std::byte{31}});
    for (int k = 0; k < 264; ++k) expected.push_back(expected[expected.size() - 32]);
  }
  far.insert(far.end(), {std::byte{0x3F}, std::byte{0xFF}});  // 3 bytes from 8192 before
  for (int k = 0; k < 3; ++k) expected.push_back(expected[expected.size() - 8192]);
  ExpectDecodes(*codec, far, expected);
}

TEST(LzfCodec, TheHeaderTellsTheSize) {
  const CodecPointer codec = Make("numcodecs.imagecodecs_lzf");
  const Bytes encoded = FromHex(
      "06000000"
      "02616263"
      "2002");
  EXPECT_EQ(codec->GetClaimedSize(encoded), 6u);
  ExpectDecodes(*codec, encoded, ToBytes("abcabc"));
  ExpectTruncationsFail(*codec, encoded, 6);
  EXPECT_EQ(DecodeErrorKind(*codec,
                            FromHex("05000000"
                                    "02616263"
                                    "2002"),
                            10),
            ErrorKind::kCorrupt);
  EXPECT_EQ(DecodeErrorKind(*codec, FromHex("ffffffff"), 10), std::nullopt);
  ExpectSurvival(*codec, encoded, 10);
  ExpectReadingOnly(*codec);
}

TEST(LzfCodec, RefusesCopiesOfWhatIsNotThere) {
  const CodecPointer codec = Make("imagecodecs_lzf", R"({"header": false})");
  for (const char* hex : {"2000",
                          "02616263"
                          "2003",
                          "0261",
                          "02616263"
                          "20",
                          "02616263"
                          "e0"}) {
    EXPECT_EQ(DecodeErrorKind(*codec, FromHex(hex), 100), ErrorKind::kCorrupt) << hex;
  }
  ExpectWrong("imagecodecs_lzf", R"({"header": 1})", "/header");
}

// --- run lengths --------------------------------------------------------------------------------------------------

/// libtiff wrote these bytes.
TEST(RunLengthCodec, DecodesWhatLibtiffWrote) {
  ExpectDecodes(*Make("imagecodecs_packbits"), FromHex("fc010302030405fd09010102"),
                FromHex("010101010102030405090909090102"));
}

TEST(RunLengthCodec, IgnoresPadding) {
  ExpectDecodes(*Make("imagecodecs_packbits"), FromHex("80ff078000"), FromHex("0707"));
}

TEST(RunLengthCodec, RefusesRunsThatAreCut) {
  const CodecPointer codec = Make("imagecodecs_packbits");
  for (const char* hex : {"01", "0161", "ff", "7f00"}) {
    EXPECT_EQ(DecodeErrorKind(*codec, FromHex(hex), 1000), ErrorKind::kCorrupt) << hex;
  }
  ExpectSurvival(*codec, FromHex("fc010302030405fd09010102"), 15);
  ExpectReadingOnly(*codec);
}

}  // namespace
}  // namespace zarr::codec_test
