// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/repository.h"

#include <algorithm>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace zarr {
namespace {

constexpr const char* kMain = "main";
constexpr std::uint64_t kMaxRefSize = 1 << 16;
constexpr std::uint64_t kMaxConfigSize = 1 << 24;

std::string MakeRefKey(const std::string& name) {
  return "refs/" + name + "/ref.json";
}

std::string JoinNames(const std::optional<std::vector<std::string>>& names) {
  constexpr std::size_t kMost = 20;
  if (!names || names->empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names->size()); ++i) text += (i > 0 ? ", " : "") + QuoteKey((*names)[i]);
  return text + (names->size() > kMost ? ", ..." : "");
}

/// Returns an addition to an error message.
std::string ListThose(const char* what, const std::optional<std::vector<std::string>>& names) {
  const std::string text = JoinNames(names);
  return text.empty() ? "" : "; its " + std::string(what) + " are " + text;
}

std::vector<std::string> GetNames(const std::map<std::string, ObjectId, std::less<>>& refs) {
  std::vector<std::string> names;
  for (const auto& [name, id] : refs) names.push_back(name);
  return names;
}

}  // namespace

Repository::Repository(std::shared_ptr<const Store> folder, Freshness freshness)
    : folder_(std::move(folder)), freshness_(freshness) {
  const auto parse = [this](const Bytes& payload) { info_ = ParseRepoInfo(payload); };
  constexpr int kMostRepeats = 3;
  for (int i = 0;; ++i) {
    try {
      const Freshness now = i == 0 ? freshness_ : Freshness::kNow;
      ReadObject(*folder_, std::string(kIcechunkRepoInfo), ObjectType::kRepoInfo, parse, now);
      return;
    } catch (const Error& error) {
      // The size and the bytes of a remote file may be those of two requests, between which a commit has replaced it.
      if (error.kind() != ErrorKind::kCorrupt || i == kMostRepeats || !folder_->info().is_on_network()) throw;
    }
  }
}

bool Repository::IsIn(const Store& folder) {
  Bytes begin(kIcechunkMagic.size());
  const ByteRange range{0, begin.size()};
  const MutableByteSpan buffer = begin;
  try {
    if (folder.GetRanges(kIcechunkRepoInfo, {&range, 1}, {&buffer, 1})) return AsText(begin) == kIcechunkMagic;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCorrupt) throw;
    return false;  // a shorter file
  }
  return HasMainOfFormat1(folder);
}

bool Repository::HasMainOfFormat1(const Store& folder) {
  return folder.Exists(MakeRefKey(std::string("branch.") + kMain));
}

void Repository::CheckExists() const {
  if (info_ || HasMainOfFormat1(*folder_)) return;
  const auto branches = ListBranches();
  if (branches && !branches->empty()) return;
  throw Error(ErrorKind::kNotFound, folder_->name(), "", "", "there is no Icechunk repository");
}

void Repository::Fail(const std::string& message) const {
  throw Error(ErrorKind::kInvalidArgument, folder_->name(), "", "", message);
}

void Repository::FailBefore1(const std::string& branch) const {
  throw Error(
      ErrorKind::kUnsupported, folder_->name(), "refs/branch." + branch, "",
      FormatExpectedGot("a file ref.json", "none: this may be the format before Icechunk 1.0, which is not read"));
}

std::optional<ObjectId> Repository::ReadRef(const std::string& name) const {
  const std::string key = MakeRefKey(name);
  if (!IsKey(key)) return std::nullopt;
  const std::optional<std::string> text = folder_->GetText(key, kMaxRefSize, freshness_);
  if (!text) return std::nullopt;
  const JsonNode document = JsonNode::Parse(*text, folder_->name(), key);
  const std::string id = document.At("snapshot").AsString();
  const std::optional<ObjectId> parsed = ParseObjectId(id);
  if (parsed) return parsed;
  throw Error(ErrorKind::kCorrupt, folder_->name(), key, "/snapshot",
              FormatExpectedGot("the ID of a snapshot", QuoteKey(id)));
}

std::optional<ObjectId> Repository::FindBranch(const std::string& name) const {
  if (!info_) return name.find('/') == std::string::npos ? ReadRef("branch." + name) : std::nullopt;
  const auto found = info_->branches.find(name);
  return found == info_->branches.end() ? std::nullopt : std::optional(found->second);
}

