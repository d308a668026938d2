// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/resize.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/array/write/gap_source.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/store/repeated_change.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

ChunkAxis MakeResizedAxis(ChunkGrid::Kind kind, const ChunkAxis& axis, std::uint64_t extent) {
  if (kind == ChunkGrid::Kind::kRegular) return ChunkAxis::MakeRegular(extent, axis.runs().front().edge);
  std::vector<ChunkRun> runs(axis.runs().begin(), axis.runs().end());
  if (runs.back().count == 0) {
    // An edge without a list is the edge of all chunks, and there is none yet.
    if (extent == 0) return axis;
    return ChunkAxis::MakeRegular(extent, runs.back().edge);
  }
  std::uint64_t end = 0;
  for (const ChunkRun& run : runs) end += run.edge * run.count;
  if (extent > end) {
    const std::uint64_t missing = extent - end;
    if (runs.back().edge == missing) {
      ++runs.back().count;
    } else {
      runs.push_back({missing, 1});
    }
  }
  return ChunkAxis::FromRuns(extent, std::move(runs));
}

/// Returns the number of chunks of the old array that contain elements before `length` along an axis.
std::uint64_t CountChunksBefore(const Array& array, std::size_t axis, std::uint64_t length) {
  if (length == 0 || array.shape()[axis] == 0) return 0;
  return array.metadata().chunk_grid.axis(axis).Locate(std::min(length, array.shape()[axis]) - 1).index + 1;
}

/// Returns the chunks of the old array that contain elements on both sides of the new end of an axis; an empty box if
/// the axis does not become shorter.
Box GetChunksAtEnd(const Array& array, const Shape& shape, std::size_t axis) {
  Box chunks{Shape(array.rank(), 0), Shape(array.rank(), 0)};
  if (shape[axis] == 0 || shape[axis] >= array.shape()[axis]) return chunks;
  const ChunkSpan last = array.metadata().chunk_grid.axis(axis).Locate(shape[axis] - 1);
  if (last.start + last.live == shape[axis]) return chunks;
  for (std::size_t i = 0; i < array.rank(); ++i) chunks.shape[i] = CountChunksBefore(array, i, shape[i]);
  chunks.origin[axis] = last.index;
  chunks.shape[axis] = 1;
  return chunks;
}

/// Returns the chunks that contain only elements past the new end of an axis.
Box GetChunksBeyond(const Array& array, const Shape& shape, std::size_t axis) {
  Box chunks{Shape(array.rank(), 0), array.metadata().chunk_grid.grid_shape()};
  chunks.origin[axis] = std::min(chunks.shape[axis], CountChunksBefore(array, axis, shape[axis]));
  chunks.shape[axis] = shape[axis] >= array.shape()[axis] ? 0 : chunks.shape[axis] - chunks.origin[axis];
  return chunks;
}

bool Shrinks(const Array& array, const Shape& shape) {
  bool shrinks = false;
  for (std::size_t i = 0; i < shape.size(); ++i) shrinks = shrinks || shape[i] < array.shape()[i];
  return shrinks;
}

/// Overwrites the elements past the new end of an axis with the fill value, in stored chunks that also contain elements
/// before it: in others, the elements before it may be missing, and stay so. The writer must belong to the old, longer
/// array.
void ForgetTail(ArrayWriter& writer, const Shape& shape, std::size_t axis) {
  const Array& array = writer.array();
  ForEachExistingChunk(array, GetChunksAtEnd(array, shape, axis), [&](const Shape& index) {
    Box tail{Shape(array.rank()), Shape(array.rank())};
    for (std::size_t i = 0; i < array.rank(); ++i) {
      const ChunkSpan span = array.metadata().chunk_grid.axis(i).At(index[i]);
      tail.origin[i] = i == axis ? shape[i] : span.start;
      tail.shape[i] = span.start + span.live - tail.origin[i];
    }
    writer.Write(Selection::FromBox(tail), GapSource(array, index).Get());
  });
}

