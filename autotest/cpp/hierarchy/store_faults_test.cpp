// SPDX-License-Identifier: MIT
#include <functional>
#include <utility>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "autotest/cpp/support/store_state.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/migration/migration.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/store/store_folders.h"

/// Each call that a change makes to its store goes wrong once, in each way. The change succeeds, or throws Error; what
/// it leaves is old or new in each chunk and in each document, and opens; and the change can be made again.
namespace zarr {
namespace {

using namespace test;

using StorePtr = std::shared_ptr<Store>;

// --- the store ---------------------------------------------------------------------------------------------------

/// Codecs that notice other bytes.
ArrayMetadata MetadataOf(ZarrFormat format, const Shape& shape, const Shape& chunks) {
  const std::string attributes = R"({"of":)" + std::to_string(shape.size()) + "}";
  if (format == ZarrFormat::kV3) {
    const std::string codecs = R"([{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])";
    const std::string text = Metadata(shape, ToString(chunks), codecs);
    return ParseArrayV3(Json(text.substr(0, text.size() - 1) + R"(, "attributes": )" + attributes + "}"));
  }
  return ParseArrayV2(Json(R"({"zarr_format": 2, "dtype": "<i4", "fill_value": -1, "order": "C", "filters": null,
                               "compressor": {"id": "zlib", "level": 1}, "shape": )" +
                           ToString(shape) + R"(, "chunks": )" + ToString(chunks) + "}"),
                      Json(attributes));
}

ArrayMetadata ShardsOf(const Shape& shape, const Shape& shards, const Shape& chunks) {
  const std::string codecs = R"([{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])";
  return ParseArrayV3(Json(Metadata(shape, ToString(shards), "[" + Sharding(ToString(chunks), codecs) + "]")));
}

/// On the calling thread alone, so that the order of calls is always the same.
void WriteRows(const std::shared_ptr<const Array>& array, std::uint64_t first, std::uint64_t count,
               std::int32_t value) {
  Selection rows = WholeOf(*array);
  rows.start[0] = first;
  rows.count[0] = count;
  std::vector<std::int32_t> values(CountOf(rows));
  std::iota(values.begin(), values.end(), value);
  const auto writer = ArrayWriter::Make(array);
  WriteOptions options;
  options.threads = 1;
  writer->Write(rows, {reinterpret_cast<const std::byte*>(values.data()), GetContiguousStrides(rows.count, 4), nullptr},
                options);
  writer->Flush(options);
}

/// Two arrays, one of which is in a group, and one of shards in v3.
void MakeStore(const StorePtr& store, ZarrFormat format, bool consolidated) {
  const auto hierarchy = EditableHierarchy::Create(store, format, Json(R"({"title":"root"})"));
  hierarchy->CreateGroup("g", Json(R"({"title":"group"})"));
  WriteRows(hierarchy->CreateArray("g/a", MetadataOf(format, {4, 3}, {2, 3})), 0, 4, 100);
  WriteRows(hierarchy->CreateArray("b", MetadataOf(format, {4}, {2})), 0, 4, 200);
  if (format == ZarrFormat::kV3) {
    WriteRows(hierarchy->CreateArray("s", ShardsOf({8, 3}, {4, 3}, {1, 3})), 0, 8, 300);
  }
  hierarchy->SetConsolidate(consolidated);
  hierarchy->WriteConsolidated();
}

// --- changes -----------------------------------------------------------------------------------------------------

/// A store as a change finds it.
struct Place {
  StorePtr store;
  ZarrFormat format;
  bool use_consolidated;

