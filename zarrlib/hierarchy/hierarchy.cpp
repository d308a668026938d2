// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/hierarchy.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "zarrlib/base/limits.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/hierarchy/near_names.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/open_arrays.h"
#include "zarrlib/hierarchy/own_documents.h"
#include "zarrlib/hierarchy/refused_absence.h"
#include "zarrlib/hierarchy/store_root.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/linked_groups.h"
#include "zarrlib/store/refusals.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {
namespace {

/// How many folders are searched for a node below a folder without metadata.
constexpr std::size_t kMaxFoldersOfImpliedGroup = 100;

/// How many of a group's nodes are requested at once.
constexpr std::size_t kMostAtOnce = 256;

/// In a remote store, requests the documents of nodes below a group all at once, before each is looked at. An error is
/// left to that look.
void PrefetchNodes(const Hierarchy& hierarchy, const NodeFormat& format, const NodeDocuments& documents,
                   std::string_view group, std::span<const std::string> names) {
  std::vector<std::string> paths;
  for (const std::string& name : names.first(std::min(names.size(), kMostAtOnce)))
    paths.push_back(JoinKey(group, name));
  if (paths.size() < 2 || !hierarchy.Prefetch({paths, {}, {}})) return;
  const std::string_view of_array = format.array_documents().front();
  if (format.group_documents().front() == of_array) return;
  std::erase_if(paths, [&](const std::string& path) {
    try {
      return documents.Has(path, of_array);
    } catch (const Error&) {
      return true;
    }
  });
  hierarchy.Prefetch({{}, paths, {}});
}

/// Throws Error(limit_exceeded) if nodes below a group are too deep for programs that traverse the hierarchy.
void CheckDepth(const Store& store, std::string_view group) {
  const auto slashes = static_cast<std::uint64_t>(std::count(group.begin(), group.end(), '/'));
  const std::uint64_t depth = group.empty() ? 1 : slashes + 2;
  if (depth <= GetLimit(Limit::kDepth)) return;
  throw Error(ErrorKind::kLimitExceeded, store.name(), std::string(group), "",
              FormatExpectedGot(FormatAtMost(Limit::kDepth, "names in the path of a node"), std::to_string(depth)));
}

std::unique_ptr<RefusedAbsence> MakeRefusedAbsence(const Store& store, const HierarchyOptions& options) {
  std::vector<std::string> documents(std::begin(kRootDocuments), std::end(kRootDocuments));
  if (!options.first_array.empty()) documents.push_back(MakeDocumentKey(options.first_array, kV2Array));
  return std::make_unique<RefusedAbsence>(store, std::move(documents), [warn = options.warn](const std::string& text) {
    if (warn) warn({ArrayWarning::Kind::kTolerated, text});
  });
}

}  // namespace

Hierarchy::Hierarchy(std::shared_ptr<Store> store, const HierarchyOptions& options)
    : store_(std::move(store)),
      options_(options),
      root_(std::make_unique<StoreRoot>()),
      documents_(std::make_unique<NodeDocuments>(
          store_, options.keep_metadata,
          options.keep_metadata && IsOnNetwork() ? MakeRefusedAbsence(*store_, options_) : nullptr)),
      arrays_(std::make_unique<OpenArrays>(options.keep_metadata)),
      waiting_attributes_(std::make_unique<WaitingAttributes>()),
      linked_groups_(std::make_unique<LinkedGroups>()) {}

Hierarchy::~Hierarchy() = default;

std::shared_ptr<Hierarchy> Hierarchy::Open(std::shared_ptr<Store> store, const HierarchyOptions& options) {
  std::shared_ptr<Hierarchy> hierarchy(new Hierarchy(std::move(store), options));
  hierarchy->OpenRoot();
  return hierarchy;
}

void Hierarchy::OpenRoot() {
  if (!FindRoot() && !options_.may_be_empty) {
    throw Error(
        ErrorKind::kNotFound, store_->name(), "", "",
        "expected a Zarr array or group (zarr.json, .zarray, .zgroup, .zmetadata, meta or __zmeta__), got none");
  }
  LeaveEmptyConsolidated();
  if (consolidated() && options_.compare_consolidated && !IsOnNetwork()) {
    own_documents_ = std::make_unique<OwnDocuments>(*store_, *root_->format);
  }
}

