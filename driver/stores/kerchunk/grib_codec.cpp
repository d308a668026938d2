// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/grib_codec.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/stores/kerchunk/grib_message.h"
#include "zarrlib/codec/array_to_bytes/images/image_codec.h"
#include "zarrlib/codec/codec_registry.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

namespace gdal_zarr {
namespace {

using zarr::ByteSpan;
using zarr::Error;
using zarr::ErrorKind;

enum class Content { kValues, kLatitudes, kLongitudes };

/// Presents bytes, which must outlive this object, as a file of GDAL.
class MemoryFile {
 public:
  explicit MemoryFile(ByteSpan bytes) {
    static std::atomic<unsigned> count{0};
    folder_ = "/vsimem/zarr_grib/" + std::to_string(++count);
    name_ = folder_ + "/message.grb";
    auto* data = const_cast<GByte*>(reinterpret_cast<const GByte*>(bytes.data()));  // not modified
    VSILFILE* file = VSIFileFromMemBuffer(name_.c_str(), data, bytes.size(), FALSE);
    if (file == nullptr) throw std::bad_alloc();
    VSIFCloseL(file);
  }
  ~MemoryFile() {
    VSIUnlink(name_.c_str());
    VSIRmdir(folder_.c_str());
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const char* name() const { return name_.c_str(); }

 private:
  std::string folder_;
  std::string name_;
};

/// Sets GDAL's options on this thread so that its GRIB driver returns values and longitudes unchanged.
struct PlainGrib {
  CPLConfigOptionSetter units{"GRIB_NORMALIZE_UNITS", "NO", false};
  CPLConfigOptionSetter longitudes{"GRIB_ADJUST_LONGITUDE_RANGE", "NO", false};
};

/// Converts degrees to the coordinates of a CRS, and back. Does nothing if the CRS uses degrees.
class DegreesOfProjection {
 public:
  explicit DegreesOfProjection(const OGRSpatialReference* srs) : is_projected_(srs != nullptr && !srs->IsGeographic()) {
    if (!is_projected_) return;
    OGRSpatialReference projected(*srs);
    projected.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRSpatialReference> degrees(projected.CloneGeogCS());
    if (!degrees) return;
    degrees->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    project_.reset(OGRCreateCoordinateTransformation(degrees.get(), &projected));
    unproject_.reset(OGRCreateCoordinateTransformation(&projected, degrees.get()));
  }

  bool Project(std::vector<double>* x, std::vector<double>* y) const { return Transform(project_.get(), x, y); }
  bool Unproject(std::vector<double>* x, std::vector<double>* y) const { return Transform(unproject_.get(), x, y); }

 private:
  bool Transform(OGRCoordinateTransformation* transformation, std::vector<double>* x, std::vector<double>* y) const {
    if (!is_projected_) return true;
    return transformation != nullptr && transformation->Transform(static_cast<int>(x->size()), x->data(), y->data());
  }

  bool is_projected_;
  std::unique_ptr<OGRCoordinateTransformation> project_;
  std::unique_ptr<OGRCoordinateTransformation> unproject_;
};

class GribFile {
 public:
  explicit GribFile(ByteSpan message) : file_(message) {
    if (GDALGetDriverByName("GRIB") == nullptr) {
      throw Error(ErrorKind::kUnsupported, "this GDAL has no driver for GRIB");
    }
    const char* const drivers[] = {"GRIB", nullptr};
    const char* const options[] = {"USE_IDX=NO", nullptr};
    dataset_.reset(GDALDataset::Open(file_.name(), GDAL_OF_RASTER, drivers, options, nullptr));
    if (!dataset_ || dataset_->GetRasterCount() < 1) Fail();
  }

  /// Reads the first band, in the order of the message.
  std::vector<double> ReadValues(const GribGrid& grid) const {
    CheckSize(grid);
    std::vector<double> raster(static_cast<std::size_t>(grid.count()));
    GDALRasterBand* band = dataset_->GetRasterBand(1);
    const int columns = static_cast<int>(grid.columns);
    const int rows = static_cast<int>(grid.rows);
    const CPLErr status =
        band->RasterIO(GF_Read, 0, 0, columns, rows, raster.data(), columns, rows, GDT_Float64, 0, 0, nullptr);
    if (status != CE_None) Fail();
    int has_nodata = FALSE;
    const double nodata = band->GetNoDataValue(&has_nodata);
    std::vector<double> values(raster.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = raster[static_cast<std::size_t>(grid.GetRasterIndex(i))];
      values[i] = has_nodata && value == nodata ? std::numeric_limits<double>::quiet_NaN() : value;
    }
    return values;
  }