/// Throws the error of a chunk with elements on both sides of a new end that cannot be encoded again, because it has
/// objects that would be changed.
void CheckObjectsAtEnd(const Array& array, const Shape& shape) {
  if (!array.data_type().variable() || !Shrinks(array, shape) || ComputeProduct(array.shape()) == 0) return;
  if (!ResolveForChunk(array, Shape(array.rank(), 0))->stores_null()) return;
  const auto check = [&](const Shape& index) {
    const auto pipeline = ResolveForChunk(array, index);
    const std::string key = array.MakeChunkKey(index);
    Bytes stored;
    if (!array.store().Get(key, &stored)) return;
    VariableChunk chunk;
    chunk.for_update = true;
    try {
      pipeline->DecodeVariable(stored, &chunk);
    } catch (const Error& error) {
      throw error.At(array.store().name(), key);
    }
  };
  for (std::size_t axis = 0; axis < array.rank(); ++axis) {
    ForEachExistingChunk(array, GetChunksAtEnd(array, shape, axis), check);
  }
}

/// Throws Error(unsupported) if chunks to be removed are reached through a link in the array's folder: the link's
/// target may not belong to the store, and chunks left there would become visible again if the array grows.
void CheckNoLinkedChunks(const Array& array, const Shape& shape) {
  const Store& store = array.store();
  if (!store.folders()) return;  // others do not have links
  std::set<std::string, std::less<>> folders;
  const auto check = [&](const Shape& index) {
    const std::string key = array.MakeChunkKey(index);
    const std::size_t first = array.path().empty() ? 0 : array.path().size() + 1;
    for (std::size_t end = key.find('/', first); end != key.npos; end = key.find('/', end + 1)) {
      const std::string folder = key.substr(0, end);
      if (!folders.insert(folder).second || GetEntryKind(store, folder) != EntryKind::kLink) continue;
      throw Error(ErrorKind::kUnsupported, store.name(), folder, "",
                  "this is a symbolic link, and the chunks behind it are not removed: the array keeps its shape");
    }
  };
  for (std::size_t axis = 0; axis < array.rank(); ++axis) {
    ForEachStoredChunk(array, GetChunksBeyond(array, shape, axis), check);
  }
}

/// Removes the chunks of the old array without elements of the new one.
void EraseBeyond(const Array& array, Store& store, const Shape& shape) {
  for (std::size_t axis = 0; axis < array.rank(); ++axis) {
    ForEachStoredChunk(array, GetChunksBeyond(array, shape, axis),
                       [&](const Shape& index) { store.Erase(array.MakeChunkKey(index)); });
  }
}

ArrayMetadata MakeResizedMetadata(const Array& array, const Shape& shape) {
  ArrayMetadata metadata = array.metadata();
  metadata.shape = shape;
  metadata.chunk_grid = MakeResizedGrid(array.metadata().chunk_grid, shape);
  return metadata;
}

/// Another process, which no lock excludes, has resized an array.
class ShapeChanged : public std::exception {};

/// Changes only the shape, to that of `array` after a resize. Throws ShapeChanged, without changes, if the array has
/// neither the shape `from` nor `shape` any more. The array must be locked.
std::shared_ptr<const Array> SetShape(EditableHierarchy& hierarchy, const Array& array, const Shape& from,
                                      const Shape& shape) {
  const ArrayMetadata resized = MakeResizedMetadata(array, shape);
  return RepeatWhileOutrun([&] {
    const auto present = hierarchy.OpenPresentArray(array.path());
    if (present->shape() != from && present->shape() != shape) throw ShapeChanged();
    ArrayMetadata metadata = present->metadata();
    metadata.shape = resized.shape;
    metadata.chunk_grid = resized.chunk_grid;
    return hierarchy.UpdateArray(array.path(), present->metadata(), metadata);
  });
}

/// Does not change an array that already has its shape, but updates the next consolidated metadata: an earlier attempt
/// may have failed before updating them.
std::shared_ptr<const Array> KeepShape(EditableHierarchy& hierarchy, const Array& array) {
  return SetShape(hierarchy, array, array.shape(), array.shape());
}

/// Removes the elements of the old array that are outside its new shape.
void RemoveBeyond(const std::shared_ptr<const Array>& array, Store& store, const Shape& shape) {
  if (!Shrinks(*array, shape)) return;
  const auto writer = ArrayWriter::Make(array, {.locked_by_caller = true});
  for (std::size_t axis = 0; axis < shape.size(); ++axis) ForgetTail(*writer, shape, axis);
  writer->Flush();
  EraseBeyond(*array, store, shape);
}

// --- several arrays ---------------------------------------------------------------------------------------------