ObjectId Repository::FindTag(const std::string& name) const {
  bool is_deleted = info_ && info_->deleted_tags.contains(name);
  if (info_) {
    const auto found = info_->tags.find(name);
    if (!is_deleted && found != info_->tags.end()) return found->second;
  } else if (name.find('/') == std::string::npos) {
    const std::optional<ObjectId> id = ReadRef("tag." + name);
    // The file of a deleted tag remains, with another one next to it.
    is_deleted = id && folder_->Exists(MakeRefKey("tag." + name) + ".deleted");
    if (id && !is_deleted) return *id;
  }
  CheckExists();
  Fail("the repository has no tag " + QuoteKey(name) + (is_deleted ? ", which was deleted" : "") +
       ListThose("tags", ListTags()));
}

Repository::Branch Repository::FindDefault() const {
  if (const auto last = FindBranch(kMain)) return {kMain, *last};
  const auto branches = ListBranches();
  const auto last = branches && branches->size() == 1 ? FindBranch(branches->front()) : std::nullopt;
  if (last) return {branches->front(), *last};
  CheckExists();
  if (branches && std::ranges::find(*branches, kMain) != branches->end()) FailBefore1(kMain);
  Fail(std::string("the repository has no branch \"") + kMain + "\"; name one" + ListThose("branches", branches));
}

ObjectId Repository::FindAsOf(const ObjectId& last, std::int64_t time) const {
  std::optional<ObjectId> next = last;
  // In a damaged repository, parents may form a circle.
  constexpr std::size_t kMostCommits = 1'000'000;
  for (std::size_t i = 0; next && i < kMostCommits; ++i) {
    const Commit commit = ReadCommit(*next);
    if (commit.time <= static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0))) return commit.id;
    next = commit.parent;
  }
  Fail("the branch has no commit from before that time");
}

Repository::Branch Repository::FindLast(const std::string& name) const {
  if (name.empty()) return FindDefault();
  if (const auto last = FindBranch(name)) return {name, *last};
  CheckExists();
  const auto branches = ListBranches();
  if (branches && std::ranges::find(*branches, name) != branches->end()) FailBefore1(name);
  Fail("the repository has no branch " + QuoteKey(name) + ListThose("branches", branches));
}

ObjectId Repository::FindSnapshot(const RepositoryVersion& version) const {
  if (!version.snapshot.empty()) return ParseSnapshotId(version.snapshot);
  if (!version.tag.empty()) return FindTag(version.tag);
  const ObjectId last = FindLast(version.branch).last;
  return version.as_of ? FindAsOf(last, *version.as_of) : last;
}

std::vector<Container> Repository::ReadContainers() const {
  if (info_) return info_->containers;
  const std::optional<std::string> config = folder_->GetText("config.yaml", kMaxConfigSize, freshness_);
  return config ? ParseContainers(*config) : std::vector<Container>();
}

std::optional<std::vector<std::string>> Repository::ListRefs(const std::string& prefix) const {
  const std::optional<Listing> listing = folder_->List("refs/");
  if (!listing) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string& name : listing->prefixes) {
    if (!name.starts_with(prefix)) continue;
    if (prefix != "tag." || !folder_->Exists(MakeRefKey(name) + ".deleted"))
      names.push_back(name.substr(prefix.size()));
  }
  return names;
}

std::optional<std::vector<std::string>> Repository::ListBranches() const {
  return info_ ? GetNames(info_->branches) : ListRefs("branch.");
}

std::optional<std::vector<std::string>> Repository::ListTags() const {
  return info_ ? GetNames(info_->tags) : ListRefs("tag.");
}

Commit Repository::ReadCommit(const ObjectId& id) const {
  if (info_) {
    const auto found = info_->commits.find(id);
    if (found != info_->commits.end()) return found->second;
  }
  const auto snapshot = ReadSnapshot(*folder_, id);
  return {id, snapshot->parent(), snapshot->time(), std::string(snapshot->message())};
}

std::vector<Commit> Repository::ListCommits(const ObjectId& last, std::size_t most) const {
  std::vector<Commit> commits;
  std::optional<ObjectId> next = last;
  while (next && commits.size() < most) {
    commits.push_back(ReadCommit(*next));
    next = commits.back().parent;
  }
  return commits;
}

std::shared_ptr<const Snapshot> ReadSnapshot(const Store& folder, const ObjectId& id) {
  const std::string key = "snapshots/" + FormatObjectId(id);
  std::shared_ptr<const Snapshot> snapshot;
  const auto parse = [&](Bytes payload) { snapshot = std::make_shared<const Snapshot>(std::move(payload)); };
  if (!ReadObject(folder, key, ObjectType::kSnapshot, parse)) FailMissingObject(folder, key);
  return snapshot;
}

ObjectId ParseSnapshotId(const std::string& text) {
  const std::optional<ObjectId> id = ParseObjectId(text);
  if (id) return *id;
  throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot("the ID of a snapshot, of 20 characters", QuoteKey(text)));
}

}  // namespace zarr
