// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/repo_change.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

constexpr int kVersion = 2;
constexpr std::size_t kMostUpdates = 1000;  // in one file; others are in the copies of earlier files
constexpr std::uint64_t kOnline = 0;
constexpr const char* kMain = "main";

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorKind::kInvalidArgument, message);
}

/// Returns a name for a copy, of which the last one is the first one in a listing.
std::string MakeBackupName() {
  constexpr std::uint64_t kYear3000 = 32'503'680'000'000;  // in milliseconds since 1970
  std::string digits = std::to_string(kYear3000 - GetMicroseconds() / 1000);
  digits.insert(0, 14 - std::min<std::size_t>(14, digits.size()), '0');
  return "repo." + digits + "." + FormatObjectId(MakeObjectId());
}

void AddItem(FlatObject* owner, unsigned field, std::string_view name, const Bytes& value) {
  FlatObject& item = owner->Append(field);
  item.SetBytes(of_item::kName, name);
  item.SetBytes(of_item::kValue, ByteSpan(value));
}

FlatObject MakeSnapshotInfo(const FlatSchema& schema, const Commit& commit, std::int64_t parent) {
  FlatObject info(schema);
  info.SetBytes(of_snapshot_info::kId, ByteSpan(commit.id));
  info.SetNumber(of_snapshot_info::kParentOffset, static_cast<std::uint64_t>(parent));
  info.SetNumber(of_snapshot_info::kFlushedAt, commit.time);
  info.SetBytes(of_snapshot_info::kMessage, commit.message);
  info.tables(of_snapshot_info::kMetadata);
  return info;
}

/// Indices of snapshots from this one on become larger by one.
void ShiftIndex(FlatObject* owner, unsigned field, std::uint64_t from) {
  const std::uint64_t index = owner->number(field);
  const bool is_none = field == of_snapshot_info::kParentOffset && static_cast<std::int32_t>(index) < 0;
  if (!is_none && index >= from) owner->SetNumber(field, index + 1);
}

}  // namespace

std::uint64_t GetMicroseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

RepoChange::RepoChange(ByteSpan payload)
    : repo_(FlatObject::Load(payload, kRepoSchema)), info_(ParseRepoInfo(payload)) {
  FlatObject& status = repo_.table(of_repo::kStatus);
  if (status.number(of_status::kAvailability) == kOnline) return;
  const std::string reason(status.bytes(of_status::kReason));
  throw Error(ErrorKind::kReadOnly, "the repository was set to be read only" + (reason.empty() ? "" : ": " + reason));
}

RepoChange::RepoChange(const Commit& first, const Bytes& config) : repo_(kRepoSchema) {
  if (!config.empty()) repo_.SetBytes(of_repo::kConfig, ByteSpan(config));
  repo_.SetNumber(of_repo::kSpecVersion, kVersion);
  repo_.tables(of_repo::kTags);
  repo_.texts(of_repo::kDeletedTags);
  repo_.tables(of_repo::kMetadata);
  repo_.tables(of_repo::kSnapshots).push_back(MakeSnapshotInfo(repo_.schema_of(of_repo::kSnapshots), first, -1));
  FlatObject& status = repo_.table(of_repo::kStatus);
  status.SetNumber(of_status::kAvailability, kOnline);
  status.SetNumber(of_status::kSetAt, first.time);
  info_.commits[first.id] = first;
  InsertRef(false, kMain, first.id);
  AddUpdate(of_update::kRepoInitialized);
}

std::vector<FlatObject>& RepoChange::refs(bool is_tag) {
  return repo_.tables(is_tag ? of_repo::kTags : of_repo::kBranches);
}

/// Updates are in the order of their times, the last one first, and no two have the same time.
FlatObject& RepoChange::AddUpdate(std::uint8_t type) {
  std::vector<FlatObject>& updates = repo_.tables(of_repo::kLatestUpdates);
  std::uint64_t time = GetMicroseconds();
  if (!updates.empty()) time = std::max(time, updates.front().number(of_update::kUpdatedAt) + 1);
  FlatObject update(repo_.schema_of(of_repo::kLatestUpdates));
  update.MakeUnion(of_update::kUpdate, type);
  update.SetNumber(of_update::kUpdatedAt, time);
  return updates.insert(updates.begin(), std::move(update))->table(of_update::kUpdate);
}

std::uint64_t RepoChange::FindSnapshot(const ObjectId& id) const {
  const auto found = info_.commits.find(id);  // in the order of the file
  if (found == info_.commits.end()) Fail("the repository has no snapshot " + FormatObjectId(id));
  return static_cast<std::uint64_t>(std::distance(info_.commits.begin(), found));
}

