// SPDX-License-Identifier: MIT
#include "zarrlib/tools/map/chunk_map.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "zarrlib/array/read/stored_elements.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/base/float16.h"

namespace zarr::tools {
namespace {

constexpr std::uint64_t kMostCells = 40000;
constexpr std::uint64_t kPictureEdge = 512;  // maximum number of pixels of the longer side

// --- values ------------------------------------------------------------------------------------------------------

template <typename Number>
double Load(const std::byte* element) {
  Number number;
  std::memcpy(&number, element, sizeof(number));
  return static_cast<double>(number);
}

double LoadFloat16(const std::byte* element) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, element, sizeof(bits));
  return static_cast<double>(ConvertHalfToFloat(bits));
}

using Loader = double (*)(const std::byte*);

/// Returns a function that reads a value; null if values of the type are not real numbers.
Loader FindLoader(const DataType& type) {
  using Kind = DataType::Kind;
  const auto choose = [&](Loader one, Loader two, Loader four, Loader eight) {
    return type.size == 1 ? one : type.size == 2 ? two : type.size == 4 ? four : type.size == 8 ? eight : nullptr;
  };
  switch (type.kind) {
    case Kind::kBool:
      return Load<std::uint8_t>;
    case Kind::kInt:
      return choose(Load<std::int8_t>, Load<std::int16_t>, Load<std::int32_t>, Load<std::int64_t>);
    case Kind::kUint:
      return choose(Load<std::uint8_t>, Load<std::uint16_t>, Load<std::uint32_t>, Load<std::uint64_t>);
    case Kind::kFloat:
      return choose(nullptr, LoadFloat16, Load<float>, Load<double>);
    default:
      return nullptr;
  }
}

/// Converts elements to Float64, or drops elements that cannot be shown.
class ToDouble final : public RowConverter {
 public:
  explicit ToDouble(Loader load) : load_(load) {}
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; load_ && i < count; ++i) {
      const auto place = static_cast<std::ptrdiff_t>(i);
      const double value = load_(source + place * source_stride);
      std::memcpy(destination + place * destination_stride, &value, sizeof(value));
    }
  }

 private:
  Loader load_;
};

// --- the grid ----------------------------------------------------------------------------------------------------

/// Returns the parts of chunks along an axis between `begin` and `end`, in steps of the inner chunks' edge.
std::vector<ChunkMap::Span> ListSpans(const ChunkAxis& axis, std::uint64_t begin, std::uint64_t end,
                                      std::uint64_t inner_edge) {
  std::vector<ChunkMap::Span> spans;
  for (std::uint64_t at = begin; at < end;) {
    const ChunkSpan chunk = axis.Locate(at);
    const std::uint64_t inside = at - chunk.start;
    const std::uint64_t inner_end = inner_edge == 0 ? chunk.live : (inside / inner_edge + 1) * inner_edge;
    const std::uint64_t stop = std::min(chunk.start + std::min(inner_end, chunk.live), end);
    spans.push_back({at - begin, stop - at, inside == 0});
    if (spans.size() > kMostCells) break;
    at = stop;
  }
  return spans;
}

class Mapper {
 public:
  Mapper(const Array& array, const Box& region);
  ChunkMap Run(const std::function<bool(double)>& progress);

 private:
  /// The row axis is the one before the last; an array of one axis does not have one.
  bool has_rows() const { return array_.rank() > 1; }
  std::size_t column_axis() const { return array_.rank() - 1; }
  std::vector<ChunkMap::Span> ListAxis(std::size_t axis) const;
  void Look(std::size_t row, std::size_t column);
  void Paint(std::size_t row, std::size_t column);
  void MakePicture();

  const Array& array_;
  const Box& region_;
  const ToDouble converter_;
  const bool is_shown_;
  ChunkMap map_;
  std::uint64_t step_ = 1;  // elements between neighbours of the picture
  std::size_t picture_rows_ = 1;
  std::vector<double> values_;  // of the picture
};

Mapper::Mapper(const Array& array, const Box& region)
    : array_(array),
      region_(region),
      converter_(FindLoader(array.data_type())),
      is_shown_(FindLoader(array.data_type()) != nullptr) {
  const auto refuse = [&](const char* reason) {
    throw Error(ErrorKind::kInvalidArgument, array.store().name(), array.path(), "", reason);
  };
  if (array.rank() == 0) refuse("an array without axes has no map");
  if (array.unsupported()) throw *array.unsupported();
  const std::uint64_t width = region.shape[column_axis()];
  const std::uint64_t height = has_rows() ? region.shape[column_axis() - 1] : 1;
  if (width == 0 || height == 0) refuse("an empty region has no map");
  step_ = (std::max(width, height) - 1) / kPictureEdge + 1;
  map_.pixel_columns = static_cast<std::size_t>((width - 1) / step_ + 1);
  picture_rows_ = static_cast<std::size_t>((height - 1) / step_ + 1);
}

