// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/stored_value.h"

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/store/forwarding_store.h"

namespace zarr {
namespace {

using test::CountingStore;
using test::ExpectError;

std::string TextOfRange(const ValueReader& value, std::uint64_t offset, std::uint64_t length) {
  std::string text(static_cast<std::size_t>(length), '#');
  const ByteRange range{offset, length};
  const MutableByteSpan buffer = std::as_writable_bytes(std::span(text));
  EXPECT_TRUE(value.Read({&range, 1}, {&buffer, 1}));
  return text;
}

std::string LastOf(const ValueReader& value, std::uint64_t length) {
  const auto suffix = value.ReadSuffix(length);
  return suffix ? std::string(AsText(suffix->bytes)) : "absent";
}

std::string AllOf(const ValueReader& value) {
  const auto bytes = value.ReadAll(100);
  return bytes ? std::string(AsText(*bytes)) : "absent";
}

/// The ways to access a value.
const std::function<void(const ValueReader&)> kAccesses[] = {
    [](const ValueReader& value) { TextOfRange(value, 0, 1); },
    [](const ValueReader& value) { LastOf(value, 2); },
    [](const ValueReader& value) { AllOf(value); },
};

class StoredValueTest : public testing::Test {
 protected:
  StoredValueTest() { store_.SetText("key", "0123456789"); }
  VersionStamp StampNow() const {
    VersionStamp stamp;
    EXPECT_TRUE(store_.GetStamp("key", &stamp));
    return stamp;
  }

  CountingStore store_;
};

TEST_F(StoredValueTest, ReadsRangesTheEndAndAll) {
  const StoredValue value(store_, "key");
  std::string first = "..";
  std::string second = "...";
  const ByteRange ranges[] = {{4, 2}, {0, 3}};
  const MutableByteSpan buffers[] = {std::as_writable_bytes(std::span(first)),
                                     std::as_writable_bytes(std::span(second))};
  EXPECT_TRUE(value.Read(ranges, buffers));
  EXPECT_EQ(first, "45");
  EXPECT_EQ(second, "012");
  EXPECT_EQ(LastOf(value, 3), "789");
  EXPECT_EQ(LastOf(value, 30), "0123456789");
  EXPECT_EQ(value.ReadSuffix(3)->value_size, 10u);
  EXPECT_EQ(AllOf(value), "0123456789");
}

TEST_F(StoredValueTest, KnowsItsSizeAfterAnyAccess) {
  for (const auto& access : kAccesses) {
    const StoredValue value(store_, "key");
    EXPECT_EQ(value.value_size(), std::nullopt);
    access(value);
    EXPECT_EQ(value.value_size(), 10u);
    EXPECT_EQ(value.stamp(), StampNow());
  }
  const StoredValue known(store_, "key", StampNow());
  EXPECT_EQ(known.value_size(), 10u);
  EXPECT_EQ(StoredValue(store_, "key", VersionStamp{}).value_size(), std::nullopt) << "a store that tells no sizes";
}

TEST_F(StoredValueTest, IsAbsent) {
  const StoredValue value(store_, "other");
  EXPECT_EQ(LastOf(value, 1), "absent");
  EXPECT_EQ(AllOf(value), "absent");
  EXPECT_FALSE(value.Read({}, {}));
  store_.SetText("other", "now");
  EXPECT_EQ(AllOf(value), "now") << "no stamp was kept";
}

TEST_F(StoredValueTest, FailsOnceTheValueIsAnotherOne) {
  for (const auto& first : kAccesses) {
    for (const auto& second : kAccesses) {
      const StoredValue value(store_, "key");
      first(value);
      second(value);
      store_.SetText("key", "0123456789");  // as long as before
      EXPECT_THROW(second(value), ValueChanged);
      EXPECT_THROW(second(value), ValueChanged) << "and it stays so";
    }
  }
}

TEST_F(StoredValueTest, FailsOnceTheValueIsGone) {
  for (const auto& access : kAccesses) {
    store_.SetText("key", "0123456789");
    const StoredValue value(store_, "key");
    access(value);
    store_.Erase("key");
    EXPECT_THROW(access(value), ValueChanged);
  }
}

TEST_F(StoredValueTest, ComparesWithTheStampThatItWasGiven) {
  const VersionStamp before = StampNow();
  const StoredValue value(store_, "key", before);
  EXPECT_EQ(AllOf(value), "0123456789");
  store_.SetText("key", "0123456789");
  for (const auto& access : kAccesses) EXPECT_THROW(access(value), ValueChanged);
  const StoredValue late(store_, "key", before);
  for (const auto& access : kAccesses) EXPECT_THROW(access(late), ValueChanged);
  store_.Erase("key");
  for (const auto& access : kAccesses) EXPECT_THROW(access(late), ValueChanged);
}

TEST_F(StoredValueTest, RefusesARangeBeyondTheEnd) {
  const StoredValue value(store_, "key");
  ExpectError([&] { TextOfRange(value, 9, 2); }, ErrorKind::kCorrupt, "", "key");
  AllOf(value);
  ExpectError([&] { TextOfRange(value, 9, 2); }, ErrorKind::kCorrupt, "", "key");
}

TEST_F(StoredValueTest, TakesARangeBeyondTheEndOfANewValueForAChange) {
  // The index of the value before may well name it.
  const StoredValue value(store_, "key");
  EXPECT_EQ(TextOfRange(value, 8, 2), "89");
  store_.SetText("key", "short");
  EXPECT_THROW(TextOfRange(value, 8, 2), ValueChanged);
  const StoredValue gone(store_, "key", StampNow());
  store_.AfterRead([&](const std::string&) { store_.Erase("key"); });
  EXPECT_EQ(TextOfRange(gone, 0, 1), "s");
  EXPECT_THROW(TextOfRange(gone, 8, 2), ValueChanged);
}

TEST_F(StoredValueTest, RefusesAValueThatIsTooLarge) {
  const StoredValue value(store_, "key");
  EXPECT_EQ(value.ReadAll(10)->size(), 10u);
  ExpectError([&] { value.ReadAll(9); }, ErrorKind::kLimitExceeded, "", "9");
}

TEST_F(StoredValueTest, PassesErrorsOfTheStoreOn) {
  const StoredValue value(store_, "key");
  AllOf(value);
  store_.FailAt("key");
  for (const auto& access : kAccesses) ExpectError([&] { access(value); }, ErrorKind::kIo, "", "HTTP 500");
}

// --- what comes with an index ------------------------------------------------------------------------------------

/// A value of 100,000 bytes, each of which tells its position modulo 251.
std::string MakeLongText() {
  std::string text(100000, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i % 251);
  return text;
}

/// Notes how many bytes of values are requested.
class PartNotingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  bool Read(const ReadRequest& request) const override {
    bytes_ += request.length;
    for (const ByteRange& range : request.ranges) bytes_ += range.length;
    return inner().Read(request);
  }
  std::uint64_t TakeBytes() { return std::exchange(bytes_, 0); }

