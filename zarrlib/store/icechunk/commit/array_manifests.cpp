// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/array_manifests.h"

#include <algorithm>
#include <utility>

namespace zarr {
namespace {

using Extents = std::vector<ChunkIndexRange>;
/// A file with fewer references is small.
constexpr std::uint64_t kSmall = 32768;

bool Contains(const Extents& extents, ChunkCoordinates coordinates) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (coordinates[i] < extents[i].from || coordinates[i] >= extents[i].to) return false;
  }
  return true;
}

bool Overlap(const Extents& a, const Extents& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].to <= b[i].from || b[i].to <= a[i].from) return false;
  }
  return true;
}

Extents Enclose(Extents box, const Extents& other) {
  if (box.empty()) return other;
  for (std::size_t i = 0; i < box.size(); ++i) {
    box[i] = {std::min(box[i].from, other[i].from), std::max(box[i].to, other[i].to)};
  }
  return box;
}

/// Which of an array's manifests are replaced, and how.
class Plan {
 public:
  enum class Part : std::uint8_t {
    kKept,
    kRewritten,  ///< By itself: it has changed chunks.
    kMerged,     ///< Together with the chunks that no manifest covers.
  };

  Plan(const std::vector<ManifestRef>& before, const ChunkChanges& chunks, const ManifestFiles& files)
      : before_(before), parts_(before.size(), Part::kKept) {
    for (const auto& [at, chunk] : chunks) {
      const bool is_erased = std::holds_alternative<ErasedChunk>(chunk);
      if (!MarkRewritten(at, is_erased) && !is_erased) AddOutside(at);
    }
    if (!has_outside_) return;
    MergeOverlapping();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const auto file = files.find(before[i].id);
      if (file != files.end() && file->second.refs < kSmall) TryMerge(i);
    }
  }

  Part part(std::size_t i) const { return parts_[i]; }
  /// Returns true if a manifest that is not merged covers the chunk.
  bool IsElsewhere(ChunkCoordinates coordinates) const {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (parts_[i] != Part::kMerged && Contains(before_[i].extents, coordinates)) return true;
    }
    return false;
  }

 private:
  /// Returns false if no manifest covers a chunk. Those of other writers may overlap, and readers take a chunk from the
  /// first one that has it: a chunk that is erased must be in none of them.
  bool MarkRewritten(ChunkCoordinates coordinates, bool is_erased) {
    bool is_covered = false;
    for (std::size_t i = 0; i < before_.size() && (is_erased || !is_covered); ++i) {
      if (!Contains(before_[i].extents, coordinates)) continue;
      parts_[i] = Part::kRewritten;
      is_covered = true;
    }
    return is_covered;
  }

  void AddOutside(const std::vector<std::uint32_t>& coordinates) {
    Extents at;
    for (const std::uint32_t coordinate : coordinates) at.push_back({coordinate, coordinate + 1});
    box_ = Enclose(std::move(box_), at);
    has_outside_ = true;
  }

  void MergeOverlapping() {
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = 0; i < before_.size(); ++i) {
        if (parts_[i] == Part::kMerged || !Overlap(before_[i].extents, box_)) continue;
        parts_[i] = Part::kMerged;
        box_ = Enclose(std::move(box_), before_[i].extents);
        grows = true;
      }
    }
  }

  /// Merges a part, unless others would have to be merged for that.
  void TryMerge(std::size_t part) {
    if (parts_[part] == Part::kMerged) return;
    Extents larger = Enclose(box_, before_[part].extents);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (i != part && parts_[i] != Part::kMerged && Overlap(before_[i].extents, larger)) return;
    }
    box_ = std::move(larger);
    parts_[part] = Part::kMerged;
  }

  const std::vector<ManifestRef>& before_;
  std::vector<Part> parts_;
  bool has_outside_ = false;
  Extents box_;  // of the chunks outside, and of what is merged with them
};

/// Carries out a plan.
class PlanWriter {
 public:
  PlanWriter(Store* folder, int version, const Manifests& manifests, const NodeChange& change, ManifestFiles* files)
      : folder_(folder), version_(version), manifests_(manifests), change_(change), files_(files) {}

  std::vector<ManifestRef> Write(const Plan& plan, const std::vector<ManifestRef>& before) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (plan.part(i) == Plan::Part::kKept) after_.push_back(before[i]);
      if (plan.part(i) == Plan::Part::kRewritten) Rewrite(before[i]);
      if (plan.part(i) == Plan::Part::kMerged) Merge(before[i]);
    }
    for (const auto& [coordinates, chunk] : change_.chunks) {
      if (!plan.IsElsewhere(coordinates)) merged_.insert_or_assign(coordinates, chunk);
    }
    ManifestWriter writer(folder_, version_, change_.id);
    for (const auto& [coordinates, chunk] : merged_) {
      if (const auto ref = MakeRef(chunk)) writer.Add(coordinates, *ref);
    }
    if (change_.more_chunks) {
      change_.more_chunks->ForEach([&](ChunkCoordinates at, const ChunkRef& ref) { writer.Add(at, ref); });
    }
    Finish(&writer);
    return std::move(after_);
  }

 private:
  /// Writes the references of a manifest with those changed chunks that it covers.
  void Rewrite(const ManifestRef& part) {
    const std::shared_ptr<const Manifest> manifest = manifests_.Get(part.id);
    ManifestWriter writer(folder_, version_, change_.id);
    auto change = change_.chunks.begin();
    const auto end = change_.chunks.end();
    const auto add = [&](const ChunkChanges::value_type& changed) {
      const auto ref = Contains(part.extents, changed.first) ? MakeRef(changed.second) : std::nullopt;
      if (ref) writer.Add(changed.first, *ref);
    };
    const auto merge = [&](ChunkCoordinates coordinates, const ChunkRef& ref) {
      const auto is_before = [&] { return std::ranges::lexicographical_compare(change->first, coordinates); };
      for (; change != end && is_before(); ++change) add(*change);
      const bool is_changed = change != end && std::ranges::equal(change->first, coordinates);
      if (!is_changed) writer.Add(coordinates, ref);
    };
    if (const ChunkTable* const table = manifest->Find(change_.id)) table->ForEach(merge);
    for (; change != end; ++change) add(*change);
    Finish(&writer);
  }

  void Merge(const ManifestRef& part) {
    in_memory_.push_back(manifests_.Get(part.id));
    const ChunkTable* const table = in_memory_.back()->Find(change_.id);
    if (!table) return;
    table->ForEach([this](ChunkCoordinates at, const ChunkRef& ref) {
      merged_.emplace(std::vector<std::uint32_t>(at.begin(), at.end()), std::make_shared<const ChunkRef>(ref));
    });
  }

  void Finish(ManifestWriter* writer) {
    writer->Finish();
    after_.insert(after_.end(), writer->manifests().begin(), writer->manifests().end());
    files_->insert(writer->files().begin(), writer->files().end());
  }

  Store* folder_;
  int version_;
  const Manifests& manifests_;
  const NodeChange& change_;
  ManifestFiles* files_;
  ChunkChanges merged_;                                     // what is written together
  std::vector<std::shared_ptr<const Manifest>> in_memory_;  // has the bytes of references in `merged_`
  std::vector<ManifestRef> after_;
};

}  // namespace

std::vector<ManifestRef> WriteManifests(Store* folder, int version, const Manifests& manifests,
                                        const std::vector<ManifestRef>& before, const NodeChange& change,
                                        ManifestFiles* files) {
  const Plan plan(before, change.chunks, *files);
  return PlanWriter(folder, version, manifests, change, files).Write(plan, before);
}

}  // namespace zarr
