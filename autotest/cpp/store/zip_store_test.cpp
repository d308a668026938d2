// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/zip_store.h"
#include "zarrlib/store/zip/zip_index.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "autotest/cpp/support/conformance/store_conformance.h"
#include "autotest/cpp/support/limit_test_util.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/base/crc32.h"
#include "zarrlib/store/memory_store.h"
#include "zarrlib/store/zip/zip_records.h"

namespace zarr {
namespace {

/// "hello hello hello hello" deflated, by another program.
constexpr std::array<unsigned char, 10> kDeflated = {0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0x01};
constexpr std::string_view kInflated = "hello hello hello hello";

void Append(Bytes* bytes, ByteSpan more) {
  bytes->insert(bytes->end(), more.begin(), more.end());
}

/// Builds an archive file by file.
class Archive {
 public:
  explicit Archive(std::string_view before = "") : before_(before.size()) { Append(&bytes_, AsBytes(before)); }

  /// Returns the place of the file's bytes.
  std::size_t Add(const std::string& name, std::string_view value) {
    const ZipEntry entry{name, value.size(), bytes_.size() - before_, ComputeCrc32(AsBytes(value))};
    directory_.Add(entry);
    Append(&bytes_, MakeZipLocalHeader(entry, {}));
    Append(&bytes_, AsBytes(value));
    return bytes_.size() - value.size();
  }
  Bytes Finish(std::string_view comment = "") {
    index_ = bytes_.size();
    Append(&bytes_, directory_.Finish(index_ - before_));
    WriteLittleEndian(bytes_.data() + bytes_.size() - 2, static_cast<std::uint16_t>(comment.size()));
    Append(&bytes_, AsBytes(comment));
    return bytes_;
  }
  /// The place of the table of contents.
  std::size_t index() const { return index_; }

 private:
  std::size_t before_;
  std::size_t index_ = 0;
  Bytes bytes_;
  ZipDirectory directory_{ZipTime{}};
};

struct OpenedArchive {
  std::shared_ptr<MemoryStore> archives = std::make_shared<MemoryStore>("archives");
  ZipStore store;

