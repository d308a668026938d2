// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "autotest/cpp/support/conformance/store_conformance_fixture.h"
#include "zarrlib/store/store_folders.h"

/// Tests of StoreConformance: what stands under prefixes, and texts that are neither keys nor prefixes.
namespace zarr {

// --- listing ----------------------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, ListsWhatStandsDirectlyUnderAPrefix) {
  if (!this->store().info().lists) GTEST_SKIP() << "does not list";
  for (const std::string key : {"zarr.json", "b/zarr.json", "b/c/0/0", "b/c/0/1", "b/c/1/0", "a/.zarray", "a/0.0"}) {
    this->Set(key, "x");
  }
  const auto root = this->store().List("");
  EXPECT_EQ(root->keys, std::vector<std::string>{"zarr.json"});
  EXPECT_EQ(root->prefixes, (std::vector<std::string>{"a", "b"}));
  const auto chunks = this->store().List("b/c/");
  EXPECT_EQ(chunks->keys, std::vector<std::string>{});
  EXPECT_EQ(chunks->prefixes, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(this->store().List("a/")->keys, (std::vector<std::string>{".zarray", "0.0"}));
}

TYPED_TEST_P(StoreConformance, ListsNamesThatBeginAlikeInOrder) {
  if (!this->store().info().lists) GTEST_SKIP() << "does not list";
  for (const std::string key : {"ab/x", "a-b/x", "a/x", "a0/x", "a.json", "ab.json", "a-b.json", "B"}) {
    this->Set(key, "x");
  }
  const auto root = this->store().List("");
  EXPECT_EQ(root->keys, (std::vector<std::string>{"B", "a-b.json", "a.json", "ab.json"}));
  EXPECT_EQ(root->prefixes, (std::vector<std::string>{"a", "a-b", "a0", "ab"}));
  EXPECT_EQ(this->store().List("a/")->keys, std::vector<std::string>{"x"});
}

TYPED_TEST_P(StoreConformance, APrefixWithNothingUnderItGivesAnEmptyListing) {
  if (!this->store().info().lists) GTEST_SKIP() << "does not list";
  this->Set("a", "x");
  for (const std::string prefix : {"nothing/", "nothing/at/all/", "a/"}) {
    const auto listing = this->store().List(prefix);
    ASSERT_TRUE(listing.has_value()) << prefix;
    EXPECT_TRUE(listing->keys.empty() && listing->prefixes.empty()) << prefix;
  }
}

TYPED_TEST_P(StoreConformance, ListsInTheWaysThatItCan) {
  if (!this->store().info().lists) GTEST_SKIP() << "does not list";
  for (const std::string key : {"a/b/c", "a/d", "ab/e"}) this->Set(key, "x");
  if (const auto below = this->store().List("a/", {.below = true})) {
    EXPECT_EQ(below->keys, (std::vector<std::string>{"b/c", "d"}));
    EXPECT_TRUE(below->prefixes.empty());
    EXPECT_FALSE(this->store().List("a/", {.below = true, .most = 1}));
  }
  if (const auto one = this->store().List("a/", {.only = "b"})) {
    EXPECT_TRUE(one->keys.empty());
    EXPECT_EQ(one->prefixes, std::vector<std::string>{"b"});
    EXPECT_TRUE(this->store().List("a/", {.only = "c"})->empty());
  }
}

// --- removals and moves -----------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, ErasesWhatIsChosenUnderAPrefix) {
  if (!this->store().info().lists) GTEST_SKIP() << "does not list";
  for (const std::string key : {"a/x", "a/b/y", "a/b/c/z", "a/d/keep", "ab/x", "a.x", "b"}) this->Set(key, "x");
  const auto choose = [](std::string_view path, EntryKind kind) {
    if (kind == EntryKind::kFolder) return Choice::kEnter;
    return path.ends_with("keep") ? Choice::kKeep : Choice::kErase;
  };
  const Leftovers leftovers = EraseChosen(this->store(), "a/", choose);
  EXPECT_EQ(leftovers.count, 1u);
  EXPECT_EQ(leftovers.examples, std::vector<std::string>{"a/d/keep"});
  for (const std::string key : {"a/x", "a/b/y", "a/b/c/z"}) EXPECT_FALSE(this->store().Exists(key)) << key;
  for (const std::string key : {"a/d/keep", "ab/x", "a.x", "b"}) EXPECT_TRUE(this->store().Exists(key)) << key;
  EXPECT_EQ(EraseChosen(this->store(), "nothing/at/all/", choose).count, 0u);
  this->Set("a/x", "again");
  EXPECT_EQ(this->Get("a/x"), "again");
}

TYPED_TEST_P(StoreConformance, AFolderThatIsErasedGoesOnlyIfItIsEmpty) {
  this->Set("a/b/c", "x");
  const std::vector<std::string> folders = {"a/b/", "a/", "nothing/"};
  this->store().EraseAll(folders);
  EXPECT_EQ(this->Get("a/b/c"), "x");
  const std::vector<std::string> all = {"a/b/c", "a/b/", "a/"};
  this->store().EraseAll(all);
  EXPECT_EQ(this->Get("a/b/c"), "(absent)");
}