bool Hierarchy::IsOnNetwork() const {
  return store_->info().is_on_network();
}

bool Hierarchy::FindRoot() {
  Refusals refusals;
  RootSearch search{.use_consolidated = options_.use_consolidated, .refusals = &refusals};
  if (store_->info().is_on_network() && IsKey(options_.first_array)) search.first_array = options_.first_array;
  for (const NodeFormat* format : ListNodeFormats()) {
    auto found = refusals.Try([&] { return format->FindRoot(*store_, search, &warnings_); });
    if (!found) continue;
    SetFormat(found->format ? *found->format : *format);
    if (found->document) documents_->SetRoot(found->document->name, found->document->content);
    documents_->SetConsolidated(std::move(found->consolidated));
    root_->holds_consolidated = found->holds_consolidated;
    root_->is_group = found->has_first_array;
    // A document that was refused may describe the store too, unless the server refuses what does not exist.
    if (refusals.any() && !MakeRefusedAbsence(*store_, options_)->IsLikely()) refusals.Rethrow();
    return true;
  }
  refusals.Rethrow();
  // An implied group: a folder of nodes without metadata of its own.
  SetFormat(*ListNodeFormats().front());
  root_->is_implied = true;
  return !List("").empty();
}

void Hierarchy::SetFormat(const NodeFormat& format) {
  root_->format = &format;
  root_->formats.clear();
  for (const NodeFormat* other : ListNodeFormats()) {
    if (other == root_->format || (format.mixes() && other->mixes() && MayHave(*other)))
      root_->formats.push_back(other);
  }
}

bool Hierarchy::MayHave(const NodeFormat& format) const {
  // In a remote store each lookup is a request: nodes of formats other than the root's are searched only if lookups are
  // cheap.
  return &format == root_->format || (store_->info().lists && !IsOnNetwork());
}

bool Hierarchy::consolidated() const {
  return documents_->consolidated() != nullptr;
}

ZarrFormat Hierarchy::format() const {
  return root_->format->version();
}

std::optional<NodeKind> Hierarchy::Probe(std::string_view path) const {
  std::size_t looks = kMaxFoldersOfImpliedGroup;
  return ProbeWith(path, &looks);
}

std::optional<NodeKind> Hierarchy::ProbeWith(std::string_view path, std::size_t* looks) const {
  if (const auto kind = FindOwnKind(path)) return kind;
  return IsImpliedGroup(path, looks) ? std::optional(NodeKind::kGroup) : std::nullopt;
}

std::optional<NodeKind> Hierarchy::FindOwnKind(std::string_view path) const {
  if (path.empty() && root_->is_group) return NodeKind::kGroup;
  for (const NodeFormat* format : root_->formats) {
    if (const auto kind = format->FindKind(*documents_, path)) return kind;
    // Each format takes several lookups.
    if (format == root_->formats.front() && IsFree(path)) return std::nullopt;
  }
  return std::nullopt;
}

bool Hierarchy::IsFree(std::string_view path) const {
  if (path.empty() || consolidated() || IsOnNetwork() || !store_->info().lists) return false;
  return !documents_->waiting().HasAt(path) && !GetEntryKind(*store_, path);
}

bool Hierarchy::IsImpliedGroup(std::string_view path, std::size_t* looks) const {
  if (!root_->format->mixes()) return false;  // such a format finds its own groups
  if (path.empty())
    return root_->is_implied || (consolidated() && !documents_->consolidated()->GetChildren(path).empty());
  if (consolidated()) return !documents_->consolidated()->GetChildren(path).empty();
  // In a remote store each lookup is a request.
  if (!store_->info().lists_cheaply()) return false;
  if (NodeName(path).starts_with('.')) return false;  // such as .git
  return HasNodeBelow(std::string(path), looks);
}

