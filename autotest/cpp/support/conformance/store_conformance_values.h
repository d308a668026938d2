// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "autotest/cpp/support/conformance/store_conformance_fixture.h"

/// Tests of StoreConformance: one value, whole and in ranges, and its versions.
namespace zarr {

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
    try {
      this->Set(key, key);
      EXPECT_EQ(this->Get(key), key);
    } catch (const Error& error) {
      EXPECT_TRUE(IsForbidden(key)) << error.what();
      EXPECT_EQ(this->Get(key), "(absent)");
    }
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

TYPED_TEST_P(StoreConformance, ARequestThatNeedsTheStartGetsIt) {
  this->Set("a", "0123456789");
  for (const std::uint64_t length : {4, 10, 11}) {
    Bytes value = ToBytes("what was there before");
    VersionStamp stamp;
    ReadRequest request{"a", ReadRequest::Part::kWhole, Freshness::kKnown, &value};
    request.length = length;
    request.stamp = &stamp;
    ASSERT_TRUE(this->store().Read(request));
    EXPECT_EQ(AsText(value).substr(0, length), std::string_view("0123456789").substr(0, length));
    EXPECT_EQ(stamp, this->StampOf("a"));
    request.key = "b";
    EXPECT_FALSE(this->store().Read(request));
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
  EXPECT_TRUE(this->store().Write("a/b", AsBytes("first"), WriteIf::kAbsent));
  EXPECT_FALSE(this->store().Write("a/b", AsBytes("second"), WriteIf::kAbsent));
  EXPECT_EQ(this->Get("a/b"), "first");
  this->Set("a/b", "third");
  EXPECT_FALSE(this->store().Write("a/b", AsBytes("fourth"), WriteIf::kAbsent));
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

}  // namespace zarr
