// SPDX-License-Identifier: MIT
#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/array/read/chunk_loader.h"
#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/store/files/folder_names.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/tools/check/checks.h"

namespace zarr::tools {
namespace {

/// How many inner chunks are looked up in a shard's index at once. Limits the memory of the lookup.
constexpr std::uint64_t kPlannedAtOnce = 4096;

/// Returns the number of chunks that the metadata declare, including chunks past the array's end.
std::uint64_t CountDeclaredChunks(const ChunkAxis& axis, ChunkGrid::Kind kind) {
  if (kind == ChunkGrid::Kind::kRegular) return axis.chunk_count();
  std::uint64_t count = 0;
  for (const ChunkRun& run : axis.runs()) count += run.count;
  return count;
}

/// Discards elements that are decoded only to check them.
class Discard final : public RowConverter {
 public:
  void ConvertRow(const std::byte*, std::ptrdiff_t, std::byte*, std::ptrdiff_t, std::size_t) const override {}
};

class ChunkChecker {
 public:
  ChunkChecker(const Array& array, Findings* findings, Progress* progress)
      : array_(array), findings_(findings), progress_(*progress) {}

  std::size_t Run() {
    if (array_.store().List(array_.chunk_prefix())) {
      CheckKeys("");
    } else {
      AskForChunks();
    }
    return count_;
  }

 private:
  enum class Place { kLive, kBeyondEnd, kOutside };

  Place GetPlace(const Shape& index) const {
    const ChunkGrid& grid = array_.metadata().chunk_grid;
    bool live = true;
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (index[i] >= CountDeclaredChunks(grid.axis(i), grid.kind())) return Place::kOutside;
      live = live && index[i] < grid.axis(i).chunk_count();
    }
    return live ? Place::kLive : Place::kBeyondEnd;
  }

  /// Checks the keys of chunks under `prefix`, which is relative to the array's path.
  void CheckKeys(const std::string& prefix) {
    const std::string folder = array_.chunk_prefix() + prefix;
    const auto listing = array_.store().List(folder);
    if (!listing) return;  // the folder no longer exists
    for (const std::string& name : listing->keys) {
      const auto index = array_.metadata().chunk_key_encoding.Parse(prefix + name, array_.rank());
      if (!index) continue;
      const Place place = GetPlace(*index);
      if (place == Place::kLive) CheckChunk(folder + name, *index);
      if (place == Place::kOutside) {
        findings_->Add(StoreRule("chunk-outside-grid"), folder + name,
                       "a chunk outside of the array's grid: no reader looks at it");
      }
    }
    CheckOtherEntries(prefix, *listing);
    for (const std::string& name : listing->prefixes) CheckKeys(prefix + name + "/");
  }

  // --- entries that should be files or folders, but are not -----------------------------------------------------

  /// Reports entries with the names of chunks, or of folders of chunks, that are something else.
  void CheckOtherEntries(const std::string& prefix, const Listing& listing) {
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
      return std::ranges::binary_search(names, name);
    };
    auto entries = ListEntries(array_.store(), array_.chunk_prefix() + prefix).value_or(std::vector<StoreEntry>());
    std::ranges::sort(entries, {}, &StoreEntry::name);
    for (const auto& [name, kind] : entries) {
      if (name.starts_with(kTemporaryPrefix)) continue;
      const bool is_value = has(listing.keys, name);
      const bool is_folder = has(listing.prefixes, name);
      if (!is_value && IsLiveChunk(prefix + name)) {
        ReportOther(prefix + name, is_folder ? "a folder" : Describe(kind), "a chunk");
      } else if (!is_folder && IsFolderOfChunks(prefix + name)) {
        ReportOther(prefix + name, is_value ? "a file" : Describe(kind), "a folder of chunks");
      }
    }
  }

  static std::string Describe(EntryKind kind) {
    return kind == EntryKind::kLink ? "a link that leads to neither file nor folder" : "neither file nor folder";
  }

  void ReportOther(const std::string& name, const std::string& what, const std::string& wanted) {
    findings_->Add(StoreRule("chunk-no-file"), array_.chunk_prefix() + name,
                   "this is " + what + " in the place of " + wanted);
  }

  bool IsLiveChunk(const std::string& name) const {
    const auto index = array_.metadata().chunk_key_encoding.Parse(name, array_.rank());
    return index && GetPlace(*index) == Place::kLive;
  }

  /// Returns true if chunks of the grid have keys that start with a name and a slash.
  bool IsFolderOfChunks(std::string name) const {
    for (std::size_t i = 0; i < array_.rank(); ++i) {
      name += "/0";
      if (IsLiveChunk(name)) return true;
    }
    return false;
  }

  // --- chunks -----------------------------------------------------------------------------------------------------

  /// Checks the chunks of a store that cannot list.
  void AskForChunks() {
    const Shape grid = array_.metadata().chunk_grid.grid_shape();
    try {
      ForEachExistingChunk(array_, {Shape(grid.size(), 0), grid},
                           [this](const Shape& index) { CheckChunk(array_.MakeChunkKey(index), index); });
    } catch (const Error& error) {
      findings_->Add(StoreRule("chunks-unknown"), error);
    }
  }

