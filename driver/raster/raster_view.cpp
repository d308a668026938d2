// SPDX-License-Identifier: MIT
#include "driver/raster/raster_view.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "driver/cf/unsigned_attribute.h"
#include "driver/gdal/dataset_name.h"
#include "driver/georeferencing/axis_claim.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/io/io_options.h"
#include "driver/types/type_map.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

[[noreturn]] void Fail(const zarr::Array& array, const std::string& message) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, message).At(array.store().name(), array.path());
}

/// Returns the dimension that an option specifies by name or index.
std::size_t FindNamedDimension(const zarr::Array& array, const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                               const char* option, const std::string& value) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i]->GetName() == value) return i;
  }
  const auto index = zarr::ParseNumber<std::size_t>(value);
  if (index && *index < dimensions.size()) return *index;
  Fail(array,
       std::string(option) + ": " + zarr::FormatExpectedGot("the name or index of a dimension", "\"" + value + "\""));
}

int ToCheckedSize(const zarr::Array& array, std::size_t dimension) {
  const std::uint64_t size = array.shape()[dimension];
  if (size > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    Fail(array, zarr::FormatExpectedGot("at most 2147483647 columns or rows", std::to_string(size)) +
                    "; use the multidimensional API");
  }
  if (size == 0)
    Fail(array, "dimension " + std::to_string(dimension) + " has length 0: there is nothing to show as a raster");
  return static_cast<int>(size);
}

}  // namespace

std::uint64_t GetMaxBands() {
  constexpr std::uint64_t kStandard = 65536;
  const char* text = CPLGetConfigOption("GDAL_MAX_BAND_COUNT", nullptr);
  const int given = text ? std::atoi(text) : 0;
  return given > 0 ? static_cast<std::uint64_t>(given) : kStandard;
}

RasterView::RasterView(const GDALMDArray& md_array, SharedResource& nodes, std::shared_ptr<const zarr::Array> array,
                       const OpenOptions& options, const SliceRequest& slice)
    : array_(std::move(array)), type_(GetShownType(*array_)), fixed_(array_->rank(), 0) {
  if (array_->data_type().kind == zarr::DataType::Kind::kUnknown && array_->unsupported()) throw *array_->unsupported();
  if (md_array.GetDataType().GetClass() != GEDTC_NUMERIC) Fail(*array_, "not a numeric array: it cannot be a raster");
  ChooseDimensions(md_array, nodes, options);
  band_dimensions_ = ListOtherDimensions();
  SetSize();
  Fix(md_array, slice);
  if (slice.newest_if_too_many && CountBands(band_dimensions_) > GetMaxBands()) FixNewest(md_array, nodes);
  const std::uint64_t count = CountBands(band_dimensions_);
  CheckBandCount(count);
  band_count_ = static_cast<int>(count);
}

RasterView::RasterView(const RasterView& base, std::shared_ptr<const zarr::Array> array) : RasterView(base) {
  const zarr::Shape expected = base.array_->shape();
  array_ = std::move(array);
  type_ = GetShownType(*array_);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool same = array_->rank() == expected.size() && array_->shape()[i] == expected[i];
    if (i != x_ && i != y_ && !same) Fail(*array_, "its bands are not those of " + base.array_->path());
  }
  SetSize();
}

void RasterView::SetSize() {
  if (array_->rank() > 0) width_ = ToCheckedSize(*array_, x_);
  if (y_ < array_->rank()) height_ = ToCheckedSize(*array_, y_);
}

void RasterView::ChooseDimensions(const GDALMDArray& md_array, SharedResource& nodes, const OpenOptions& options) {
  const auto& dimensions = md_array.GetDimensions();
  const std::size_t rank = dimensions.size();
  if (rank < 2) {
    x_ = 0;
    y_ = std::max<std::size_t>(rank, 1);
    return;
  }
  const auto axes = ChooseRasterAxes({nodes, *array_}, dimensions);
  knows_axes_ = axes || AreUnnamed(*array_) || !options.dim_x.empty() || !options.dim_y.empty();
  x_ = axes ? axes->x : rank - 1;
  y_ = axes ? axes->y : rank - 2;
  if (!options.dim_x.empty()) x_ = FindNamedDimension(*array_, dimensions, "DIM_X", options.dim_x);
  if (!options.dim_y.empty()) y_ = FindNamedDimension(*array_, dimensions, "DIM_Y", options.dim_y);
  if (x_ == y_) Fail(*array_, "DIM_X and DIM_Y: expected two dimensions, got the same one twice");
}

