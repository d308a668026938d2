// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// The behaviour that all stores share. To test a store, write a type that can be made without arguments and has
/// `Store& store()`, which is empty at first, and the name of the store for messages; then instantiate the suite:
///
///   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreConformance, MemoryStoreFixture);
///
/// Tests of features that the store's capabilities exclude are skipped. Each store must take writes here, if need be by
/// other means.
template <typename Fixture>
class StoreConformance : public testing::Test {
 protected:
  Store& store() { return fixture_.store(); }
  void Set(std::string_view key, std::string_view value) { store().Set(key, AsBytes(value)); }

  /// Returns the value as text, or "(absent)".
  std::string Get(std::string_view key) {
    Bytes value = ToBytes("what was there before");
    return store().Get(key, &value) ? std::string(AsText(value)) : "(absent)";
  }

  /// Returns the ranges one after the other, each followed by '|', or "(absent)".
  std::string GetRanges(std::string_view key, const std::vector<ByteRange>& ranges) {
    std::vector<Bytes> memory;
    for (const ByteRange& range : ranges) memory.emplace_back(range.length, std::byte{'?'});
    std::vector<MutableByteSpan> buffers(memory.begin(), memory.end());
    if (!store().GetRanges(key, ranges, buffers)) return "(absent)";
    std::string text;
    for (const Bytes& bytes : memory) text += std::string(AsText(bytes)) + "|";
    return text;
  }

  std::string GetSuffix(std::string_view key, std::uint64_t length, VersionStamp* stamp = nullptr) {
    Bytes value = ToBytes("what was there before");
    return store().GetSuffix(key, length, &value, stamp) ? std::string(AsText(value)) : "(absent)";
  }

  VersionStamp StampOf(std::string_view key) {
    Bytes value;
    VersionStamp stamp;
    EXPECT_TRUE(store().Get(key, &value, &stamp));
    return stamp;
  }

 private:
  Fixture fixture_;
};

/// Expects that `function` throws an Error of that kind.
template <typename Function>
void ExpectError(ErrorKind kind, const Function& function) {
  try {
    function();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
  }
}

TYPED_TEST_SUITE_P(StoreConformance);

// --- values -----------------------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, GetsWhatWasSet) {
  this->Set("zarr.json", "{}");
  this->Set("a/b/c/0/1", "chunk");
  EXPECT_EQ(this->Get("zarr.json"), "{}");
  EXPECT_EQ(this->Get("a/b/c/0/1"), "chunk");
  EXPECT_TRUE(this->store().Exists("a/b/c/0/1"));
}

TYPED_TEST_P(StoreConformance, AValueMayBeEmpty) {
  this->Set("a/empty", "");
  EXPECT_EQ(this->Get("a/empty"), "");
  EXPECT_EQ(this->GetRanges("a/empty", {{0, 0}}), "|");
  EXPECT_EQ(this->GetSuffix("a/empty", 10), "");
  EXPECT_TRUE(this->store().Exists("a/empty"));
}

TYPED_TEST_P(StoreConformance, AValueMayHoldAnyBytesAndBeLarge) {
  std::string value(3000000, ' ');
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<char>(i * 31 >> 3);
  this->Set("a/large", value);
  EXPECT_TRUE(this->Get("a/large") == value);
  EXPECT_TRUE(this->GetRanges("a/large", {{1000000, 1500000}}) == value.substr(1000000, 1500000) + "|");
}

TYPED_TEST_P(StoreConformance, KeysMayHoldUncommonCharacters) {
  for (const std::string key : {".zgroup", "a b/c%20d", "h\xc3\xb6he/\xe9\xab\x98", "..a/...", "x?y&z=#1", "c/0.0"}) {
    this->Set(key, key);
    EXPECT_EQ(this->Get(key), key);
  }
}

