// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/temporary_names.h"
#include "zarrlib/tools/array_folder.h"
#include "zarrlib/tools/copy/copy_marker.h"
#include "zarrlib/tools/copy/copy_plan.h"
#include "zarrlib/tools/copy/value_copier.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/names/store_places.h"
#include "zarrlib/tools/reshard/new_metadata.h"
#include "zarrlib/tools/reshard/reshard_copy.h"
#include "zarrlib/tools/stored_count.h"

namespace zarr::tools {
namespace {

/// Returns a string that is equal for two runs that do the same.
std::string DescribeJob(const CopyPlan& plan) {
  std::string text;
  for (const CopiedArray& array : plan.arrays) {
    if (!array.to) continue;
    for (const MetadataDocument& document : MakeDocuments(*array.to)) {
      text += array.from->path() + "/" + document.name + document.content.Dump();
    }
  }
  return std::to_string(plan.state()) + ":" + text;
}

class Copier {
 public:
  Copier(const std::shared_ptr<Store>& from, const std::shared_ptr<Store>& to, const CopyPlan& plan, Progress* progress)
      : from_(from),
        to_(to),
        plan_(plan),
        progress_(*progress),
        marker_(MakeMarker(from, to, plan)),
        values_(from, to, resumed()) {}

  bool resumed() const { return marker_ && marker_->resumed(); }

  void Run() {
    try {
      CopyAll();
    } catch (const Error& error) {
      if (!marker_) throw;
      throw error.With("what has been copied stays in " + to_->name() +
                       "; the same command goes on with it, or remove that folder");
    }
  }

 private:
  void CopyAll() {
    BeginProgress();
    for (const CopiedArray& array : plan_.arrays) CopyArray(array);
    CopyOthers("", nullptr);
    CheckUnchanged(*from_, plan_);  // the chunks match the documents of the plan
    for (const CopiedArray& array : plan_.arrays) PutDocuments(array);
    for (auto group = plan_.groups.rbegin(); group != plan_.groups.rend(); ++group) PutGroup(*group);
    if (plan_.changes_any() && !plan_.consolidated.empty()) Consolidate();
    if (marker_) marker_->Remove();
    to_->Finish();
    progress_.Clear();
  }

  static std::optional<CopyMarker> MakeMarker(const std::shared_ptr<Store>& from, const std::shared_ptr<Store>& to,
                                              const CopyPlan& plan) {
    if (IsNewArchive(*to)) return std::nullopt;
    return std::optional<CopyMarker>(std::in_place, to, DescribePlace(*from), DescribeJob(plan));
  }
  bool IsComplete(const CopiedArray& array) const { return marker_ && marker_->IsComplete(array.from->path()); }

  void BeginProgress() {
    if (!progress_.visible()) return;
    double total = 0;
    for (const CopiedArray& array : plan_.arrays) {
      if (!IsComplete(array)) total += static_cast<double>(CountStoredChunks(*array.from));
    }
    progress_.Begin("copy", total);
  }

  // --- chunks ------------------------------------------------------------------------------------------------------

  void CopyArray(const CopiedArray& array) {
    if (IsComplete(array)) return;
    array.to ? CopyElementsOf(*array.from, *array.to) : values_.CopyChunks(*array.from, &progress_);
    if (marker_) marker_->SetComplete(array.from->path());
  }

  /// Encodes elements again, piece by piece; the elements of complete pieces are already stored.
  void CopyElementsOf(const Array& from, const ArrayMetadata& metadata) {
    const auto to = Array::Make(to_, from.path(), ReadBack(MakeDocuments(metadata)));
    const double chunks = progress_.visible() ? static_cast<double>(CountStoredChunks(from)) : 0;
    CopySteps steps;
    if (marker_) steps.first = marker_->CountPieces(from.path());
    std::uint64_t before = 0;
    steps.on_piece = [&](std::uint64_t done, std::uint64_t count) {
      if (marker_) marker_->SetPieces(from.path(), done);
      progress_.Advance(chunks * static_cast<double>(done - before) / static_cast<double>(count));
      before = done;
    };
    CopyElements(from, to, steps);
  }

  // --- unrelated files ---------------------------------------------------------------------------------------------

  /// The folder of an array, some of whose files belong to the array.
  struct OwnFolder {
    std::string path;
    ArrayFolder own;
  };

