// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/refused_absence.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using namespace test;

/// A store that refuses some keys, or all that are absent.
class ClosedStore final : public ForwardingStore {
 public:
  explicit ClosedStore(std::shared_ptr<Store> store) : ForwardingStore(std::move(store)) {}

  bool Read(const ReadRequest& request) const override {
    ++reads;
    const std::string key(request.key);
    const Error error(ErrorKind::kIo, name(), key, "", "HTTP response code: 403");
    if (refused.contains(key)) throw error.AsRefusal();
    const bool found = inner().Read(request);
    if (!found && refuses_absent) throw error.AsRefusal();
    return found;
  }
  StoreInfo info() const override {
    StoreInfo info = inner().info();
    info.concurrency = 4;
    info.lists = false;
    return info;
  }

  bool refuses_absent = true;
  std::set<std::string> refused;
  mutable int reads = 0;
};

class RefusedAbsences : public testing::Test {
 protected:
  RefusedAbsences() {
    auto hierarchy = EditableHierarchy::Create(memory_, ZarrFormat::kV2);
    hierarchy->CreateArray("a", MakeLineMetadata(ZarrFormat::kV2, 4));
  }

  RefusedAbsence Make() {
    return RefusedAbsence(*store_, {".zarray", ".zgroup"},
                          [this](const std::string& text) { warnings_.push_back(text); });
  }
  Error GetError(const std::string& key) const {
    try {
      store_->Exists(key);
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorKind::kNotFound, "no error");
  }
  std::shared_ptr<Hierarchy> Open(bool keep = true) {
    HierarchyOptions options;
    options.keep_metadata = keep;
    options.warn = [this](const ArrayWarning& warning) { warnings_.push_back(warning.text); };
    return Hierarchy::Open(store_, options);
  }

  std::shared_ptr<Store> memory_ = std::make_shared<MemoryStore>("store");
  std::shared_ptr<ClosedStore> store_ = std::make_shared<ClosedStore>(memory_);
  std::vector<std::string> warnings_;
};

TEST_F(RefusedAbsences, AreExplainedWhereKeysThatCannotExistAreRefused) {
  auto absence = Make();
  EXPECT_TRUE(absence.Explains(GetError("b/.zarray")));
  const int reads = store_->reads;
  EXPECT_TRUE(absence.Explains(Error(ErrorKind::kIo, "again").AsRefusal()));
  EXPECT_EQ(store_->reads, reads);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_[0].find("store/b/.zarray"), std::string::npos) << warnings_[0];
}

TEST_F(RefusedAbsences, AreNotExplainedWhereAbsentKeysAreAbsent) {
  store_->refuses_absent = false;
  store_->refused = {"a/.zattrs"};
  EXPECT_FALSE(Make().Explains(GetError("a/.zattrs")));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(RefusedAbsences, AreNotExplainedWhereAllIsRefused) {
  store_->refused = {".zarray", ".zgroup"};
  EXPECT_FALSE(Make().Explains(GetError("b/.zarray")));
}

TEST_F(RefusedAbsences, OtherFailuresAreNotExplained) {
  EXPECT_FALSE(Make().Explains(Error(ErrorKind::kIo, "HTTP response code: 500")));
}

TEST_F(RefusedAbsences, AStoreOpensByTheDocumentThatItGives) {
  const auto hierarchy = Open();
  EXPECT_EQ(hierarchy->format(), ZarrFormat::kV2);
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kGroup);
  EXPECT_TRUE(hierarchy->FindArray("a"));
  EXPECT_FALSE(hierarchy->FindArray("b"));
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(RefusedAbsences, AreErrorsInAStoreThatIsChanged) {
  const auto hierarchy = Open(false);
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kGroup);
  EXPECT_EQ(hierarchy->Probe("a"), NodeKind::kArray);
  EXPECT_THROW(hierarchy->FindArray("b"), Error);
}

TEST_F(RefusedAbsences, ADocumentThatIsRefusedAloneIsAnError) {
  store_->refuses_absent = false;
  for (const char* key : {"zarr.json", ".zmetadata", ".zarray"}) {
    store_->refused = {key};
    EXPECT_THROW(Open(), Error) << key;
  }
}

TEST_F(RefusedAbsences, AStoreOfWhichAllIsRefusedIsAnError) {
  store_->refused = {".zgroup", "zarr.json"};
  try {
    Open();
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.is_refusal());
    EXPECT_EQ(error.key(), "zarr.json");
  }
}

}  // namespace
}  // namespace zarr