TYPED_TEST_P(StoreConformance, AbsentIsNoError) {
  this->Set("a/b", "value");
  for (const std::string key : {"nothing", "a/nothing", "nothing/at/all", "a/b/under-a-value", "a/B"}) {
    EXPECT_EQ(this->Get(key), "(absent)") << key;
    EXPECT_EQ(this->GetRanges(key, {{0, 1}}), "(absent)") << key;
    EXPECT_EQ(this->GetSuffix(key, 1), "(absent)") << key;
    EXPECT_FALSE(this->store().Exists(key)) << key;
    EXPECT_EQ(this->store().GetText(key), std::nullopt) << key;
  }
}

TYPED_TEST_P(StoreConformance, AKeyTooLongForAnyFileIsAbsent) {
  EXPECT_EQ(this->Get(std::string(300, 'x')), "(absent)");
  std::string deep = "x";
  for (int i = 0; i < 3000; ++i) deep += "/x";
  EXPECT_FALSE(this->store().Exists(deep));
}

TYPED_TEST_P(StoreConformance, AValueLargerThanAllowedIsAnError) {
  this->Set("a", "12345");
  Bytes value;
  EXPECT_TRUE(this->store().Get("a", &value, nullptr, 5));
  ExpectError(ErrorKind::kLimitExceeded, [&] { this->store().Get("a", &value, nullptr, 4); });
}

TYPED_TEST_P(StoreConformance, TextIsTheWholeValue) {
  this->Set("zarr.json", "{\"zarr_format\": 3}");
  EXPECT_EQ(this->store().GetText("zarr.json"), "{\"zarr_format\": 3}");
}

// --- ranges -----------------------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, GetsRangesInTheOrderAsked) {
  this->Set("a", "0123456789");
  EXPECT_EQ(this->GetRanges("a", {{7, 3}, {0, 2}, {1, 4}, {0, 10}}), "789|01|1234|0123456789|");
}

TYPED_TEST_P(StoreConformance, ARangeMayBeEmptyUpToTheEnd) {
  this->Set("a", "0123456789");
  EXPECT_EQ(this->GetRanges("a", {{0, 0}, {4, 0}, {10, 0}}), "|||");
  EXPECT_EQ(this->GetRanges("a", {}), "");
}

TYPED_TEST_P(StoreConformance, ARangeBeyondTheEndIsCorrupt) {
  this->Set("a", "0123456789");
  for (const ByteRange range : {ByteRange{8, 3}, ByteRange{10, 1}, ByteRange{11, 0}, ByteRange{UINT64_MAX, 2}}) {
    ExpectError(ErrorKind::kCorrupt, [&] { this->GetRanges("a", {{0, 1}, range}); });
  }
}

TYPED_TEST_P(StoreConformance, ASuffixLongerThanTheValueIsTheValue) {
  this->Set("a", "0123456789");
  EXPECT_EQ(this->GetSuffix("a", 4), "6789");
  EXPECT_EQ(this->GetSuffix("a", 0), "");
  EXPECT_EQ(this->GetSuffix("a", 10), "0123456789");
  EXPECT_EQ(this->GetSuffix("a", 11), "0123456789");
  EXPECT_EQ(this->GetSuffix("a", UINT64_MAX), "0123456789");
}

TYPED_TEST_P(StoreConformance, ErrorsNameStoreAndKey) {
  this->Set("a/b", "0123456789");
  try {
    this->GetRanges("a/b", {{20, 1}});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.store(), this->store().name());
    EXPECT_EQ(error.key(), "a/b");
  }
}

// --- versions ---------------------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, AValueIsReplacedWhole) {
  this->Set("a", "a long value");
  this->Set("a", "short");
  EXPECT_EQ(this->Get("a"), "short");
}

TYPED_TEST_P(StoreConformance, AValueThatIsThereStaysWhereOneIsSetIfAbsent) {
  EXPECT_TRUE(this->store().SetIfAbsent("a/b", AsBytes("first")));
  EXPECT_FALSE(this->store().SetIfAbsent("a/b", AsBytes("second")));
  EXPECT_EQ(this->Get("a/b"), "first");
  this->Set("a/b", "third");
  EXPECT_FALSE(this->store().SetIfAbsent("a/b", AsBytes("fourth")));
  EXPECT_EQ(this->Get("a/b"), "third");
}