  explicit OpenedArchive(const Bytes& archive, const std::string& folder = "")
      : store("/vsizip/a.zip", archives, "in/a.zip", folder) {
    Put(archive);
  }
  void Put(const Bytes& archive) { archives->Set("in/a.zip", archive); }
  std::string Get(std::string_view key) {
    Bytes value;
    return store.Get(key, &value, nullptr, UINT64_MAX) ? std::string(AsText(value)) : "(absent)";
  }
  /// Reads the two bytes from 1 on, and the last three.
  std::string GetParts(std::string_view key) {
    Bytes last;
    std::array<std::byte, 2> part{};
    const ByteRange range{1, 2};
    const MutableByteSpan buffer = part;
    VersionStamp stamp;
    if (!store.GetRanges(key, {&range, 1}, {&buffer, 1}, &stamp)) return "(absent)";
    EXPECT_TRUE(store.GetSuffix(key, 3, &last, &stamp));
    return std::string(AsText(part)) + "|" + std::string(AsText(last)) + "|" + std::to_string(stamp.size);
  }
};

Bytes TwoFiles() {
  Archive archive;
  archive.Add("zarr.json", "{}");
  archive.Add("a/c/0", "value");
  return archive.Finish();
}

TEST(ZipStoreTest, TakesATableOfContentsUpToALimit) {
  Archive archive;
  archive.Add("zarr.json", "{}");
  // A table that is in the end of the archive, which is read anyway, needs no more.
  for (const char letter : {'a', 'b', 'c'}) archive.Add(std::string(50'000, letter), "");
  const Bytes bytes = archive.Finish();
  constexpr std::size_t kEndRecord = 22;
  test::ExpectNeed(Limit::kZipIndex, bytes.size() - archive.index() - kEndRecord,
                   [&] { EXPECT_EQ(OpenedArchive(bytes).Get("zarr.json"), "{}"); });
}

TEST(ZipStoreTest, GivesWhatIsInTheArchive) {
  OpenedArchive f(TwoFiles());
  EXPECT_EQ(f.Get("zarr.json"), "{}");
  EXPECT_EQ(f.Get("a/c/0"), "value");
  EXPECT_EQ(f.GetParts("a/c/0"), "al|lue|5");
  EXPECT_TRUE(f.store.Exists("a/c/0"));
  EXPECT_EQ(f.store.List("")->keys, std::vector<std::string>{"zarr.json"});
  EXPECT_EQ(f.store.List("")->prefixes, std::vector<std::string>{"a"});
  for (const std::string key : {"a", "a/c", "a/c/1", "zarr.json/x"}) {
    EXPECT_EQ(f.Get(key), "(absent)");
    EXPECT_EQ(f.GetParts(key), "(absent)");
    EXPECT_FALSE(f.store.Exists(key));
  }
  ExpectError(ErrorKind::kLimitExceeded, [&] {
    Bytes value;
    f.store.Get("a/c/0", &value, nullptr, 4);
  });
  ExpectError(ErrorKind::kReadOnly, [&] { f.store.Set("b", {}); });
  ExpectError(ErrorKind::kReadOnly, [&] { f.store.Erase("zarr.json"); });
}

TEST(ZipStoreTest, AFolderOfIt) {
  OpenedArchive f(TwoFiles(), "a");
  EXPECT_EQ(f.Get("c/0"), "value");
  EXPECT_EQ(f.Get("zarr.json"), "(absent)");
  EXPECT_EQ(f.store.List("c/")->keys, std::vector<std::string>{"0"});
}

TEST(ZipStoreTest, OfSeveralOfANameTheLastIsMeant) {
  Archive archive;
  archive.Add("c/0", "old");
  archive.Add("c/1", "between");
  archive.Add("c/0", "newer");
  OpenedArchive f(archive.Finish());
  EXPECT_EQ(f.Get("c/0"), "newer");
  EXPECT_EQ(f.GetParts("c/0"), "ew|wer|5");
  EXPECT_EQ(f.store.List("c/")->keys, (std::vector<std::string>{"0", "1"}));
}

TEST(ZipStoreTest, BytesBeforeItAndAComment) {
  Archive archive("#!/bin/sh\n");
  archive.Add("c/0", "value");
  OpenedArchive f(archive.Finish("PK\5\6, a comment"));
  EXPECT_EQ(f.Get("c/0"), "value");
}

TEST(ZipStoreTest, NamesAreMadeKeys) {
  Archive archive;
  for (const std::string name : {"./a", "/b", "c\\d", "folder/", "../e"}) archive.Add(name, name);
  OpenedArchive f(archive.Finish());
  EXPECT_EQ(f.Get("a") + f.Get("b") + f.Get("c/d"), "./a/bc\\d");
  EXPECT_EQ(f.store.List("")->keys, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(f.store.List("")->prefixes, std::vector<std::string>{"c"});
}

/// An archive with one file, whose record and header say that it is deflated, of that size.
Bytes DeflatedArchive(std::uint32_t size) {
  Archive archive;
  const std::string stored(reinterpret_cast<const char*>(kDeflated.data()), kDeflated.size());
  archive.Add("c/0", stored);
  Bytes bytes = archive.Finish();
  WriteLittleEndian(bytes.data() + archive.index() + 10, std::uint16_t{8});
  WriteLittleEndian(bytes.data() + archive.index() + 16, ComputeCrc32(AsBytes(kInflated)));
  WriteLittleEndian(bytes.data() + archive.index() + 24, size);
  return bytes;
}

TEST(ZipStoreTest, DeflatedFiles) {
  OpenedArchive f(DeflatedArchive(kInflated.size()));
  EXPECT_EQ(f.Get("c/0"), kInflated);
  EXPECT_EQ(f.GetParts("c/0"), "el|llo|23");
}

TEST(ZipStoreTest, DeflatedFilesOfAnotherSizeThanIsSaid) {
  for (const std::uint32_t size : {22u, 24u, 0xFFFFFFF0u}) {
    OpenedArchive f(DeflatedArchive(size));
    ExpectError(ErrorKind::kCorrupt, [&] { f.Get("c/0"); });
  }
}

TEST(ZipStoreTest, AnArchiveThatIsReplacedIsLookedAtAgain) {
  OpenedArchive f(TwoFiles());
  EXPECT_EQ(f.Get("a/c/0"), "value");
  Archive other;
  other.Add("b", "something that is longer");
  other.Add("a/c/0", "another value");
  f.Put(other.Finish());
  EXPECT_EQ(f.Get("a/c/0"), "another value");
  EXPECT_EQ(f.GetParts("b"), "om|ger|24");
  EXPECT_EQ(f.Get("zarr.json"), "(absent)");
}

TEST(ZipStoreTest, AnArchiveThatIsAbsentHoldsNothing) {
  OpenedArchive f({});
  f.archives->Erase("in/a.zip");
  EXPECT_EQ(f.Get("zarr.json"), "(absent)");
  EXPECT_TRUE(f.store.List("")->keys.empty());
}

/// Applies `damage` to an archive with one file, which has 5 bytes at 33, and expects an error.
void ExpectErrorOf(ErrorKind kind, const std::function<void(Bytes*)>& damage) {
  Archive archive;
  archive.Add("c/0", "value");
  Bytes bytes = archive.Finish();
  damage(&bytes);
  OpenedArchive f(bytes);
  ExpectError(kind, [&] { f.Get("c/0"); });
}

TEST(ZipStoreTest, DamageIsToldAndNotRead) {
  constexpr std::size_t kIndex = 38;
  constexpr std::size_t kEnd = kIndex + 46 + 3;
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { b->resize(b->size() - 1); });
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { b->clear(); });
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[33] = std::byte{'V'}; });              // the checksum
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[0] = std::byte{}; });                  // the header
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[kIndex] = std::byte{}; });             // the record
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[kIndex + 28] = std::byte{200}; });     // its name
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[kIndex + 20] = std::byte{6}; });       // sizes differ
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[kIndex + 45] = std::byte{0x7F}; });    // far away
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[kEnd + 15] = std::byte{0x7F}; });      // of the index
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[kEnd + 12] = std::byte{48}; });        // its size
  ExpectErrorOf(ErrorKind::kCorrupt, [](Bytes* b) { (*b)[kEnd + 4] = std::byte{1}; });          // of two parts
  ExpectErrorOf(ErrorKind::kUnsupported, [](Bytes* b) { (*b)[kIndex + 10] = std::byte{14}; });  // LZMA
  ExpectErrorOf(ErrorKind::kUnsupported, [](Bytes* b) { (*b)[kIndex + 8] = std::byte{1}; });    // encrypted
}

TEST(ZipIndexTest, NumbersOfZip64) {
  constexpr std::uint64_t kFar = std::uint64_t{5} << 30;
  ZipDirectory directory{ZipTime{}};
  directory.Add({"near", 7, 3, 1});
  directory.Add({"large", kFar, 20, 2});
  directory.Add({"far", 8, kFar + 100, 3});
  const Bytes end = directory.Finish(kFar + 200);
  const ZipIndexPlace place = FindZipIndex(end, kFar + 200 + end.size());
  EXPECT_EQ(place.range.offset, kFar + 200);
  EXPECT_EQ(place.shift, 0u);
  const ZipFiles files = ParseZipIndex(ByteSpan(end).first(place.range.length), place);
  EXPECT_EQ(files.at("near").offset, 3u);
  EXPECT_EQ(files.at("large").size, kFar);
  EXPECT_EQ(files.at("large").stored_size, kFar);
  EXPECT_EQ(files.at("large").offset, 20u);
  EXPECT_EQ(files.at("far").size, 8u);
  EXPECT_EQ(files.at("far").offset, kFar + 100);
}

}  // namespace
}  // namespace zarr