/// Returns the arrays as stored now, after making sure that those that keep their shapes are stored completely. Throws
/// ShapeChanged if the shape of one of them has changed. They must be locked.
std::vector<ArrayResize> FindUnchanged(EditableHierarchy& hierarchy, const std::vector<ArrayResize>& arrays) {
  std::vector<ArrayResize> present;
  for (const ArrayResize& resize : arrays) {
    auto array = hierarchy.OpenPresentArray(resize.array->path());
    if (array->shape() != resize.array->shape()) {
      KeepShape(hierarchy, *array);
      throw ShapeChanged();
    }
    present.push_back({std::move(array), resize.shape});
  }
  return present;
}

std::shared_ptr<void> Lock(EditableHierarchy& hierarchy, const std::vector<ArrayResize>& arrays) {
  std::vector<std::string> paths;
  for (const ArrayResize& resize : arrays) paths.push_back(resize.array->path());
  return hierarchy.LockNodes(paths);
}

/// One step of the resize of several arrays.
struct Step {
  const Array* array;
  Shape from;
  Shape to;
};

Shape GetLarger(const Shape& a, const Shape& b) {
  Shape larger = a;
  for (std::size_t i = 0; i < a.size(); ++i) larger[i] = std::max(a[i], b[i]);
  return larger;
}

std::vector<Step> MakeSteps(const std::vector<ArrayResize>& arrays) {
  std::vector<const ArrayResize*> order;
  for (const ArrayResize& array : arrays) order.push_back(&array);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->array->rank() < b->array->rank(); });
  std::vector<Step> steps;
  for (const ArrayResize* resize : order) {
    steps.push_back({resize->array.get(), resize->array->shape(), GetLarger(resize->array->shape(), resize->shape)});
  }
  std::reverse(order.begin(), order.end());
  for (const ArrayResize* resize : order) {
    steps.push_back({resize->array.get(), GetLarger(resize->array->shape(), resize->shape), resize->shape});
  }
  std::erase_if(steps, [](const Step& step) { return step.from == step.to; });
  return steps;
}

/// Undoes the first `count` steps, the last one first. Returns a description of failures, such as "; a has the shape
/// [3, 4], not [2, 4]".
std::string TakeBack(const std::vector<Step>& steps, std::size_t count, const std::function<void(const Step&)>& back) {
  std::vector<const Step*> failed;
  failed.reserve(count);
  while (count-- > 0) {
    try {
      back(steps[count]);
    } catch (const std::exception&) {
      failed.push_back(&steps[count]);
    }
  }
  std::string left;
  for (const Step* step : failed) {
    left += "; " + step->array->path() + " may have the shape " + ToString(step->to) + ", and not " +
            ToString(step->from) + " as before";
  }
  return left;
}

std::exception_ptr MakeErrorOfLeftovers(const Error& error, const std::string& array) noexcept {
  try {
    const std::string text = "; " + array + " has its new shape, but elements beyond it are still stored";
    return std::make_exception_ptr(Error(error.kind(), error.what() + text));
  } catch (...) {
    return std::current_exception();
  }
}

