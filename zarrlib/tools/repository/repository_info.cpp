// SPDX-License-Identifier: MIT
#include "zarrlib/tools/repository/repository_info.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/icechunk/iso_time.h"
#include "zarrlib/store/icechunk/repository.h"

namespace zarr::tools {
namespace {

constexpr std::size_t kMostCommits = 5;

}  // namespace

void PrintRepository(const std::string& folder, std::ostream& out) {
  std::error_code error;
  if (!std::filesystem::is_directory(ToPath(folder), error)) return;
  const auto store = std::make_shared<FilesystemStore>(folder);
  if (!Repository::IsIn(*store)) return;
  const Repository repository(store);
  const RepoInfo* const info = repository.info();
  out << "Icechunk repository of format " << (info ? 2 : 1) << "\n";
  for (const std::string& branch : repository.ListBranches().value_or(std::vector<std::string>())) {
    out << "  branch " << branch << ": " << FormatObjectId(repository.FindSnapshot({.branch = branch})) << "\n";
  }
  for (const std::string& tag : repository.ListTags().value_or(std::vector<std::string>())) {
    out << "  tag " << tag << ": " << FormatObjectId(repository.FindSnapshot({.tag = tag})) << "\n";
  }
  for (const Container& container : info ? info->containers : std::vector<Container>()) {
    out << "  container " << container.url << "\n";
  }
  for (const Commit& commit : repository.ListCommits(repository.FindSnapshot({}), kMostCommits)) {
    out << "  commit " << FormatObjectId(commit.id) << " " << FormatIsoTime(commit.time) << " "
        << QuoteKey(commit.message) << "\n";
  }
}

}  // namespace zarr::tools
