// SPDX-License-Identifier: MIT
#include "zarrlib/tools/repository/repository_commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>

#include "zarrlib/base/text.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/icechunk/commit/garbage.h"
#include "zarrlib/store/icechunk/commit/repo_change.h"
#include "zarrlib/store/icechunk/iso_time.h"
#include "zarrlib/store/icechunk/repository.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {
namespace {

std::shared_ptr<Store> OpenFolder(const std::string& name) {
  const std::string folder = ParseStoreName(name);
  std::error_code error;
  auto store =
      std::filesystem::is_directory(ToPath(folder), error) ? std::make_shared<FilesystemStore>(folder) : nullptr;
  if (store && Repository::IsIn(*store)) return store;
  throw Error(ErrorKind::kNotFound, folder, "", "", "there is no Icechunk repository in this local folder");
}

/// Returns the snapshot that a branch, a tag or an ID names.
ObjectId FindSnapshot(const Repository& repository, const std::optional<std::string>& name) {
  if (!name) return repository.FindSnapshot({});
  const auto contains = [&](const std::optional<std::vector<std::string>>& names) {
    return names && std::ranges::find(*names, *name) != names->end();
  };
  if (contains(repository.ListBranches())) return repository.FindSnapshot({.branch = *name});
  if (contains(repository.ListTags())) return repository.FindSnapshot({.tag = *name});
  if (const auto id = ParseObjectId(*name)) return *id;
  throw Error(ErrorKind::kInvalidArgument, repository.folder().name(), "", "",
              FormatExpectedGot("a branch, a tag or the ID of a snapshot", QuoteKey(*name)));
}

void PrintCommit(const Commit& commit, std::ostream& out) {
  out << FormatObjectId(commit.id) << " " << FormatIsoTime(commit.time) << " " << QuoteKey(commit.message);
  if (!commit.author.empty()) out << " by " << QuoteKey(commit.author);
  out << "\n";
}

void PrintRefs(const Repository& repository, bool is_tag, std::ostream& out) {
  const auto names = is_tag ? repository.ListTags() : repository.ListBranches();
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    const RepositoryVersion version = is_tag ? RepositoryVersion{.tag = name} : RepositoryVersion{.branch = name};
    out << FormatObjectId(repository.FindSnapshot(version)) << " " << name << "\n";
  }
}

}  // namespace

int RunLog(Arguments arguments, std::ostream& out) {
  const auto at = arguments.TakeOption("--at");
  const auto limit = arguments.TakeNumbers("--limit", 1);
  const Repository repository(OpenFolder(arguments.TakeStore()));
  const std::size_t most = limit ? static_cast<std::size_t>((*limit)[0]) : SIZE_MAX;
  for (const Commit& commit : repository.ListCommits(FindSnapshot(repository, at), most)) PrintCommit(commit, out);
  return kSuccess;
}

int RunRefs(Arguments arguments, bool is_tag, std::ostream& out) {
  const auto create = arguments.TakeOption("--create");
  const auto remove = arguments.TakeOption("--delete");
  const auto at = arguments.TakeOption("--at");
  if (create && remove) throw UsageError{"--create and --delete exclude each other"};
  if (at && !create) throw UsageError{"--at needs --create"};
  const std::shared_ptr<Store> folder = OpenFolder(arguments.TakeStore());
  const Repository repository(folder);
  if (!create && !remove) {
    PrintRefs(repository, is_tag, out);
    return kSuccess;
  }
  if (!repository.info()) {
    throw Error(ErrorKind::kUnsupported, folder->name(), "", "",
                "this repository has format 1, whose branches and tags are only listed; those of format 2 are changed");
  }
  const ObjectId snapshot = create ? FindSnapshot(repository, at) : ObjectId();
  ChangeRepo(folder.get(), [&](RepoChange* repo) {
    if (create) is_tag ? repo->AddTag(*create, snapshot) : repo->AddBranch(*create, snapshot);
    if (remove) is_tag ? repo->DeleteTag(*remove) : repo->DeleteBranch(*remove);
    return true;
  });
  out << (create ? "made " : "deleted ") << (is_tag ? "tag " : "branch ") << (create ? *create : *remove);
  if (create) out << " at " << FormatObjectId(snapshot);
  out << "\n";
  return kSuccess;
}

int RunGc(Arguments arguments, std::ostream& out) {
  const auto older = arguments.TakeOption("--older-than");
  const bool removes = arguments.TakeFlag("--remove");
  const std::string name = arguments.TakeStore();
  const auto time = older ? ParseIsoTime(*older) : std::nullopt;
  if (!time || *time < 0) {
    throw UsageError{"--older-than: expected a time such as 2026-05-01T12:00:00Z, got " + older.value_or("none")};
  }
  const Garbage garbage = CollectGarbage(OpenFolder(name), static_cast<std::uint64_t>(*time), removes);
  for (const std::string& key : garbage.keys) out << (removes ? "removed " : "would remove ") << key << "\n";
  out << garbage.keys.size() << " objects of " << garbage.bytes << " bytes\n";
  return kSuccess;
}

}  // namespace zarr::tools
