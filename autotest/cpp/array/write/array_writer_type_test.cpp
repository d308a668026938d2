// SPDX-License-Identifier: MIT
#include <cstring>

#include "autotest/cpp/support/array_writer_test_util.h"

namespace zarr {
namespace {

using namespace test;

// --- elements of fixed size -------------------------------------------------------------------------------------

struct Sample {
  std::string type;
  std::string fill;
};

std::string MetadataOf(const Sample& sample, std::string_view codecs) {
  std::string metadata = Metadata({7, 9}, "[6, 4]", codecs, sample.fill);
  metadata.replace(metadata.find("\"int32\""), 7, sample.type);
  return metadata;
}

/// Writes random bytes as elements, in random selections, to an array and to memory.
void CheckAgainstMemory(const std::shared_ptr<const Array>& shared, std::mt19937* random, unsigned mask) {
  const Array& array = *shared;
  const std::size_t size = array.data_type().size;
  const Shape shape = array.shape();
  const Strides strides = GetContiguousStrides(shape, size);
  Bytes model(static_cast<std::size_t>(ComputeProduct(shape)) * size);
  StridedFill(array.metadata().fill_value.bytes, shape, size, {model.data(), strides, nullptr});
  const auto writer = ArrayWriter::Make(shared);
  for (int round = 0; round < 30; ++round) {
    const Selection selection = RandomSelection(shape, random);
    Bytes values(CountOf(selection) * size);
    for (std::byte& b : values) b = static_cast<std::byte>((*random)() & mask);
    const Strides packed = GetContiguousStrides(selection.count, size);
    ASSERT_TRUE(writer->Write(selection, {values.data(), packed, nullptr}));
    Destination destination{model.data(), strides, nullptr};
    for (std::size_t i = 0; i < shape.size(); ++i) {
      destination.data += static_cast<std::ptrdiff_t>(selection.start[i]) * strides[i];
      destination.strides[i] *= static_cast<std::ptrdiff_t>(selection.step[i]);
    }
    StridedCopy(values.data(), packed, selection.count, size, destination);
  }
  ASSERT_TRUE(writer->Flush());
  Bytes read(model.size());
  ASSERT_TRUE(array.Read(WholeOf(array), {read.data(), strides, nullptr}));
  EXPECT_EQ(read, model) << array.data_type().name;
}

TEST(ArrayWriterTypes, OfFixedSizeAreWrittenBitForBit) {
  const Sample samples[] = {
      {"\"uint8\"", "255"},         {"\"bool\"", "true"},
      {"\"int16\"", "-32768"},      {"\"float32\"", "\"NaN\""},
      {"\"float64\"", "-0.0"},      {"\"complex64\"", "[1.5, \"NaN\"]"},
      {"\"complex128\"", "[0, 0]"}, {"\"uint64\"", "18446744073709551615"},
      {"\"r24\"", "[1, 2, 3]"},
  };
  std::mt19937 random(3);
  for (const Sample& sample : samples) {
    for (const std::string& codecs :
         {std::string(kPlain), std::string(kCompressed), "[" + Sharding("[3, 2]", kCompressed) + "]"}) {
      const auto store = std::make_shared<CountingStore>();
      const auto array = MakeArray(store, MetadataOf(sample, codecs));
      CheckAgainstMemory(array, &random, sample.type == "\"bool\"" ? 1 : 255);
    }
  }
}

/// Converts float64 to int32.
class Rounding final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      double value = 0;
      std::memcpy(&value, source, sizeof(value));
      const auto rounded = static_cast<std::int32_t>(value + 0.5);
      std::memcpy(destination, &rounded, sizeof(rounded));
    }
  }
};

TEST(ArrayWriterTypes, AreConverted) {
  for (const std::string& codecs : {std::string(kCompressed), "[" + Sharding("[3, 2]", kCompressed) + "]"}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({7, 9}, "[6, 4]", codecs));
    std::vector<double> values(63);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) - 0.25;
    const Rounding rounding;
    const auto writer = ArrayWriter::Make(array);
    const auto* data = reinterpret_cast<const std::byte*>(values.data());
    ASSERT_TRUE(writer->Write(Selection::FromBox({{0, 0}, {4, 9}}), {data, {72, 8}, &rounding}));
    ASSERT_TRUE(writer->Write(Selection::FromBox({{4, 0}, {3, 9}}), {data + 36 * 8, {72, 8}, &rounding}));
    ASSERT_TRUE(writer->Flush());
    const auto read = Read(*array, WholeOf(*array));
    for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], static_cast<std::int32_t>(i));
  }
}

// --- elements of variable length --------------------------------------------------------------------------------

class FromStrings final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      const std::string_view text = *reinterpret_cast<const std::string*>(source);
      std::memcpy(destination, &text, sizeof(text));
    }
  }
};

TEST(ArrayWriterTypes, OfVariableLength) {
  const std::string transpose = R"({"name": "transpose", "configuration": {"order": [1, 0]}})";
  const std::string text = R"(["vlen-utf8", {"name": "gzip", "configuration": {"level": 1}}])";
  const std::string fill = "a fill value that is not short";
  std::mt19937 random(9);
  for (const std::string& codecs :
       {text, "[" + transpose + R"(, "vlen-utf8"])", "[" + Sharding("[3, 2]", text) + "]"}) {
    for (const std::size_t limit : {std::size_t{500}, std::size_t{1} << 20}) {
      const auto store = std::make_shared<CountingStore>();
      const auto array = MakeArray(store, MetadataOf({"\"string\"", "\"" + fill + "\""}, codecs));
      WriterOptions options;
      options.buffer_limit = limit;
      const auto writer = ArrayWriter::Make(array, options);
      const FromStrings from;
      std::vector<std::string> model(63, fill);
      for (int round = 0; round < 40; ++round) {
        const Selection selection = RandomSelection(array->shape(), &random);
        std::vector<std::string> values;
        for (std::size_t i = 0; i < CountOf(selection); ++i) {
          values.push_back(random() % 5 == 0 ? fill
                                             : std::string(random() % 40, static_cast<char>('a' + random() % 26)));
        }
        std::size_t next = 0;
        Shape position(2, 0);
        do {
          model[static_cast<std::size_t>((selection.start[0] + position[0] * selection.step[0]) * 9 +
                                         selection.start[1] + position[1] * selection.step[1])] = values[next++];
        } while (AdvanceIndex(selection.count, &position));
        const ElementSource source{reinterpret_cast<const std::byte*>(values.data()),
                                   GetContiguousStrides(selection.count, sizeof(std::string)), &from};
        ASSERT_TRUE(writer->Write(selection, source));
      }
      ASSERT_TRUE(writer->Flush());
      const TextConverter to;
      std::vector<std::string> read(63);
      ASSERT_TRUE(array->Read(WholeOf(*array), {reinterpret_cast<std::byte*>(read.data()),
                                                GetContiguousStrides(array->shape(), sizeof(std::string)), &to}));
      EXPECT_EQ(read, model) << codecs;
    }
  }
}

}  // namespace
}  // namespace zarr