TYPED_TEST_P(StoreConformance, AllGettersGiveOneStamp) {
  this->Set("a", "0123456789");
  const VersionStamp stamp = this->StampOf("a");
  EXPECT_EQ(stamp.size, 10u);
  EXPECT_EQ(this->StampOf("a"), stamp);
  VersionStamp of_ranges, of_suffix;
  const ByteRange range{2, 1};
  std::byte byte;
  const MutableByteSpan buffer(&byte, 1);
  EXPECT_TRUE(this->store().GetRanges("a", {&range, 1}, {&buffer, 1}, &of_ranges));
  EXPECT_EQ(this->GetSuffix("a", 3, &of_suffix), "789");
  EXPECT_EQ(of_ranges, stamp);
  EXPECT_EQ(of_suffix, stamp);
}

TYPED_TEST_P(StoreConformance, TellsAStampWithoutTheValue) {
  this->Set("a/b", "0123456789");
  const VersionStamp stamp = this->StampOf("a/b");
  VersionStamp alone;
  ASSERT_TRUE(this->store().GetStamp("a/b", &alone));
  EXPECT_EQ(alone, stamp);
  this->Set("a/b", "9876543210");
  ASSERT_TRUE(this->store().GetStamp("a/b", &alone));
  EXPECT_NE(alone, stamp);
  EXPECT_FALSE(this->store().GetStamp("a/c", &alone));
}

TYPED_TEST_P(StoreConformance, StampsOfValuesOfOneSizeDiffer) {
  std::vector<VersionStamp> stamps;
  for (const std::string value : {"one", "two", "six", "ten", "one"}) {
    this->Set("a", value);
    for (const VersionStamp& earlier : stamps) EXPECT_NE(this->StampOf("a"), earlier) << value;
    stamps.push_back(this->StampOf("a"));
  }
}

TYPED_TEST_P(StoreConformance, ErasedIsAbsent) {
  this->Set("a/b", "value");
  this->Set("a/c", "value");
  this->store().Erase("a/b");
  this->store().Erase("a/b");
  this->store().Erase("nothing/at/all");
  EXPECT_EQ(this->Get("a/b"), "(absent)");
  EXPECT_EQ(this->Get("a/c"), "value");
}

// --- listing ----------------------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, ListsWhatStandsDirectlyUnderAPrefix) {
  if (!this->store().capabilities().list) GTEST_SKIP() << "does not list";
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
  if (!this->store().capabilities().list) GTEST_SKIP() << "does not list";
  for (const std::string key : {"ab/x", "a-b/x", "a/x", "a0/x", "a.json", "ab.json", "a-b.json", "B"}) {
    this->Set(key, "x");
  }
  const auto root = this->store().List("");
  EXPECT_EQ(root->keys, (std::vector<std::string>{"B", "a-b.json", "a.json", "ab.json"}));
  EXPECT_EQ(root->prefixes, (std::vector<std::string>{"a", "a-b", "a0", "ab"}));
  EXPECT_EQ(this->store().List("a/")->keys, std::vector<std::string>{"x"});
}

TYPED_TEST_P(StoreConformance, APrefixWithNothingUnderItGivesAnEmptyListing) {
  if (!this->store().capabilities().list) GTEST_SKIP() << "does not list";
  this->Set("a", "x");
  for (const std::string prefix : {"nothing/", "nothing/at/all/", "a/"}) {
    const auto listing = this->store().List(prefix);
    ASSERT_TRUE(listing.has_value()) << prefix;
    EXPECT_TRUE(listing->keys.empty() && listing->prefixes.empty()) << prefix;
  }
}