TYPED_TEST_P(StoreConformance, TellsWhatStandsAtAPath) {
  if (!this->store().info().lists) GTEST_SKIP() << "does not list";
  this->Set("a/x", "x");
  EXPECT_EQ(GetEntryKind(this->store(), "a"), EntryKind::kFolder);
  EXPECT_EQ(GetEntryKind(this->store(), "a/x"), EntryKind::kValue);
  EXPECT_EQ(GetEntryKind(this->store(), "a/y"), std::nullopt);
  EXPECT_EQ(GetEntryKind(this->store(), "y/z"), std::nullopt);
  const auto entries = ListEntries(this->store(), "a/");
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ((*entries)[0].name, "x");
  EXPECT_EQ((*entries)[0].kind, EntryKind::kValue);
  EXPECT_TRUE(ListEntries(this->store(), "y/")->empty());
}

TYPED_TEST_P(StoreConformance, MovesAllUnderAPrefix) {
  for (const std::string key : {"a/x", "a/b/y", "ab/x"}) this->Set(key, key);
  if (!this->store().folders()) GTEST_SKIP() << "keeps no folders";
  this->store().folders()->Rename("a/", "c/d/");
  EXPECT_EQ(this->Get("c/d/x"), "a/x");
  EXPECT_EQ(this->Get("c/d/b/y"), "a/b/y");
  EXPECT_EQ(this->Get("ab/x"), "ab/x");
  EXPECT_EQ(this->Get("a/x"), "(absent)");
  for (const auto& move : {std::pair("c/", "c/d/"), std::pair("c/d/", "c/"), std::pair("", "x/")}) {
    ExpectError(ErrorKind::kInvalidArgument, [&] { this->store().folders()->Rename(move.first, move.second); });
  }
}

TYPED_TEST_P(StoreConformance, AMoveThatMovesNothingIsAnError) {
  if (!this->store().folders()) GTEST_SKIP() << "keeps no folders";
  for (const std::string key : {"a/x", "b/y"}) this->Set(key, key);
  ExpectError(ErrorKind::kNotFound, [&] { this->store().folders()->Rename("nothing/", "e/"); });
  ExpectError(ErrorKind::kNotFound, [&] { this->store().folders()->Rename("nothing/at/all/", "e/f/"); });
  EXPECT_TRUE(this->store().List("e/")->prefixes.empty());
  ExpectError(ErrorKind::kIo, [&] { this->store().folders()->Rename("a/", "b/"); });
  EXPECT_EQ(this->Get("a/x"), "a/x");
  EXPECT_EQ(this->Get("b/y"), "b/y");
}

TYPED_TEST_P(StoreConformance, AChangeOfAKeyTooLongForAnyFileIsMadeOrAnError) {
  this->Set("a/x", "old");
  const std::string name(300, 'x');
  const auto expect_made_or_error = [](const auto& change, const auto& is_made) {
    try {
      change();
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::kIo)) << error.what();
      return;
    }
    EXPECT_TRUE(is_made());
  };
  expect_made_or_error([&] { this->Set(name, "new"); }, [&] { return this->Get(name) == "new"; });
  expect_made_or_error([&] { this->store().Write(name + "/y", AsBytes("new"), WriteIf::kAbsent); },
                       [&] { return this->Get(name + "/y") == "new"; });
  this->store().Erase(std::string(300, 'y'));
  if (!this->store().folders()) return;
  const std::string target = std::string(300, 'z') + "/";
  expect_made_or_error([&] { this->store().folders()->Rename("a/", target); },
                       [&] { return this->Get("a/x") == "(absent)"; });
  EXPECT_TRUE(this->Get("a/x") == "old" || this->Get(target + "x") == "old");
}

TYPED_TEST_P(StoreConformance, ExchangesWhatIsUnderTwoPrefixes) {
  if (!this->store().folders()) GTEST_SKIP() << "keeps no folders";
  for (const std::string key : {"a/x", "a/b/y", "c/d/z"}) this->Set(key, key);
  ExpectError(ErrorKind::kInvalidArgument, [&] { this->store().folders()->Exchange("c/", "c/d/"); });
  EXPECT_FALSE(LeadsOut(this->store(), "a"));
  EXPECT_FALSE(LeadsOut(this->store(), "nothing"));
  if (!this->store().folders()->Exchange("a/", "c/d/")) {
    EXPECT_EQ(this->Get("a/x"), "a/x");
    GTEST_SKIP() << "does not exchange in one step";
  }
  EXPECT_EQ(this->Get("c/d/x"), "a/x");
  EXPECT_EQ(this->Get("c/d/b/y"), "a/b/y");
  EXPECT_EQ(this->Get("a/z"), "c/d/z");
  EXPECT_EQ(this->Get("a/x"), "(absent)");
}

// --- texts that are no keys -------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, RefusesWhatIsNoKey) {
  using namespace std::string_view_literals;
  for (const std::string_view key :
       {""sv, "/"sv, "/a"sv, "a/"sv, "a//b"sv, "."sv, ".."sv, "../a"sv, "a/./b"sv, "a/.."sv, "a\0b"sv}) {
    Bytes value;
    const auto expect = [&](const auto& function) { ExpectError(ErrorKind::kInvalidArgument, function); };
    expect([&] { this->store().Get(key, &value); });
    expect([&] { this->store().GetRanges(key, {}, {}); });
    expect([&] { this->store().GetSuffix(key, 1, &value, nullptr); });
    expect([&] { this->store().Exists(key); });
    expect([&] { this->store().Set(key, {}); });
    expect([&] { this->store().Erase(key); });
  }
}

TYPED_TEST_P(StoreConformance, RefusesWhatIsNoPrefix) {
  if (!this->store().info().lists) GTEST_SKIP() << "does not list";
  for (const std::string prefix : {"/", "a", "../", "a//", "/a/", "./"}) {
    ExpectError(ErrorKind::kInvalidArgument, [&] { this->store().List(prefix); });
  }
}

}  // namespace zarr