  void CheckChunk(const std::string& key, const Shape& index) {
    ++count_;
    shown_ = 0;
    try {
      DecodeChunk(key, index);
    } catch (const Error& error) {
      findings_->Add(StoreRule("chunk-undecodable"), error);
    } catch (const ValueChanged&) {
      findings_->Add(StoreRule("chunk-replaced"), key, "it was replaced while it was checked");
    } catch (const std::bad_alloc&) {
      findings_->Add(StoreRule("chunk-undecodable"), key, "there is not enough memory to decode it");
    }
    Show(1);
  }

  /// Shows which part of the current chunk has been decoded.
  void Show(double part) {
    progress_.Advance(part - shown_);
    shown_ = part;
  }

  void DecodeChunk(const std::string& key, const Shape& index) {
    Box live{Shape(index.size()), Shape(index.size())};
    Shape encoded(index.size());
    for (std::size_t i = 0; i < index.size(); ++i) {
      const ChunkSpan span = array_.metadata().chunk_grid.axis(i).At(index[i]);
      live.origin[i] = span.start;
      live.shape[i] = span.live;
      encoded[i] = span.encoded;
    }
    bool is_shard = false;
    RunAtChunk(array_.store(), key, index, [&] {
      const auto pipeline = array_.ResolveFor(encoded);
      is_shard = pipeline->inner_chunk_shape() != nullptr;
      if (is_shard) DecodeShard(key, *pipeline, live.shape);
    });
    if (is_shard) return;
    const Discard discard;
    ReadOptions options;
    options.use_cache = false;
    std::byte nothing{};
    array_.Read(Selection::FromBox(live), {&nothing, Strides(index.size(), 0), &discard}, options);
  }

  /// Decodes the inner chunks of a shard. Absent ones take neither time nor memory.
  void DecodeShard(const std::string& key, const ResolvedPipeline& pipeline, const Shape& live) {
    const StoredValue source(array_.store(), key);
    const auto shard = pipeline.Open(source);
    if (!shard) return;  // the shard was removed in the meantime
    const ChunkGrid inner = ChunkGrid::MakeRegular(live, *pipeline.inner_chunk_shape());
    const ChunkGrid pieces = ChunkGrid::MakeRegular(live, GetPieceShape(inner));
    const ChunkRange range(pieces, Selection::FromBox({Shape(live.size(), 0), live}));
    std::vector<InnerChunkRead> tasks;
    for (std::uint64_t i = 0; i < range.count(); ++i) {
      tasks.clear();
      shard->Plan(Selection::FromBox(range.At(i).live), source, &tasks);
      std::erase_if(tasks, [](const InnerChunkRead& task) { return !task.range; });
      const auto show = [&](double part) {
        Show((static_cast<double>(i) + part) / static_cast<double>(range.count()));
        return true;
      };
      ParallelFor(tasks.size(), {.progress = show}, [&](std::uint64_t number) { DecodeInner(source, tasks[number]); });
    }
  }

  static Shape GetPieceShape(const ChunkGrid& inner) {
    Shape shape = inner.max_chunk_shape();
    std::uint64_t left = kPlannedAtOnce;
    for (std::size_t i = shape.size(); i-- > 0;) {
      const std::uint64_t taken = std::clamp<std::uint64_t>(inner.axis(i).chunk_count(), 1, left);
      shape[i] *= taken;
      left /= taken;
    }
    return shape;
  }

  static void DecodeInner(const ValueReader& shard, const InnerChunkRead& task) {
    const std::uint64_t limit = std::min(GetLongestStored(*task.decoder), ReadOptions().max_chunk_bytes);
    const bool variable = task.decoder->decoded().data_type.variable();
    const std::uint64_t size = variable ? 0 : task.decoder->decoded().byte_size();
    if (task.range->length > limit || size > ReadOptions().max_chunk_bytes) {
      throw Error(ErrorKind::kLimitExceeded,
                  FormatExpectedGot("an inner chunk of at most " + std::to_string(limit) + " bytes",
                                    std::to_string(std::max(task.range->length, size))));
    }
    Bytes encoded(static_cast<std::size_t>(task.range->length));
    const MutableByteSpan buffer = encoded;
    if (!(task.source ? *task.source : shard).Read({&*task.range, 1}, {&buffer, 1})) return;
    if (variable) {
      VariableChunk elements;
      return task.decoder->DecodeVariable(encoded, &elements);
    }
    Bytes elements(static_cast<std::size_t>(size));
    task.decoder->Decode(encoded, elements);
  }

  const Array& array_;
  Findings* findings_;
  Progress& progress_;
  std::size_t count_ = 0;
  double shown_ = 0;  // the fraction of the current chunk that is known to be decoded
};

}  // namespace

std::size_t CheckChunks(const Array& array, Findings* findings, Progress* progress) {
  return ChunkChecker(array, findings, progress).Run();
}

}  // namespace zarr::tools