void RepoChange::AddSnapshot(const Commit& commit, const Bytes& author, const std::string& branch) {
  info_.commits[commit.id] = commit;
  const std::uint64_t index = FindSnapshot(commit.id);
  std::vector<FlatObject>& snapshots = repo_.tables(of_repo::kSnapshots);
  for (FlatObject& snapshot : snapshots) ShiftIndex(&snapshot, of_snapshot_info::kParentOffset, index);
  for (const bool is_tag : {true, false}) {
    for (FlatObject& ref : refs(is_tag)) ShiftIndex(&ref, of_ref::kSnapshotIndex, index);
  }
  const auto parent = static_cast<std::int64_t>(FindSnapshot(commit.parent.value()));
  FlatObject info = MakeSnapshotInfo(repo_.schema_of(of_repo::kSnapshots), commit, parent);
  if (!author.empty()) AddItem(&info, of_snapshot_info::kMetadata, kAuthorItem, author);
  snapshots.insert(snapshots.begin() + static_cast<std::ptrdiff_t>(index), std::move(info));
  if (branch.empty()) {
    AddUpdate(of_update::kNewDetachedSnapshot).SetBytes(of_update::kDetachedSnapshot, ByteSpan(commit.id));
    return;
  }
  for (FlatObject& ref : refs(false)) {
    if (ref.bytes(of_ref::kName) == branch) ref.SetNumber(of_ref::kSnapshotIndex, index);
  }
  info_.branches[branch] = commit.id;
  FlatObject& update = AddUpdate(of_update::kNewCommit);
  update.SetBytes(of_update::kCommitBranch, branch);
  update.SetBytes(of_update::kCommitSnapshot, ByteSpan(commit.id));
}

void RepoChange::RemoveSnapshots(const std::set<ObjectId>& ids) {
  std::vector<std::uint64_t> moved;  // the new indices of snapshots, by their old ones
  std::uint64_t next = 0;
  for (const auto& [id, commit] : info_.commits) moved.push_back(ids.contains(id) ? next : next++);
  const auto move = [&](FlatObject* owner, unsigned field) {
    const std::uint64_t index = owner->number(field);
    if (index < moved.size()) owner->SetNumber(field, moved[static_cast<std::size_t>(index)]);
  };
  std::vector<FlatObject>& snapshots = repo_.tables(of_repo::kSnapshots);
  std::erase_if(snapshots, [&](const FlatObject& snapshot) {
    return ids.contains(ReadId<ObjectId>(AsBytes(snapshot.bytes(of_snapshot_info::kId))));
  });
  for (FlatObject& snapshot : snapshots) move(&snapshot, of_snapshot_info::kParentOffset);
  for (const bool is_tag : {true, false}) {
    for (FlatObject& ref : refs(is_tag)) move(&ref, of_ref::kSnapshotIndex);
  }
  std::erase_if(info_.commits, [&](const auto& commit) { return ids.contains(commit.first); });
  AddUpdate(of_update::kGcRan);
}

void RepoChange::InsertRef(bool is_tag, const std::string& name, const ObjectId& snapshot) {
  if (name.empty()) Fail(std::string("a ") + (is_tag ? "tag" : "branch") + " must have a name");
  if (!(is_tag ? info_.tags : info_.branches).emplace(name, snapshot).second) {
    Fail(std::string("there is a ") + (is_tag ? "tag " : "branch ") + QuoteKey(name) + " already");
  }
  std::vector<FlatObject>& all = refs(is_tag);
  FlatObject ref(repo_.schema_of(of_repo::kTags));
  ref.SetBytes(of_ref::kName, name);
  ref.SetNumber(of_ref::kSnapshotIndex, FindSnapshot(snapshot));
  const auto is_after = [&](const FlatObject& other) { return other.bytes(of_ref::kName) > name; };
  all.insert(std::ranges::find_if(all, is_after), std::move(ref));
}

void RepoChange::EraseRef(bool is_tag, const std::string& name, std::uint8_t update) {
  auto& known = is_tag ? info_.tags : info_.branches;
  const auto found = known.find(name);
  if (found == known.end()) {
    Fail(std::string("the repository has no ") + (is_tag ? "tag " : "branch ") + QuoteKey(name));
  }
  std::erase_if(refs(is_tag), [&](const FlatObject& ref) { return ref.bytes(of_ref::kName) == name; });
  FlatObject& table = AddUpdate(update);
  table.SetBytes(of_update::kName, name);
  table.SetBytes(of_update::kPreviousSnapshot, ByteSpan(found->second));
  known.erase(found);
}

