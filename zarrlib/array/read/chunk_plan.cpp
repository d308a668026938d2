// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/chunk_plan.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "zarrlib/base/text.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

/// Looking up fewer chunks is about as fast as the first part of a list.
constexpr std::uint64_t kFewToList = 128;
/// Where more than a quarter of the chunks have names, a list costs more than it saves.
constexpr std::uint64_t kChunksForName = 4;
constexpr std::uint64_t kMostNamesOfPlan = 1 << 20;
/// The memory that one thread fills at once.
constexpr std::uint64_t kBytesOfBox = 1 << 20;

/// The grid indices of a read's chunks: a box, unless its steps skip chunks.
Box GetGridBox(const ChunkRange& range) {
  const ChunkOverlap first = range.At(0), last = range.At(range.count() - 1);
  Box box{first.grid_index, last.grid_index};
  for (std::size_t i = 0; i < box.rank(); ++i) box.shape[i] -= box.origin[i] - 1;
  return box;
}

/// Collects the chunks of a range that may be stored, folder by folder.
class FolderWalk {
 public:
  FolderWalk(const Array& array, const StoreFolders& folders, const Box& grid_box)
      : array_(array),
        folders_(folders),
        box_(grid_box),
        has_folders_(array.metadata().chunk_key_encoding.separator == '/') {}

  /// Visits the folder of the chunks whose number in the range is [first, first + count): those at one position of each
  /// axis before `axis`.
  void Visit(std::size_t axis, std::uint64_t first, std::uint64_t count) {
    if (count < kFewToList) return Add(first, count);
    const std::string folder = GetFolder(axis, first);
    const auto most = static_cast<std::size_t>(std::min(count / kChunksForName, kMostNamesOfPlan));
    const auto names = folders_.ListNames(folder, most);
    const bool has_values = !has_folders_ || axis + 1 == box_.rank();
    if (has_values) {
      if (!names) return Add(first, count);
      return AddValues(folder.substr(array_.chunk_prefix().size()), *names, first, count);
    }
    const std::uint64_t slab = count / box_.shape[axis];
    if (names) {
      for (const std::uint64_t position : FindFolders(*names, axis)) Visit(axis + 1, first + position * slab, slab);
      return;
    }
    for (std::uint64_t i = 0; i < box_.shape[axis]; ++i) Visit(axis + 1, first + i * slab, slab);
  }

  std::vector<NumberRun> TakeRuns() { return std::move(runs_); }

 private:
  void Add(std::uint64_t first, std::uint64_t count) {
    if (!runs_.empty() && runs_.back().first + runs_.back().count == first) {
      runs_.back().count += count;
    } else {
      runs_.push_back({first, count});
    }
  }

  /// Returns the part of the key of a chunk that chunks at the same positions of the axes before `axis` share.
  std::string GetFolder(std::size_t axis, std::uint64_t first) const {
    Shape index = box_.origin;
    for (std::size_t i = index.size(); i-- > 0; first /= box_.shape[i]) index[i] += first % box_.shape[i];
    std::string key = array_.MakeChunkKey(index);
    std::size_t end = key.size();
    for (std::size_t i = has_folders_ ? box_.rank() - axis : 1; i > 0; --i) {
      end = end == 0 ? key.npos : key.rfind('/', end - 1);
      if (end == key.npos) return {};
    }
    return key.substr(0, end + 1);
  }

  /// Returns the position in the range of the chunks at an index of the grid's axis.
  std::optional<std::uint64_t> FindPosition(std::size_t axis, std::uint64_t index) const {
    if (index < box_.origin[axis] || index >= box_.end(axis)) return std::nullopt;
    return index - box_.origin[axis];
  }

  std::optional<std::uint64_t> FindNumber(const Shape& grid_index) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < box_.rank(); ++i) {
      const auto position = FindPosition(i, grid_index[i]);
      if (!position) return std::nullopt;
      number = number * box_.shape[i] + *position;
    }
    return number;
  }

  void AddValues(const std::string& folder, const std::vector<std::string>& names, std::uint64_t first,
                 std::uint64_t count) {
    std::vector<std::uint64_t> numbers;
    for (const std::string& name : names) {
      const auto index = array_.metadata().chunk_key_encoding.Parse(folder + name, array_.rank());
      const auto number = index ? FindNumber(*index) : std::nullopt;
      if (number && *number >= first && *number - first < count) numbers.push_back(*number);
    }
    std::sort(numbers.begin(), numbers.end());
    for (const std::uint64_t number : numbers) Add(number, 1);
  }

  /// Returns the positions along an axis of the folders with these names, in ascending order.
  std::vector<std::uint64_t> FindFolders(const std::vector<std::string>& names, std::size_t axis) const {
    // The draft of v3 does not have a "/" between the letter and the first index.
    const bool has_letter = axis == 0 && array_.metadata().chunk_key_encoding.kind == ChunkKeyEncoding::Kind::kV3Draft;
    std::vector<std::uint64_t> positions;
    for (const std::string& name : names) {
      if (has_letter && !name.starts_with('c')) continue;
      const auto index = ParseNumber<std::uint64_t>(std::string_view(name).substr(has_letter ? 1 : 0));
      const auto position = index ? FindPosition(axis, *index) : std::nullopt;
      if (position) positions.push_back(*position);
    }
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

  const Array& array_;
  const StoreFolders& folders_;
  const Box& box_;
  const bool has_folders_;  // true if each axis but the last has folders
  std::vector<NumberRun> runs_;
};

