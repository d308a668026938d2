// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/documents_first.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using namespace test;

TEST(DocumentsFirst, ArePutBeforeAValueAndNotBeforeADocument) {
  const auto memory = std::make_shared<MemoryStore>();
  DocumentsFirst store(memory);
  int puts = 0;
  store.SetPut([&] { ++puts; });
  for (const char* key : {"zarr.json", "a/.zarray", "a/.nczarr"}) store.Set(key, {});
  EXPECT_EQ(puts, 0);
  store.Set("a/c/0", {});
  EXPECT_EQ(puts, 1);
}

TEST(DocumentsFirst, AValueIsNotPutIfTheDocumentsFail) {
  const auto memory = std::make_shared<MemoryStore>();
  DocumentsFirst store(memory);
  store.SetPut([] { throw Error(ErrorKind::kIo, "no"); });
  EXPECT_THROW(store.Set("c/0", {}), Error);
  EXPECT_FALSE(memory->Exists("c/0"));
}

TEST(DocumentsFirst, AHierarchyWhoseDocumentsWaitPutsThemBeforeTheFirstChunk) {
  const auto store = std::make_shared<CountingStore>(8);
  HierarchyOptions options;
  options.may_wait = true;
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV2, JsonNode(), options);
  const auto array = hierarchy->CreateArray("a", MakeLineMetadata(ZarrFormat::kV2, 4));
  std::mutex mutex;
  std::vector<std::string> order;
  store->OnWrite([&](const std::string& key) {
    // Time for another thread's chunk to overtake the documents.
    if (key.ends_with(".zgroup")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::lock_guard lock(mutex);
    order.push_back(key);
  });
  const std::vector<std::int32_t> values = {1, 2, 3, 4};
  const auto writer = ArrayWriter::Make(array);
  writer->Write(WholeOf(*array), {reinterpret_cast<const std::byte*>(values.data()), {4}, nullptr});
  writer->Flush();
  const auto is_chunk = [](const std::string& key) { return key == "a/0" || key == "a/1"; };
  const auto first_chunk = std::ranges::find_if(order, is_chunk);
  EXPECT_EQ(std::vector<std::string>(order.begin(), first_chunk), (std::vector<std::string>{".zgroup", "a/.zarray"}));
  EXPECT_EQ(std::count_if(order.begin(), order.end(), is_chunk), 2);
}

}  // namespace
}  // namespace zarr
