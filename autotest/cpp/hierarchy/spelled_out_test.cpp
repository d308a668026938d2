// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/spelled_out.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
namespace {

using namespace test;

constexpr const char* kShort =
    R"({"zarr_format":3,"node_type":"array","shape":[4],"data_type":"uint8","chunk_grid":{"name":"regular",)"
    R"("configuration":{"chunk_shape":[4]}},"chunk_key_encoding":"default","fill_value":0,"codecs":["bytes"]})";
constexpr const char* kLong =
    R"({"zarr_format":3,"node_type":"array","shape":[4],"data_type":{"name":"uint8"},"chunk_grid":{"name":"regular",)"
    R"("configuration":{"chunk_shape":[4]}},"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},)"
    R"("fill_value":0,"codecs":[{"name":"bytes","configuration":{}}],"attributes":{},"storage_transformers":[]})";

TEST(SpellOut, FormsOfOneDocumentAreEqual) {
  EXPECT_EQ(SpellOut(Json(kShort)), SpellOut(Json(kLong)));
  EXPECT_EQ(SpellOut(Json(R"({"zarr_format":2,"filters":null,"dimension_separator":"."})")),
            SpellOut(Json(R"({"zarr_format":2})")));
}

TEST(SpellOut, WhatDiffersStaysDifferent) {
  const std::string document = kShort;
  for (const char* encoding : {R"({"name":"default","configuration":{"separator":"."}})", R"("v2")", R"("new")", "7"}) {
    std::string other = document;
    other.replace(other.find(R"("default")"), 9, encoding);
    EXPECT_NE(SpellOut(Json(other)), SpellOut(Json(document))) << encoding;
  }
  EXPECT_NE(SpellOut(Json(R"({"zarr_format":2,"dimension_separator":"/"})")), SpellOut(Json(R"({"zarr_format":2})")));
  EXPECT_EQ(SpellOut(Json(R"({"filters":null})")), Json(R"({"filters":null})"));  // attributes
}

TEST(SpellOut, ConsolidatedMetadataInAnotherFormAreNotOlder) {
  const auto store = std::make_shared<CountingStore>();
  store->SetText("zarr.json", std::string(R"({"zarr_format":3,"node_type":"group","consolidated_metadata":)") +
                                  R"({"kind":"inline","must_understand":false,"metadata":{"a":)" + kLong + "}}}");
  store->SetText("a/zarr.json", kShort);
  std::vector<ArrayWarning> warnings;
  HierarchyOptions options;
  options.compare_consolidated = true;
  options.warn = [&warnings](const ArrayWarning& warning) { warnings.push_back(warning); };
  EXPECT_EQ(Hierarchy::Open(store, options)->OpenArray("a")->shape(), (Shape{4}));
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace zarr