/// Removes the elements that arrays have lost. Tries all arrays, and then throws the first error.
void RemoveBeyond(const std::vector<ArrayResize>& arrays, Store& store) {
  std::exception_ptr first;
  for (const ArrayResize& resize : arrays) {
    try {
      RemoveBeyond(resize.array, store, resize.shape);
    } catch (const Error& error) {
      if (!first) first = MakeErrorOfLeftovers(error, resize.array->path());
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

/// Like ResizeArrays, for locked arrays. Throws ShapeChanged instead of returning false.
void ResizeUnchanged(EditableHierarchy& hierarchy, const std::vector<ArrayResize>& arrays,
                     const std::function<void(const std::shared_ptr<const Array>&)>& resized) {
  const std::vector<ArrayResize> present = FindUnchanged(hierarchy, arrays);
  for (const ArrayResize& resize : present) {
    CheckNoLinkedChunks(*resize.array, resize.shape);
    CheckObjectsAtEnd(*resize.array, resize.shape);
  }
  for (const ArrayResize& resize : present) {
    if (resize.shape != resize.array->shape()) continue;
    const auto kept = KeepShape(hierarchy, *resize.array);
    if (resized) resized(kept);
  }
  const std::vector<Step> steps = MakeSteps(present);
  const auto set = [&](const Step& step, const Shape& from, const Shape& shape) {
    const auto array = SetShape(hierarchy, *step.array, from, shape);
    if (resized) resized(array);
  };
  const auto back = [&](const Step& step) { set(step, step.to, step.from); };
  std::size_t begun = 0;
  try {
    while (begun < steps.size()) {
      const Step& step = steps[begun++];
      set(step, step.from, step.to);
    }
  } catch (const ShapeChanged&) {
    const std::string left = TakeBack(steps, begun - 1, back);
    if (left.empty()) throw;
    throw Error(ErrorKind::kIo, hierarchy.store()->name(), "", "", "another process has resized an array" + left);
  } catch (const Error& error) {
    const std::string left = TakeBack(steps, begun, back);
    if (left.empty()) throw;
    throw Error(error.kind(), error.what() + left);
  } catch (...) {
    TakeBack(steps, begun, back);
    throw;
  }
  RemoveBeyond(present, *hierarchy.store());
}

}  // namespace

ChunkGrid MakeResizedGrid(const ChunkGrid& grid, const Shape& shape) {
  std::vector<ChunkAxis> axes;
  for (std::size_t i = 0; i < grid.rank(); ++i) axes.push_back(MakeResizedAxis(grid.kind(), grid.axis(i), shape[i]));
  return ChunkGrid(grid.kind(), std::move(axes));
}

void CheckResize(const Array& array, const Shape& shape) {
  if (shape.size() != array.rank()) {
    throw Error(ErrorKind::kInvalidArgument,
                FormatExpectedGot(std::to_string(array.rank()) + " lengths", std::to_string(shape.size())));
  }
  if (shape == array.shape()) return;
  CheckOneFormat(array.store(), array.path(), array.metadata().zarr_format);
  if (Shrinks(array, shape)) {
    if (array.unsupported()) throw *array.unsupported();
    for (std::size_t axis = 0; axis < array.rank(); ++axis) {
      CheckChunksCanBeFound(array, GetChunksAtEnd(array, shape, axis));
      CheckChunksCanBeFound(array, GetChunksBeyond(array, shape, axis));
    }
  }
  MakeDocuments(MakeResizedMetadata(array, shape));
}

Shape ResolveShape(const Array& present, const Shape& known, const Shape& wanted) {
  Shape shape = present.shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (wanted[i] == known[i] || wanted[i] == shape[i]) continue;
    if (wanted[i] < known[i] && shape[i] != known[i]) {
      throw Error(ErrorKind::kInvalidArgument, present.store().name(), present.path(), "/shape",
                  FormatExpectedGot(ToString(known) + ", as when it was opened", ToString(shape)));
    }
    shape[i] = wanted[i] < known[i] ? wanted[i] : std::max(shape[i], wanted[i]);
  }
  return shape;
}

std::shared_ptr<const Array> ResizeArray(EditableHierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                         const Shape& shape) {
  hierarchy.CheckWritable();
  CheckResize(*array, shape);
  const auto locked = Lock(hierarchy, {{array, shape}});
  std::shared_ptr<const Array> present;
  Shape resolved;
  const auto set = [&] {
    present = hierarchy.OpenPresentArray(array->path());
    resolved = ResolveShape(*present, array->shape(), shape);
    if (resolved == present->shape()) return KeepShape(hierarchy, *present);
    CheckResize(*present, resolved);
    CheckNoLinkedChunks(*present, resolved);
    CheckObjectsAtEnd(*present, resolved);
    return SetShape(hierarchy, *present, present->shape(), resolved);
  };
  auto resized = RepeatWhileOutrun([&] {
    try {
      return set();
    } catch (const ShapeChanged&) {
      throw ChangedMeanwhile(array->store().name(), array->path());
    }
  });
  RemoveBeyond(present, *hierarchy.store(), resolved);
  return resized;
}

bool ResizeArrays(EditableHierarchy& hierarchy, const std::vector<ArrayResize>& arrays,
                  const std::function<void(const std::shared_ptr<const Array>&)>& resized) {
  hierarchy.CheckWritable();
  for (const ArrayResize& resize : arrays) CheckResize(*resize.array, resize.shape);
  const auto locked = Lock(hierarchy, arrays);
  try {
    ResizeUnchanged(hierarchy, arrays, resized);
    return true;
  } catch (const ShapeChanged&) {
    return false;
  }
}

}  // namespace zarr