  std::shared_ptr<EditableHierarchy> Open() const {
    HierarchyOptions options;
    options.use_consolidated = use_consolidated;
    return EditableHierarchy::Open(store, options);
  }
};

void CopyAll(const Store& from, Store* to, const std::string& prefix = "") {
  const auto listing = *from.List(prefix);
  for (const std::string& name : listing.keys) {
    Bytes value;
    from.Get(prefix + name, &value, nullptr);
    to->Set(prefix + name, value);
  }
  for (const std::string& name : listing.prefixes) CopyAll(from, to, prefix + name + "/");
}

void MakeStoreOfV1(const StorePtr& store) {
  store->Set("meta", AsBytes(R"({"zarr_format": 1, "shape": [4, 3], "chunks": [2, 3], "dtype": "<i4",
      "compression": "none", "compression_opts": null, "fill_value": -1, "order": "C"})"));
  store->Set("attrs", AsBytes(R"({"title":"root"})"));
  for (const std::int32_t value : {1, 2}) {
    store->Set(std::to_string(value - 1) + ".0", LittleEndianOf(std::vector<std::int32_t>(6, value)));
  }
}

struct Change {
  std::string name;
  std::function<void(const Place&)> run;
  /// Removes what an error has left that is in the way of the same change.
  std::function<void(const Place&)> clear = {};
  /// Whether the data that the change moves are in one place at least.
  std::function<bool(const StoreState&)> is_whole = {};
  /// Makes another store than the one above.
  std::function<void(const StorePtr&)> prepare = {};
  std::optional<ZarrFormat> only = {};
};

void DeleteIfThere(const Place& place, const std::string& path) {
  const auto hierarchy = place.Open();
  if (hierarchy->Probe(path)) hierarchy->Delete(path);
}

/// What is left because its metadata cannot be read is told, so it counts as an error.
void Delete(const Place& place, const std::string& path) {
  const Leftovers leftovers = place.Open()->Delete(path);
  if (leftovers.count > 0) throw Error(ErrorKind::kCorrupt, leftovers.examples.front() + " is left");
}

void Resize(const Place& place, const std::string& path, const Shape& shape) {
  const auto hierarchy = place.Open();
  ResizeArray(*hierarchy, hierarchy->OpenArray(path), shape);
  hierarchy->WriteConsolidated();
}

/// Resizes two arrays, which are opened anew if they are not as they were known.
void ResizeBoth(const Place& place, std::uint64_t length) {
  const auto hierarchy = place.Open();
  bool resized = false;
  for (int i = 0; i < 2 && !resized; ++i) {
    resized = ResizeArrays(
        *hierarchy, {{hierarchy->OpenPresentArray("g/a"), {length, 3}}, {hierarchy->OpenPresentArray("b"), {length}}});
  }
  ASSERT_TRUE(resized);
  hierarchy->WriteConsolidated();
}

void Consolidate(const StorePtr& store) {
  HierarchyOptions own_documents;
  own_documents.use_consolidated = false;
  const auto hierarchy = EditableHierarchy::Open(store, own_documents);
  hierarchy->SetConsolidate(true);
  hierarchy->WriteConsolidated();
}

bool HasDocument(const Place& place, const std::string& group) {
  return place.store->Exists(group + (place.format == ZarrFormat::kV3 ? "/zarr.json" : "/.zgroup"));
}

/// The new group's own document is put last: with it, the copy is complete, and without it nobody needs it.
void ClearRename(const Place& place) {
  const Place own{place.store, place.format, false};
  if (HasDocument(place, "h")) {
    DeleteIfThere(own, "g");
  } else {
    EraseChosen(*place.store, "h/", [](std::string_view, EntryKind kind) {
      return kind == EntryKind::kFolder ? Choice::kEnter : Choice::kErase;
    });
  }
}

void ClearExchange(const Place& place) {
  const auto hierarchy = Place{place.store, place.format, false}.Open();
  if (hierarchy->OpenArray("b")->rank() == 2) hierarchy->Exchange("g/a", "b");
}

const std::vector<Change>& ListChanges() {
  static const std::vector<Change> changes = {
      {.name = "Create",
       .run = [](const Place& place) { MakeStore(place.store, place.format, true); },
       .clear =
           [](const Place& place) {
             if (!NodeTree::Read(*place.store, "").empty()) RemoveNode(*place.store, "");
           },
       .prepare = [](const StorePtr&) {}},
      {.name = "WritePartsOfChunks",
       .run = [](const Place& place) { WriteRows(place.Open()->OpenArray("g/a"), 1, 2, 500); }},
      {.name = "WriteChunks", .run = [](const Place& place) { WriteRows(place.Open()->OpenArray("g/a"), 0, 4, 500); }},
      {.name = "WritePartsOfShards",
       .run = [](const Place& place) { WriteRows(place.Open()->OpenArray("s"), 3, 2, 500); },
       .only = ZarrFormat::kV3},
      {.name = "SetAttributes",
       .run =
           [](const Place& place) {
             const auto hierarchy = place.Open();
             SetAttributes(*hierarchy, "g", Json(R"({"title":"another"})"));
             SetAttributes(*hierarchy, "g/a", Json(R"({"of":"another"})"));
             SetAttributes(*hierarchy, "", Json(R"({"title":"another"})"));
             hierarchy->WriteConsolidated();
           }},
      {.name = "Append",
       .run =
           [](const Place& place) {
             const auto hierarchy = place.Open();
             WriteRows(hierarchy->CreateArray("g/c", MetadataOf(place.format, {4, 3}, {2, 3})), 0, 4, 600);
             hierarchy->WriteConsolidated();
           },
       .clear = [](const Place& place) { DeleteIfThere(place, "g/c"); }},
      {.name = "Grow",
       .run =
           [](const Place& place) {
             Resize(place, "g/a", {6, 3});
           }},
      {.name = "Shrink",
       .run =
           [](const Place& place) {
             Resize(place, "g/a", {1, 3});
           }},
      {.name = "GrowSeveral", .run = [](const Place& place) { ResizeBoth(place, 6); }},
      {.name = "ShrinkSeveral", .run = [](const Place& place) { ResizeBoth(place, 1); }},
      {.name = "DeleteArray", .run = [](const Place& place) { Delete(place, "g/a"); }},
      {.name = "DeleteGroup", .run = [](const Place& place) { Delete(place, "g"); }},
      {.name = "Rename",
       .run = [](const Place& place) { place.Open()->Rename("g", "h"); },
       .clear = ClearRename,
       .is_whole =
           [](const StoreState& state) {
             return (state.contains("g") && state.contains("g/a")) || (state.contains("h") && state.contains("h/a"));
           }},
      {.name = "Exchange",
       .run = [](const Place& place) { ASSERT_TRUE(place.Open()->Exchange("g/a", "b")); },
       .clear = ClearExchange,
       .is_whole =
           [](const StoreState& state) { return state.contains("g") && state.contains("g/a") && state.contains("b"); }},
      {.name = "Consolidate",
       .run =
           [](const Place& place) {
             const auto hierarchy = place.Open();
             hierarchy->SetConsolidate(true);
             hierarchy->WriteConsolidated();
           }},
      {.name = "MigrateToV2",
       .run = [](const Place& place) { Migrate(place.store.get(), PlanMigration(*place.store, ZarrFormat::kV2)); },
       .prepare = MakeStoreOfV1,
       .only = ZarrFormat::kV2},
      {.name = "MigrateToV3",
       .run =
           [](const Place& place) {
             Migrate(place.store.get(), PlanMigration(*place.store, ZarrFormat::kV3));
             DeleteOldMetadata(place.store.get());
           },
       .only = ZarrFormat::kV2},
  };
  return changes;
}

// --- all faults of a change ---------------------------------------------------------------------------------------

struct States {
  StoreState before;
  StoreState after;
};

/// Whether a change that cannot be made again has been made.
bool IsDone(const Error& error, const StorePtr& store, const StoreState& after) {
  const bool may_be = error.kind() == ErrorKind::kNotFound || error.kind() == ErrorKind::kInvalidArgument;
  return may_be && ReadState(store, false) == after;
}

/// Makes a change again, without a fault. What has been made already may be refused; then its consolidated metadata are
/// made, as `zarrkit finish` does.
void ExpectChangeAgain(const Change& change, const Place& place, const StoreState& after) {
  try {
    FinishRemovals(*place.store);
    if (change.clear) change.clear(place);
    change.run(place);
  } catch (const Error& error) {
    EXPECT_TRUE(IsDone(error, place.store, after)) << "the change cannot be made again: " << error.what();
    if (change.name == "Rename") Consolidate(place.store);
  }
  for (const bool use_consolidated : {false, true}) {
    EXPECT_EQ(ToText(ReadState(place.store, use_consolidated)), ToText(after)) << use_consolidated;
  }
}

/// What a reader may find after an error. If the store takes no writes any more, a move in one step may be in no
/// consolidated metadata: these name neither place meanwhile.
void ExpectReadable(const Change& change, const Place& place, Fault fault, const States& states) {
  for (const bool use_consolidated : {false, true}) {
    SCOPED_TRACE(use_consolidated ? "with consolidated metadata" : "without consolidated metadata");
    const StoreState found = ReadState(place.store, use_consolidated, !use_consolidated);
    const bool cannot_take_back = fault == Fault::kStaysBroken || fault == Fault::kLosesAnswer;
    ExpectBetween(found, states.before, states.after, place.format == ZarrFormat::kV2 && cannot_take_back);
    const bool may_name_neither = place.store->folders() && fault == Fault::kStaysBroken;
    if (change.is_whole && !(use_consolidated && may_name_neither)) {
      EXPECT_TRUE(change.is_whole(found)) << ToText(found);
    }
  }
}

/// Makes a change of which one call goes wrong. Returns whether that call was made.
bool ExpectSafe(const Change& change, const Place& place, Fault fault, int number, const States& states) {
  const auto faulty = std::make_shared<FaultStore>(place.store, fault, number);
  try {
    change.run({faulty, place.format, place.use_consolidated});
    for (const bool use_consolidated : {false, true}) {
      const StoreState found = ReadState(place.store, use_consolidated, !use_consolidated);
      EXPECT_EQ(ToText(found), ToText(states.after)) << use_consolidated;
    }
  } catch (const Error& error) {
    EXPECT_TRUE(faulty->happened()) << error.what();
    ExpectReadable(change, place, fault, states);
  }
  ExpectChangeAgain(change, place, states.after);
  return faulty->happened();
}

/// Without a step that renames a folder, a node is copied.
StorePtr MakeMemory(bool renames) {
  static int count = 0;
  if (!renames) return std::make_shared<CountingStore>();
  return std::make_shared<MemoryStore>("faults" + std::to_string(count++));
}

enum class Consolidated { kAbsent, kUsed, kNotUsed };

struct Case {
  std::size_t change;
  ZarrFormat format;
  Consolidated consolidated;
  bool renames;
};

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  constexpr std::string_view kKinds[] = {"", "Consolidated", "BesideConsolidated"};
  return ListChanges()[c.change].name + (c.format == ZarrFormat::kV3 ? "V3" : "V2") +
         std::string(kKinds[static_cast<std::size_t>(c.consolidated)]) + (c.renames ? "" : "ByCopies");
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < ListChanges().size(); ++i) {
    const Change& change = ListChanges()[i];
    for (const ZarrFormat format : {ZarrFormat::kV2, ZarrFormat::kV3}) {
      if (change.only.value_or(format) != format) continue;
      for (const auto consolidated : {Consolidated::kAbsent, Consolidated::kUsed, Consolidated::kNotUsed}) {
        if (consolidated != Consolidated::kAbsent && change.prepare) continue;
        cases.push_back({i, format, consolidated, true});
        if (change.name == "Rename") cases.push_back({i, format, consolidated, false});
      }
    }
  }
  return cases;
}

