// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/near_valid.h"

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {
namespace {

using test::Json;

std::string CorrectedV2(std::string_view document, std::size_t warnings) {
  std::vector<std::string> said;
  const std::string text = CorrectArrayV2(Json(document), &said).Dump();
  EXPECT_EQ(said.size(), warnings) << document;
  return text;
}

TEST(NearValid, WhatIsValidStaysTheSameWithoutAWord) {
  const std::string valid =
      R"({"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"<i2","order":"F","fill_value":null,"compressor":null,)"
      R"("dimension_separator":"/","filters":[]})";
  EXPECT_EQ(CorrectedV2(valid, 0), valid);
}

TEST(NearValid, MembersOfV2) {
  EXPECT_EQ(CorrectedV2(R"({"zarr_format": "2", "shape": [4.0, "5"], "chunks": 2, "dtype": "float32", "order": "f",
                      "fill_value": 0, "compressor": null, "dimension_separator": ""})",
                        6),
            R"({"zarr_format":2,"shape":[4,5],"chunks":[2],"dtype":"<f4","order":"F","fill_value":0,"compressor":null,)"
            R"("dimension_separator":"."})");
  for (const char* missing : {"order", "fill_value", "compressor"}) {
    std::string text = R"({"order": "C", "fill_value": 0, "compressor": null})";
    std::vector<std::string> said;
    CorrectArrayV2(Json(text.replace(text.find(missing), 1, "x")), &said);
    ASSERT_EQ(said.size(), 1u) << missing;
    EXPECT_NE(said[0].find(std::string("/") + missing + ": missing; taken as"), std::string::npos) << said[0];
  }
}

TEST(NearValid, WhatHasNoOneMeaningIsLeftToTheParser) {
  const std::string wrong =
      R"({"zarr_format":2.5,"shape":[4.5,"x"],"chunks":{},"dtype":"float","order":"X","fill_value":0,"compressor":"z",)"
      R"("dimension_separator":"-"})";
  EXPECT_EQ(CorrectedV2(wrong, 0), wrong);
}

TEST(NearValid, ChunksOfRegularGridsAlone) {
  std::vector<std::string> said;
  const auto correct = [&](std::string_view name) {
    const std::string document = R"({"zarr_format":3,"shape":[4.0],"chunk_grid":{"name":")" + std::string(name) +
                                 R"(","configuration":{"chunk_shape":[2.0]}}})";
    return CorrectArrayV3(Json(document), &said).At("chunk_grid").At("configuration").At("chunk_shape").Dump();
  };
  EXPECT_EQ(correct("regular"), "[2]");
  EXPECT_EQ(said.size(), 2u);
  EXPECT_EQ(correct("rectilinear"), "[2.0]");
}

TEST(NearValid, WarningsNameBothValues) {
  std::vector<std::string> said;
  const JsonNode document = Json(R"({"fill_value": -1.7976931348623157e308})");
  const DataType type = DataType::FromV3(Json("\"float32\""));
  EXPECT_EQ(CorrectFillValue(document.At("fill_value"), type, &said).Dump(), "-Infinity");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0],
            "/fill_value: expected a number in the range of float32, got -1.7976931348623157e+308; taken as -Infinity");
}

TEST(NearValid, SmallFloatsWithoutInfinityAreLeft) {
  std::vector<std::string> said;
  CorrectFillValue(Json("1e30"), DataType::FromV3(Json("\"float8_e4m3fn\"")), &said);
  EXPECT_TRUE(said.empty());
}

}  // namespace
}  // namespace zarr