void RasterView::Fix(const GDALMDArray& md_array, const SliceRequest& slice) {
  if (!slice.selectors.empty()) {
    const auto indices = ResolveSelectors(*array_, md_array.GetDimensions(), band_dimensions_, slice.selectors);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i]) fixed_[i] = *indices[i];
    }
    std::erase_if(band_dimensions_, [&](std::size_t i) { return indices[i].has_value(); });
  }
  if (!slice.indices.empty()) FixIndices(slice.indices);
}

void RasterView::FixIndices(const std::vector<std::uint64_t>& indices) {
  if (indices.size() != band_dimensions_.size()) {
    Fail(*array_, zarr::FormatExpectedGot(std::to_string(band_dimensions_.size()) + " indices after the array's name",
                                          std::to_string(indices.size())));
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint64_t size = array_->shape()[band_dimensions_[i]];
    if (indices[i] >= size) {
      Fail(*array_, zarr::FormatExpectedGot("an index below " + std::to_string(size), std::to_string(indices[i])));
    }
    fixed_[band_dimensions_[i]] = indices[i];
  }
  band_dimensions_.clear();
}

void RasterView::FixNewest(const GDALMDArray& md_array, SharedResource& nodes) {
  const std::string count = std::to_string(CountBands(band_dimensions_));
  std::string newest;
  for (const std::size_t i : band_dimensions_) {
    fixed_[i] = array_->shape()[i] - 1;
    newest += (newest.empty() ? "" : ",") + md_array.GetDimensions()[i]->GetName() + "=#" + std::to_string(fixed_[i]);
  }
  band_dimensions_.clear();
  const std::string name = MakeArrayDatasetName(array_->store().name(), array_->path());
  nodes.WarnOnce(name + ": only the newest slice is shown, " + newest + ", because " + count +
                 " slices are too many for bands; the open option SELECT=" + newest + " or the name " + name + ":" +
                 newest + " chooses a slice, also by a coordinate, as in time=2024-07-01");
}

std::uint64_t RasterView::CountBands(const std::vector<std::size_t>& dimensions) const {
  std::uint64_t count = 1;
  for (const std::size_t dimension : dimensions) {
    if (array_->shape()[dimension] == 0) return 0;
    count = zarr::MultiplyChecked(count, array_->shape()[dimension]).value_or(UINT64_MAX);
  }
  return count;
}

void RasterView::CheckBandCount(std::uint64_t count) const {
  const std::uint64_t most = GetMaxBands();
  if (count > 0 && count <= most) return;
  Fail(*array_, zarr::FormatExpectedGot("1 to " + std::to_string(most) + " bands", std::to_string(count)) +
                    "; choose a slice with the open option SELECT, or by indices after the array's name, or use the "
                    "multidimensional API");
}

std::vector<std::size_t> RasterView::ListOtherDimensions() const {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < array_->rank(); ++i) {
    if (i != x_ && i != y_) others.push_back(i);
  }
  return others;
}

std::vector<std::uint64_t> RasterView::GetOtherIndices(int band) const {
  zarr::Shape all = fixed_;
  const std::vector<std::uint64_t> of_band = GetBandIndices(band);
  for (std::size_t i = 0; i < of_band.size(); ++i) all[band_dimensions_[i]] = of_band[i];
  std::vector<std::uint64_t> indices;
  for (const std::size_t dimension : ListOtherDimensions()) indices.push_back(all[dimension]);
  return indices;
}

std::optional<std::uint64_t> RasterView::FindFixedIndex(std::size_t dimension) const {
  const bool is_band = std::find(band_dimensions_.begin(), band_dimensions_.end(), dimension) != band_dimensions_.end();
  return is_band || dimension == x_ || dimension == y_ ? std::nullopt : std::optional(fixed_[dimension]);
}

