// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/session.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/commit/node_document.h"

namespace zarr {
namespace {

constexpr std::string_view kEmptyGroup = R"({"zarr_format":3,"node_type":"group","attributes":{}})";

std::string_view GetFolder(std::string_view prefix) {
  return prefix.substr(0, prefix.size() - (prefix.empty() ? 0 : 1));
}

std::string_view GetParent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

/// What a key leads to, as the session sees it.
struct IcechunkSession::Lookup {
  SnapshotNode node;  // without its metadata, which may change
  std::vector<std::uint32_t> coordinates;
  bool is_document = false;
  std::string path;
  std::optional<ChunkChange> change;  // of the chunk
};

IcechunkSession::IcechunkSession(std::string name, std::shared_ptr<Store> folder,
                                 std::shared_ptr<const Repository> repository, CommitOptions commit,
                                 ChunkOptions options)
    : Store(std::move(name)),
      folder_(std::move(folder)),
      chunks_(this->name(), std::move(repository), std::move(options)),
      committer_(folder_, commit),
      tag_(FormatObjectId(MakeObjectId())),
      snapshot_(commit.base ? ReadSnapshot(*folder_, *commit.base) : nullptr) {
  if (!snapshot_) return;
  nodes_ = snapshot_->nodes();
  if (nodes_.empty()) AddRoot();
}

IcechunkSession::~IcechunkSession() {
  if (ended_) return;
  for (const auto& [path, change] : changes_.nodes) DropFiles(change.chunks);
  DropFiles(early_);
  EraseDropped();
}

std::string IcechunkSession::identity() const {
  return "icechunk:" + folder_->identity() + "@" + tag_;
}

StoreInfo IcechunkSession::info() const {
  // Not the concurrency of the repository: documents are in memory, and must be written before the chunks of their
  // nodes.
  return {.lists = true, .writes = true, .needs_finish = true};
}

std::optional<RequestCounts> IcechunkSession::counts() const {
  const StoreRequests* const requests = folder_->requests();
  return requests ? requests->counts() : std::nullopt;
}

// --- reading -------------------------------------------------------------------------------------------------------

std::optional<IcechunkSession::Lookup> IcechunkSession::Find(std::string_view key) const {
  CheckKey(key);
  const std::shared_lock lock(mutex_);
  return FindLocked(key);
}

/// The mutex must be held.
std::optional<IcechunkSession::Lookup> IcechunkSession::FindLocked(std::string_view key) const {
  std::optional<SnapshotKey> found = FindKey(nodes_, key);
  if (!found) return std::nullopt;
  Lookup lookup{*found->node, std::move(found->coordinates), found->is_document, std::string(found->path), {}};
  lookup.node.metadata = {};
  const auto changed = changes_.nodes.find(found->path);
  if (changed == changes_.nodes.end() || lookup.is_document) return lookup;
  const auto chunk = changed->second.chunks.find(lookup.coordinates);
  if (chunk != changed->second.chunks.end()) lookup.change = chunk->second;
  return lookup;
}

/// Returns nullopt for an absent chunk.
std::optional<SnapshotChunks::Found> IcechunkSession::FindRef(const Lookup& lookup) const {
  if (!lookup.change) return chunks_.Find(lookup.node, lookup.coordinates);
  auto ref = MakeRef(*lookup.change);
  return ref ? std::optional(SnapshotChunks::Found{nullptr, *std::move(ref)}) : std::nullopt;
}

bool IcechunkSession::Read(const ReadRequest& request) const {
  try {
    const std::optional<Lookup> lookup = Find(request.key);
    if (!lookup) return false;
    if (lookup->is_document) return ReadDocument(request, lookup->path);
    const auto found = FindRef(*lookup);
    if (found) chunks_.Read(request, found->ref);
    return found.has_value();
  } catch (const Error& error) {
    throw error.At(name(), request.key);
  }
}

bool IcechunkSession::ReadDocument(const ReadRequest& request, const std::string& path) const {
  const std::shared_lock lock(mutex_);
  const auto node = nodes_.find(path);
  if (node == nodes_.end()) return false;
  const auto change = changes_.nodes.find(path);
  const std::uint64_t version = change == changes_.nodes.end() ? 0 : change->second.version;
  ReadFromMemory(request, node->second.metadata, tag_ + "." + std::to_string(version));
  return true;
}

std::optional<ValueLocation> IcechunkSession::Locate(std::string_view key) const {
  const std::optional<Lookup> lookup = Find(key);
  const auto found = lookup && !lookup->is_document ? FindRef(*lookup) : std::nullopt;
  return found ? chunks_.Locate(found->ref) : std::nullopt;
}

bool IcechunkSession::NoteBroken(std::string_view key, int status, int times, Error* error) const {
  const std::optional<Lookup> lookup = Find(key);
  const auto found = lookup && !lookup->is_document ? FindRef(*lookup) : std::nullopt;
  return found && chunks_.NoteBroken(found->ref, status, times, error);
}

std::set<std::uint32_t> IcechunkSession::ListCoordinates(const ChunkPrefix& prefix, const ChunkChanges& changed) const {
  std::set<std::uint32_t> found = chunks_.ListCoordinates(prefix);
  const std::size_t dimension = prefix.coordinates.size();
  std::set<std::uint32_t> erased;
  for (const auto& [coordinates, chunk] : changed) {
    if (!std::equal(prefix.coordinates.begin(), prefix.coordinates.end(), coordinates.begin())) continue;
    const bool is_erased = std::holds_alternative<ErasedChunk>(chunk);
    (is_erased ? erased : found).insert(coordinates[dimension]);
  }
  // Folders may have other chunks than those that were erased.
  if (dimension + 1 < prefix.node->rank) return found;
  for (const std::uint32_t coordinate : erased) found.erase(coordinate);
  return found;
}

std::optional<Listing> IcechunkSession::List(std::string_view prefix, const ListOptions& options) const {
  CheckPrefix(prefix);
  if (!options.is_plain()) return std::nullopt;
  SnapshotNode array;
  std::optional<ChunkPrefix> chunks;
  ChunkChanges changed;
  Listing listing;
  {
    const std::shared_lock lock(mutex_);
    chunks = FindChunkPrefix(nodes_, prefix);
    const auto node = nodes_.find(chunks ? chunks->path : GetFolder(prefix));
    if (!chunks) listing = ListNodes(nodes_, prefix);
    if (node == nodes_.end()) return listing;
    array = node->second;
    if (array.is_array && !HasDefaultKeys(array)) return std::nullopt;
    const auto change = changes_.nodes.find(node->first);
    if (change != changes_.nodes.end()) changed = change->second.chunks;
  }
  if (chunks) {
    chunks->node = &array;
    return MakeChunkListing(*chunks, ListCoordinates(*chunks, changed));
  }
  listing.keys.emplace_back("zarr.json");
  if (array.is_array && array.rank > 0 && (!array.manifests->empty() || !changed.empty())) {
    listing.prefixes.emplace_back("c");
  }
  if (array.is_array && array.rank == 0 && Exists(JoinKey(GetFolder(prefix), "c"))) {
    listing.keys.insert(listing.keys.begin(), "c");
  }
  return listing;
}

// --- writing -------------------------------------------------------------------------------------------------------

/// The mutex must be held.
NodeChange& IcechunkSession::Change(std::string_view path, const SnapshotNode& node) {
  const auto [change, is_new] = changes_.nodes.try_emplace(std::string(path));
  if (is_new) {
    change->second.id = node.id;
    change->second.is_array = node.is_array;
    change->second.rank = node.rank;
  }
  return change->second;
}

/// A caller that holds the mutex is not interrupted by a commit that fails.
void IcechunkSession::CheckOpen(std::string_view key) const {
  if (!ended_) return;
  throw Error(ErrorKind::kReadOnly, name(), std::string(key), "",
              "its commit has failed; what was written before is not lost");
}

bool IcechunkSession::Write(std::string_view key, ByteSpan value, WriteIf condition) {
  CheckKey(key);
  CheckOpen(key);
  try {
    constexpr std::string_view kDocument = "zarr.json";
    const bool is_document = key == kDocument || key.ends_with("/" + std::string(kDocument));
    if (condition == WriteIf::kAbsent && Exists(key)) return false;
    if (is_document) {
      WriteDocument(GetFolder(key.substr(0, key.size() - kDocument.size())), value);
    } else {
      WriteChunk(key, value);
    }
    return true;
  } catch (const Error& error) {
    throw error.At(name(), key);
  }
}

void IcechunkSession::WriteDocument(std::string_view path, ByteSpan value) {
  const NodeDocument document = ParseNodeDocument(value);
  const std::unique_lock lock(mutex_);
  CheckOpen(path);
  auto node = nodes_.find(path);
  const std::size_t rank = document.dimensions.size();
  if (node != nodes_.end() && (node->second.is_array != document.is_array || node->second.rank != rank)) {
    EraseNode(path);
    node = nodes_.end();
  }
  SnapshotNode made;
  if (node == nodes_.end()) {
    made.id = MakeNodeId();
    made.is_array = document.is_array;
    made.rank = rank;
    made.manifests = std::make_shared<const std::vector<ManifestRef>>();
  }
  const bool is_new = node == nodes_.end();
  const NewNode new_node{made.id, made.is_array, made.rank};
  NodeChange& change =
      is_new ? AddNewNode(std::string(path), new_node, !snapshot_, &changes_) : Change(path, node->second);
  if (is_new) change.in_group = !path.empty() && nodes_.contains(GetParent(path));
  change.document = std::string(AsText(value));
  change.version = ++writes_;
  if (is_new) node = nodes_.emplace(changes_.nodes.find(path)->first, std::move(made)).first;
  node->second.metadata = AsBytes(*change.document);
  if (is_new && document.is_array) TakeEarly(path);
}

/// Other writers begin a repository with a snapshot without nodes. Zarr needs a root to add nodes to.
void IcechunkSession::AddRoot() {
  WriteDocument("", AsBytes(kEmptyGroup));
  own_root_ = writes_;
}

bool IcechunkSession::HasChanges() const {
  if (!snapshot_) return true;
  const bool is_own = own_root_ && changes_.nodes.size() == 1 && changes_.nodes.begin()->second.version == *own_root_;
  return !changes_.empty() && !is_own;
}

void IcechunkSession::WriteChunk(std::string_view key, ByteSpan value) {
  const std::optional<Lookup> lookup = Find(key);
  if (!lookup && !MayBeEarly(key)) {
    throw Error(ErrorKind::kUnsupported, "an Icechunk repository stores only the metadata and the chunks of nodes");
  }
  ChunkChange change;
  if (value.size() <= kMostInline) {
    change = std::make_shared<const Bytes>(value.begin(), value.end());
  } else {
    const NativeChunk chunk{MakeObjectId(), value.size()};
    folder_->Set(MakeChunkFileKey(chunk.file), value);
    change = chunk;
  }
  const std::unique_lock lock(mutex_);
  CheckOpen(key);
  // Its array may have got its document in the meantime.
  if (const auto place = lookup ? lookup : FindLocked(key)) return SetChunk(*place, std::move(change));
  if (const auto before = early_.find(key); before != early_.end()) DropFile(before->second);
  early_.insert_or_assign(std::string(key), std::move(change));
}

/// Returns true if a key may be that of a chunk whose array gets its document later, as when a node is renamed.
bool IcechunkSession::MayBeEarly(std::string_view key) const {
  const std::size_t name = key.rfind('/') + 1;
  const bool is_number = key.find_first_not_of("0123456789.", name) == key.npos && name < key.size();
  if (!is_number && key.substr(name) != "c" && !key.substr(name).starts_with("c.")) return false;
  const std::shared_lock lock(mutex_);
  for (std::string_view path = GetParent(key); !path.empty(); path = GetParent(path)) {
    const auto node = nodes_.find(path);
    if (node != nodes_.end() && node->second.is_array) return false;
  }
  return true;
}

/// Gives an array the chunks that were written before its document. The mutex must be held.
void IcechunkSession::TakeEarly(std::string_view path) {
  const std::string prefix = path.empty() ? std::string() : std::string(path) + "/";
  for (auto chunk = early_.lower_bound(prefix); chunk != early_.end() && chunk->first.starts_with(prefix);) {
    const std::optional<SnapshotKey> key = FindKey(nodes_, chunk->first);
    if (key && !key->is_document && key->path == path) {
      Change(path, *key->node).chunks[key->coordinates] = std::move(chunk->second);
      chunk = early_.erase(chunk);
    } else {
      ++chunk;
    }
  }
}

/// The mutex must be held.
void IcechunkSession::SetChunk(const Lookup& lookup, ChunkChange change) {
  const auto node = nodes_.find(lookup.path);
  if (node == nodes_.end()) return DropFile(change);  // removed in the meantime
  ChunkChange& chunk = Change(lookup.path, node->second).chunks[lookup.coordinates];
  DropFile(chunk);
  chunk = std::move(change);
}

void IcechunkSession::EraseAll(std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    if (IsFolderKey(key)) continue;
    CheckOpen(key);
    EraseKey(key);
  }
}

void IcechunkSession::EraseKey(std::string_view key) {
  const std::optional<Lookup> lookup = Find(key);
  if (lookup && !lookup->is_document && !FindRef(*lookup)) return;
  const std::unique_lock lock(mutex_);
  CheckOpen(key);
  if (const auto place = lookup ? lookup : FindLocked(key))  // an array may have been made in the meantime
    return place->is_document ? EraseNode(place->path) : SetChunk(*place, ErasedChunk());
  const auto early = early_.find(key);
  if (early == early_.end()) return;
  DropFile(early->second);
  early_.erase(early);
}

/// A node is renamed by a copy, whose document is the same. The mutex must be held.
bool IcechunkSession::HasCopy(const SnapshotNode& node) const {
  return std::ranges::any_of(changes_.nodes, [&](const auto& other) {
    return other.second.is_new && other.second.id != node.id && other.second.document == AsText(node.metadata);
  });
}

/// The mutex must be held.
void IcechunkSession::EraseNode(std::string_view path) {
  const auto node = nodes_.find(path);
  if (node == nodes_.end()) return;
  const std::string name(path);
  const auto change = changes_.nodes.find(name);
  const bool is_new = change != changes_.nodes.end() && change->second.is_new;
  if (!is_new) changes_.deleted[name] = {node->second.id, node->second.is_array, HasCopy(node->second)};
  nodes_.erase(node);  // its name may be that of the change
  if (change == changes_.nodes.end()) return;
  DropFiles(change->second.chunks);
  changes_.nodes.erase(change);
}

void IcechunkSession::DropFile(const ChunkChange& chunk) {
  if (const auto* const native = std::get_if<NativeChunk>(&chunk)) dropped_.push_back(native->file);
}

template <typename Map>
void IcechunkSession::DropFiles(const Map& chunks) {
  for (const auto& [key, chunk] : chunks) DropFile(chunk);
}

/// Removes files that nothing refers to. What remains after a failure is harmless.
void IcechunkSession::EraseDropped() {
  std::vector<std::string> keys;
  for (const ObjectId& file : dropped_) keys.push_back(MakeChunkFileKey(file));
  try {
    if (!keys.empty()) folder_->EraseAll(keys);
  } catch (const Error&) {
  }
  dropped_.clear();
}

void IcechunkSession::Finish() {
  // Until the end, so that nothing is written that is neither in this commit nor in the next one.
  const std::unique_lock lock(mutex_);
  if (ended_ || !HasChanges()) return;
  if (!early_.empty()) {
    throw Error(ErrorKind::kInvalidArgument, name(), early_.begin()->first, "", "the chunk belongs to no array");
  }
  CommittedSnapshot committed;
  try {
    committed = committer_.Commit(changes_);
  } catch (...) {
    ended_ = committer_.may_be_used();
    throw;
  }
  committer_.options().base = committed.id;
  snapshot_ = std::move(committed.snapshot);
  nodes_ = snapshot_->nodes();
  changes_ = {};
  EraseDropped();
}

}  // namespace zarr