 private:
  mutable std::uint64_t bytes_ = 0;
};

class RemoteValueTest : public testing::Test {
 protected:
  RemoteValueTest() {
    store_.SetText("short", "0123456789");
    store_.SetText("long", text_);
  }

  const std::string text_ = MakeLongText();
  CountingStore store_{8};
};

TEST_F(RemoteValueTest, AShortValueComesWithEitherEnd) {
  for (const bool is_start : {false, true}) {
    const StoredValue value(store_, "short");
    EXPECT_EQ(is_start ? TextOfRange(value, 0, 3) : LastOf(value, 3), is_start ? "012" : "789");
    EXPECT_EQ(value.value_size(), 10u);
    EXPECT_EQ(TextOfRange(value, 0, 10), "0123456789");
    EXPECT_EQ(TextOfRange(value, 4, 2), "45");
    EXPECT_EQ(store_.TakeReads(), 1);
  }
}

TEST_F(RemoteValueTest, APartOfALongValueComesWithItsEnd) {
  constexpr std::uint64_t kBegin = 100000 - kReadWithIndex;
  const StoredValue value(store_, "long");
  EXPECT_EQ(LastOf(value, 100), text_.substr(99900));
  EXPECT_EQ(TextOfRange(value, kBegin, 5), text_.substr(kBegin, 5));
  EXPECT_EQ(TextOfRange(value, kBegin, kReadWithIndex), text_.substr(kBegin));
  EXPECT_EQ(store_.TakeReads(), 1);
  EXPECT_EQ(TextOfRange(value, kBegin - 1, 5), text_.substr(kBegin - 1, 5));
  EXPECT_EQ(store_.TakeReads(), 1);
}

TEST_F(RemoteValueTest, APartOfALongValueComesWithItsStart) {
  const StoredValue value(store_, "long");
  EXPECT_EQ(TextOfRange(value, 0, 100), text_.substr(0, 100));
  EXPECT_EQ(TextOfRange(value, kReadWithIndex - 5, 5), text_.substr(kReadWithIndex - 5, 5));
  EXPECT_EQ(store_.TakeReads(), 1);
  EXPECT_EQ(TextOfRange(value, kReadWithIndex - 5, 6), text_.substr(kReadWithIndex - 5, 6));
  EXPECT_EQ(store_.TakeReads(), 1);
}

TEST_F(RemoteValueTest, OfARangeThatCameInPartOnlyTheRestIsRequested) {
  const auto memory = std::make_shared<CountingStore>(8);
  memory->SetText("long", text_);
  PartNotingStore store(memory);
  const StoredValue end(store, "long");
  EXPECT_EQ(LastOf(end, 100), text_.substr(99900));
  store.TakeBytes();
  EXPECT_EQ(TextOfRange(end, 100000 - kReadWithIndex - 7, 20), text_.substr(100000 - kReadWithIndex - 7, 20));
  EXPECT_EQ(store.TakeBytes(), 7u);
  const StoredValue start(store, "long");
  EXPECT_EQ(TextOfRange(start, 0, 100), text_.substr(0, 100));
  store.TakeBytes();
  EXPECT_EQ(TextOfRange(start, kReadWithIndex - 7, 20), text_.substr(kReadWithIndex - 7, 20));
  EXPECT_EQ(store.TakeBytes(), 13u);
  ExpectError([&] { TextOfRange(start, 10, 100000); }, ErrorKind::kCorrupt, "", "long");
}

TEST_F(RemoteValueTest, ALargeIndexComesAlone) {
  const StoredValue value(store_, "long");
  EXPECT_EQ(LastOf(value, 70000), text_.substr(30000));
  EXPECT_EQ(value.kept(), nullptr);
  const StoredValue first(store_, "long");
  EXPECT_EQ(TextOfRange(first, 0, 70000), text_.substr(0, 70000));
  EXPECT_EQ(first.kept(), nullptr);
}

TEST_F(RemoteValueTest, ARangeThatIsNotAtTheStartComesAlone) {
  const StoredValue value(store_, "long");
  EXPECT_EQ(TextOfRange(value, 1, 100), text_.substr(1, 100));
  EXPECT_EQ(value.kept(), nullptr);
}

TEST_F(RemoteValueTest, AnAbsentValueTakesOneRequest) {
  const StoredValue value(store_, "other");
  std::byte byte{};
  const ByteRange range{0, 1};
  const MutableByteSpan buffer(&byte, 1);
  EXPECT_FALSE(value.Read({&range, 1}, {&buffer, 1}));
  EXPECT_EQ(store_.TakeReads(), 1);
}

TEST_F(RemoteValueTest, AnErrorOfTheStoreIsNoAbsence) {
  store_.FailAt("long");
  const StoredValue value(store_, "long");
  ExpectError([&] { TextOfRange(value, 0, 1); }, ErrorKind::kIo, "", "HTTP 500");
  ExpectError([&] { LastOf(value, 1); }, ErrorKind::kIo, "", "HTTP 500");
}

TEST_F(RemoteValueTest, WhatCameIsOfTheVersionThatWasRead) {
  const StoredValue value(store_, "long");
  EXPECT_EQ(LastOf(value, 100), text_.substr(99900));
  store_.SetText("long", std::string(100000, '#'));
  EXPECT_EQ(TextOfRange(value, 99000, 5), text_.substr(99000, 5));
  EXPECT_THROW(TextOfRange(value, 0, 5), ValueChanged);
  const StoredValue second(store_, "long", value.stamp(), value.kept());
  EXPECT_EQ(TextOfRange(second, 99000, 5), text_.substr(99000, 5));
  EXPECT_THROW(TextOfRange(second, 0, 5), ValueChanged);
}

TEST_F(RemoteValueTest, ARangeBeyondTheEndIsRefusedAsBefore) {
  const StoredValue value(store_, "short");
  EXPECT_EQ(LastOf(value, 3), "789");
  ExpectError([&] { TextOfRange(value, 9, 2); }, ErrorKind::kCorrupt, "", "short");
  ExpectError([&] { TextOfRange(value, UINT64_MAX, 1); }, ErrorKind::kCorrupt, "", "short");
}

TEST(StoredValue, ALocalStoreSendsNoMoreThanIsNeeded) {
  const auto memory = std::make_shared<CountingStore>();
  memory->SetText("long", MakeLongText());
  PartNotingStore store(memory);
  for (const bool is_start : {false, true}) {
    const StoredValue value(store, "long");
    EXPECT_EQ((is_start ? TextOfRange(value, 0, 100) : LastOf(value, 100)).size(), 100u);
    EXPECT_EQ(value.kept(), nullptr);
    EXPECT_EQ(store.TakeBytes(), 100u);
  }
}

}  // namespace
}  // namespace zarr