// --- texts that are no keys -------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, ErasesWhatIsChosenUnderAPrefix) {
  if (!this->store().capabilities().list) GTEST_SKIP() << "does not list";
  for (const std::string key : {"a/x", "a/b/y", "a/b/c/z", "a/d/keep", "ab/x", "a.x", "b"}) this->Set(key, "x");
  const auto choose = [](std::string_view path, EntryKind kind) {
    if (kind == EntryKind::kFolder) return Choice::kEnter;
    return path.ends_with("keep") ? Choice::kKeep : Choice::kErase;
  };
  const Store::Leftovers leftovers = this->store().EraseChosen("a/", choose);
  EXPECT_EQ(leftovers.count, 1u);
  EXPECT_EQ(leftovers.examples, std::vector<std::string>{"a/d/keep"});
  for (const std::string key : {"a/x", "a/b/y", "a/b/c/z"}) EXPECT_FALSE(this->store().Exists(key)) << key;
  for (const std::string key : {"a/d/keep", "ab/x", "a.x", "b"}) EXPECT_TRUE(this->store().Exists(key)) << key;
  EXPECT_EQ(this->store().EraseChosen("nothing/at/all/", choose).count, 0u);
  this->Set("a/x", "again");
  EXPECT_EQ(this->Get("a/x"), "again");
}

TYPED_TEST_P(StoreConformance, TellsWhatStandsAtAPath) {
  if (!this->store().capabilities().list) GTEST_SKIP() << "does not list";
  this->Set("a/x", "x");
  EXPECT_EQ(this->store().GetEntryKind("a"), EntryKind::kFolder);
  EXPECT_EQ(this->store().GetEntryKind("a/x"), EntryKind::kValue);
  EXPECT_EQ(this->store().GetEntryKind("a/y"), std::nullopt);
  EXPECT_EQ(this->store().GetEntryKind("y/z"), std::nullopt);
  const auto entries = this->store().ListEntries("a/");
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ((*entries)[0].name, "x");
  EXPECT_EQ((*entries)[0].kind, EntryKind::kValue);
  EXPECT_TRUE(this->store().ListEntries("y/")->empty());
}

TYPED_TEST_P(StoreConformance, MovesAllUnderAPrefix) {
  for (const std::string key : {"a/x", "a/b/y", "ab/x"}) this->Set(key, key);
  if (!this->store().capabilities().rename) {
    ExpectError(ErrorKind::kUnsupported, [&] { this->store().RenamePrefix("a/", "c/d/"); });
    EXPECT_EQ(this->Get("a/x"), "a/x");
    return;
  }
  this->store().RenamePrefix("a/", "c/d/");
  EXPECT_EQ(this->Get("c/d/x"), "a/x");
  EXPECT_EQ(this->Get("c/d/b/y"), "a/b/y");
  EXPECT_EQ(this->Get("ab/x"), "ab/x");
  EXPECT_EQ(this->Get("a/x"), "(absent)");
  for (const auto& move : {std::pair("c/", "c/d/"), std::pair("c/d/", "c/"), std::pair("", "x/")}) {
    ExpectError(ErrorKind::kInvalidArgument, [&] { this->store().RenamePrefix(move.first, move.second); });
  }
}

TYPED_TEST_P(StoreConformance, AMoveThatMovesNothingIsAnError) {
  if (!this->store().capabilities().rename) GTEST_SKIP() << "does not rename";
  for (const std::string key : {"a/x", "b/y"}) this->Set(key, key);
  ExpectError(ErrorKind::kNotFound, [&] { this->store().RenamePrefix("nothing/", "e/"); });
  ExpectError(ErrorKind::kNotFound, [&] { this->store().RenamePrefix("nothing/at/all/", "e/f/"); });
  EXPECT_TRUE(this->store().List("e/")->prefixes.empty());
  ExpectError(ErrorKind::kIo, [&] { this->store().RenamePrefix("a/", "b/"); });
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
  expect_made_or_error([&] { this->store().SetIfAbsent(name + "/y", AsBytes("new")); },
                       [&] { return this->Get(name + "/y") == "new"; });
  this->store().Erase(std::string(300, 'y'));
  if (!this->store().capabilities().rename) return;
  const std::string target = std::string(300, 'z') + "/";
  expect_made_or_error([&] { this->store().RenamePrefix("a/", target); },
                       [&] { return this->Get("a/x") == "(absent)"; });
  EXPECT_TRUE(this->Get("a/x") == "old" || this->Get(target + "x") == "old");
}