class StoreFaults : public testing::TestWithParam<Case> {
 protected:
  StoreFaults() {
    const bool consolidated = GetParam().consolidated != Consolidated::kAbsent;
    if (change_.prepare) {
      change_.prepare(before_);
    } else {
      MakeStore(before_, GetParam().format, consolidated);
    }
  }
  Place MakeBefore() const {
    const Case& c = GetParam();
    Place place{MakeMemory(c.renames), c.format, c.consolidated == Consolidated::kUsed};
    CopyAll(*before_, place.store.get());
    return place;
  }
  States FindStates() const {
    const Place place = MakeBefore();
    States states;
    states.before = ReadState(place.store, false);
    change_.run(place);
    states.after = ReadState(place.store, false);
    return states;
  }

  const Change& change_ = ListChanges()[GetParam().change];
  const StorePtr before_ = std::make_shared<MemoryStore>();
};

TEST_P(StoreFaults, LeaveOldOrNewData) {
  const States states = FindStates();
  const bool changes_data = change_.name != "Consolidate" && !change_.name.starts_with("Migrate");
  ASSERT_EQ(states.before != states.after, changes_data);
  int runs = 0;
  for (const Fault fault : kFaults) {
    // A copy takes bytes as they are: a reader notices that they are others, if they have a checksum.
    if (fault == Fault::kGarbles && !GetParam().renames) continue;
    const int step = fault == Fault::kDelays ? 10 : 1;
    bool happened = true;
    for (int number = 1; happened; number += step, ++runs) {
      SCOPED_TRACE("call " + std::to_string(number) + " " + std::string(GetName(fault)));
      happened = ExpectSafe(change_, MakeBefore(), fault, number, states);
      ASSERT_LT(number, 1000);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(runs, 5);
  RecordProperty("runs", runs);
}

INSTANTIATE_TEST_SUITE_P(All, StoreFaults, testing::ValuesIn(AllCases()), NameOf);

}  // namespace
}  // namespace zarr