  /// Copies the files in a folder and its subfolders that are neither documents nor chunks. Does not follow links.
  void CopyOthers(const std::string& prefix, const OwnFolder* array) {
    const std::string path = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
    std::optional<OwnFolder> here;
    for (const CopiedArray& one : plan_.arrays) {
      if (one.from->path() == path) here.emplace(OwnFolder{path, ArrayFolder(*from_, one.from->metadata())});
    }
    if (here) array = &*here;
    for (const auto& [name, kind] : ListEntries(*from_, prefix).value_or(std::vector<StoreEntry>())) {
      const bool is_of_zarrkit = kind == EntryKind::kFolder && name.starts_with(kTemporaryPrefix);
      if (is_of_zarrkit || IsOwnTemporaryName(name) || IsOwnRemovalName(name)) continue;
      if (kind == EntryKind::kFolder) CopyOthers(prefix + name + "/", array);
      if (kind != EntryKind::kValue || IsDocument(path, name) || IsChunk(array, prefix + name)) continue;
      values_.Copy(prefix + name);
    }
  }

  /// Files with such names in folders that are not nodes are ordinary files.
  bool IsDocument(const std::string& path, const std::string& name) const {
    return plan_.nodes.contains(path) &&
           (name == kV2Consolidated || std::ranges::find(kNodeDocuments, name) != std::end(kNodeDocuments));
  }

  static bool IsChunk(const OwnFolder* array, std::string_view key) {
    return array != nullptr && array->own.IsOwn(array->path.empty() ? key : key.substr(array->path.size() + 1));
  }

  // --- documents ---------------------------------------------------------------------------------------------------

  void CopyDocument(const std::string& path, std::string_view name) {
    const auto document = plan_.documents.find(JoinKey(path, name));
    if (document != plan_.documents.end()) to_->Set(document->first, AsBytes(document->second));
  }

  void PutDocuments(const CopiedArray& array) {
    const std::string& path = array.from->path();
    if (!array.to) {
      // The first document makes the path a node.
      for (const std::string_view name : {kV2Attributes, kV2Array, kV3Document}) CopyDocument(path, name);
      return;
    }
    const auto documents = MakeDocuments(*array.to);
    const auto style = plan_.v3 ? JsonNode::Style::kV3 : JsonNode::Style::kV2;
    for (auto document = documents.rbegin(); document != documents.rend(); ++document) {
      const std::string text = document->content.Dump(style);
      to_->Set(JoinKey(path, document->name), AsBytes(text));
    }
  }

  void PutGroup(const std::string& path) {
    for (const std::string_view name : {kV2Attributes, kV2Group}) CopyDocument(path, name);
    if (!plan_.changes_any()) {
      for (const std::string_view name : {kV2Consolidated, kV3Document}) CopyDocument(path, name);
      return;
    }
    PutWithoutConsolidated(path);
  }

  /// Consolidated metadata would describe the old state of the arrays.
  void PutWithoutConsolidated(const std::string& path) {
    const std::string key = JoinKey(path, kV3Document);
    const auto text = plan_.documents.find(key);
    if (text == plan_.documents.end()) return;
    const JsonNode document = JsonNode::Parse(text->second, from_->name(), key);
    if (!document.Has(kConsolidatedMember)) return CopyDocument(path, kV3Document);
    const std::string changed = CopyWithoutMember(document, kConsolidatedMember).Dump(JsonNode::Style::kV3);
    to_->Set(key, AsBytes(changed));
  }

  void Consolidate() {
    HierarchyOptions options;
    options.use_consolidated = false;
    const auto hierarchy = EditableHierarchy::Open(to_, options);
    for (const std::string& group : plan_.consolidated) hierarchy->SetConsolidate(true, group);
    hierarchy->WriteConsolidated();
  }

  std::shared_ptr<Store> from_;
  std::shared_ptr<Store> to_;
  const CopyPlan& plan_;
  Progress& progress_;
  std::optional<CopyMarker> marker_;  // not for an archive, which does not exist until it is complete
  ValueCopier values_;
};

}  // namespace

int CopyStore(const std::shared_ptr<Store>& source, const std::shared_ptr<Store>& target, const CopyOptions& options,
              std::ostream& out, Progress* progress) {
  CheckApart(source->name(), target->name());
  const CopyPlan plan = PlanCopy(source, options);
  const InterruptWatch watch;
  bool resumed = false;
  try {
    Copier copier(source, target, plan, progress);
    resumed = copier.resumed();
    copier.Run();
  } catch (const Interrupted& interrupted) {
    throw Interrupted{interrupted.signal,
                      IsNewArchive(*target) ? "no archive was made" : "the same command goes on with the copy"};
  }
  const auto changed =
      std::ranges::count_if(plan.arrays, [](const CopiedArray& array) { return array.to.has_value(); });
  out << (resumed ? "completed the copy of " : "copied ") << plan.arrays.size() << " arrays, of which " << changed
      << " were encoded anew, and " << plan.groups.size() << " groups to " << target->name() << "\n";
  return kSuccess;
}

}  // namespace zarr::tools