std::string RasterView::MakeFileSuffix() const {
  std::string text;
  if (band_dimensions_ == ListOtherDimensions()) return text;
  for (const std::size_t i : ListOtherDimensions()) {
    const auto index = FindFixedIndex(i);
    text += "." + (index ? std::to_string(*index) : "all");
  }
  return text;
}

std::uint64_t RasterView::CountAllBands() const {
  return CountBands(ListOtherDimensions());
}

std::uint64_t RasterView::GetPlaceInArray(int band) const {
  if (CountAllBands() == UINT64_MAX) return UINT64_MAX;
  const std::vector<std::size_t> others = ListOtherDimensions();
  const std::vector<std::uint64_t> indices = GetOtherIndices(band);
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < others.size(); ++i) place = place * array_->shape()[others[i]] + indices[i];
  return place;
}

std::vector<std::uint64_t> RasterView::GetBandIndices(int band) const {
  std::vector<std::uint64_t> indices(band_dimensions_.size());
  auto rest = static_cast<std::uint64_t>(band);
  for (std::size_t i = indices.size(); i-- > 0;) {
    indices[i] = rest % array_->shape()[band_dimensions_[i]];
    rest /= array_->shape()[band_dimensions_[i]];
  }
  return indices;
}

RasterView::BandRun RasterView::RunAt(std::span<const int> bands) const {
  BandRun run{bands[0], 1};
  if (band_dimensions_.empty()) return run;
  const auto length = static_cast<int>(array_->shape()[band_dimensions_.back()]);
  const int most = length - run.first % length;
  while (run.count < most && run.count < static_cast<int>(bands.size()) &&
         bands[static_cast<std::size_t>(run.count)] == run.first + run.count) {
    ++run.count;
  }
  return run;
}

bool RasterView::Read(const Window& window, const BandRun& bands, const PixelBuffer& buffer, bool use_cache,
                      const std::function<bool(double)>& progress, WriterPool* writers) const {
  const auto converter = MakeRowConverter(type_, GDALExtendedDataType::Create(buffer.type));
  const Part part = GetRegion(window, bands, buffer);
  const ConfigurationHook hook;
  zarr::ReadOptions options = MakeReadOptions(hook);
  options.use_cache = use_cache;
  options.progress = progress;
  const zarr::Destination destination{static_cast<std::byte*>(buffer.data), part.strides, converter.get()};
  return writers ? writers->Read(*array_, part.selection, destination, options)
                 : array_->Read(part.selection, destination, options);
}

RasterView::Part RasterView::GetRegion(const Window& window, const BandRun& bands, const PixelBuffer& buffer) const {
  zarr::Strides strides(array_->rank(), 0);
  zarr::Selection selection{fixed_, zarr::Shape(array_->rank(), 1), zarr::Shape(array_->rank(), 1)};
  const std::vector<std::uint64_t> first = GetBandIndices(bands.first);
  for (std::size_t i = 0; i < first.size(); ++i) selection.start[band_dimensions_[i]] = first[i];
  if (bands.count > 1) {
    const std::size_t dimension = band_dimensions_.back();
    selection.count[dimension] = static_cast<std::uint64_t>(bands.count);
    strides[dimension] = static_cast<std::ptrdiff_t>(buffer.band_stride);
  }
  if (array_->rank() > 0) {
    selection.start[x_] = static_cast<std::uint64_t>(window.x);
    selection.count[x_] = static_cast<std::uint64_t>(window.width);
    strides[x_] = static_cast<std::ptrdiff_t>(buffer.pixel_stride);
  }
  if (y_ < array_->rank()) {
    selection.start[y_] = static_cast<std::uint64_t>(window.y);
    selection.count[y_] = static_cast<std::uint64_t>(window.height);
    strides[y_] = static_cast<std::ptrdiff_t>(buffer.line_stride);
  }
  return {selection, strides};
}

}  // namespace gdal_zarr