TYPED_TEST_P(StoreConformance, ExchangesWhatIsUnderTwoPrefixes) {
  for (const std::string key : {"a/x", "a/b/y", "c/d/z"}) this->Set(key, key);
  ExpectError(ErrorKind::kInvalidArgument, [&] { this->store().ExchangePrefixes("c/", "c/d/"); });
  EXPECT_FALSE(this->store().LeadsOut("a/"));
  EXPECT_FALSE(this->store().LeadsOut("nothing/"));
  if (!this->store().ExchangePrefixes("a/", "c/d/")) {
    EXPECT_EQ(this->Get("a/x"), "a/x");
    GTEST_SKIP() << "does not exchange in one step";
  }
  EXPECT_EQ(this->Get("c/d/x"), "a/x");
  EXPECT_EQ(this->Get("c/d/b/y"), "a/b/y");
  EXPECT_EQ(this->Get("a/z"), "c/d/z");
  EXPECT_EQ(this->Get("a/x"), "(absent)");
}

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
  if (!this->store().capabilities().list) GTEST_SKIP() << "does not list";
  for (const std::string prefix : {"/", "a", "../", "a//", "/a/", "./"}) {
    ExpectError(ErrorKind::kInvalidArgument, [&] { this->store().List(prefix); });
  }
}

// --- threads ----------------------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, ReadersSeeWholeValuesWhileOneIsReplaced) {
  if (!this->store().capabilities().replace_atomic) GTEST_SKIP() << "replaces in steps";
  this->Set("a/b", std::string(1000, 'a'));
  std::atomic<int> torn{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread, &torn] {
      for (int i = 0; i < 100; ++i) {
        if (thread == 0) this->Set("a/b", std::string(1000 + i, static_cast<char>('a' + i % 26)));
        const std::string value = this->Get("a/b");
        torn += value.size() < 1000 || value != std::string(value.size(), value[0]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(torn, 0);
}

TYPED_TEST_P(StoreConformance, ThreadsMaySetKeysOfOnePrefixThatIsNew) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < 20; ++i) {
        this->Set("new/" + std::to_string(i) + "/deep/" + std::to_string(thread), std::to_string(thread));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 20; ++i) {
    for (int thread = 0; thread < 4; ++thread) {
      EXPECT_EQ(this->Get("new/" + std::to_string(i) + "/deep/" + std::to_string(thread)), std::to_string(thread));
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(StoreConformance, GetsWhatWasSet, AValueMayBeEmpty, AValueMayHoldAnyBytesAndBeLarge,
                            KeysMayHoldUncommonCharacters, AbsentIsNoError, AKeyTooLongForAnyFileIsAbsent,
                            AValueLargerThanAllowedIsAnError, TextIsTheWholeValue, GetsRangesInTheOrderAsked,
                            ARangeMayBeEmptyUpToTheEnd, ARangeBeyondTheEndIsCorrupt,
                            ASuffixLongerThanTheValueIsTheValue, ErrorsNameStoreAndKey, AValueIsReplacedWhole,
                            AValueThatIsThereStaysWhereOneIsSetIfAbsent, AllGettersGiveOneStamp,
                            TellsAStampWithoutTheValue, StampsOfValuesOfOneSizeDiffer, ErasedIsAbsent,
                            ListsWhatStandsDirectlyUnderAPrefix, ListsNamesThatBeginAlikeInOrder,
                            ErasesWhatIsChosenUnderAPrefix, TellsWhatStandsAtAPath, MovesAllUnderAPrefix,
                            AMoveThatMovesNothingIsAnError, AChangeOfAKeyTooLongForAnyFileIsMadeOrAnError,
                            ExchangesWhatIsUnderTwoPrefixes, APrefixWithNothingUnderItGivesAnEmptyListing,
                            RefusesWhatIsNoKey, RefusesWhatIsNoPrefix, ReadersSeeWholeValuesWhileOneIsReplaced,
                            ThreadsMaySetKeysOfOnePrefixThatIsNew);

}  // namespace zarr
