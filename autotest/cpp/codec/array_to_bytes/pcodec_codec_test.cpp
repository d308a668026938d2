// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/pcodec_codec.h"

#include <bit>
#include <cmath>

#include "autotest/cpp/support/filter_test_util.h"
#include "autotest/cpp/support/pco_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr unsigned kU32 = 1;
constexpr unsigned kU64 = 2;
constexpr unsigned kI32 = 3;
constexpr unsigned kF32 = 5;
constexpr unsigned kF64 = 6;
constexpr unsigned kU16 = 7;
constexpr unsigned kF16 = 9;
constexpr unsigned kU8 = 10;
constexpr unsigned kI8 = 11;

constexpr std::uint64_t kMiddle32 = std::uint64_t{1} << 31;

template <typename T>
std::vector<T> DecodeFile(ByteSpan file, std::uint64_t count, std::string_view data_type) {
  const auto codec = ResolveArrayCodec("numcodecs.pcodec", "{}", Spec({count}, data_type));
  return ValuesOf<T>(DecodeChunk(*codec, file, static_cast<std::size_t>(count) * sizeof(T)));
}

std::vector<std::uint32_t> DecodeU32(ByteSpan file, std::uint64_t count) {
  return DecodeFile<std::uint32_t>(file, count, "uint32");
}

/// A chunk without a mode and a delta encoding.
PcoChunkOf Classic(unsigned type_code, unsigned bits, const std::vector<std::uint64_t>& latents) {
  return {type_code, latents.size(), {{0, 4}, {0, 4}}, {MakeRawVariable(bits, latents)}};
}

PcoChunkOf Numbers(const std::vector<std::uint64_t>& latents) {
  return Classic(kU32, 32, latents);
}

/// A chunk of a mode that joins two latents, without a delta encoding.
PcoChunkOf Joined(unsigned type_code, unsigned bits, std::vector<std::pair<std::uint64_t, unsigned>> mode,
                  const std::vector<std::uint64_t>& primary, const std::vector<std::uint64_t>& secondary) {
  mode.emplace_back(0, 4);
  return {
      type_code, primary.size(), std::move(mode), {MakeRawVariable(bits, primary), MakeRawVariable(bits, secondary)}};
}

/// Differences as they are stored.
std::vector<std::uint64_t> Differences(std::initializer_list<std::int64_t> values) {
  std::vector<std::uint64_t> latents;
  for (const std::int64_t value : values)
    latents.push_back((static_cast<std::uint64_t>(value) + kMiddle32) & 0xFFFFFFFF);
  return latents;
}

// --- numbers ------------------------------------------------------------------------------------------------------

