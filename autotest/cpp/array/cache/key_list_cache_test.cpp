// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/key_list_cache.h"

#include <gtest/gtest.h>

namespace zarr {
namespace {

constexpr std::uint64_t kArray = UINT64_MAX;  // no array has that id

TEST(KeyList, HoldsForSecondsAndForWhatWasOpenedBefore) {
  const auto now = std::chrono::steady_clock::now();
  const KeyList list({}, {3, 7, now});
  EXPECT_TRUE(list.Holds(3, 7, now));
  EXPECT_FALSE(list.Holds(4, 7, now));
  EXPECT_FALSE(list.Holds(3, 8, now));
  EXPECT_TRUE(list.Holds(3, 7, now + KeyList::kHolds - std::chrono::milliseconds(1)));
  EXPECT_FALSE(list.Holds(3, 7, now + KeyList::kHolds));
}

TEST(KeyListCache, KnowsWhatWasRead) {
  KeyListCache lists;
  EXPECT_TRUE(lists.NoteRead(kArray, "0/2"));
  EXPECT_FALSE(lists.NoteRead(kArray, "0/2"));
  lists.Put(kArray, std::make_shared<const KeyList>(std::vector<std::string>{}, KeyList::Origin{}));
  EXPECT_FALSE(lists.NoteRead(kArray, "0/2"));
  lists.EraseArray(kArray);
  EXPECT_TRUE(lists.NoteRead(kArray, "0/2"));
}

TEST(KeyListCache, ALongerListIsTriedWhenMoreValuesAreAbsent) {
  KeyListCache lists;
  for (int i = 0; i < 7; ++i) lists.NoteRequest(kArray, 125);
  EXPECT_EQ(lists.GetWorth(kArray), std::nullopt);
  lists.NoteRequest(kArray, 125);
  EXPECT_EQ(lists.GetWorth(kArray), 1000u);
  lists.NoteTooLong(kArray, 1000);
  EXPECT_TRUE(lists.IsTooLong(kArray, 1000));
  EXPECT_FALSE(lists.IsTooLong(kArray, 1001));
  EXPECT_EQ(lists.GetWorth(kArray), std::nullopt);
  for (int i = 0; i < 8; ++i) lists.NoteRequest(kArray, 125);
  EXPECT_EQ(lists.GetWorth(kArray), 2000u);
  const auto list = std::make_shared<const KeyList>(std::vector<std::string>{"0"}, KeyList::Origin{});
  lists.Put(kArray, list);
  EXPECT_EQ(lists.Find(kArray), list);
  EXPECT_EQ(lists.GetWorth(kArray), std::nullopt);
  lists.EraseArray(kArray);
  EXPECT_EQ(lists.Find(kArray), nullptr);
}

}  // namespace
}  // namespace zarr
