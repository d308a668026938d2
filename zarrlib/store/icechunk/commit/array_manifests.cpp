// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/array_manifests.h"

#include <algorithm>
#include <utility>

namespace zarr {
namespace {

using Extents = std::vector<ChunkIndexRange>;
using Chunks = std::map<std::vector<std::uint32_t>, ChunkChange>;

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

  Plan(const std::vector<ManifestRef>& before, const Chunks& chunks, const ManifestFiles& files)
      : before_(before), parts_(before.size(), Part::kKept) {
    for (const auto& [coordinates, chunk] : chunks) {
      const auto covers = [&](const ManifestRef& part) { return Contains(part.extents, coordinates); };
      const auto part = std::ranges::find_if(before, covers);
      if (part != before.end()) {
        parts_[static_cast<std::size_t>(part - before.begin())] = Part::kRewritten;
      } else if (!std::holds_alternative<ErasedChunk>(chunk)) {
        AddOutside(coordinates);
      }
    }
    if (!has_outside_) return;
    MergeOverlapping();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const auto file = files.find(before[i].id);
      if (file != files.end() && file->second.refs < kSmall) TryMerge(i);
    }
  }

  Part part(std::size_t i) const { return parts_[i]; }

 private:
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

/// Writes the references of a manifest with those changed chunks that it covers.
void Rewrite(const ManifestRef& part, const ChunkTable* table, const Chunks& chunks, ManifestWriter* writer) {
  auto change = chunks.begin();
  const auto add = [&](const Chunks::value_type& changed) {
    const auto ref = Contains(part.extents, changed.first) ? MakeRef(changed.second) : std::nullopt;
    if (ref) writer->Add(changed.first, *ref);
  };
  const auto merge = [&](ChunkCoordinates coordinates, const ChunkRef& ref) {
    const auto is_before = [&] { return std::ranges::lexicographical_compare(change->first, coordinates); };
    for (; change != chunks.end() && is_before(); ++change) add(*change);
    const bool is_changed = change != chunks.end() && std::ranges::equal(change->first, coordinates);
    if (!is_changed) writer->Add(coordinates, ref);
  };
  if (table) table->ForEach(merge);
  for (; change != chunks.end(); ++change) add(*change);
}

}  // namespace

std::vector<ManifestRef> WriteManifests(Store* folder, int version, const Manifests& manifests,
                                        const std::vector<ManifestRef>& before, const NodeChange& change,
                                        ManifestFiles* files) {
  const Plan plan(before, change.chunks, *files);
  std::vector<ManifestRef> after;
  const auto finish = [&](ManifestWriter* writer) {
    writer->Finish();
    after.insert(after.end(), writer->manifests().begin(), writer->manifests().end());
    files->insert(writer->files().begin(), writer->files().end());
  };
  Chunks merged;                                           // the changes, and what is merged with them
  std::vector<std::shared_ptr<const Manifest>> in_memory;  // has the bytes of references in `merged`
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Plan::Part part = plan.part(i);
    if (part == Plan::Part::kKept) {
      after.push_back(before[i]);
      continue;
    }
    const std::shared_ptr<const Manifest> manifest = manifests.Get(before[i].id);
    const ChunkTable* const table = manifest->Find(change.id);
    if (part == Plan::Part::kRewritten) {
      ManifestWriter writer(folder, version, change.id);
      Rewrite(before[i], table, change.chunks, &writer);
      finish(&writer);
      continue;
    }
    in_memory.push_back(manifest);
    if (!table) continue;
    table->ForEach([&](ChunkCoordinates at, const ChunkRef& ref) {
      merged.emplace(std::vector<std::uint32_t>(at.begin(), at.end()), std::make_shared<const ChunkRef>(ref));
    });
  }
  const auto is_elsewhere = [&](const std::vector<std::uint32_t>& coordinates) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (plan.part(i) != Plan::Part::kMerged && Contains(before[i].extents, coordinates)) return true;
    }
    return false;
  };
  for (const auto& [coordinates, chunk] : change.chunks) {
    if (!is_elsewhere(coordinates)) merged.insert_or_assign(coordinates, chunk);
  }
  ManifestWriter writer(folder, version, change.id);
  for (const auto& [coordinates, chunk] : merged) {
    if (const auto ref = MakeRef(chunk)) writer.Add(coordinates, *ref);
  }
  finish(&writer);
  return after;
}

}  // namespace zarr