std::vector<ChunkMap::Span> Mapper::ListAxis(std::size_t axis) const {
  const auto inner = array_.inner_chunk_shape();
  return ListSpans(array_.metadata().chunk_grid.axis(axis), region_.origin[axis], region_.end(axis),
                   inner ? (*inner)[axis] : 0);
}

/// Reads the pixels of a chunk, or one element if it has none, so that the chunk is decoded.
void Mapper::Paint(std::size_t row, std::size_t column) {
  const ChunkMap::Span& rows = map_.rows[row];
  const ChunkMap::Span& columns = map_.columns[column];
  const auto first = [&](const ChunkMap::Span& span) { return (span.begin + step_ - 1) / step_; };
  const auto count = [&](const ChunkMap::Span& span) {
    return (span.begin + span.length + step_ - 1) / step_ - first(span);
  };
  const bool has_pixels = count(rows) > 0 && count(columns) > 0;
  Selection selection = Selection::FromBox({region_.origin, Shape(array_.rank(), 1)});
  const auto set = [&](std::size_t axis, const ChunkMap::Span& span) {
    selection.start[axis] = region_.origin[axis] + (has_pixels ? first(span) * step_ : span.begin);
    selection.count[axis] = has_pixels ? count(span) : 1;
    selection.step[axis] = step_;
  };
  set(column_axis(), columns);
  if (has_rows()) set(column_axis() - 1, rows);
  double unseen = 0;
  Strides strides(array_.rank(), 0);
  strides[column_axis()] = sizeof(double);
  if (has_rows()) strides[column_axis() - 1] = static_cast<std::ptrdiff_t>(map_.pixel_columns * sizeof(double));
  double* const target =
      !is_shown_ || !has_pixels ? &unseen : values_.data() + first(rows) * map_.pixel_columns + first(columns);
  if (!is_shown_ || !has_pixels) strides = Strides(array_.rank(), 0);
  ReadOptions options;
  options.use_cache = false;
  options.threads = 1;
  array_.Read(selection, {reinterpret_cast<std::byte*>(target), strides, &converter_}, options);
}

void Mapper::Look(std::size_t row, std::size_t column) {
  ChunkMap::Cell& cell = map_.cells[row * map_.columns.size() + column];
  Box box{region_.origin, Shape(array_.rank(), 1)};
  box.origin[column_axis()] += map_.columns[column].begin;
  box.shape[column_axis()] = map_.columns[column].length;
  if (has_rows()) {
    box.origin[column_axis() - 1] += map_.rows[row].begin;
    box.shape[column_axis() - 1] = map_.rows[row].length;
  }
  try {
    cell.state = CountStoredElements(array_, box) > 0 ? ChunkMap::State::kPresent : ChunkMap::State::kMissing;
    if (cell.state == ChunkMap::State::kPresent) Paint(row, column);
  } catch (const Error& error) {
    cell = {ChunkMap::State::kDamaged, error.what()};
  }
}

void Mapper::MakePicture() {
  const Bytes& fill = array_.metadata().fill_value.bytes;
  const double fill_value = fill.empty() ? std::nan("") : FindLoader(array_.data_type())(fill.data());
  const auto is_shown = [&](double value) { return std::isfinite(value) && value != fill_value; };
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values_) {
    if (!is_shown(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  for (const double value : values_) {
    const double share = high > low ? value / (high - low) - low / (high - low) : 0.5;
    map_.pixels.push_back(is_shown(value) ? GreyPixel{static_cast<std::uint8_t>(255 * share), 255} : GreyPixel());
  }
}

ChunkMap Mapper::Run(const std::function<bool(double)>& progress) {
  map_.is_sharded = array_.inner_chunk_shape().has_value();
  map_.columns = ListAxis(column_axis());
  map_.rows = has_rows() ? ListAxis(column_axis() - 1) : std::vector<ChunkMap::Span>{{0, 1, true}};
  if (map_.columns.size() * map_.rows.size() > kMostCells) {
    throw Error(ErrorKind::kLimitExceeded, array_.store().name(), array_.path(), "",
                FormatExpectedGot("a region of at most 40000 chunks (--window or --region chooses one)", "more"));
  }
  map_.cells.resize(map_.rows.size() * map_.columns.size());
  values_.assign(is_shown_ ? picture_rows_ * map_.pixel_columns : 0, std::nan(""));
  ParallelFor(map_.cells.size(), {.progress = progress}, [&](std::uint64_t cell) {
    const auto number = static_cast<std::size_t>(cell);
    Look(number / map_.columns.size(), number % map_.columns.size());
  });
  if (is_shown_) MakePicture();
  return std::move(map_);
}

}  // namespace

std::uint64_t ChunkMap::Count(State state) const {
  return static_cast<std::uint64_t>(std::ranges::count(cells, state, &Cell::state));
}

ChunkMap MapChunks(const Array& array, const Box& region, const std::function<bool(double)>& progress) {
  return Mapper(array, region).Run(progress);
}

}  // namespace zarr::tools