  /// Computes the latitudes, or the longitudes from 0 to 360 degrees, in the order of the message. GDAL's origin is not
  /// used, because it depends on which row GDAL considers the first.
  std::vector<double> ComputeCoordinates(const GribGrid& grid, Content content) const {
    CheckSize(grid);
    std::array<double, 6> transform{};
    if (!grid.regular || GDALGetGeoTransform(GDALDataset::ToHandle(dataset_.get()), transform.data()) != CE_None) {
      throw Error(ErrorKind::kUnsupported, "the coordinates of this kind of GRIB's grids are not supported");
    }
    const double step_x = (grid.scanning & GribGrid::kAgainstColumns) != 0 ? -transform[1] : transform[1];
    const double step_y = (grid.scanning & GribGrid::kAlongRows) != 0 ? -transform[5] : transform[5];
    const DegreesOfProjection degrees(dataset_->GetSpatialRef());
    std::vector<double> x = {grid.first_longitude};
    std::vector<double> y = {grid.first_latitude};
    if (!degrees.Project(&x, &y)) Fail();
    for (std::uint64_t i = 1; i < grid.count(); ++i) {
      x.push_back(x[0] + static_cast<double>(grid.GetColumn(i)) * step_x);
      y.push_back(y[0] + static_cast<double>(grid.GetRow(i)) * step_y);
    }
    if (!degrees.Unproject(&x, &y)) Fail();
    if (content == Content::kLatitudes) return y;
    for (double& longitude : x) longitude -= 360 * std::floor(longitude / 360);
    return x;
  }

 private:
  [[noreturn]] void Fail() const {
    const std::string text = errors_.GetText();
    throw Error(ErrorKind::kCorrupt, "GDAL cannot read the GRIB message" + (text.empty() ? "" : ": " + text));
  }

  void CheckSize(const GribGrid& grid) const {
    const auto columns = static_cast<std::uint64_t>(dataset_->GetRasterXSize());
    const auto rows = static_cast<std::uint64_t>(dataset_->GetRasterYSize());
    if (columns == grid.columns && rows == grid.rows) return;
    throw Error(ErrorKind::kCorrupt,
                zarr::FormatExpectedGot(std::to_string(grid.columns) + " x " + std::to_string(grid.rows) + " values",
                                        std::to_string(columns) + " x " + std::to_string(rows)));
  }

  ErrorCollector errors_;
  PlainGrib options_;
  MemoryFile file_;
  std::unique_ptr<GDALDataset> dataset_;
};

class ResolvedGrib final : public zarr::ResolvedImage {
 public:
  ResolvedGrib(const zarr::ChunkSpec& chunk, Content content) : ResolvedImage(chunk), content_(content) {}

  /// A message of coordinates is larger, because it contains values, too.
  std::optional<std::uint64_t> max_encoded_size() const override {
    return zarr::GetCompressedBound({8 * chunk().element_count(), true}).bytes;
  }
  void Decode(ByteSpan encoded, zarr::MutableByteSpan decoded) const override {
    const GribGrid grid = ReadGribGrid(encoded);
    CheckImageShape({grid.rows, grid.columns});
    const GribFile file(encoded);
    const std::vector<double> values =
        content_ == Content::kValues ? file.ReadValues(grid) : file.ComputeCoordinates(grid, content_);
    std::byte* out = decoded.data();
    const std::size_t size = chunk().data_type.size;
    for (const double value : values) {
      const auto narrow = static_cast<float>(value);
      std::memcpy(out, size == sizeof(float) ? static_cast<const void*>(&narrow) : &value, size);
      out += size;
    }
  }
  void Encode(ByteSpan, zarr::Bytes*) const override {
    throw Error(ErrorKind::kUnsupported, "GRIB messages are for reading only");
  }

 private:
  Content content_;
};

class GribCodec final : public zarr::ArrayToBytesCodec {
 public:
  explicit GribCodec(const zarr::CodecSpec& spec) : place_(spec.configuration) {
    const std::string name = place_.At("var").AsString();
    if (name == "latitude") content_ = Content::kLatitudes;
    if (name == "longitude") content_ = Content::kLongitudes;
  }

  std::shared_ptr<const zarr::ResolvedArrayToBytes> Resolve(const zarr::ChunkSpec& decoded) const override {
    const zarr::DataType& type = decoded.data_type;
    if (type.kind != zarr::DataType::Kind::kFloat || type.size < sizeof(float)) {
      place_.Fail(ErrorKind::kUnsupported,
                  zarr::FormatExpectedGot("floats of 32 or 64 bits", "data type \"" + type.name + "\""));
    }
    return std::make_shared<ResolvedGrib>(decoded, content_);
  }

 private:
  zarr::JsonNode place_;
  Content content_ = Content::kValues;
};

zarr::Codec MakeGribCodec(const zarr::CodecSpec& spec) {
  return std::shared_ptr<const zarr::ArrayToBytesCodec>(std::make_shared<GribCodec>(spec));
}

}  // namespace

void RegisterGribCodec() {
  zarr::RegisterCodec("numcodecs.grib", MakeGribCodec);
}

}  // namespace gdal_zarr
