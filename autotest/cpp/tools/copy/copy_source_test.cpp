// SPDX-License-Identifier: MIT
// Copies of sources that do not tell all, or that change meanwhile.
#include <atomic>
#include <fstream>

#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/watched_store.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/tools/copy/copy_marker.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/reshard/reshard_copy.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::Result;
using test::WatchedStore;
using test::Zarrkit;

/// Copies the store in `folder_` to a new one.
class CopySource : public test::FolderTest {
 public:
  ~CopySource() override { fs::remove_all(new_); }

 protected:
  CopySource() : new_(folder_ + "-new") {
    Set(".zgroup", R"({"zarr_format": 2})");
    MakeArray("a", {4}, {2});
    MakeArray("b", {4}, {2});
  }

  Result Run(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {"copy", folder_, new_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Zarrkit(arguments);
  }
  /// Copies, and does something as soon as the first chunk is to be written. Returns the error.
  std::string RunWith(const std::function<void()>& meanwhile) const {
    std::atomic<bool> done = false;  // chunks are written by several threads
    const auto target = std::make_shared<WatchedStore>(new_, false, [&] {
      if (fs::exists(new_ + "/.zarr-tmp-copy/copy.json") && !done.exchange(true)) meanwhile();
    });
    std::ostringstream out;
    Progress progress(out, 0);
    try {
      CopyStore(std::make_shared<FilesystemStore>(folder_), target, {}, out, &progress);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  bool HasNew(const std::string& key) const { return fs::exists(new_ + "/" + key); }

  std::string new_;
};

TEST_F(CopySource, ThatGrowsMeanwhileIsAnError) {
  const std::string error = RunWith([&] { MakeArray("b", {8}, {2}); });
  EXPECT_NE(error.find("b/.zarray: this document has changed while the store was copied"), std::string::npos) << error;
  EXPECT_FALSE(HasNew(".zgroup"));
  EXPECT_NE(Run().err.find("of another state of the source"), std::string::npos);
  fs::remove_all(new_);
  EXPECT_EQ(Run().code, kSuccess);
}

TEST_F(CopySource, WhoseDocumentDisappearsMeanwhileIsAnError) {
  const std::string error = RunWith([&] { fs::remove(folder_ + "/b/.zarray"); });
  EXPECT_NE(error.find("b/.zarray: this document has changed"), std::string::npos) << error;
}

TEST_F(CopySource, ThatHasLostAChunkSinceTheFirstRun) {
  EXPECT_NE(RunWith([&] { Set("b/.zattrs", "{}"); }), "");
  fs::remove(folder_ + "/b/.zattrs");
  // The first run has completed the arrays; as if it had been stopped in the second one.
  FilesystemStore target(new_);
  std::string state = target.GetText(".zarr-tmp-copy/copy.json").value();
  const std::size_t b = state.find("\"b\"");
  ASSERT_NE(b, std::string::npos) << state;
  state.replace(b, 3, "\"x\"");
  target.Set(".zarr-tmp-copy/copy.json", AsBytes(state));
  fs::remove(folder_ + "/b/1");
  ASSERT_TRUE(HasNew("b/1"));
  const Result result = Run();
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_FALSE(HasNew("b/1"));
  EXPECT_TRUE(HasNew("b/0"));
}

TEST_F(CopySource, WhoseConsolidatedMetadataAloneNameAnArray) {
  Consolidate();
  fs::remove(folder_ + "/b/.zarray");
  const Result result = Run({"--compress", "zstd"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("b/.zarray, which has no document of its own"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(new_));
  EXPECT_EQ(Run().code, kSuccess);
  EXPECT_EQ(FilesystemStore(new_).GetText(".zmetadata"), Get(".zmetadata"));
}

TEST_F(CopySource, KeepsDocumentsThatAreOfNoNode) {
  for (const char* key : {".backup/c/.zarray", "a/sub/zarr.json", "a/sub/c/0", ".git/.zattrs"}) Set(key, "mine");
  EXPECT_EQ(Run().code, kSuccess);
  for (const char* key : {".backup/c/.zarray", "a/sub/zarr.json", "a/sub/c/0", ".git/.zattrs"}) {
    EXPECT_EQ(FilesystemStore(new_).GetText(key), "mine") << key;
  }
}

/// A store that tells nothing but single values.
class Unlisted final : public Store {
 public:
  explicit Unlisted(const std::string& folder) : Store("https://host/a.zarr?signature=secret"), files_(folder) {}
  StoreInfo info() const override { return {}; }
  bool Read(const ReadRequest& request) const override { return files_.Read(request); }
  std::optional<Listing> List(std::string_view, const ListOptions&) const override { return std::nullopt; }
  bool Write(std::string_view, ByteSpan, WriteIf) override {
    ADD_FAILURE();
    return false;
  }
  void EraseAll(std::span<const std::string>) override { FAIL(); }

 private:
  FilesystemStore files_;
};

TEST_F(CopySource, ThatCannotBeListed) {
  const auto copy = [&](const CopyOptions& options) {
    std::ostringstream out;
    Progress progress(out, 0);
    CopyStore(std::make_shared<Unlisted>(folder_), std::make_shared<FilesystemStore>(new_), options, out, &progress);
  };
  EXPECT_THROW(copy({}), Error);
  EXPECT_FALSE(fs::exists(new_));
  Consolidate();
  CopyOptions options;
  options.rules = {{"a", {std::nullopt, std::nullopt, "gzip:1"}}};
  copy(options);
  EXPECT_EQ(test::FindingsIn(new_), "");
  EXPECT_EQ(test::Json(FilesystemStore(new_).GetText("a/.zarray").value()).At("compressor").At("id").AsString(),
            "gzip");
}

TEST_F(CopySource, HasAPlaceWithoutSecrets) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  EXPECT_EQ(DescribePlace(Unlisted(folder_)), "https://host/a.zarr");
  fs::create_directory_symlink(folder_, new_);
  EXPECT_EQ(DescribePlace(FilesystemStore(new_)), fs::canonical(folder_).string());
}

/// The chunks of a rectilinear grid do not end where pieces of equal length would.
TEST_F(CopySource, OfUnevenChunksGoesOnWithAnyPiece) {
  Set("r/zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [40], "data_type": "uint8", "chunk_grid":
      {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[[7, 2], 3, 9, [2, 3], 8]]}},
      "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": [{"name": "bytes"}]})");
  Set("zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
  fs::remove(folder_ + "/.zgroup");
  const auto store = std::make_shared<FilesystemStore>(folder_);
  const auto from = EditableHierarchy::Open(store)->OpenArray("r");
  Bytes values(40);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i + 1);
  const Selection all = Selection::FromBox({{0}, {40}});
  const auto writer = ArrayWriter::Make(from);
  writer->Write(all, {values.data(), {1}, nullptr});
  writer->Flush();
  for (const std::uint64_t bytes : {1, 9, 10, 17, 100}) {
    const std::string path = "copy" + std::to_string(bytes);
    const auto to = Array::Make(store, path, from->metadata());
    std::uint64_t done = 0, count = 0;
    CopySteps steps;
    steps.piece_bytes = bytes;
    steps.on_piece = [&](std::uint64_t number, std::uint64_t of) {
      done = number;
      count = of;
      throw Interrupted{2, ""};
    };
    do {
      steps.first = done;
      EXPECT_THROW(CopyElements(*from, to, steps), Interrupted);
    } while (done < count);
    Bytes copied(40);
    to->Read(all, {copied.data(), {1}, nullptr}, {});
    EXPECT_EQ(copied, values) << bytes;
  }
}

}  // namespace
}  // namespace zarr::tools