bool Hierarchy::HasNodeBelow(const std::string& path, std::size_t* looks) const {
  if (*looks == 0) return false;
  --*looks;
  const auto listing = store_->List(path + "/");
  std::vector<std::string> folders;
  for (const std::string& name : listing ? listing->prefixes : std::vector<std::string>()) {
    if (!name.starts_with('.')) folders.push_back(JoinKey(path, name));
  }
  for (const std::string& folder : folders) {
    try {
      if (FindOwnKind(folder)) return true;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kIo) throw;
      return true;  // opening it reports the error
    }
  }
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return HasNodeBelow(folder, looks); });
}

std::optional<NodeKind> Hierarchy::ProbeListed(std::string_view path) const {
  std::size_t looks = kMaxFoldersOfImpliedGroup;
  return ProbeListedWith(path, &looks);
}

std::optional<NodeKind> Hierarchy::ProbeListedWith(std::string_view path, std::size_t* looks) const {
  const auto& listed = documents_->consolidated();
  if (!listed || listed->HasNode(path)) return ProbeWith(path, looks);
  return listed->GetChildren(path).empty() ? std::nullopt : std::optional(NodeKind::kGroup);
}

std::shared_ptr<void> Hierarchy::RememberAbsent() const {
  return documents_->RememberAbsent();
}

bool Hierarchy::Prefetch(const ExpectedNodes& nodes) const {
  if (consolidated() || !IsOnNetwork()) return false;
  std::vector<std::string> keys;
  const auto add = [&](const std::vector<std::string>& paths, std::span<const std::string_view> names) {
    for (const std::string& path : paths) {
      for (const std::string_view name : names) {
        if (!documents_->Keeps(path, name)) keys.push_back(MakeDocumentKey(path, name));
      }
    }
  };
  add(nodes.arrays, root_->format->array_documents());
  add(nodes.groups, root_->format->group_documents());
  return zarr::Prefetch(*store_, keys, nodes.chunks);
}

bool Hierarchy::HasOpened(std::string_view path) const {
  return arrays_->Has(path);
}

bool Hierarchy::HasOpenedIn(std::string_view path) const {
  return arrays_->HasIn(path);
}

void Hierarchy::FailMissing(std::string_view path, std::string_view expected) const {
  throw MakeMissingNodeError(*this, path, expected);
}

std::optional<ArrayMetadata> Hierarchy::FindArrayMetadata(std::string_view path) const {
  auto array = FindStoredArray(path);
  if (array) array->attributes = waiting_attributes_->ApplyTo(path, array->attributes);
  return array;
}

std::optional<ArrayMetadata> Hierarchy::FindStoredArray(std::string_view path) const {
  for (const NodeFormat* format : root_->formats) {
    auto array = format->ReadArray(*documents_, path, options_.metadata);
    if (array) Warn(path, array->document.key(), array->warnings);
    if (array) return array;
  }
  return std::nullopt;
}

void Hierarchy::Warn(std::string_view path, const std::string& key, const std::vector<std::string>& warnings) const {
  if (!options_.warn) return;
  for (const std::string& warning : warnings) {
    std::string text = store_->name() + "/";
    if (warning.starts_with('/')) {
      text.append(key).append(": ").append(warning);
    } else {
      text.append(JoinKey(path, warning));
    }
    options_.warn({ArrayWarning::Kind::kTolerated, std::move(text)});
  }
}

std::shared_ptr<const Array> Hierarchy::FindArray(std::string_view path) const {
  constexpr int kMostAttempts = 4;
  for (int attempt = 1;; ++attempt) {
    if (auto array = arrays_->Find(path)) return array;
    const std::uint64_t drops = arrays_->drops();
    auto array = MakeArray(path);
    if (!array || attempt == kMostAttempts) return array;
    if (auto added = arrays_->Add(path, array, drops)) return added;
    // Another thread has changed an array, perhaps this one.
  }
}

std::shared_ptr<const Array> Hierarchy::MakeArray(std::string_view path) const {
  CompareWithOwn(path, NodeKind::kArray);
  auto metadata = FindArrayMetadata(path);
  if (!metadata) return nullptr;
  if (const auto keys = metadata->chunk_key_encoding.WithForm(options_.chunk_key_form)) {
    metadata->chunk_key_encoding = *keys;
  }
  return Array::Make(store_, std::string(path), *std::move(metadata), options_.warn);
}

