// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/stored_document.h"

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/store_texts.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
namespace {

using namespace test;

/// Cuts a document, and puts the whole one back when the store was told so `times` times.
std::shared_ptr<CountingStore> MakeCut(const std::string& key, std::string_view text, int times) {
  auto store = std::make_shared<CountingStore>();
  store->SetText(key, text.substr(0, text.size() / 2));
  store->OnBroken([=, store = store.get(), text = std::string(text)](const std::string& broken, int number) {
    EXPECT_EQ(broken, key);
    if (number == times) store->SetText(key, text);
    return number <= times;
  });
  return store;
}

TEST(StoredDocument, ThatWasCutIsGotAgainAsTheStoreWants) {
  const auto store = MakeCut("a/zarr.json", kGroup, 2);
  const auto document = ReadDocument(*store, "a/zarr.json", 1000);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->content.At("node_type").AsString(), "group");
  EXPECT_EQ(document->size, kGroup.size());
  EXPECT_FALSE(ReadDocument(*store, "b/zarr.json", 1000));
}

TEST(StoredDocument, ThatStaysCutIsAnErrorThatTellsItsOrigin) {
  const auto store = MakeCut("a/zarr.json", kGroup, 0);
  ExpectError([&] { ReadDocument(*store, "a/zarr.json", 1000); }, ErrorKind::kCorrupt, "", "(from the store)");
}

TEST(StoredDocument, IsTheOneOfARootToo) {
  const std::pair<std::string, std::string_view> roots[] = {
      {"zarr.json", kGroup},
      {".zmetadata", R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}}})"},
      {".zgroup", R"({"zarr_format": 2})"},
      {"meta", R"({"zarr_format": 1, "chunks": [1], "shape": [1], "dtype": "<i4", "fill_value": 0, "order": "C",)"
               R"( "compression": null, "compression_opts": null})"}};
  for (const auto& [key, text] : roots) {
    const auto store = MakeCut(key, text, 1);
    EXPECT_NO_THROW(EditableHierarchy::Open(store, {})) << key;
  }
}

}  // namespace
}  // namespace zarr