std::uint64_t GetMostInBox(const Array& array) {
  const std::uint64_t item = std::max<std::uint64_t>(1, array.data_type().size);
  const auto elements = ComputeCheckedProduct(array.metadata().chunk_grid.max_chunk_shape());
  const auto bytes = elements ? MultiplyChecked(*elements, item) : std::nullopt;
  return bytes ? std::max<std::uint64_t>(1, kBytesOfBox / std::max<std::uint64_t>(1, *bytes)) : 1;
}

}  // namespace

ChunkPlan::ChunkPlan(const Shape& shape, std::vector<NumberRun> stored, std::uint64_t most_in_box)
    : shape_(shape), slab_(shape_.size(), 1), stored_(std::move(stored)) {
  for (std::size_t i = shape_.size(); i-- > 1;) slab_[i - 1] = slab_[i] * shape_[i];
  std::uint64_t end = 0;
  for (const NumberRun& run : stored_) {
    ends_.push_back(stored_count() + run.count);
    AddAbsent(end, run.first, most_in_box);
    end = run.first + run.count;
  }
  AddAbsent(end, ComputeProduct(shape_), most_in_box);
}

void ChunkPlan::AddAbsent(std::uint64_t first, std::uint64_t end, std::uint64_t most_in_box) {
  while (first < end) {
    // The outermost axis of which whole slabs begin here.
    std::size_t axis = 0;
    while (axis + 1 < shape_.size() &&
           (first % slab_[axis] != 0 || end - first < slab_[axis] || slab_[axis] > most_in_box)) {
      ++axis;
    }
    const std::uint64_t slab = slab_[axis];
    const std::uint64_t before_next = shape_[axis] - first / slab % shape_[axis];
    const std::uint64_t most = std::max<std::uint64_t>(1, most_in_box / slab);
    const std::uint64_t slabs = std::min({(end - first) / slab, before_next, most});
    boxes_.push_back({first, slabs, axis});
    first += slabs * slab;
  }
}

Box ChunkPlan::GetBox(std::uint64_t number) const {
  const AbsentBox& absent = boxes_[number];
  Box box{Shape(shape_.size()), Shape(shape_.size(), 1)};
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    box.origin[i] = absent.first / slab_[i] % shape_[i];
    if (i > absent.axis) box.shape[i] = shape_[i];
  }
  box.shape[absent.axis] = absent.slabs;
  return box;
}

Box ChunkPlan::GetElements(const ChunkRange& range, const Box& chunks) const {
  std::uint64_t first = 0, last = 0;
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    first += slab_[i] * chunks.origin[i];
    last += slab_[i] * (chunks.end(i) - 1);
  }
  const ChunkOverlap begin = range.At(first), end = range.At(last);
  Box output{begin.output, Shape(shape_.size())};
  for (std::size_t i = 0; i < shape_.size(); ++i) output.shape[i] = end.output[i] + end.count[i] - begin.output[i];
  return output;
}

std::uint64_t ChunkPlan::GetStored(std::uint64_t index) const {
  const auto run = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), index) - ends_.begin());
  return stored_[run].first + stored_[run].count - (ends_[run] - index);
}

std::optional<ChunkPlan> PlanChunks(const Array& array, const ChunkRange& range) {
  const Store& store = array.store();
  const StoreFolders* const folders = range.count() < kFewToList || array.rank() == 0 ? nullptr : store.folders();
  if (!folders || store.info().is_on_network()) return std::nullopt;
  const Box grid_box = GetGridBox(range);
  if (ComputeCheckedProduct(grid_box.shape) != range.count()) return std::nullopt;
  FolderWalk walk(array, *folders, grid_box);
  walk.Visit(0, 0, range.count());
  ChunkPlan plan(grid_box.shape, walk.TakeRuns(), GetMostInBox(array));
  return plan.box_count() > 0 ? std::optional(std::move(plan)) : std::nullopt;
}

}  // namespace zarr