std::shared_ptr<const Array> Hierarchy::OpenArray(std::string_view path) const {
  if (auto array = FindArray(path)) return array;
  FailMissing(path, "an array");
}

ArraySummary Hierarchy::Summarize(std::string_view path) const {
  if (consolidated()) {
    if (auto summary = documents_->consolidated()->Summarize(path)) return *std::move(summary);
  }
  return MakeSummary(OpenArray(path)->metadata());
}

void Hierarchy::CompareWithOwn(std::string_view path, NodeKind kind) const {
  if (!own_documents_) return;
  for (std::string& difference : own_documents_->Compare(path, kind, documents_.get())) {
    if (options_.warn) options_.warn({ArrayWarning::Kind::kStaleConsolidated, std::move(difference)});
  }
}

void Hierarchy::LeaveEmptyConsolidated() {
  if (!consolidated() || IsOnNetwork() || !store_->info().lists) return;
  auto listed = documents_->consolidated();
  if (!listed->GetChildren("").empty() || Probe("") != NodeKind::kGroup) return;
  documents_->SetConsolidated(nullptr);
  const std::vector<Child> children = List("");
  if (children.empty()) return documents_->SetConsolidated(std::move(listed));
  root_->is_implied = root_->is_implied || !FindOwnKind("");
  warnings_.push_back(store_->name() + "/" + std::string(root_->format->consolidated_key()) +
                      ": the consolidated metadata list no node, but the store has some, such as " + children[0].name +
                      "; the consolidated metadata are not used");
}

GroupMetadata Hierarchy::OpenGroup(std::string_view path) const {
  GroupMetadata group = ReadGroup(path);
  group.attributes = waiting_attributes_->ApplyTo(path, group.attributes);
  return group;
}

GroupMetadata Hierarchy::ReadGroup(std::string_view path) const {
  CompareWithOwn(path, NodeKind::kGroup);
  for (const NodeFormat* format : root_->formats) {
    auto group = format->ReadGroup(*documents_, path);
    if (group) Warn(path, std::string(path), group->warnings);
    if (group) return *std::move(group);
  }
  if (Probe(path) == NodeKind::kGroup) return {format(), JsonNode(), std::nullopt};
  FailMissing(path, "a group");
}

std::vector<std::string> Hierarchy::ListNames(std::string_view path) const {
  if (!root_->format->has_groups()) return {};
  if (consolidated()) return documents_->consolidated()->GetChildren(path);
  // Before the store is listed, because another thread may write them at the same time.
  auto names = documents_->waiting().GetNewNames(path);
  auto stored = documents_->ListNames(*root_->format, path).value_or(std::vector<std::string>());
  if (names.empty()) return stored;
  names.insert(stored.begin(), stored.end());
  return {names.begin(), names.end()};
}

std::vector<Hierarchy::Child> Hierarchy::List(std::string_view path) const {
  std::vector<std::string> names = ListNames(path);
  if (!names.empty()) CheckDepth(*store_, path);
  std::vector<Child> children;
  std::uint64_t more_looks = GetLimit(Limit::kListedNodes);  // in addition to one for each name
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i % kMostAtOnce == 0 && options_.keep_metadata)
      PrefetchNodes(*this, *root_->format, *documents_, path, std::span(names).subspan(i));
    std::string& name = names[i];
    const std::string child = JoinKey(path, name);
    std::optional<NodeKind> kind;
    try {
      const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(more_looks, kMaxFoldersOfImpliedGroup - 1));
      const std::size_t given = 1 + more;
      std::size_t looks = given;
      kind = ProbeListedWith(child, &looks);
      if (given - looks > 1) more_looks -= given - looks - 1;
    } catch (const Error& error) {
      if (IsOnNetwork() && error.kind() == ErrorKind::kIo) throw;  // it may or may not be a node
      kind = NodeKind::kArray;                                     // opening it reports the error
    }
    if (kind == NodeKind::kGroup && !consolidated() && !linked_groups_->IsShown(*store_, child)) continue;
    if (kind) children.push_back({std::move(name), *kind});
  }
  return children;
}

}  // namespace zarr
