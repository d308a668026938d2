// SPDX-License-Identifier: MIT
#include "zarrlib/store/forwarding_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace zarr {
namespace {

/// Notes the names of the functions that were called.
class RecordingStore final : public Store {
 public:
  mutable std::multiset<std::string> calls;

  std::string name() const override { return Note("name"), "a"; }
  std::string identity() const override { return Note("identity"), "b"; }
  bool KeepsIdentity() const override { return Note("KeepsIdentity"), true; }
  StoreCapabilities capabilities() const override { return Note("capabilities"), StoreCapabilities(); }
  bool Get(std::string_view, Bytes*, VersionStamp*, std::uint64_t) const override { return Note("Get"), true; }
  bool GetRanges(std::string_view, std::span<const ByteRange>, std::span<const MutableByteSpan>,
                 VersionStamp*) const override {
    return Note("GetRanges"), true;
  }
  bool GetSuffix(std::string_view, std::uint64_t, Bytes*, VersionStamp*) const override {
    return Note("GetSuffix"), true;
  }
  std::unique_ptr<OpenedValue> OpenValue(std::string_view) const override { return Note("OpenValue"), nullptr; }
  bool Exists(std::string_view) const override { return Note("Exists"), true; }
  bool Prefetch(std::span<const std::string>, std::span<const std::string>) const override {
    return Note("Prefetch"), true;
  }
  bool GetStamp(std::string_view, VersionStamp*) const override { return Note("GetStamp"), true; }
  const Store& current() const override { return Note("current"), *this; }
  bool NoteBroken(std::string_view, int, int, Error*) const override { return Note("NoteBroken"), true; }
  std::optional<std::uint64_t> GetUnpackedSize(std::string_view) const override {
    return Note("GetUnpackedSize"), std::nullopt;
  }
  std::optional<Listing> List(std::string_view) const override { return Note("List"), std::nullopt; }
  std::optional<std::vector<Entry>> ListEntries(std::string_view) const override {
    return Note("ListEntries"), std::nullopt;
  }
  std::optional<std::vector<std::string>> ListNames(std::string_view, std::size_t) const override {
    return Note("ListNames"), std::nullopt;
  }
  std::optional<std::vector<std::string>> ListKeysBelow(std::string_view, std::size_t) const override {
    return Note("ListKeysBelow"), std::nullopt;
  }
  std::optional<EntryKind> GetEntryKind(std::string_view) const override { return Note("GetEntryKind"), std::nullopt; }
  void Set(std::string_view, ByteSpan) override { Note("Set"); }
  bool SetIfAbsent(std::string_view, ByteSpan) override { return Note("SetIfAbsent"), true; }
  void Erase(std::string_view) override { Note("Erase"); }
  void EraseAll(std::span<const std::string>) override { Note("EraseAll"); }
  Leftovers EraseChosen(std::string_view, const Chooser&) override { return Note("EraseChosen"), Leftovers(); }
  void RenamePrefix(std::string_view, std::string_view) override { Note("RenamePrefix"); }
  std::shared_ptr<void> TryHold(std::string_view) const override { return Note("TryHold"), nullptr; }
  LockResult Lock(std::string_view, std::string_view, bool) const override { return Note("Lock"), LockResult(); }
  std::unique_ptr<StoreLock> LockFolder(std::string_view) const override { return Note("LockFolder"), nullptr; }
  std::string lock_fault() const override { return Note("lock_fault"), ""; }
  void EraseAbandoned() override { Note("EraseAbandoned"); }
  bool ExchangePrefixes(std::string_view, std::string_view) override { return Note("ExchangePrefixes"), true; }
  bool LeadsOut(std::string_view) const override { return Note("LeadsOut"), true; }
  std::optional<LinkedFolder> FindLinkedFolder(std::string_view) const override {
    return Note("FindLinkedFolder"), std::nullopt;
  }
  void Finish() override { Note("Finish"); }

 private:
  void Note(const char* function) const { calls.insert(function); }
};

void CallGetters(const Store& store) {
  Bytes value;
  VersionStamp stamp;
  Error error(ErrorKind::kIo, "");
  store.name();
  store.identity();
  store.KeepsIdentity();
  store.capabilities();
  store.Get("a", &value);
  store.GetRanges("a", {}, {});
  store.GetSuffix("a", 1, &value, &stamp);
  store.OpenValue("a");
  store.Exists("a");
  store.Prefetch({}, {});
  store.GetStamp("a", &stamp);
  store.current();
  store.NoteBroken("a", 0, 1, &error);
  store.GetUnpackedSize("a");
  store.List("");
  store.ListEntries("");
  store.ListNames("", 1);
  store.ListKeysBelow("", 1);
  store.GetEntryKind("a");
  store.TryHold("a");
  store.Lock("a", "");
  store.LockFolder("");
  store.lock_fault();
  store.LeadsOut("a/");
  store.FindLinkedFolder("a");
}

void CallSetters(Store& store) {
  const std::vector<std::string> keys;
  store.Set("a", {});
  store.SetIfAbsent("a", {});
  store.Erase("a");
  store.EraseAll(keys);
  store.EraseChosen("", {});
  store.RenamePrefix("a/", "b/");
  store.EraseAbandoned();
  store.ExchangePrefixes("a/", "b/");
  store.Finish();
}

TEST(ForwardingStore, HandsOnAllCalls) {
  RecordingStore direct;
  CallGetters(direct);
  CallSetters(direct);
  const auto inner = std::make_shared<RecordingStore>();
  ForwardingStore store(inner);
  CallGetters(store);
  CallSetters(store);
  EXPECT_EQ(inner->calls, direct.calls);
  EXPECT_EQ(direct.calls.size(), 34U);
}

TEST(ForwardingStore, AStoreIsFoundBehindOthers) {
  const auto inner = std::make_shared<RecordingStore>();
  const auto middle = std::make_shared<ForwardingStore>(inner);
  ForwardingStore outer(middle);
  EXPECT_EQ(FindWrapped<RecordingStore>(outer), inner.get());
  EXPECT_EQ(FindWrapped<ForwardingStore>(outer), &outer);
  EXPECT_EQ(FindWrapped<ForwardingStore>(static_cast<const Store&>(*inner)), nullptr);
}

}  // namespace
}  // namespace zarr