void RepoChange::AddBranch(const std::string& name, const ObjectId& snapshot) {
  InsertRef(false, name, snapshot);
  AddUpdate(of_update::kBranchCreated).SetBytes(of_update::kName, name);
}

void RepoChange::DeleteBranch(const std::string& name) {
  if (name == kMain) Fail("the branch \"main\" cannot be deleted, because every repository must have it");
  EraseRef(false, name, of_update::kBranchDeleted);
}

void RepoChange::AddTag(const std::string& name, const ObjectId& snapshot) {
  if (info_.deleted_tags.contains(name)) Fail("the tag " + QuoteKey(name) + " was deleted, and cannot be made again");
  InsertRef(true, name, snapshot);
  AddUpdate(of_update::kTagCreated).SetBytes(of_update::kName, name);
}

void RepoChange::DeleteTag(const std::string& name) {
  EraseRef(true, name, of_update::kTagDeleted);
  std::vector<std::string>& deleted = repo_.texts(of_repo::kDeletedTags);
  deleted.insert(std::ranges::upper_bound(deleted, name), name);
  info_.deleted_tags.insert(name);
}

Bytes RepoChange::Encode(const std::string& backup) {
  std::vector<FlatObject>& updates = repo_.tables(of_repo::kLatestUpdates);
  // Each update has the copy of the file that was replaced by the next one.
  if (!backup.empty() && updates.size() > 1) updates[1].SetBytes(of_update::kBackupPath, backup);
  for (std::size_t i = kMostUpdates; i < updates.size(); ++i) {
    if (!updates[i].Has(of_update::kBackupPath)) continue;
    repo_.SetBytes(of_repo::kRepoBeforeUpdates, updates[i].bytes(of_update::kBackupPath));
    updates.erase(updates.begin() + static_cast<std::ptrdiff_t>(i), updates.end());
    break;
  }
  return EncodeObject(repo_.Save(kFileIdentifier), ObjectType::kRepoInfo, kVersion);
}

namespace {

enum class Attempt : std::uint8_t { kDone, kRefused, kOutrun };

/// Returns true if the repo info file names a copy: the change that made the copy was then carried out, whatever its
/// answer was.
bool NamesBackup(const Store& folder, const std::string& name) {
  Bytes object;
  if (!folder.Get(kIcechunkRepoInfo, &object, nullptr, GetLimit(Limit::kReferenceFile), Freshness::kNow)) return false;
  FlatObject repo = FlatObject::Load(DecodeObject(object, ObjectType::kRepoInfo), kRepoSchema);
  const auto names = [&](const FlatObject& update) { return update.bytes(of_update::kBackupPath) == name; };
  return std::ranges::any_of(repo.tables(of_repo::kLatestUpdates), names);
}

Attempt TryToChange(Store* folder, const std::function<bool(RepoChange* repo)>& change) {
  const std::string key(kIcechunkRepoInfo);
  const LockResult lock = Lock(*folder, key, "");
  Bytes object;
  VersionStamp stamp;
  if (!folder->Get(key, &object, &stamp, GetLimit(Limit::kReferenceFile), Freshness::kNow)) {
    throw Error(ErrorKind::kNotFound, folder->name(), key, "", "there is no Icechunk repository of format 2");
  }
  try {
    RepoChange repo(DecodeObject(object, ObjectType::kRepoInfo));
    if (!change(&repo)) return Attempt::kRefused;
    const std::string backup = MakeBackupName();
    const Bytes changed = repo.Encode(backup);
    const std::string copy = "overwritten/" + backup;
    folder->Set(copy, object);
    if (folder->WriteIfSame(key, changed, &stamp) || NamesBackup(*folder, backup)) return Attempt::kDone;
    folder->Erase(copy);
    return Attempt::kOutrun;
  } catch (const Error& error) {
    throw error.At(folder->name(), key);
  }
}

}  // namespace

bool ChangeRepo(Store* folder, const std::function<bool(RepoChange* repo)>& change) {
  constexpr int kMostTries = 1000;
  for (int i = 0; i < kMostTries; ++i) {
    const Attempt attempt = TryToChange(folder, change);
    if (attempt != Attempt::kOutrun) return attempt == Attempt::kDone;
  }
  throw Error(ErrorKind::kIo, folder->name(), std::string(kIcechunkRepoInfo), "", "others change it all the time");
}

bool CreateRepo(Store* folder, RepoChange* repo) {
  const LockResult lock = Lock(*folder, kIcechunkRepoInfo, "");
  return folder->WriteIfSame(kIcechunkRepoInfo, repo->Encode(""), nullptr);
}

}  // namespace zarr
