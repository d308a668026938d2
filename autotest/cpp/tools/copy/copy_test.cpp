// SPDX-License-Identifier: MIT
#include <fstream>

#include "autotest/cpp/support/fault_store.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/tools/copy/copy_rules.h"
#include "zarrlib/tools/copy/recompress.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::FindingsIn;
using test::Json;
using test::Result;
using test::Zarrkit;

/// Copies a store from "old" to "new". The fixture's arrays are made in its own folder, which is then moved there.
class Copy : public test::FolderTest {
 public:
  ~Copy() override {
    fs::remove_all(old_);
    fs::remove_all(new_);
  }

 protected:
  Copy() {
    Set(".zgroup", R"({"zarr_format": 2})");
    Set(".zattrs", R"({"title": "a test"})");
    Set("g/.zgroup", R"({"zarr_format": 2})");
    MakeArray("g/a", {6, 8}, {2, 4}, R"("filters": null, "compressor": {"id": "zlib", "level": 1})");
    Set("g/a/.zattrs", R"({"units": "m"})");
    MakeArray("b", {5}, {2});
    Set("g/notes.txt", "somebody's");
    Set("g/a/pam.aux.xml", "<xml/>");
    Consolidate();
    old_ = folder_ + "-old";
    new_ = folder_ + "-new";
    fs::rename(folder_, old_);
  }

  Result Run(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"copy", old_, new_});
    return Zarrkit(options);
  }
  static std::vector<std::int16_t> ReadFrom(const std::string& store, const std::string& path,
                                            bool consolidated = false) {
    HierarchyOptions options;
    options.use_consolidated = consolidated;
    const auto array = EditableHierarchy::Open(std::make_shared<FilesystemStore>(store), options)->OpenArray(path);
    std::vector<std::int16_t> values(static_cast<std::size_t>(ComputeProduct(array->shape())));
    ReadOptions read;
    read.use_cache = false;
    array->Read(Selection::FromBox({Shape(array->rank(), 0), array->shape()}),
                {reinterpret_cast<std::byte*>(values.data()), GetContiguousStrides(array->shape(), 2), nullptr}, read);
    return values;
  }
  /// All files of a store, with their content.
  static std::map<std::string, std::string> Files(const std::string& store) {
    std::map<std::string, std::string> files;
    const FilesystemStore folder(store);
    for (const auto& entry : fs::recursive_directory_iterator(store)) {
      const std::string key = fs::relative(entry.path(), store).generic_string();
      if (entry.is_regular_file()) files[key] = folder.GetText(key).value();
    }
    return files;
  }
  std::string GetNew(std::string_view key) const { return FilesystemStore(new_).GetText(key).value_or("(absent)"); }
  std::string InfoOf(const std::string& array) const { return Zarrkit({"info", new_, "--array", array}).out; }
  void ExpectValues() const {
    EXPECT_EQ(ReadFrom(new_, "g/a"), Numbers(48));
    EXPECT_EQ(ReadFrom(new_, "g/a", true), Numbers(48));
    EXPECT_EQ(ReadFrom(new_, "b"), Numbers(5));
    EXPECT_EQ(FindingsIn(new_), "");
  }

  std::string old_;
  std::string new_;
};

TEST_F(Copy, WithoutChangesEveryFileIsTheSame) {
  const Result result = Run();
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "copied 2 arrays, of which 0 were encoded anew, and 2 groups to " + new_ + "\n");
  EXPECT_EQ(Files(new_), Files(old_));
  EXPECT_FALSE(fs::exists(new_ + "/.zarr-tmp-copy"));
  ExpectValues();
}

TEST_F(Copy, LeavesTheSourceAsItIs) {
  const auto before = Files(old_);
  EXPECT_EQ(Run({"--chunks", "3,8", "--compress", "zstd"}).code, kSuccess);
  EXPECT_EQ(Files(old_), before);
}

