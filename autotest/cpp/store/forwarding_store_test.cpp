// SPDX-License-Identifier: MIT
#include "zarrlib/store/forwarding_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "zarrlib/store/memory_store.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_locks.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {
namespace {

/// Notes the names of the functions that were called.
class RecordingStore final : public Store, private StoreRequests, private StoreLocks {
 public:
  RecordingStore() : Store("recording") {}
  mutable std::multiset<std::string> calls;

  std::string identity() const override { return Note("identity"), "b"; }
  StoreInfo info() const override { return Note("info"), StoreInfo(); }
  bool Read(const ReadRequest&) const override { return Note("Read"), true; }
  std::optional<Listing> List(std::string_view, const ListOptions&) const override {
    return Note("List"), std::nullopt;
  }
  bool Write(std::string_view, ByteSpan, WriteIf) override { return Note("Write"), true; }
  void EraseAll(std::span<const std::string>) override { Note("EraseAll"); }
  void Finish() override { Note("Finish"); }
  StoreFolders* folders() const override { return Note("folders"), folders_.folders(); }
  StoreLocks* locks() const override { return Note("locks"), const_cast<RecordingStore*>(this); }
  const StoreRequests* requests() const override { return Note("requests"), this; }

 private:
  bool KeepsIdentity() const override { return Note("KeepsIdentity"), true; }
  bool Prefetch(std::span<const std::string>, std::span<const std::string>) const override {
    return Note("Prefetch"), true;
  }
  std::optional<std::vector<EarlyAnswer>> ReadEarly(std::span<const EarlyRequest>) const override {
    return Note("ReadEarly"), std::nullopt;
  }
  bool reads_early() const override { return Note("reads_early"), true; }
  bool ReadTogether(std::span<const ReadRequest>) const override { return Note("ReadTogether"), true; }
  bool reads_together() const override { return Note("reads_together"), true; }
  std::uint64_t CountWrites(std::string_view) const override { return Note("CountWrites"), 1; }
  bool NoteBroken(std::string_view, int, int, Error*) const override { return Note("NoteBroken"), true; }
  std::optional<ValueLocation> Locate(std::string_view) const override { return Note("Locate"), std::nullopt; }
  std::optional<RequestCounts> counts() const override { return Note("counts"), std::nullopt; }

  LockResult Lock(std::string_view, std::string_view, bool) const override { return {}; }
  std::unique_ptr<StoreLock> LockFolder(std::string_view) const override { return nullptr; }
  std::shared_ptr<void> TryHold(std::string_view) const override { return nullptr; }
  std::string fault() const override { return {}; }

  void Note(const char* function) const { calls.insert(function); }

  MemoryStore folders_;
};

void CallStore(Store& store) {
  const std::vector<std::string> keys;
  store.identity();
  store.info();
  store.Exists("a");
  store.List("");
  store.Set("a", {});
  store.EraseAll(keys);
  store.Finish();
  EXPECT_NE(store.folders(), nullptr);
  EXPECT_NE(store.locks(), nullptr);
  EXPECT_NE(store.requests(), nullptr);
}

void CallRequests(const StoreRequests& requests) {
  Error error(ErrorKind::kIo, "");
  requests.KeepsIdentity();
  requests.Prefetch({}, {});
  requests.ReadEarly({});
  requests.reads_early();
  requests.ReadTogether({});
  requests.reads_together();
  requests.CountWrites("a");
  requests.NoteBroken("a", 0, 1, &error);
  requests.Locate("a");
  requests.counts();
}

TEST(ForwardingStore, HandsOnAllCalls) {
  RecordingStore direct;
  CallStore(direct);
  const auto inner = std::make_shared<RecordingStore>();
  ForwardingStore store(inner);
  EXPECT_EQ(store.name(), "recording");
  CallStore(store);
  EXPECT_EQ(inner->calls, direct.calls);
  EXPECT_EQ(direct.calls.size(), 10U);
}

TEST(ForwardingStore, HandsOnAllCallsOfRequests) {
  RecordingStore direct;
  CallRequests(*direct.requests());
  RecordingStore inner;
  CallRequests(ForwardingRequests(*inner.requests()));
  EXPECT_EQ(inner.calls, direct.calls);
  EXPECT_EQ(direct.calls.size(), 11U);
}

}  // namespace
}  // namespace zarr
