// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/manifest_writer.h"

#include <gtest/gtest.h>

#include <random>

#include "zarrlib/store/icechunk/commit/array_manifests.h"
#include "zarrlib/store/icechunk/manifests.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using Coordinates = std::vector<std::uint32_t>;

bool Contains(const ManifestRef& part, const Coordinates& at) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < part.extents[i].from || at[i] >= part.extents[i].to) return false;
  }
  return true;
}

bool Overlap(const ManifestRef& a, const ManifestRef& b) {
  for (std::size_t i = 0; i < a.extents.size(); ++i) {
    if (a.extents[i].to <= b.extents[i].from || b.extents[i].to <= a.extents[i].from) return false;
  }
  return true;
}

struct ChangedArray {
  std::shared_ptr<MemoryStore> folder = std::make_shared<MemoryStore>("repository");
  NodeId array = MakeNodeId();
  std::vector<ManifestRef> parts;
  ManifestFiles files;

  void Change(const ChunkChanges& chunks) {
    NodeChange change;
    change.id = array;
    change.is_array = true;
    change.chunks = chunks;
    parts = WriteManifests(folder.get(), 2, Manifests(folder), parts, change, &files);
  }
  /// Adds a part as other writers make them: it may overlap those that are there.
  void AddPart(const std::map<Coordinates, NativeChunk, ListOrder>& chunks) {
    ManifestWriter writer(folder.get(), 2, array);
    for (const auto& [at, chunk] : chunks) writer.Add(at, *MakeRef(chunk));
    writer.Finish();
    parts.insert(parts.end(), writer.manifests().begin(), writer.manifests().end());
    files.insert(writer.files().begin(), writer.files().end());
  }
  /// Returns the ID of a chunk's file, or nullopt. As readers do, takes that of the first part that has the chunk.
  std::optional<ObjectId> Find(const Coordinates& at) const {
    const Manifests manifests(folder);
    for (const ManifestRef& part : parts) {
      if (!Contains(part, at)) continue;
      const auto manifest = manifests.Get(part.id);
      const ChunkTable* const table = manifest->Find(array);
      const auto ref = table ? table->Find(at) : std::nullopt;
      if (ref) return ref->file;
    }
    return std::nullopt;
  }
  void ExpectApart() const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(Overlap(parts[i], parts[j])) << i << " " << j;
    }
  }
};

NativeChunk MakeChunk(std::uint32_t number) {
  NativeChunk chunk{{}, 1};
  WriteLittleEndian(chunk.file.data(), number);
  return chunk;
}

TEST(ManifestWriter, SplitsManyReferencesIntoPartsThatDoNotOverlap) {
  ChangedArray repository;
  ManifestWriter writer(repository.folder.get(), 2, repository.array);
  constexpr std::uint32_t kPlanes = 3;
  constexpr std::uint32_t kRows = 300;
  constexpr std::uint32_t kLastRows = 3;
  constexpr std::uint32_t kColumns = 250;  // a plane is larger than a file
  std::uint32_t number = 0;
  for (std::uint32_t i = 0; i < kPlanes; ++i) {
    // The last plane is short, so that it could end in the file of the rows before it.
    for (std::uint32_t j = 0; j < (i + 1 < kPlanes ? kRows : kLastRows); ++j) {
      for (std::uint32_t k = 0; k < kColumns; ++k) {
        const Coordinates at{i, j, k};
        writer.Add(at, *MakeRef(MakeChunk(number++)));
      }
    }
  }
  writer.Finish();
  repository.parts = writer.manifests();
  EXPECT_GE(repository.parts.size(), 4u);
  EXPECT_LE(repository.parts.size(), 9u);
  repository.ExpectApart();
  std::uint64_t count = 0;
  for (const auto& [id, file] : writer.files()) {
    EXPECT_LE(file.refs, ManifestWriter::kMostRefs);
    count += file.refs;
  }
  EXPECT_EQ(count, number);
  for (const Coordinates& at : {Coordinates{0, 0, 0}, Coordinates{1, 263, 10}, Coordinates{2, 2, 249}}) {
    EXPECT_EQ(repository.Find(at), MakeChunk((at[0] * kRows + at[1]) * kColumns + at[2]).file);
  }
}

