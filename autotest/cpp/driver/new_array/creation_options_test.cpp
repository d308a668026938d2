// SPDX-License-Identifier: MIT
#include "driver/new_array/creation_options.h"

#include <cpl_minixml.h>
#include <gtest/gtest.h>

#include <set>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

CreationOptions Options(std::initializer_list<const char*> items) {
  CPLStringList list;
  for (const char* item : items) list.AddString(item);
  return CreationOptions(list.List());
}

/// The message that an option is refused with; "" if it is taken.
std::string Refusal(const char* item) {
  try {
    Options({item});
  } catch (const zarr::Error& error) {
    EXPECT_EQ(error.kind(), zarr::ErrorKind::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(CreationOptions, HaveDefaults) {
  const CreationOptions options;
  EXPECT_FALSE(options.Has("ZSTD_LEVEL"));
  EXPECT_EQ(options.GetInteger("ZSTD_LEVEL"), 10);
  EXPECT_EQ(options.GetInteger("BLOSC_CLEVEL"), 5);
  EXPECT_EQ(options.GetText("COMPRESS"), "");
  EXPECT_EQ(options.GetText("CHUNK_MEMORY_LAYOUT"), "C");
  EXPECT_TRUE(options.GetBoolean("CREATE_CONSOLIDATED_METADATA"));
  EXPECT_TRUE(options.GetBoolean("SINGLE_ARRAY"));
  EXPECT_FALSE(options.GetBoolean("APPEND_SUBDATASET"));
  EXPECT_FALSE(options.GetBoolean("STORE_EMPTY_CHUNKS"));
  EXPECT_EQ(options.GetSizes("BLOCKSIZE"), std::nullopt);
}

TEST(CreationOptions, AreReadInAnyCase) {
  const CreationOptions options = Options({"compress=zstd", "Zstd_Level=3", "sync=on", "ARRAY_NAME=My array"});
  EXPECT_TRUE(options.Has("COMPRESS"));
  EXPECT_EQ(options.GetText("COMPRESS"), "ZSTD");
  EXPECT_EQ(options.GetInteger("ZSTD_LEVEL"), 3);
  EXPECT_TRUE(options.GetBoolean("SYNC"));
  EXPECT_EQ(options.GetText("ARRAY_NAME"), "My array");
  EXPECT_EQ(Options({"BLOSC_CNAME=LZ4HC"}).GetText("BLOSC_CNAME"), "lz4hc") << "as the codec spells it";
}

TEST(CreationOptions, HaveOldNames) {
  const CreationOptions options = Options({"CREATE_ZMETADATA=NO"});
  EXPECT_TRUE(options.Has("CREATE_CONSOLIDATED_METADATA"));
  EXPECT_FALSE(options.GetBoolean("CREATE_CONSOLIDATED_METADATA"));
}

TEST(CreationOptions, TakeTheLastOfSeveralValues) {
  EXPECT_EQ(Options({"ZSTD_LEVEL=3", "zstd_level=4"}).GetInteger("ZSTD_LEVEL"), 4);
  EXPECT_EQ(Options({"ARRAY_NAME=a=b"}).GetText("ARRAY_NAME"), "a=b");
}

TEST(CreationOptions, LeaveWhatIsNotKnownToGdal) {
  EXPECT_NO_THROW(Options({"NO_SUCH_OPTION=1", "COMPRESS", "=NONE", "="}));
}

TEST(CreationOptions, HaveRanges) {
  const std::tuple<const char*, int, int> ranges[] = {{"BLOSC_CLEVEL", 0, 9},
                                                      {"BLOSC_BLOCKSIZE", 0, 1 << 30},
                                                      {"ZLIB_LEVEL", 1, 9},
                                                      {"GZIP_LEVEL", 1, 9},
                                                      {"BZ2_LEVEL", 1, 9},
                                                      {"LZMA_PRESET", 0, 9},
                                                      {"LZMA_DELTA", 1, 256},
                                                      {"ZSTD_LEVEL", 0, 22},
                                                      {"LZ4_ACCELERATION", 1, 65537},
                                                      {"BITROUND_KEEPBITS", 0, 52}};
  for (const auto& [name, low, high] : ranges) {
    const auto item = [option = std::string(name) + "="](const std::string& value) { return option + value; };
    EXPECT_EQ(Options({item(std::to_string(low)).c_str()}).GetInteger(name), low);
    EXPECT_EQ(Options({item(std::to_string(high)).c_str()}).GetInteger(name), high);
    for (const std::string& wrong :
         {std::to_string(low - 1), std::to_string(high + 1), std::string("x"), std::string("1.5"), std::string(),
          std::string("3 "), std::string("99999999999999999999")}) {
      const std::string refusal = Refusal(item(wrong).c_str());
      const std::string range = std::to_string(low) + " to " + std::to_string(high);
      EXPECT_NE(refusal.find("creation option " + std::string(name)), std::string::npos) << wrong << ": " << refusal;
      EXPECT_NE(refusal.find(range), std::string::npos) << wrong << ": " << refusal;
    }
  }
}

TEST(CreationOptions, TakeTheNumbersOfShuffling) {
  for (const auto& [number, name] : {std::pair("0", "NONE"), {"1", "BYTE"}, {"2", "BIT"}}) {
    const CPLStringList list(CSLSetNameValue(nullptr, "BLOSC_SHUFFLE", number));
    EXPECT_EQ(CreationOptions(list.List()).GetText("BLOSC_SHUFFLE"), name);
  }
}

TEST(CreationOptions, RefuseValuesThatAreNotInTheirLists) {
  for (const char* item : {"FORMAT=ZARR_V4", "COMPRESS=RAR", "COMPRESS=", "PREDICTOR=4", "FILTER=MEDIAN",
                           "CHUNK_MEMORY_LAYOUT=A", "INTERLEAVE=LINE", "BLOSC_SHUFFLE=3", "STRING_FORMAT=UTF8"}) {
    EXPECT_NE(Refusal(item).find("one of "), std::string::npos) << item;
  }
  EXPECT_NE(Refusal("INTERLEAVE=LINE").find("one of BAND, PIXEL, got LINE"), std::string::npos);
  for (const char* item : {"SYNC=2", "SYNC=", "ZSTD_CHECKSUM=maybe", "SINGLE_ARRAY=Y"}) {
    EXPECT_NE(Refusal(item).find("YES or NO"), std::string::npos) << item;
  }
}

TEST(CreationOptions, ReadListsOfSizes) {
  using Sizes = std::vector<std::uint64_t>;
  EXPECT_EQ(Options({"BLOCKSIZE=7"}).GetSizes("BLOCKSIZE"), (Sizes{7}));
  EXPECT_EQ(Options({"BLOCKSIZE=1, 512,9223372036854775807"}).GetSizes("BLOCKSIZE"), (Sizes{1, 512, INT64_MAX}));
  for (const char* item : {"BLOCKSIZE=0", "BLOCKSIZE=1,-2", "BLOCKSIZE=1,,2", "BLOCKSIZE=1,", "BLOCKSIZE=a",
                           "BLOCKSIZE=1.5", "BLOCKSIZE=1 2", "BLOCKSIZE=9223372036854775808"}) {
    EXPECT_THROW(Options({item}).GetSizes("BLOCKSIZE"), zarr::Error) << item;
  }
}

TEST(CreationOptions, NameTheFormat) {
  const bool is_v3 = GetDefaultFormat() == std::string_view("ZARR_V3");
  EXPECT_EQ(CreationOptions().format(), is_v3 ? zarr::ZarrFormat::kV3 : zarr::ZarrFormat::kV2);
  EXPECT_EQ(Options({"FORMAT=ZARR_V1"}).format(), zarr::ZarrFormat::kV1);
  EXPECT_EQ(Options({"FORMAT=zarr_v3"}).format(), zarr::ZarrFormat::kV3);
  CPLSetThreadLocalConfigOption("ZARR_DEFAULT_FORMAT", "zarr_v3");
  EXPECT_EQ(CreationOptions().format(), zarr::ZarrFormat::kV3);
  EXPECT_EQ(Options({"FORMAT=ZARR_V2"}).format(), zarr::ZarrFormat::kV2);
  CPLSetThreadLocalConfigOption("ZARR_DEFAULT_FORMAT", "ZARR_V9");
  EXPECT_THROW(CreationOptions().format(), zarr::Error);
  CPLSetThreadLocalConfigOption("ZARR_DEFAULT_FORMAT", nullptr);
}

TEST(CreationOptions, HaveTheDefaultFormatOfGdal) {
  EXPECT_STREQ(GetDefaultFormat(GDAL_COMPUTE_VERSION(3, 6, 0)), "ZARR_V2");
  EXPECT_STREQ(GetDefaultFormat(GDAL_COMPUTE_VERSION(3, 13, 9)), "ZARR_V2");
  EXPECT_STREQ(GetDefaultFormat(GDAL_COMPUTE_VERSION(3, 14, 0)), "ZARR_V3");
}

/// The names of the options in a list, which must be well-formed, and have values that the options take.
std::set<std::string> NamesIn(const std::string& xml, const char* element) {
  const CPLXMLTreeCloser tree(CPLParseXMLString(xml.c_str()));
  std::set<std::string> names;
  if (!tree.get() || std::string_view(tree.get()->pszValue) != element) {
    ADD_FAILURE() << xml;
    return names;
  }
  for (const CPLXMLNode* option = tree.get()->psChild; option; option = option->psNext) {
    const std::string name = CPLGetXMLValue(option, "name", "");
    EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
    EXPECT_STRNE(CPLGetXMLValue(option, "description", ""), "") << name;
    if (const char* value = CPLGetXMLValue(option, "default", nullptr)) {
      EXPECT_EQ(Refusal((name + "=" + value).c_str()), "") << "the default";
    }
    for (const CPLXMLNode* child = option->psChild; child; child = child->psNext) {
      if (child->eType != CXT_Element) continue;
      EXPECT_EQ(Refusal((name + "=" + CPLGetXMLValue(child, nullptr, "")).c_str()), "");
    }
  }
  return names;
}

TEST(CreationOptionList, IsWellFormedAndTrue) {
  const auto array = NamesIn(MakeCreationOptionListXml(CreationScope::kArray), "MultiDimArrayCreationOptionList");
  const auto store = NamesIn(MakeCreationOptionListXml(CreationScope::kStore), "MultiDimDatasetCreationOptionList");
  const auto all = NamesIn(MakeCreationOptionListXml(CreationScope::kClassic), "CreationOptionList");
  EXPECT_TRUE(array.contains("COMPRESS"));
  EXPECT_FALSE(array.contains("FORMAT"));
  EXPECT_TRUE(store.contains("FORMAT"));
  EXPECT_FALSE(store.contains("COMPRESS"));
  for (const auto& names : {array, store}) {
    EXPECT_FALSE(names.contains("INTERLEAVE"));
    for (const std::string& name : names) EXPECT_TRUE(all.contains(name)) << name;
  }
  EXPECT_TRUE(all.contains("INTERLEAVE"));
  EXPECT_GT(all.size(), array.size() + store.size());
}

TEST(CreationOptionList, TellsRanges) {
  const std::string xml = MakeCreationOptionListXml(CreationScope::kArray);
  EXPECT_NE(xml.find("<Option name='ZSTD_LEVEL' type='int' default='10' min='0' max='22'"), std::string::npos);
  EXPECT_NE(MakeCreationOptionListXml(CreationScope::kStore).find("alias='CREATE_ZMETADATA'"), std::string::npos);
}

}  // namespace
}  // namespace gdal_zarr
