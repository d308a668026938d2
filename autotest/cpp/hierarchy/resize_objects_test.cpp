// SPDX-License-Identifier: MIT
#include <array>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/resize.h"

/// Arrays of Python objects, whose fill value may be null or a number.
namespace zarr {
namespace {

using namespace test;

std::shared_ptr<CountingStore> StoreOfObjects(const std::string& codec, const std::string& fill) {
  return StoreOf({{".zgroup", kV2Group},
                  {"a/.zarray", R"({"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "|O", "compressor": null,)"
                                R"("order": "C", "filters": [{"id": ")" +
                                    codec + R"("}], "fill_value": )" + fill + "}"}});
}

/// Returns the chunk after its first `count` elements were written.
std::string WriteFirst(const std::shared_ptr<CountingStore>& store, std::size_t count) {
  const auto array = EditableHierarchy::Open(store)->OpenArray("a");
  const std::array<std::string_view, 4> texts = {"p", "q", "r", "s"};
  const auto writer = ArrayWriter::Make(array);
  writer->Write(Selection::FromBox({{0}, {count}}),
                {reinterpret_cast<const std::byte*>(texts.data()), Strides{sizeof(std::string_view)}, nullptr});
  writer->Flush();
  return store->GetText("a/0").value_or("");
}

std::string Shrink(const std::shared_ptr<CountingStore>& store, std::uint64_t length) {
  const auto hierarchy = EditableHierarchy::Open(store);
  ResizeArray(*hierarchy, hierarchy->OpenArray("a"), {length});
  return store->GetText("a/0").value_or("");
}

TEST(ResizeOfObjects, WhatIsNotWrittenIsTheFillValue) {
  const std::pair<const char*, const char*> fills[] = {{"null", "null"}, {"0", "0"},         {"1.5", "1.5"},
                                                       {"-3", "-3"},     {"\"0\"", "\"0\""}, {"\"\"", "\"\""}};
  for (const auto& [fill, stored] : fills) {
    const auto store = StoreOfObjects("json2", fill);
    const std::string value = stored;
    EXPECT_EQ(WriteFirst(store, 2), R"(["p","q",)" + value + "," + value + R"(,"|O",[4]])");
    EXPECT_EQ(Shrink(store, 1), R"(["p",)" + value + "," + value + "," + value + R"(,"|O",[4]])");
  }
}

TEST(ResizeOfObjects, MessagePackHasNullAndNumbersToo) {
  const std::pair<const char*, std::string_view> fills[] = {{"null", "\xC0"},
                                                            {"-3", "\xD3\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFD"},
                                                            {"1.5", {"\xCB\x3F\xF8\0\0\0\0\0\0", 9}},
                                                            {"\"0\"",
                                                             "\xA1"
                                                             "0"}};
  for (const auto& [fill, stored] : fills) {
    const auto store = StoreOfObjects("msgpack2", fill);
    const std::string value(stored);
    EXPECT_TRUE(WriteFirst(store, 3).starts_with("\x96\xA1p\xA1q\xA1r" + value + "\xA2|O")) << fill;
    EXPECT_TRUE(Shrink(store, 2).starts_with("\x96\xA1p\xA1q" + value + value + "\xA2|O")) << fill;
  }
}

TEST(ResizeOfObjects, NumbersBeyond64BitsStayText) {
  for (const std::string number : {"9223372036854775808", "12345678901234567890"}) {
    const auto store = StoreOfObjects("json2", number);
    EXPECT_EQ(WriteFirst(store, 3), R"(["p","q","r",")" + number + R"(","|O",[4]])");
    EXPECT_EQ(WriteFirst(store, 2), R"(["p","q","r",")" + number + R"(","|O",[4]])");
    EXPECT_NE(WriteFirst(StoreOfObjects("msgpack2", number), 3).find(number), std::string::npos);
  }
}

TEST(ResizeOfObjects, TextStaysTextInOtherCodecs) {
  const auto store = StoreOfObjects("vlen-utf8", "0");
  EXPECT_EQ(WriteFirst(store, 3), std::string("\4\0\0\0\1\0\0\0p\1\0\0\0q\1\0\0\0r\1\0\0\0"
                                              "0",
                                              24));
}

TEST(ResizeOfObjects, ANumberThatWouldBeRoundedKeepsTheShape) {
  const auto store = StoreOfObjects("json2", "null");
  const std::string chunk = R"([12345678901234567890,1,2,3,"|O",[4]])";
  store->SetText("a/0", chunk);
  EXPECT_THROW(Shrink(store, 2), Error);
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(hierarchy->OpenArray("a")->shape(), Shape{4});
  EXPECT_THROW(static_cast<void>(ResizeArrays(*hierarchy, {{hierarchy->OpenArray("a"), {2}}}, {})), Error);
  EXPECT_EQ(EditableHierarchy::Open(store)->OpenArray("a")->shape(), Shape{4});
  EXPECT_EQ(store->GetText("a/0"), chunk);
}

}  // namespace
}  // namespace zarr