TEST(WriteManifests, KeepsWhatWasNotChanged) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    ChangedArray repository;
    std::map<Coordinates, ObjectId, ListOrder> expected;
    std::uint32_t number = 0;
    for (int commit = 0; commit < 8; ++commit) {
      ChunkChanges chunks;
      const std::uint32_t corner = random() % 20;  // changes are near to each other, here or there
      for (int i = 0; i < 12; ++i) {
        const Coordinates at{corner + static_cast<std::uint32_t>(random() % 8),
                             static_cast<std::uint32_t>(random() % 20)};
        if (random() % 4 == 0) {
          chunks[at] = ErasedChunk();
          expected.erase(at);
        } else {
          const NativeChunk chunk = MakeChunk(++number);
          chunks[at] = chunk;
          expected[at] = chunk.file;
        }
      }
      // As if other writers had made large files, which are not merged.
      for (auto& [id, file] : repository.files) file.refs = random() % 2 == 0 ? 100'000 : file.refs;
      repository.Change(chunks);
      repository.ExpectApart();
    }
    for (std::uint32_t i = 0; i < 30; ++i) {
      for (std::uint32_t j = 0; j < 21; ++j) {
        const Coordinates at{i, j};
        const auto found = expected.find(at);
        EXPECT_EQ(repository.Find(at), found == expected.end() ? std::nullopt : std::optional(found->second));
      }
    }
  }
}

TEST(WriteManifests, ErasesChunksFromAllPartsThatOverlap) {
  std::mt19937 random(1);
  const auto draw = [&] { return Coordinates{std::uint32_t(random() % 6), std::uint32_t(random() % 6)}; };
  for (int round = 0; round < 50; ++round) {
    ChangedArray repository;
    std::map<Coordinates, ObjectId, ListOrder> expected;
    std::uint32_t number = 0;
    for (int part = 0; part < 3; ++part) {
      std::map<Coordinates, NativeChunk, ListOrder> chunks;
      for (int i = 0; i < 6; ++i) chunks[draw()] = MakeChunk(++number);
      for (const auto& [at, chunk] : chunks) expected.emplace(at, chunk.file);
      repository.AddPart(chunks);
    }
    for (int commit = 0; commit < 4; ++commit) {
      ChunkChanges chunks;
      for (int i = 0; i < 3; ++i) {
        const Coordinates at = draw();
        const NativeChunk chunk = MakeChunk(++number);
        const bool is_erased = random() % 2 == 0;
        chunks[at] = is_erased ? ChunkChange(ErasedChunk()) : ChunkChange(chunk);
        expected[at] = is_erased ? ObjectId() : chunk.file;
      }
      repository.Change(chunks);
      for (const auto& [at, file] : expected) EXPECT_EQ(repository.Find(at).value_or(ObjectId()), file) << round;
    }
  }
}

TEST(WriteManifests, DoesNotReadLargePartsWithoutChanges) {
  ChangedArray repository;
  repository.Change({{{0, 0}, MakeChunk(1)}, {{0, 1}, MakeChunk(2)}});
  const ManifestRef first = repository.parts.front();
  repository.files.begin()->second.refs = 1'000'000;
  repository.folder->Erase("manifests/" + FormatObjectId(first.id));
  repository.Change({{{1, 0}, MakeChunk(3)}});
  ASSERT_EQ(repository.parts.size(), 2u);
  EXPECT_EQ(repository.parts[0].id, first.id);
  // A small part of which an array has many would be read each time.
  repository.Change({{{2, 0}, MakeChunk(4)}});
  EXPECT_EQ(repository.parts.size(), 2u);
}

}  // namespace
}  // namespace zarr
