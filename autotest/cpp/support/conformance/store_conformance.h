// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "autotest/cpp/support/conformance/store_conformance_fixture.h"
#include "autotest/cpp/support/conformance/store_conformance_prefixes.h"
#include "autotest/cpp/support/conformance/store_conformance_values.h"
#include "autotest/cpp/support/open_files.h"

/// The behaviour that all stores share. To test a store, write a type that can be made without arguments and has
/// `Store& store()`, which is empty at first, and `kFacets`, the names of the facets that the store has, such as
/// "folders locks"; then instantiate the suite:
///
///   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreConformance, MemoryStoreFixture);
///
/// Tests of features that the store does not have are skipped. Each store must take writes here, if need be by
/// other means.
namespace zarr {

TYPED_TEST_P(StoreConformance, HasTheFacetsThatItStates) {
  const Store& store = this->store();
  std::string facets;
  const auto add = [&](bool is_there, const char* name) {
    if (is_there) facets += (facets.empty() ? "" : " ") + std::string(name);
  };
  add(store.folders() != nullptr, "folders");
  add(store.locks() != nullptr, "locks");
  add(store.requests() != nullptr, "requests");
  EXPECT_EQ(facets, TypeParam::kFacets);
}

// --- threads ----------------------------------------------------------------------------------------------------

TYPED_TEST_P(StoreConformance, ReadersSeeWholeValuesWhileOneIsReplaced) {
  this->Set("a/b", std::string(1000, 'a'));
  const bool may_be_absent = !test::FreesNamesOfOpenFiles();  // between two steps
  std::atomic<int> torn{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread, may_be_absent, &torn] {
      for (int i = 0; i < 100; ++i) {
        if (thread == 0) this->Set("a/b", std::string(1000 + i, static_cast<char>('a' + i % 26)));
        const std::string value = this->Get("a/b");
        if (may_be_absent && value == "(absent)") continue;
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
                            ARangeMayBeEmptyUpToTheEnd, ARangeBeyondTheEndIsCorrupt, ARequestThatNeedsTheStartGetsIt,
                            ASuffixLongerThanTheValueIsTheValue, ErrorsNameStoreAndKey, AValueIsReplacedWhole,
                            AValueThatIsThereStaysWhereOneIsSetIfAbsent, AllGettersGiveOneStamp,
                            TellsAStampWithoutTheValue, StampsOfValuesOfOneSizeDiffer, ErasedIsAbsent,
                            ListsWhatStandsDirectlyUnderAPrefix, ListsNamesThatBeginAlikeInOrder,
                            ErasesWhatIsChosenUnderAPrefix, TellsWhatStandsAtAPath, MovesAllUnderAPrefix,
                            AMoveThatMovesNothingIsAnError, AChangeOfAKeyTooLongForAnyFileIsMadeOrAnError,
                            ExchangesWhatIsUnderTwoPrefixes, APrefixWithNothingUnderItGivesAnEmptyListing,
                            RefusesWhatIsNoKey, RefusesWhatIsNoPrefix, ReadersSeeWholeValuesWhileOneIsReplaced,
                            ThreadsMaySetKeysOfOnePrefixThatIsNew, HasTheFacetsThatItStates, ListsInTheWaysThatItCan,
                            AFolderThatIsErasedGoesOnlyIfItIsEmpty);

}  // namespace zarr