TEST(PcodecCodec, ReadsNumbersOfEveryKind) {
  EXPECT_EQ(DecodeU32(MakePcoFile({Numbers({1, 7, 0xFFFFFFFF})}), 3), (std::vector<std::uint32_t>{1, 7, 0xFFFFFFFF}));
  EXPECT_EQ(DecodeFile<std::uint64_t>(MakePcoFile({Classic(kU64, 64, {1, UINT64_MAX})}), 2, "uint64"),
            (std::vector<std::uint64_t>{1, UINT64_MAX}));
  EXPECT_EQ(DecodeFile<std::int32_t>(MakePcoFile({Classic(kI32, 32, {0, kMiddle32 - 1, kMiddle32 + 5})}), 3, "int32"),
            (std::vector<std::int32_t>{INT32_MIN, -1, 5}));
  EXPECT_EQ(DecodeFile<std::uint16_t>(MakePcoFile({Classic(kU16, 16, {258})}), 1, "uint16"),
            (std::vector<std::uint16_t>{258}));
  EXPECT_EQ(DecodeFile<std::uint8_t>(MakePcoFile({Classic(kU8, 8, {0, 255})}), 2, "uint8"),
            (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(DecodeFile<std::int8_t>(MakePcoFile({Classic(kI8, 8, {0, 127, 128})}), 3, "int8"),
            (std::vector<std::int8_t>{-128, -1, 0}));
}

TEST(PcodecCodec, ReadsFloats) {
  const auto latent = [](float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return std::uint64_t{value < 0 ? ~bits : bits ^ 0x80000000};
  };
  EXPECT_EQ(
      DecodeFile<float>(MakePcoFile({Classic(kF32, 32, {latent(1.5f), latent(-2.25f), latent(0)})}), 3, "float32"),
      (std::vector<float>{1.5f, -2.25f, 0}));
  EXPECT_EQ(DecodeFile<double>(MakePcoFile({Classic(kF64, 64, {0xBFF8000000000000})}), 1, "float64"),
            (std::vector<double>{1.5}));
  EXPECT_EQ(DecodeFile<std::uint16_t>(MakePcoFile({Classic(kF16, 16, {0xBE00, 0x41FF})}), 2, "float16"),
            (std::vector<std::uint16_t>{0x3E00, 0xBE00}));
}

/// The codec knows bytes only: dates are integers, and a complex number is two floats.
TEST(PcodecCodec, TakesTypesThatConsistOfNumbers) {
  const auto codec = ResolveArrayCodec("pcodec", "{}", SpecV2({2}, "<M8[s]"));
  EXPECT_EQ(ValuesOf<std::int64_t>(DecodeChunk(
                *codec, MakePcoFile({Classic(4, 64, {std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 9})}), 16)),
            (std::vector<std::int64_t>{0, 9}));
  EXPECT_EQ(DecodeFile<float>(MakePcoFile({Classic(kF32, 32, {0xBFC00000, 0x80000000})}), 2, "float32"),
            (std::vector<float>{1.5f, 0}));
  ExpectError([] { ResolveArrayCodec("pcodec", "{}", Spec({2}, "string")); }, ErrorKind::kUnsupported, "", "numbers");
}

/// The weights 1, 1, 3 and 11 give a table of 16 states.
PcoVariable FourBins(std::size_t count) {
  PcoVariable variable{32, 4, {{1, 5, 0}, {1, 1000, 3}, {3, 70, 1}, {11, 0xFFFFFF00, 8}}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bin = i % 17 == 0 ? 0 : i % 5 == 0 ? 1 : i % 3 == 0 ? 2 : 3;
    variable.latents.push_back({bin, i & ((1u << variable.bins[bin].offset_bits) - 1)});
  }
  return variable;
}

TEST(PcodecCodec, ReadsBinsOfAllSizesInBatches) {
  for (const std::size_t count : {1, 3, 4, 255, 256, 257, 700}) {
    const PcoVariable variable = FourBins(count);
    std::vector<std::uint32_t> expected;
    for (const auto& [bin, offset] : variable.latents) {
      expected.push_back(static_cast<std::uint32_t>(variable.bins[bin].lower + offset));
    }
    EXPECT_EQ(DecodeU32(MakePcoFile({{kU32, count, {{0, 4}, {0, 4}}, {variable}}}), count), expected) << count;
  }
}

// --- modes --------------------------------------------------------------------------------------------------------

TEST(PcodecCodec, JoinsMultiplesOfAnInteger) {
  const auto file = MakePcoFile({Joined(kU32, 32, {{1, 4}, {1000, 32}}, {0, 7, 0xFFFFFFFF}, {3, 999, 0})});
  EXPECT_EQ(DecodeU32(file, 3), (std::vector<std::uint32_t>{3, 7999, static_cast<std::uint32_t>(-1000)}));
}

TEST(PcodecCodec, JoinsMultiplesOfAFloat) {
  // 3 times 0.5, and the next float behind it; -2 times 0.5; a number behind the last integer without a gap.
  const auto floats = MakePcoFile({Joined(kF32, 32, {{2, 4}, {0xBF000000, 32}},
                                          {kMiddle32 + 3, kMiddle32 + 3, kMiddle32 - 3, kMiddle32 + (1u << 24) + 1},
                                          {kMiddle32, kMiddle32 + 1, kMiddle32, kMiddle32})});
  EXPECT_EQ(DecodeFile<float>(floats, 4, "float32"),
            (std::vector<float>{1.5f, std::nextafter(1.5f, 2.0f), -1.0f, 8388609.0f}));
  const std::uint64_t middle = std::uint64_t{1} << 63;
  const auto doubles = MakePcoFile({Joined(kF64, 64, {{2, 4}, {0xBFF8000000000000, 64}}, {middle + 2}, {middle - 1})});
  EXPECT_EQ(DecodeFile<double>(doubles, 1, "float64"), (std::vector<double>{std::nextafter(3.0, 0.0)}));
  const auto halves = MakePcoFile({Joined(kF16, 16, {{2, 4}, {0xBE00, 16}}, {0x8002, 0x7FFE}, {0x8000, 0x8001})});
  EXPECT_EQ(DecodeFile<std::uint16_t>(halves, 2, "float16"), (std::vector<std::uint16_t>{0x4200, 0xBDFF}));
}

TEST(PcodecCodec, JoinsQuantizedFloats) {
  // Without its lowest 8 bits, 1.5 is 0xBFC000 as a latent, and -1.5 is 0x403FFF.
  const auto file = MakePcoFile({Joined(kF32, 32, {{3, 4}, {8, 8}}, {0xBFC000, 0xBFC000, 0x403FFF}, {0, 1, 0})});
  EXPECT_EQ(DecodeFile<float>(file, 3, "float32"), (std::vector<float>{1.5f, std::nextafter(1.5f, 2.0f), -1.5f}));
}

TEST(PcodecCodec, LooksNumbersUp) {
  const PcoChunkOf chunk{
      kU64, 4, {{4, 4}, {2, 25}, {0, 0}, {77, 64}, {UINT64_MAX, 64}, {0, 4}}, {MakeRawVariable(32, {1, 0, 0, 1})}};
  EXPECT_EQ(DecodeFile<std::uint64_t>(MakePcoFile({chunk}), 4, "uint64"),
            (std::vector<std::uint64_t>{UINT64_MAX, 77, 77, UINT64_MAX}));
  PcoChunkOf wrong = chunk;
  wrong.variables[0].latents[3].offset = 2;
  ExpectError([&] { DecodeFile<std::uint64_t>(MakePcoFile({wrong}), 4, "uint64"); }, ErrorKind::kCorrupt, "",
              "beyond the dictionary");
}

// --- delta encodings ----------------------------------------------------------------------------------------------

PcoChunkOf Summed(std::size_t count, std::vector<std::pair<std::uint64_t, unsigned>> settings,
                  const std::vector<std::uint64_t>& latents, std::vector<std::uint64_t> state) {
  settings.insert(settings.begin(), {0, 4});
  return {kU32, count, std::move(settings), {MakeRawVariable(32, latents, std::move(state))}};
}

/// The example of the description of the format.
TEST(PcodecCodec, SumsDifferencesUp) {
  const auto chunk = Summed(5, {{1, 4}, {2, 3}, {0, 1}}, Differences({0, 10, 0}), {1, 2});
  EXPECT_EQ(DecodeU32(MakePcoFile({chunk}), 5), (std::vector<std::uint32_t>{1, 3, 5, 17, 29}));
  const auto old = Summed(5, {{2, 3}}, Differences({0, 10, 0}), {1, 2});
  for (const unsigned version : {0, 1, 2}) {
    EXPECT_EQ(DecodeU32(MakePcoFile({old}, version), 5), (std::vector<std::uint32_t>{1, 3, 5, 17, 29})) << version;
  }
  EXPECT_EQ(DecodeU32(MakePcoFile({Summed(1, {{1, 4}, {3, 3}, {0, 1}}, {}, {8, 2, 1})}), 1),
            (std::vector<std::uint32_t>{8}));
}

TEST(PcodecCodec, SumsDifferencesUpOverBatches) {
  for (const std::size_t count : {255, 256, 257, 258, 512, 600}) {
    const auto latents = std::vector<std::uint64_t>(count - 1, kMiddle32 + 3);
    const auto values = DecodeU32(MakePcoFile({Summed(count, {{1, 4}, {1, 3}, {0, 1}}, latents, {5})}), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(values[i], 5 + 3 * i) << count;
  }
}

/// The other latent variable is stored as it is, or as differences too.
TEST(PcodecCodec, SumsDifferencesOfTheSecondLatentsUp) {
  const auto file = [](unsigned both, const PcoVariable& secondary) {
    return MakePcoFile({{kU32,
                         3,
                         {{1, 4}, {1000, 32}, {1, 4}, {1, 3}, {both, 1}},
                         {MakeRawVariable(32, Differences({1, 1}), {4}), secondary}}});
  };
  EXPECT_EQ(DecodeU32(file(0, MakeRawVariable(32, {1, 2, 4})), 3), (std::vector<std::uint32_t>{4001, 5002, 6004}));
  EXPECT_EQ(DecodeU32(file(1, MakeRawVariable(32, Differences({2, 3}), {7})), 3),
            (std::vector<std::uint32_t>{4007, 5009, 6012}));
}

/// A window of 4 latents, and a state of one.
PcoChunkOf Lookbacks(const std::vector<std::uint64_t>& lookbacks, const std::vector<std::uint64_t>& differences,
                     std::uint64_t state) {
  return {kU32,
          lookbacks.size() + 1,
          {{0, 4}, {2, 4}, {1, 5}, {0, 4}, {0, 1}},
          {MakeRawVariable(32, lookbacks), MakeRawVariable(32, differences, {state})}};
}

TEST(PcodecCodec, LooksBack) {
  EXPECT_EQ(DecodeU32(MakePcoFile({Lookbacks({1, 2, 1, 4}, Differences({1, -2, 5, 0}), 100)}), 5),
            (std::vector<std::uint32_t>{100, 101, 98, 103, 100}));
  // What lies before the page is 0.
  EXPECT_EQ(DecodeU32(MakePcoFile({Lookbacks({2}, Differences({7}), 100)}), 2), (std::vector<std::uint32_t>{100, 7}));
  for (const std::uint64_t wrong : {0, 5}) {
    ExpectError([&] { DecodeU32(MakePcoFile({Lookbacks({wrong}, Differences({0}), 1)}), 2); }, ErrorKind::kCorrupt, "",
                "beyond the window");
  }
}

TEST(PcodecCodec, LooksBackOverBatches) {
  for (const std::size_t count : {256, 257, 600}) {
    const std::vector<std::uint64_t> lookbacks(count - 1, 1);
    const std::vector<std::uint64_t> differences(count - 1, kMiddle32 + 2);
    const auto values = DecodeU32(MakePcoFile({Lookbacks(lookbacks, differences, 9)}), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(values[i], 9 + 2 * i) << count;
  }
}

/// Each number is predicted from the two before: (bias + 2 * last - first) / 2.
PcoChunkOf Convolution(std::size_t count, const std::vector<std::uint64_t>& differences) {
  constexpr std::uint64_t kZero64 = std::uint64_t{1} << 63;
  return Summed(count, {{3, 4}, {1, 5}, {kZero64 + 4, 64}, {1, 5}, {kMiddle32 - 1, 32}, {kMiddle32 + 2, 32}},
                differences, {10, 20});
}

TEST(PcodecCodec, AddsPredictions) {
  // (4 - 10 + 40) / 2 = 17, (4 - 20 + 36) / 2 = 10, (4 - 18 + 4) / 2 is below 0.
  EXPECT_EQ(DecodeU32(MakePcoFile({Convolution(5, Differences({1, -8, 3}))}), 5),
            (std::vector<std::uint32_t>{10, 20, 18, 2, 3}));
  for (const std::size_t count : {2, 256, 257, 600}) {
    const std::vector<std::uint64_t> zeros(count - 2, kMiddle32);
    const auto values = DecodeU32(MakePcoFile({Convolution(count, zeros)}), count);
    for (std::size_t i = 2; i < count; ++i) {
      const std::int64_t sum = 4 + 2 * std::int64_t{values[i - 1]} - std::int64_t{values[i - 2]};
      ASSERT_EQ(values[i], std::max<std::int64_t>(sum, 0) / 2) << count << " " << i;
    }
  }
}

TEST(PcodecCodec, RefusesConvolutionsThatMightOverflow) {
  for (const std::uint64_t bias : {std::uint64_t{0}, UINT64_MAX}) {
    auto chunk = Convolution(2, {});
    chunk.settings[3].first = bias;
    ExpectError([&] { DecodeU32(MakePcoFile({chunk}), 2); }, ErrorKind::kCorrupt, "", "too large");
  }
  auto chunk = Convolution(2, {});
  chunk.settings[6].first = 0xFFFFFFFF;
  chunk.settings[5].first = 0xFFFFFFFF;
  ExpectError([&] { DecodeU32(MakePcoFile({chunk}), 2); }, ErrorKind::kCorrupt, "", "too large");
}

// --- files --------------------------------------------------------------------------------------------------------

TEST(PcodecCodec, JoinsChunks) {
  EXPECT_EQ(DecodeU32(MakePcoFile({Numbers({1, 2}), Numbers({3}), Numbers({4, 5})}), 5),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
}

/// Files of the first versions had one number for the version of the file and of the format; the latest ones have one
/// type for all chunks.
TEST(PcodecCodec, ReadsFilesOfEveryVersion) {
  const Bytes file = MakePcoFile({Numbers({6, 7})});
  const ByteSpan chunks = ByteSpan(file).subspan(8);
  const auto decode = [&](std::string_view hex) { return DecodeU32(codec_test::Concat(FromHex(hex), chunks), 2); };
  const std::vector<std::uint32_t> expected = {6, 7};
  EXPECT_EQ(decode("70636f2103"
                   "00"
                   "00"
                   "0401"),
            expected);
  EXPECT_EQ(decode("70636f2103"
                   "01"
                   "c201"
                   "04ff"),
            expected)
      << "a number of numbers in two bytes, a later minor version";
  ExpectError([&] { decode("70636f210302000401"); }, ErrorKind::kCorrupt, "", "another number type");
  ExpectError([&] { decode("70636f2104000401"); }, ErrorKind::kUnsupported, "", "version 4");
  ExpectError([&] { decode("70636f21020005"); }, ErrorKind::kUnsupported, "", "format version 5");
  ExpectError([&] { decode("70636f2203000401"); }, ErrorKind::kCorrupt, "", "expected a pco file");
  // An order of 0 in 3 bits, and then a table of 1 bin: "the numbers 9 and 9".
  EXPECT_EQ(DecodeU32(FromHex("70636f2101"
                              "01010000"
                              "0008002400000000"
                              "00"),
                      2),
            (std::vector<std::uint32_t>{9, 9}));
}

TEST(PcodecCodec, ReadsFilesWithoutChunks) {
  EXPECT_EQ(DecodeU32(FromHex("70636f210000"), 0), std::vector<std::uint32_t>());
}

TEST(PcodecCodec, WantsAsManyNumbersAsTheChunkHas) {
  const Bytes file = MakePcoFile({Numbers({1, 2}), Numbers({3})});
  for (const std::uint64_t count : {0, 1, 2, 4, 100}) {
    ExpectError([&] { DecodeU32(file, count); }, ErrorKind::kCorrupt, "", "bytes of numbers");
  }
  // A claim of 2^24 numbers takes no memory.
  BitWriter out;
  for (const std::uint64_t byte : {0x70, 0x63, 0x6F, 0x21, 0, 1, 0xFF, 0xFF, 0xFF}) out.Write(byte, 8);
  ExpectError([&] { DecodeU32(out.bytes(), 2); }, ErrorKind::kCorrupt, "", "more");
}

TEST(PcodecCodec, RefusesWhatItDoesNotKnow) {
  const auto expect = [](PcoChunkOf chunk, ErrorKind kind, std::string_view part) {
    ExpectError([&] { DecodeU32(MakePcoFile({chunk}), chunk.count); }, kind, "", part);
  };
  auto chunk = Numbers({1});
  chunk.settings = {{5, 4}};
  expect(chunk, ErrorKind::kUnsupported, "mode 5");
  chunk.settings = {{0, 4}, {4, 4}};
  expect(chunk, ErrorKind::kUnsupported, "delta encoding 4");
  chunk.type_code = 12;
  expect(chunk, ErrorKind::kUnsupported, "number type 12");
  const auto old = Joined(kU32, 32, {{1, 4}, {3, 32}}, {1}, {1});
  ExpectError([&] { DecodeU32(MakePcoFile({old}, 0), 1); }, ErrorKind::kUnsupported, "", "version 0");
}

TEST(PcodecCodec, RefusesWrongSettings) {
  const auto refuse = [](unsigned type_code, std::vector<std::pair<std::uint64_t, unsigned>> settings) {
    PcoChunkOf chunk{type_code, 2, std::move(settings), {MakeRawVariable(32, {1, 2}), MakeRawVariable(32, {1, 2})}};
    EXPECT_EQ(ErrorOf([&] { DecodeU32(MakePcoFile({chunk}), 2); }).kind(), ErrorKind::kCorrupt);
  };
  refuse(kU32, {{1, 4}, {0, 32}, {0, 4}});           // multiples of 0
  refuse(kF32, {{1, 4}, {7, 32}, {0, 4}});           // a mode of integers
  refuse(kU32, {{2, 4}, {0xBF000000, 32}, {0, 4}});  // modes of floats
  refuse(kU32, {{3, 4}, {8, 8}, {0, 4}});
  for (const std::uint64_t base : {0x80000000u, 0x7FFFFFFFu, 0xFF800000u, 0x007FFFFFu, 0xFFFFFFFFu}) {
    refuse(kF32, {{2, 4}, {base, 32}, {0, 4}});  // zeros, infinities, and what is no number
  }
  refuse(kF32, {{3, 4}, {0, 8}, {0, 4}});
  refuse(kF32, {{3, 4}, {24, 8}, {0, 4}});
  refuse(kU32, {{4, 4}, {1 << 24, 25}});                    // a dictionary beyond the end
  refuse(kU32, {{0, 4}, {1, 4}, {0, 3}, {0, 1}});           // an order of 0
  refuse(kU32, {{0, 4}, {2, 4}, {24, 5}, {0, 4}, {0, 1}});  // a window of 2^25
  refuse(kU32, {{0, 4}, {2, 4}, {0, 5}, {2, 4}, {0, 1}});   // a state beyond the window
}

TEST(PcodecCodec, RefusesWrongBins) {
  const auto refuse = [](unsigned size_log, std::vector<PcoBin> bins, std::string_view part) {
    const PcoVariable variable{32, size_log, std::move(bins)};
    BitWriter out;
    for (const std::uint64_t byte : {0x70, 0x63, 0x6F, 0x21, 0, 1, 0, 0, 0}) out.Write(byte, 8);
    out.Write(0, 4 + 3);
    WriteBins(variable, &out);
    for (int i = 0; i < 10; ++i) out.Write(0, 32);
    ExpectError([&] { DecodeU32(out.bytes(), 1); }, ErrorKind::kCorrupt, "", part);
  };
  refuse(15, {{1, 0, 0}}, "a table of a wrong size");
  refuse(1, {{1, 0, 0}}, "weights");
  refuse(1, {{1, 0, 0}, {2, 0, 0}}, "weights");
  refuse(0, {{1, 0, 33}}, "too many bits");
  refuse(0, {}, "a page without bins");
  refuse(3, {}, "weights");
}

TEST(PcodecCodec, IgnoresZerosBehindTheEnd) {
  Bytes file = MakePcoFile({Numbers({1})});
  file.resize(file.size() + 3, std::byte{0});
  EXPECT_EQ(DecodeU32(file, 1), (std::vector<std::uint32_t>{1}));
  file.back() = std::byte{1};
  ExpectError([&] { DecodeU32(file, 1); }, ErrorKind::kCorrupt, "", "behind the end");
}

/// Files with every mode and every delta encoding.
std::vector<std::pair<Bytes, std::uint64_t>> Samples() {
  auto lookbacks = Lookbacks({1, 2, 1, 4}, Differences({1, -2, 5, 0}), 100);
  return {{MakePcoFile({{kU32, 300, {{0, 4}, {0, 4}}, {FourBins(300)}}}), 300},
          {MakePcoFile({lookbacks}), 5},
          {MakePcoFile({Convolution(5, Differences({1, -8, 3}))}), 5},
          {MakePcoFile({Summed(5, {{1, 4}, {2, 3}, {0, 1}}, Differences({0, 10, 0}), {1, 2})}), 5},
          {MakePcoFile({Joined(kU32, 32, {{1, 4}, {1000, 32}}, {0, 7}, {3, 999})}), 2},
          {MakePcoFile({Joined(kF32, 32, {{2, 4}, {0xBF000000, 32}}, {kMiddle32 + 3}, {kMiddle32})}), 1},
          {MakePcoFile({Joined(kF32, 32, {{3, 4}, {8, 8}}, {0xBFC000, 0x403FFF}, {1, 0})}), 2},
          {MakePcoFile({{kU32, 2, {{4, 4}, {2, 25}, {0, 0}, {7, 32}, {8, 32}, {0, 4}}, {MakeRawVariable(32, {1, 0})}}}),
           2}};
}

TEST(PcodecCodec, NoticesTruncation) {
  for (const auto& [file, count] : Samples()) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      EXPECT_EQ(ErrorOf([start = ByteSpan(file).first(size), n = count] { DecodeU32(start, n); }).kind(),
                ErrorKind::kCorrupt)
          << size;
    }
  }
}

TEST(PcodecCodec, SurvivesCorruption) {
  for (const auto& [file, count] : Samples()) {
    for (std::size_t i = 0; i < file.size(); ++i) {
      for (unsigned change = 1; change < 256; ++change) {
        Bytes damaged = file;
        damaged[i] ^= static_cast<std::byte>(change);
        try {
          DecodeU32(damaged, count);
        } catch (const Error& error) {
          EXPECT_TRUE(error.kind() == ErrorKind::kCorrupt || error.kind() == ErrorKind::kUnsupported) << error.what();
        }
      }
    }
  }
}

TEST(PcodecCodec, IsForReadingOnly) {
  const auto codec = ResolveArrayCodec("numcodecs.pcodec", R"({"id": "pcodec", "level": 8})", Spec({2}, "uint32"));
  ExpectError(
      [&] {
        EncodeChunk(*codec, BytesOf<std::uint32_t>({1, 2}));
      },
      ErrorKind::kUnsupported, "", "cannot be encoded");
  EXPECT_EQ(codec->encoded_size(), std::nullopt);
  EXPECT_GT(codec->max_encoded_size(), 8u);
}

}  // namespace
}  // namespace zarr