TEST_F(Copy, WithAnotherCompressor) {
  const Result result = Run({"--compress", "zstd:7"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(Json(GetNew("g/a/.zarray")).At("compressor").Dump(), R"({"id":"zstd","level":7})");
  EXPECT_EQ(Json(GetNew("b/.zarray")).At("compressor").At("id").AsString(), "zstd");
  EXPECT_EQ(Json(GetNew(".zmetadata")).At("metadata").At("g/a/.zarray").At("compressor").At("id").AsString(), "zstd");
  EXPECT_EQ(GetNew("g/notes.txt"), "somebody's");
  EXPECT_EQ(GetNew("g/a/pam.aux.xml"), "<xml/>");
  EXPECT_EQ(Json(GetNew("g/a/.zattrs")).At("units").AsString(), "m");
  EXPECT_EQ(Json(GetNew(".zattrs")).At("title").AsString(), "a test");
  ExpectValues();
}

TEST_F(Copy, TakesConsolidatedMetadataOfInnerGroupsAlong) {
  const auto hierarchy = EditableHierarchy::Open(std::make_shared<FilesystemStore>(old_));
  hierarchy->SetConsolidate(true, "g");
  hierarchy->WriteConsolidated();
  EXPECT_EQ(Run({"--compress", "zstd:7"}).code, kSuccess);
  const JsonNode array = Json(GetNew("g/.zmetadata")).At("metadata").At("a/.zarray");
  EXPECT_EQ(array.At("compressor").At("id").AsString(), "zstd");
  EXPECT_TRUE(Files(new_).contains(".zmetadata"));
}

TEST_F(Copy, ByRules) {
  const Result result = Run({"--array", "/g/* chunks=3,8 compress=none", "--compress", "gzip:1", "--chunks", "5"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_NE(InfoOf("g/a").find("chunks [3,8]  codecs none"), std::string::npos) << InfoOf("g/a");
  EXPECT_NE(InfoOf("b").find("chunks [5]  codecs numcodecs.gzip"), std::string::npos) << InfoOf("b");
  EXPECT_EQ(Files(new_).count("g/a/2.1"), 0U) << "an old chunk";
  ExpectValues();
}

TEST_F(Copy, KeepsChunksThatWouldBeTheSame) {
  ASSERT_EQ(Run({"--array", "g/a chunks=2,4"}).out.find("of which 0 were"), std::string("copied 2 arrays, ").size());
  EXPECT_EQ(Files(new_), Files(old_));
}

TEST_F(Copy, OfShards) {
  ASSERT_EQ(Zarrkit({"migrate", old_, "--to", "v3", "--delete-old"}).code, kSuccess);
  Result result = Run({"--array", "g/a chunks=2,2 shards=4,4", "--compress", "blosc:1"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_NE(InfoOf("g/a").find("chunks [4,4]  codecs sharding_indexed[2,2](bytes numcodecs.zlib)"), std::string::npos)
      << InfoOf("g/a");
  EXPECT_NE(InfoOf("b").find("codecs bytes blosc"), std::string::npos) << InfoOf("b");
  EXPECT_TRUE(EditableHierarchy::Open(std::make_shared<FilesystemStore>(new_))->consolidated());
  ExpectValues();
  // Another compressor inside the shards.
  const std::string second = new_ + "2";
  result = Zarrkit({"copy", new_, second, "--compress", "zstd"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_NE(Zarrkit({"info", second}).out.find("sharding_indexed[2,2](bytes zstd)"), std::string::npos);
  EXPECT_EQ(ReadFrom(second, "g/a"), Numbers(48));
  fs::remove_all(second);
}

TEST_F(Copy, OfTwoFormats) {
  ASSERT_EQ(Zarrkit({"migrate", old_, "--to", "v3"}).code, kSuccess);
  EXPECT_EQ(Run({"--compress", "zstd"}).code, kFailure);  // one of the two would be wrong
  EXPECT_FALSE(fs::exists(new_));
  EXPECT_EQ(Run().code, kSuccess);
  EXPECT_EQ(Files(new_), Files(old_));
}

TEST_F(Copy, RefusesWhatItCannotKeep) {
  const auto error = [&](const std::vector<std::string>& options) {
    const Result result = Run(options);
    EXPECT_EQ(result.code, kUsage);
    EXPECT_FALSE(fs::exists(new_));
    return result.err;
  };
  EXPECT_NE(error({"--array", "c* compress=none"}).find("no array matches c*"), std::string::npos);
  EXPECT_NE(error({"--array", "b chunks=2,2"}).find("--chunks: expected 1 edges, one for each axis, got [2,2]"),
            std::string::npos);
  EXPECT_NE(error({"--array", "b chunks=2 shards=4"}).find("only v3 has shards"), std::string::npos);
  EXPECT_NE(Zarrkit({"copy", old_, old_ + "/inside"}).err.find("apart"), std::string::npos);
  for (const char* rule : {"", "chunks=2", "b chunks=", "b chunks=2,", "b compress=zip", "b compress=zstd:99"}) {
    EXPECT_EQ(Run({"--array", rule}).code, kUsage) << rule;
  }
  EXPECT_EQ(Run({"--compress", "zstd:x"}).code, kUsage);
  EXPECT_EQ(Zarrkit({"copy", old_}).code, kUsage);
}

TEST_F(Copy, NeverTouchesAFolderWithSomethingElse) {
  fs::create_directories(new_);
  std::ofstream(new_ + "/theirs.txt") << "x";
  const Result result = Run();
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("theirs.txt"), std::string::npos) << result.err;
  EXPECT_EQ(Files(new_), (std::map<std::string, std::string>{{"theirs.txt", "x"}}));
  fs::remove_all(new_);
  EXPECT_EQ(Run().code, kSuccess);
  EXPECT_EQ(Run().code, kFailure);  // the copy is complete
}

/// Copies to a store whose n-th call goes wrong. Returns whether that call was made.
bool CopyWithFault(const std::string& old_store, const std::string& new_store, const CopyOptions& options,
                   test::Fault fault, int number) {
  const auto target = std::make_shared<test::FaultStore>(std::make_shared<FilesystemStore>(new_store), fault, number);
  std::ostringstream out;
  Progress progress(out, 0);
  try {
    CopyStore(std::make_shared<FilesystemStore>(old_store), target, options, out, &progress);
  } catch (const Error& error) {
    EXPECT_TRUE(target->happened()) << error.what();
  }
  return target->happened();
}

TEST_F(Copy, IsTakenUpAgainAfterEachCall) {
  for (const bool changes : {false, true}) {
    CopyOptions options;
    std::vector<std::string> arguments;
    if (changes) {
      options.rules = {{"g/a", {Shape{3, 8}, std::nullopt, "gzip:1"}}};
      arguments = {"--array", "g/a chunks=3,8 compress=gzip:1"};
    }
    for (const test::Fault fault : {test::Fault::kFails, test::Fault::kLosesAnswer, test::Fault::kStaysBroken}) {
      bool happened = true;
      for (int number = 1; happened; ++number) {
        SCOPED_TRACE(std::string(changes ? "changed, call " : "call ") + std::to_string(number) + " " +
                     std::string(GetName(fault)));
        fs::remove_all(new_);
        happened = CopyWithFault(old_, new_, options, fault, number);
        const bool is_marked = fs::exists(new_ + "/.zarr-tmp-copy/copy.json");
        if (is_marked || !fs::exists(new_ + "/.zgroup")) {
          const Result again = Run(arguments);
          EXPECT_EQ(again.code, kSuccess) << again.err;
          EXPECT_TRUE(again.out.starts_with(is_marked ? "completed the copy of 2" : "copied 2")) << again.out;
        }
        ExpectValues();
        if (!changes) {
          EXPECT_EQ(Files(new_), Files(old_));
        }
        ASSERT_LT(number, 1000);
        if (HasFailure()) return;
      }
    }
  }
}

/// Stops a copy when it has stored a chunk.
void StopCopy(const std::string& old_store, const std::string& new_store, const CopyOptions& options) {
  for (int number = 1; !fs::exists(new_store + "/g/a/2.1"); ++number) {
    fs::remove_all(new_store);
    CopyWithFault(old_store, new_store, options, test::Fault::kStaysBroken, number);
  }
}

TEST_F(Copy, DoesNotTrustChunksOfAnInterruptedRun) {
  StopCopy(old_, new_, {});
  std::ofstream(new_ + "/g/a/0.1") << "cut";
  const std::string same_size(Files(new_)["g/a/1.1"].size(), 'x');
  std::ofstream(new_ + "/g/a/1.1") << same_size;
  EXPECT_EQ(Run().code, kSuccess);
  EXPECT_EQ(Files(new_), Files(old_));
}

TEST_F(Copy, TakesUpOnlyTheSameCopy) {
  StopCopy(old_, new_, {});
  EXPECT_NE(Zarrkit({"check", old_}).out.find("0 errors"), std::string::npos);
  const Result other = Run({"--compress", "gzip"});
  EXPECT_EQ(other.code, kFailure);
  EXPECT_NE(other.err.find("an unfinished copy with other options"), std::string::npos) << other.err;
  fs::copy(old_, folder_, fs::copy_options::recursive);
  const Result source = Zarrkit({"copy", folder_, new_});
  EXPECT_EQ(source.code, kFailure);
  EXPECT_NE(source.err.find("an unfinished copy of " + ToText(old_)), std::string::npos) << source.err;
  FilesystemStore(old_).Set("g/a/.zattrs", AsBytes(R"({"units": "km"})"));
  EXPECT_NE(Run().err.find("another state of the source"), std::string::npos);
  FilesystemStore(old_).Set("g/a/.zattrs", AsBytes(R"({"units": "m"})"));
  EXPECT_EQ(Run().code, kSuccess);
}

TEST_F(Copy, SaysWhatAMistakeLeaves) {
  const std::string kept = Files(old_)["g/a/1.1"];
  std::ofstream(old_ + "/g/a/1.1") << "damaged";
  const Result result = Run({"--compress", "zstd"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("what has been copied stays in " + new_), std::string::npos) << result.err;
  std::ofstream(old_ + "/g/a/1.1", std::ios::binary) << kept;
  EXPECT_EQ(Run({"--compress", "zstd"}).code, kSuccess);
}

TEST(CopyRules, Patterns) {
  EXPECT_TRUE(MatchesPattern("a/b", "a/b"));
  EXPECT_TRUE(MatchesPattern("a/b", "/a/b"));
  EXPECT_TRUE(MatchesPattern("a/b", "a/*"));
  EXPECT_TRUE(MatchesPattern("a/b", "**"));
  EXPECT_TRUE(MatchesPattern("a/b/c", "**/c"));
  EXPECT_TRUE(MatchesPattern("a/b/c", "a/**"));
  EXPECT_TRUE(MatchesPattern("temp_2m", "t*_?m"));
  EXPECT_TRUE(MatchesPattern("aab", "*ab"));
  EXPECT_FALSE(MatchesPattern("a/b", "*"));
  EXPECT_FALSE(MatchesPattern("a/b", "a?b"));
  EXPECT_FALSE(MatchesPattern("a/b/c", "a/*"));
  EXPECT_FALSE(MatchesPattern("ab", "a"));
  EXPECT_FALSE(MatchesPattern("a", "ab"));
  EXPECT_TRUE(MatchesPattern("", "**"));
}

TEST(CopyRules, AreParsed) {
  const CopyRule rule = ParseCopyRule("my array/*  chunks=1,256 shards=2,512  compress=zstd:5");
  EXPECT_EQ(rule.pattern, "my array/*");
  EXPECT_EQ(rule.change.chunks, (Shape{1, 256}));
  EXPECT_EQ(rule.change.shards, (Shape{2, 512}));
  EXPECT_EQ(rule.change.compress, "zstd:5");
  EXPECT_EQ(ParseCopyRule("year=2020 chunks=5").pattern, "year=2020");
}

TEST_F(Copy, RulesSayWhatArraysGet) {
  const auto error = [&](const std::vector<std::string>& options) {
    const Result result = Run(options);
    EXPECT_EQ(result.code, kUsage);
    EXPECT_FALSE(fs::exists(new_));
    return result.err;
  };
  const std::string form = "PATTERN [chunks=N,N,...] [shards=N,N,...] [compress=NAME[:LEVEL]]";
  const std::string bare = error({"--array", "b"});
  EXPECT_NE(bare.find(form), std::string::npos) << bare;
  const std::string typo = error({"--array", "b chunk=2"});
  EXPECT_NE(typo.find(form), std::string::npos) << typo;
  EXPECT_NE(typo.find("got the setting chunk; did you mean chunks?"), std::string::npos) << typo;
  EXPECT_NE(error({"--array", "bb compress=none"}).find("no array matches bb; did you mean b?"), std::string::npos);
  const std::string hidden = error({"--array", "** compress=none", "--array", "b compress=gzip"});
  EXPECT_NE(hidden.find("\"b\": the rule for \"**\", which stands before this one, counts"), std::string::npos)
      << hidden;
  EXPECT_EQ(Run({"--array", "b compress=gzip", "--array", "** compress=none"}).code, kSuccess);
}

// --- archives ----------------------------------------------------------------------------------------------------

class CopyToArchive : public Copy {
 public:
  ~CopyToArchive() override { fs::remove_all(new_ + "-zip"); }

 protected:
  CopyToArchive() {
    fs::create_directory(new_ + "-zip");
    archive_ = new_ + "-zip/a.zarr.zip";
  }

  Result Run(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"copy", old_, archive_});
    return Zarrkit(options);
  }
  std::string archive_;
};

TEST_F(CopyToArchive, MakesOne) {
  const Result result = Run();
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_TRUE(fs::is_regular_file(archive_));
  EXPECT_EQ(Zarrkit({"check", archive_}).out, "2 groups, 2 arrays, 9 chunks, 0 errors\n");
  ASSERT_EQ(Zarrkit({"copy", archive_, new_}).code, kSuccess);
  EXPECT_EQ(Files(new_), Files(old_));
}

TEST_F(CopyToArchive, EncodesAnew) {
  EXPECT_EQ(Run({"--array", "g/a chunks=3,8 compress=gzip"}).code, kSuccess);
  EXPECT_EQ(Zarrkit({"check", archive_}).out, "2 groups, 2 arrays, 5 chunks, 0 errors\n");
  EXPECT_EQ(Zarrkit({"cat", archive_, "--array", "g/a", "--chunk", "1,0", "--text"}).out,
            "24 25 26 27 28 29 30 31\n32 33 34 35 36 37 38 39\n40 41 42 43 44 45 46 47\n");
}

TEST_F(CopyToArchive, LeavesWhatIsThere) {
  std::ofstream(archive_) << "something";
  EXPECT_NE(Run().err.find("here is something already"), std::string::npos);
  EXPECT_EQ(fs::file_size(archive_), 9U);
  EXPECT_NE(Zarrkit({"copy", old_, new_ + "/none/a.zip"}).err.find("no such folder"), std::string::npos);
}

TEST_F(CopyToArchive, AMistakeLeavesNothing) {
  std::ofstream(old_ + "/g/a/1.1") << "damaged";
  EXPECT_EQ(Run({"--compress", "zstd"}).code, kFailure);
  EXPECT_TRUE(fs::is_empty(new_ + "-zip"));
}

}  // namespace
}  // namespace zarr::tools
