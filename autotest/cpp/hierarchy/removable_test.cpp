// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/removal/removable.h"

#include <gtest/gtest.h>

#include <string>

#include "autotest/cpp/support/store_texts.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using test::kGroup;

void Put(MemoryStore& store, const std::string& key, std::string_view text) {
  store.Set(key, AsBytes(text));
}

/// The error of ReadRemovable; "" if it throws none.
std::string WhyNot(const Store& store, std::string_view path = "") {
  try {
    ReadRemovable(store, path, "removed");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Removable, IsAStoreWithDocumentsOfItsOwn) {
  MemoryStore store;
  Put(store, "zarr.json", kGroup);
  Put(store, "g/zarr.json", kGroup);
  EXPECT_EQ(WhyNot(store), "");
  EXPECT_EQ(WhyNot(store, "g"), "");
  Put(store, "broken/zarr.json", "{}");
  EXPECT_EQ(WhyNot(store, "g"), "");
  for (const std::string_view path : {"", "broken"}) {
    EXPECT_NE(WhyNot(store, path).find("broken/zarr.json"), std::string::npos);
  }
}

TEST(Removable, IsNoFolderOfStores) {
  MemoryStore store;
  for (const std::string name : {"c.zarr", "a.zarr", "deep/b.zarr"}) Put(store, name + "/zarr.json", kGroup);
  Put(store, "notes.txt", "mine");
  Put(store, "a.zarr/inner/zarr.json", kGroup);
  EXPECT_NE(WhyNot(store).find("it holds 3 stores: a.zarr, c.zarr, deep/b.zarr; a store is removed by its own name"),
            std::string::npos)
      << WhyNot(store);
  Put(store, "d.zarr/meta", R"({"zarr_format": 1, "shape": [1], "chunks": [1]})");
  EXPECT_NE(WhyNot(store).find("it holds 4 stores: a.zarr, c.zarr, d.zarr, ...;"), std::string::npos) << WhyNot(store);
}

TEST(Removable, IsNoOtherFolder) {
  MemoryStore store;
  EXPECT_NE(WhyNot(store).find("nothing is removed"), std::string::npos);
  Put(store, "notes/meta", "mine");
  EXPECT_NE(WhyNot(store).find("expected a Zarr array or group"), std::string::npos);
}

TEST(Foreign, IsWhatNoMetadataName) {
  MemoryStore store;
  Put(store, "zarr.json", kGroup);
  Put(store, "g/zarr.json", kGroup);
  const auto find = [&] { return FindForeign(store, ReadRemovable(store, "", "removed"), {}); };
  EXPECT_EQ(find(), std::nullopt);
  Put(store, "g/" + MakeTemporaryName(), "half");
  EXPECT_EQ(find(), std::nullopt);
  Put(store, "g/notes.txt", "mine");
  EXPECT_EQ(find(), "g/notes.txt");
}

}  // namespace
}  // namespace zarr
