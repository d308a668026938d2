// SPDX-License-Identifier: MIT
#include "zarrlib/store/conditional_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "autotest/cpp/support/comparing_store.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/store/repeated_change.h"

namespace zarr {
namespace {

using namespace test;

/// A store, and the values that another process sees and sets.
struct ServedValues {
  std::shared_ptr<ComparingStore> server = std::make_shared<ComparingStore>();
  ConditionalStore store{server};

  void SetByOther(std::string_view text, std::string_view key = "a/v") const { server->Set(key, AsBytes(text)); }
  std::string GetByOther(std::string_view key = "a/v") const { return server->GetText(key).value_or("absent"); }
  std::string Read(std::string_view key = "a/v") const {
    return store.GetText(key, UINT64_MAX, Freshness::kNow).value_or("absent");
  }
  LockResult LockValue() const { return Lock(store, "a/zarr.json", "a/v"); }
};

TEST(ConditionalStore, ReplacesTheStateThatWasRead) {
  ServedValues test;
  test.SetByOther("one");
  const auto lock = test.LockValue();
  EXPECT_EQ(test.Read(), "one");
  test.store.Set("a/v", AsBytes("two"));
  EXPECT_EQ(test.GetByOther(), "two");
}

TEST(ConditionalStore, DoesNotReplaceWhatOthersHaveSetSince) {
  ServedValues test;
  test.SetByOther("one");
  const auto lock = test.LockValue();
  test.Read();
  test.SetByOther("other");
  EXPECT_THROW(test.store.Set("a/v", AsBytes("two")), ChangedMeanwhile);
  EXPECT_EQ(test.GetByOther(), "other");
}

TEST(ConditionalStore, DoesNotReplaceAValueThatWasAbsent) {
  ServedValues test;
  const auto lock = test.LockValue();
  EXPECT_EQ(test.Read(), "absent");
  test.SetByOther("other");
  EXPECT_THROW(test.store.Set("a/v", AsBytes("two")), ChangedMeanwhile);
  EXPECT_EQ(test.GetByOther(), "other");
}

TEST(ConditionalStore, AValueThatChangesBetweenTwoReadsIsNotReplaced) {
  ServedValues test;
  test.SetByOther("one");
  const auto lock = test.LockValue();
  test.Read();
  test.SetByOther("other");
  test.Read();
  EXPECT_THROW(test.store.Set("a/v", AsBytes("two")), ChangedMeanwhile);
  test.Read();
  test.store.Set("a/v", AsBytes("three"));
  EXPECT_EQ(test.GetByOther(), "three");
}

TEST(ConditionalStore, ReplacesWhatItHasWrittenItself) {
  ServedValues test;
  const auto lock = test.LockValue();
  test.Read();
  test.store.Set("a/v", AsBytes("one"));
  test.store.Set("a/v", AsBytes("two"));
  EXPECT_EQ(test.GetByOther(), "two");
  test.SetByOther("other");
  EXPECT_THROW(test.store.Set("a/v", AsBytes("three")), ChangedMeanwhile);
  EXPECT_EQ(test.GetByOther(), "other");
}

TEST(ConditionalStore, AValueThatWasNotReadIsReplaced) {
  ServedValues test;
  test.SetByOther("other");
  const auto lock = test.LockValue();
  test.store.Set("a/v", AsBytes("whole"));
  EXPECT_EQ(test.GetByOther(), "whole");
}

TEST(ConditionalStore, AConditionEndsWithItsLock) {
  ServedValues test;
  test.SetByOther("one");
  {
    const auto lock = test.LockValue();
    test.Read();
  }
  test.SetByOther("other");
  test.store.Set("a/v", AsBytes("whole"));
  EXPECT_EQ(test.GetByOther(), "whole");
}

TEST(ConditionalStore, ANodesLockCoversAllItsValues) {
  ServedValues test;
  const auto lock = Lock(test.store, "a/zarr.json", "");
  for (const char* key : {"a/zarr.json", "a/c/0/1"}) {
    test.Read(key);
    test.SetByOther("other", key);
    EXPECT_THROW(test.store.Set(key, AsBytes("mine")), ChangedMeanwhile) << key;
  }
  test.Read("b/zarr.json");
  test.SetByOther("other", "b/zarr.json");
  test.store.Set("b/zarr.json", AsBytes("mine"));
  EXPECT_EQ(test.GetByOther("b/zarr.json"), "mine");
}

TEST(ConditionalStore, SetsAnAbsentValueOnce) {
  ServedValues test;
  EXPECT_TRUE(test.store.Write("a/v", AsBytes("one"), WriteIf::kAbsent));
  EXPECT_FALSE(test.store.Write("a/v", AsBytes("two"), WriteIf::kAbsent));
  test.server->BeforeWriteOf("a/w", [&] { test.SetByOther("other", "a/w"); });
  EXPECT_FALSE(test.store.Write("a/w", AsBytes("mine"), WriteIf::kAbsent));
  EXPECT_EQ(test.GetByOther("a/w"), "other");
}

TEST(ConditionalStore, WithoutConditionsItReplacesAndTellsSo) {
  ServedValues test;
  test.server->ignores_conditions = true;
  test.SetByOther("one");
  const auto lock = test.LockValue();
  test.Read();
  EXPECT_EQ(test.store.locks()->fault(), "");
  test.store.Set("a/v", AsBytes("two"));
  EXPECT_EQ(test.GetByOther(), "two");
  EXPECT_NE(test.store.locks()->fault().find("ignores conditions"), std::string::npos);
}

TEST(RepeatWhileOutrun, RepeatsUntilNobodyChangesTheValue) {
  ServedValues test;
  test.SetByOther("");
  int times = 0;
  RepeatWhileOutrun([&] {
    const auto lock = test.LockValue();
    const std::string before = test.Read();
    if (++times < 4) test.SetByOther(before + "o");
    test.store.Set("a/v", AsBytes(before + "m"));
  });
  EXPECT_EQ(test.GetByOther(), "ooom");
}

}  // namespace
}  // namespace zarr
