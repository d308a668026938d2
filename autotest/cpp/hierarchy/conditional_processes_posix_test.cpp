// SPDX-License-Identifier: MIT
// Several processes change the same arrays of a store with conditions at the same time. ZARR_OBJECT_WRITERS sets their
// number (8).
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/store/conditional_store.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

using namespace test;

constexpr unsigned kRounds = 12;

/// A folder that several processes see as a remote store whose server compares and replaces values in one step.
class SharedServer final : public ForwardingStore {
 public:
  explicit SharedServer(const std::string& folder) : ForwardingStore(std::make_shared<FilesystemStore>(folder)) {}

  StoreInfo info() const override {
    StoreInfo info = inner().info();
    info.concurrency = 4;
    return info;
  }
  /// A server has no folders: there is nothing under the key of one, also if another process has just made it.
  bool Read(const ReadRequest& request) const override {
    try {
      return inner().Read(request);
    } catch (const Error&) {
      if (inner().folders()->GetKind(request.key) != EntryKind::kFolder) throw;
      return false;
    }
  }
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override {
    const auto lock = inner().locks()->LockFolder("");
    return inner().WriteIfSame(key, value, known);
  }
  StoreFolders* folders() const override { return nullptr; }
  StoreLocks* locks() const override { return nullptr; }
};

std::shared_ptr<EditableHierarchy> OpenAsProcess(const std::string& folder) {
  HierarchyOptions options;
  options.may_wait = true;
  const auto store = std::make_shared<ConditionalStore>(std::make_shared<SharedServer>(folder));
  auto hierarchy = EditableHierarchy::Open(store, options);
  hierarchy->waiting().Defer();
  return hierarchy;
}

unsigned CountProcesses() {
  const char* const set = std::getenv("ZARR_OBJECT_WRITERS");
  return set ? static_cast<unsigned>(std::atoi(set)) : 8;
}

/// Calls `change` in several processes at once, with their numbers.
void RunProcesses(const std::function<void(unsigned)>& change) {
  std::vector<pid_t> children;
  for (unsigned number = 0; number < CountProcesses(); ++number) {
    const pid_t child = fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    try {
      change(number);
      _exit(0);
    } catch (const std::exception& error) {
      std::cerr << number << ": " << error.what() << "\n";
      _exit(1);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

struct ServedArrays {
  TemporaryFolder folder;

  explicit ServedArrays(const std::vector<std::pair<std::string, std::string>>& arrays) {
    const auto store = std::make_shared<ConditionalStore>(std::make_shared<SharedServer>(folder.path()));
    const auto maker = EditableHierarchy::Create(store, ZarrFormat::kV3);
    for (const auto& [path, codecs] : arrays)
      maker->CreateArray(path, ParseArrayV3(Json(Metadata({1}, "[8]", codecs))));
    maker->SetConsolidate(true);
    maker->WriteConsolidated();
  }
};

/// Each process appends its own elements, each at the end of what it needs.
void Append(const std::string& folder, const std::string& path, unsigned number) {
  auto hierarchy = OpenAsProcess(folder);
  for (unsigned round = 0; round < kRounds; ++round) {
    if (round % 4 == 3) hierarchy = OpenAsProcess(folder);
    const std::uint64_t index = std::uint64_t{CountProcesses()} * round + number;
    auto array = hierarchy->OpenArray(path);
    if (array->shape()[0] <= index) array = ResizeArray(*hierarchy, array, {index + 1});
    const auto writer = ArrayWriter::Make(array);
    WriteAll(writer.get(), Selection::FromBox({{index}, {1}}), {static_cast<std::int32_t>(index + 1)});
    writer->Flush();
    hierarchy->WriteConsolidated();
  }
}

TEST(ConditionalProcesses, AppendToTheSameArrays) {
  const std::string shard = "[" + Sharding("[2]", kPlain) + "]";
  const ServedArrays test({{"chunks", std::string(kPlain)}, {"shards", shard}});
  RunProcesses([&](unsigned number) {
    for (const char* path : {"chunks", "shards"}) Append(test.folder.path(), path, number);
  });
  const auto later = OpenAsProcess(test.folder.path());
  ASSERT_TRUE(later->consolidated());
  for (const char* path : {"chunks", "shards"}) {
    const auto array = later->OpenArray(path);
    const std::vector<std::int32_t> values = Read(*array, WholeOf(*array));
    ASSERT_EQ(values.size(), static_cast<std::size_t>(kRounds * CountProcesses())) << path;
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<std::int32_t>(i + 1)) << path;
  }
}

TEST(ConditionalProcesses, MakeNodesOfTheSameNames) {
  const ServedArrays test({});
  const TemporaryFolder winners;
  RunProcesses([&](unsigned number) {
    for (unsigned round = 0; round < kRounds; ++round) {
      const std::string name = "n" + std::to_string(round);
      const auto hierarchy = OpenAsProcess(test.folder.path());
      try {
        const std::uint64_t length = std::uint64_t{number} + 1;
        hierarchy->CreateArray(name, ParseArrayV3(Json(Metadata({length}, "[8]", kPlain))));
        hierarchy->WriteConsolidated();
        std::ofstream(std::filesystem::path(winners.path()) / name, std::ios::app) << 'x';
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInvalidArgument) throw;
      }
    }
  });
  const auto later = OpenAsProcess(test.folder.path());
  const FilesystemStore stored(test.folder.path());
  for (unsigned round = 0; round < kRounds; ++round) {
    const std::string name = "n" + std::to_string(round);
    EXPECT_EQ(std::filesystem::file_size(std::filesystem::path(winners.path()) / name), 1U) << name;
    const auto own = stored.GetText(name + "/zarr.json");
    ASSERT_TRUE(own) << name;
    EXPECT_EQ(later->OpenArray(name)->shape(), ParseArrayV3(Json(*own)).shape) << "what is consolidated";
  }
}

}  // namespace
}  // namespace zarr
