// SPDX-License-Identifier: MIT
#include "driver/dataset/open_options.h"

#include <cpl_minixml.h>
#include <gtest/gtest.h>

#include <cmath>

#include "zarrlib/base/error.h"
#include "zarrlib/metadata/chunk_key_encoding.h"

namespace gdal_zarr {
namespace {

OpenOptions Parse(std::initializer_list<const char*> items) {
  CPLStringList list;
  for (const char* item : items) list.AddString(item);
  return ParseOpenOptions(list.List());
}

/// The message that an option is refused with; "" if it is taken.
std::string Refusal(const std::string& item) {
  try {
    Parse({item.c_str()});
  } catch (const zarr::Error& error) {
    EXPECT_EQ(error.kind(), zarr::ErrorKind::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(OpenOptions, HaveDefaults) {
  const OpenOptions options = ParseOpenOptions(nullptr);
  EXPECT_TRUE(options.use_consolidated_metadata);
  EXPECT_FALSE(options.cache_tile_presence);
  EXPECT_FALSE(options.list_all_arrays);
  EXPECT_TRUE(options.multiband);
  EXPECT_FALSE(options.alike_arrays_as_bands);
  EXPECT_EQ(options.dim_x, "");
  EXPECT_EQ(options.dim_y, "");
  EXPECT_EQ(options.select, "");
  EXPECT_EQ(options.load_extra_dim_metadata_delay, 5);
  EXPECT_FALSE(options.v1_order_literal);
  EXPECT_EQ(options.fill_value_use, FillValueUse::kAuto);
}

TEST(OpenOptions, SetTheirOwnMember) {
  EXPECT_FALSE(Parse({"USE_CONSOLIDATED_METADATA=NO"}).use_consolidated_metadata);
  EXPECT_FALSE(Parse({"use_zmetadata=off"}).use_consolidated_metadata);
  EXPECT_TRUE(Parse({"CACHE_TILE_PRESENCE=1"}).cache_tile_presence);
  EXPECT_TRUE(Parse({"LIST_ALL_ARRAYS=YES"}).list_all_arrays);
  EXPECT_TRUE(Parse({"ALIKE_ARRAYS_AS_BANDS=true"}).alike_arrays_as_bands);
  EXPECT_FALSE(Parse({"MULTIBAND=NO"}).multiband);
  EXPECT_EQ(Parse({"DIM_X=lon=x"}).dim_x, "lon=x");
  EXPECT_EQ(Parse({"DIM_Y=1"}).dim_y, "1");
  EXPECT_EQ(Parse({"SELECT=time=2024-07-01", "SELECT=level==850"}).select, "time=2024-07-01,level==850");
  EXPECT_TRUE(Parse({"V1_ORDER=as_declared"}).v1_order_literal);
  EXPECT_FALSE(Parse({"V1_ORDER=AS_DECLARED", "V1_ORDER=AS_WRITTEN"}).v1_order_literal);
  EXPECT_EQ(Parse({"FILL_VALUE_AS_NODATA=YES"}).fill_value_use, FillValueUse::kYes);
  EXPECT_EQ(Parse({"FILL_VALUE_AS_NODATA=no"}).fill_value_use, FillValueUse::kNo);
  EXPECT_EQ(Parse({"FILL_VALUE_AS_NODATA=NO", "FILL_VALUE_AS_NODATA=Auto"}).fill_value_use, FillValueUse::kAuto);
}

TEST(OpenOptions, LeaveTheOthersAsTheyAre) {
  const OpenOptions options = Parse({"LIST_ALL_ARRAYS=YES"});
  EXPECT_TRUE(options.use_consolidated_metadata);
  EXPECT_FALSE(options.cache_tile_presence);
  EXPECT_TRUE(options.multiband);
}

TEST(OpenOptions, ReadADelay) {
  EXPECT_EQ(Parse({"LOAD_EXTRA_DIM_METADATA_DELAY=0.5"}).load_extra_dim_metadata_delay, 0.5);
  EXPECT_EQ(Parse({"LOAD_EXTRA_DIM_METADATA_DELAY=0"}).load_extra_dim_metadata_delay, 0);
  EXPECT_TRUE(std::isinf(Parse({"LOAD_EXTRA_DIM_METADATA_DELAY=Unlimited"}).load_extra_dim_metadata_delay));
  for (const char* value : {"-1", "nan", "", "5s", "soon"}) {
    const std::string refusal = Refusal(std::string("LOAD_EXTRA_DIM_METADATA_DELAY=") + value);
    EXPECT_NE(refusal.find("a number of seconds, or unlimited"), std::string::npos) << value;
  }
}

TEST(OpenOptions, TakeADelayFromTheConfiguration) {
  CPLSetThreadLocalConfigOption("GDAL_LOAD_EXTRA_DIM_METADATA_DELAY", "7");
  EXPECT_EQ(Parse({}).load_extra_dim_metadata_delay, 7);
  EXPECT_EQ(Parse({"LOAD_EXTRA_DIM_METADATA_DELAY=3"}).load_extra_dim_metadata_delay, 3);
  CPLSetThreadLocalConfigOption("GDAL_LOAD_EXTRA_DIM_METADATA_DELAY", "wrong");
  EXPECT_THROW(Parse({}), zarr::Error);
  CPLSetThreadLocalConfigOption("GDAL_LOAD_EXTRA_DIM_METADATA_DELAY", nullptr);
}

TEST(OpenOptions, RefuseWrongValues) {
  for (const char* name : {"USE_CONSOLIDATED_METADATA", "CACHE_TILE_PRESENCE", "CACHE_KERCHUNK_JSON", "LIST_ALL_ARRAYS",
                           "ALIKE_ARRAYS_AS_BANDS", "MULTIBAND"}) {
    for (const char* value : {"", "2", "maybe", "YES "}) {
      const std::string refusal = Refusal(std::string(name) + "=" + value);
      EXPECT_NE(refusal.find(std::string("open option ") + name + ": expected YES or NO"), std::string::npos)
          << refusal;
    }
  }
  EXPECT_NE(Refusal("V1_ORDER=F").find("AS_WRITTEN or AS_DECLARED, got F"), std::string::npos);
  EXPECT_NE(Refusal("FILL_VALUE_AS_NODATA=x").find("AUTO or YES or NO"), std::string::npos);
  EXPECT_NE(Refusal("USE_ZMETADATA=x").find("USE_CONSOLIDATED_METADATA"), std::string::npos);
}

TEST(OpenOptions, LeaveWhatIsNotKnownToGdal) {
  for (const char* item : {"NO_SUCH_OPTION=1", "MULTIBAND", "=x", "="}) EXPECT_EQ(Refusal(item), "") << item;
  EXPECT_FALSE(Parse({"=YES"}).cache_tile_presence);
}

TEST(OpenOptionList, IsWellFormedAndTrue) {
  const CPLXMLTreeCloser tree(CPLParseXMLString(MakeOpenOptionListXml().c_str()));
  ASSERT_TRUE(tree.get());
  EXPECT_STREQ(tree.get()->pszValue, "OpenOptionList");
  int count = 0;
  for (const CPLXMLNode* option = tree.get()->psChild; option; option = option->psNext, ++count) {
    const std::string name = CPLGetXMLValue(option, "name", "");
    const std::string type = CPLGetXMLValue(option, "type", "");
    EXPECT_STRNE(CPLGetXMLValue(option, "description", ""), "") << name;
    if (const char* value = CPLGetXMLValue(option, "default", nullptr)) {
      EXPECT_EQ(Refusal(name + "=" + value), "");
    }
    int values = 0;
    for (const CPLXMLNode* child = option->psChild; child; child = child->psNext) {
      if (child->eType != CXT_Element) continue;
      EXPECT_EQ(Refusal(name + "=" + CPLGetXMLValue(child, nullptr, "")), "");
      ++values;
    }
    EXPECT_EQ(values > 0, type == "string-select") << name;
    if (type != "string" || name.ends_with("DELAY")) {
      EXPECT_NE(Refusal(name + "=no such value"), "") << name;
    }
  }
  EXPECT_GT(count, 5);
}

TEST(OpenOptions, ConsolidatedMetadataAreTakenAsTheyAreOnlyIfTheOptionSaysSo) {
  EXPECT_TRUE(Parse({}).use_consolidated_metadata);
  EXPECT_FALSE(Parse({}).trust_consolidated_metadata);
  EXPECT_TRUE(Parse({"USE_ZMETADATA=YES"}).trust_consolidated_metadata);
  EXPECT_FALSE(Parse({"USE_ZMETADATA=NO"}).trust_consolidated_metadata);
}

TEST(OpenOptions, TheSeparatorIsAFormOfChunkKeys) {
  for (const std::string_view form : zarr::kChunkKeyForms) {
    const std::string option = "DIM_SEPARATOR=" + std::string(form);
    EXPECT_EQ(Parse({option.c_str()}).dim_separator, form);
    EXPECT_NE(MakeOpenOptionListXml().find("<Value>" + std::string(form) + "</Value>"), std::string::npos) << form;
  }
  EXPECT_NE(Refusal("DIM_SEPARATOR=-").find("DIM_SEPARATOR"), std::string::npos);
}

}  // namespace
}  // namespace gdal_zarr
