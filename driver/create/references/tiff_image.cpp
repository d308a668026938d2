// SPDX-License-Identifier: MIT
#include "driver/create/references/tiff_image.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "zarrlib/base/base64.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kNoCompression = 1;
constexpr std::uint64_t kJpeg = 7;
constexpr std::uint64_t kWebp = 50001;
constexpr std::uint64_t kUint = 1;  // the first of the formats of samples
constexpr std::uint64_t kFloat = 3;
constexpr std::uint64_t kRgb = 2;  // photometric interpretations
constexpr std::uint64_t kYCbCr = 6;

struct Compression {
  std::uint64_t number;
  const char* codec;  // null for none
  const char* configuration;
  bool has_predictor;
};
constexpr Compression kCompressions[] = {
    {kNoCompression, nullptr, "", false},
    {5, "numcodecs.imagecodecs_lzw", "{}", true},
    {kJpeg, "numcodecs.imagecodecs_jpeg", "", false},
    {8, "numcodecs.zlib", R"({"level": 6})", true},
    {32773, "numcodecs.imagecodecs_packbits", "{}", false},
    {32946, "numcodecs.zlib", R"({"level": 6})", true},
    {34925, "numcodecs.lzma", R"({"format": 1, "check": -1, "preset": null, "filters": null})", true},
    {50000, "numcodecs.zstd", R"({"level": 9})", true},
    {kWebp, "numcodecs.imagecodecs_webp", "{}", false},
};

const Compression* FindCompression(std::uint64_t number) {
  const auto* const found = std::ranges::find(kCompressions, number, &Compression::number);
  return found == std::end(kCompressions) ? nullptr : found;
}

/// Returns the letter by which NumPy names samples of a format and of what GDAL reads; 0 if they differ.
char FindTypeLetter(std::uint64_t format, GDALDataType type) {
  if (GDALDataTypeIsComplex(type)) return format == 6 ? 'c' : '\0';
  if (GDALDataTypeIsFloating(type)) return format == kFloat ? 'f' : '\0';
  const bool is_signed = GDALDataTypeIsSigned(type);
  if (is_signed) return format == 2 ? 'i' : '\0';
  return format == kUint || format == 4 ? 'u' : '\0';
}

}  // namespace

/// The blocks of an image as chunks of an array.
class TiffBlocks final : public SourceBlocks {
 public:
  TiffBlocks(std::shared_ptr<TiffImage> image, const zarr::Shape& shape) : image_(std::move(image)), shape_(shape) {
    coding_.grid = image_->MakeGrid(shape);
    coding_.endian = image_->directory_.endian();
    coding_.codecs.push_back(image_->MakeCodecs(coding_.grid));
    coding_.needs_v3 = image_->has_short_strip();
  }

  const BlockCoding& coding() const override { return coding_; }
  std::optional<SourceBlock> Find(const zarr::Shape& index) const override;
  void ReadElements(const zarr::Box& box, zarr::MutableByteSpan out) const override;

 private:
  std::size_t first_of_plane() const { return image_->is_interleaved_ ? 0 : shape_.size() - 2; }
  std::uint64_t GetPlane(const zarr::Shape& index) const {
    std::uint64_t plane = 0;
    for (std::size_t i = 0; i < first_of_plane(); ++i) plane = plane * shape_[i] + index[i];
    return plane;
  }
  std::uint64_t GetPlainSize(const zarr::Shape& index) const {
    std::uint64_t size = image_->sample_size_;
    for (std::size_t i = 0; i < index.size(); ++i) size *= coding_.grid.axis(i).At(index[i]).encoded;
    return size;
  }

  std::shared_ptr<TiffImage> image_;
  zarr::Shape shape_;
  BlockCoding coding_;
};

std::optional<SourceBlock> TiffBlocks::Find(const zarr::Shape& index) const {
  const TiffDirectory& directory = image_->directory_;
  const std::size_t y = first_of_plane();
  const std::uint64_t number = (GetPlane(index) * image_->rows() + index[y]) * image_->columns() + index[y + 1];
  const std::uint64_t offset =
      directory.Get(image_->is_tiled_ ? TiffTag::kTileOffsets : TiffTag::kStripOffsets, number);
  const std::uint64_t length =
      directory.Get(image_->is_tiled_ ? TiffTag::kTileByteCounts : TiffTag::kStripByteCounts, number);
  if (length == 0) return std::nullopt;
  if (image_->compression_ != kNoCompression) return SourceBlock{directory.path(), offset, length};
  const std::uint64_t plain = GetPlainSize(index);
  if (length >= plain) return SourceBlock{directory.path(), offset, plain};
  throw zarr::Error(zarr::ErrorKind::kCorrupt, directory.path(), "", "",
                    zarr::FormatExpectedGot(std::to_string(plain) + " bytes", std::to_string(length)));
}

void TiffBlocks::ReadElements(const zarr::Box& box, zarr::MutableByteSpan out) const {
  const std::size_t y = first_of_plane();
  const auto width = static_cast<int>(box.shape[y + 1]);
  const auto height = static_cast<int>(box.shape[y]);
  const int count = image_->is_interleaved_ ? static_cast<int>(image_->samples_) : 1;
  std::vector<int> bands;
  for (int i = 0; i < count; ++i) bands.push_back(static_cast<int>(GetPlane(box.origin)) + i + 1);
  const auto size = static_cast<GSpacing>(image_->sample_size_);
  const CPLErr result = image_->dataset_.RasterIO(GF_Read, static_cast<int>(box.origin[y + 1]),
                                                  static_cast<int>(box.origin[y]), width, height, out.data(), width,
                                                  height, image_->dataset_.GetRasterBand(1)->GetRasterDataType(), count,
                                                  bands.data(), count * size, width * count * size, size, nullptr);
  if (result == CE_None) return;
  throw zarr::Error(zarr::ErrorKind::kIo, image_->directory_.path(), "", "", "the source cannot be read");
}

std::shared_ptr<TiffImage> TiffImage::Open(GDALDataset& dataset) {
  GDALDriver* driver = dataset.GetDriver();
  const bool is_tiff = driver && (EQUAL(driver->GetDescription(), "GTiff") || EQUAL(driver->GetDescription(), "COG") ||
                                  EQUAL(driver->GetDescription(), "LIBERTIFF"));
  if (!is_tiff || dataset.GetRasterCount() == 0) return nullptr;
  const char* position = dataset.GetRasterBand(1)->GetMetadataItem("IFD_OFFSET", "TIFF");
  const auto offset = position ? zarr::ParseNumber<std::uint64_t>(position) : std::nullopt;
  const CPLStringList files(dataset.GetFileList());
  if (!offset || files.empty()) return nullptr;
  return std::shared_ptr<TiffImage>(new TiffImage(dataset, TiffDirectory(files[0], *offset)));
}

TiffImage::TiffImage(GDALDataset& dataset, TiffDirectory directory)
    : dataset_(dataset),
      directory_(std::move(directory)),
      is_tiled_(directory_.Has(TiffTag::kTileWidth)),
      width_(directory_.Get(TiffTag::kWidth)),
      height_(directory_.Get(TiffTag::kHeight)),
      samples_(directory_.Get(TiffTag::kSamplesPerPixel, 0, 1)),
      block_width_(is_tiled_ ? directory_.Get(TiffTag::kTileWidth) : width_),
      block_height_(is_tiled_ ? directory_.Get(TiffTag::kTileLength)
                              : std::min(directory_.Get(TiffTag::kRowsPerStrip, 0, height_), height_)),
      compression_(directory_.Get(TiffTag::kCompression, 0, kNoCompression)),
      sample_size_(static_cast<std::size_t>(directory_.Get(TiffTag::kBitsPerSample, 0, 1) / 8)),
      is_interleaved_(samples_ > 1 && directory_.Get(TiffTag::kPlanarConfiguration, 0, 1) == 1) {
  CheckSamples();
  CheckBlocks();
}

void TiffImage::Refuse(const std::string& expected, const std::string& got) const {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, directory_.path(), "", "",
                    "the file cannot be described by references: " + zarr::FormatExpectedGot(expected, got));
}

void TiffImage::CheckSamples() const {
  const GDALDataType type = dataset_.GetRasterBand(1)->GetRasterDataType();
  for (std::uint64_t i = 0; i < directory_.Count(TiffTag::kBitsPerSample); ++i) {
    const std::uint64_t bits = directory_.Get(TiffTag::kBitsPerSample, i);
    const auto expected = static_cast<std::uint64_t>(GDALGetDataTypeSizeBits(type));
    if (bits != expected) Refuse(std::to_string(expected) + " bits a sample", std::to_string(bits));
  }
  const std::uint64_t format = directory_.Get(TiffTag::kSampleFormat, 0, kUint);
  if (sample_size_ == 0 || FindTypeLetter(format, type) == '\0') {
    Refuse(std::string("samples that GDAL reads as they are stored, of the type ") + GDALGetDataTypeName(type),
           "format " + std::to_string(format));
  }
  if (directory_.Get(TiffTag::kFillOrder, 0, 1) != 1) Refuse("the usual order of bits (1)", "2");
  const std::uint64_t photometric = directory_.Get(TiffTag::kPhotometric);
  if (photometric == kYCbCr && compression_ != kJpeg) Refuse("colours that are not YCbCr", "YCbCr");
}

void TiffImage::CheckBlocks() const {
  const bool fits = width_ == static_cast<std::uint64_t>(dataset_.GetRasterXSize()) &&
                    height_ == static_cast<std::uint64_t>(dataset_.GetRasterYSize()) &&
                    samples_ == static_cast<std::uint64_t>(dataset_.GetRasterCount());
  if (!fits || block_width_ == 0 || block_height_ == 0) {
    Refuse("an image of " + std::to_string(dataset_.GetRasterXSize()) + " x " +
               std::to_string(dataset_.GetRasterYSize()) + " pixels",
           std::to_string(width_) + " x " + std::to_string(height_));
  }
  if (!FindCompression(compression_)) {
    Refuse("no compression, or deflate, LZW, LZMA, Zstandard, PackBits, JPEG or WebP",
           "compression " + std::to_string(compression_));
  }
  const std::uint64_t count = directory_.Count(is_tiled_ ? TiffTag::kTileOffsets : TiffTag::kStripOffsets);
  const std::uint64_t planes = is_interleaved_ ? 1 : samples_;
  if (count < columns() * rows() * planes) {
    Refuse(std::to_string(columns() * rows() * planes) + " blocks", std::to_string(count));
  }
}

zarr::ChunkGrid TiffImage::MakeGrid(const zarr::Shape& shape) const {
  const std::size_t y = is_interleaved_ ? 0 : shape.size() - 2;
  std::vector<zarr::ChunkAxis> axes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t edge = i == y ? block_height_ : i == y + 1 ? block_width_ : is_interleaved_ ? shape[i] : 1;
    std::vector<zarr::ChunkRun> runs = {{edge, shape[i] / edge}, {shape[i] % edge, 1}};
    const bool is_short = i == y && has_short_strip();
    axes.push_back(is_short ? zarr::ChunkAxis::FromRuns(shape[i], std::move(runs))
                            : zarr::ChunkAxis::MakeRegular(shape[i], edge));
  }
  const auto kind = has_short_strip() ? zarr::ChunkGrid::Kind::kRectilinear : zarr::ChunkGrid::Kind::kRegular;
  return {kind, std::move(axes)};
}

std::string TiffImage::GetTypeString() const {
  const GDALDataType type = dataset_.GetRasterBand(1)->GetRasterDataType();
  const char order = sample_size_ == 1 ? '|' : directory_.endian() == zarr::Endian::kBig ? '>' : '<';
  const char letter = FindTypeLetter(directory_.Get(TiffTag::kSampleFormat, 0, kUint), type);
  return std::string({order, letter}) + std::to_string(sample_size_);
}

zarr::CodecSpec TiffImage::MakePredictor(const zarr::ChunkGrid& grid, std::uint64_t predictor) const {
  if (predictor != 2 && predictor != 3) Refuse("predictor 1, 2 or 3", std::to_string(predictor));
  // Samples of a pixel may be spread over several axes; together they are one.
  std::string shape = "[" + std::to_string(block_height_) + "," + std::to_string(block_width_);
  if (is_interleaved_) shape += "," + std::to_string(samples_);
  // The shape of a short strip differs.
  const bool has_shape = grid.kind() == zarr::ChunkGrid::Kind::kRegular;
  const std::size_t axes_of_samples = !is_interleaved_ ? 0 : has_shape ? 1 : grid.rank() - 2;
  const std::string axis = "-" + std::to_string(axes_of_samples + 1);
  const std::string of_chunk =
      has_shape ? R"(, "dtype": ")" + GetTypeString() + R"(", "shape": )" + shape + "]" : std::string();
  return MakeCodecSpec(predictor == 2 ? "numcodecs.imagecodecs_delta" : "numcodecs.imagecodecs_floatpred",
                       R"({"axis": )" + axis + of_chunk + "}");
}

zarr::CodecSpec TiffImage::MakeJpeg() const {
  const std::uint64_t photometric = directory_.Get(TiffTag::kPhotometric);
  std::string configuration;
  if (directory_.Has(TiffTag::kJpegTables)) {
    configuration =
        R"("tables": ")" + zarr::EncodeBase64(zarr::AsBytes(directory_.GetBytes(TiffTag::kJpegTables))) + '"';
  }
  if (is_interleaved_ && samples_ != 3) Refuse("1 or 3 samples in a JPEG image", std::to_string(samples_));
  if (is_interleaved_ && photometric != kRgb && photometric != kYCbCr) {
    Refuse("RGB or YCbCr in a JPEG image", "photometric interpretation " + std::to_string(photometric));
  }
  if (is_interleaved_) {
    configuration += std::string(configuration.empty() ? "" : ", ") +
                     R"("colorspace_data": "RGB", "colorspace_jpeg": )" +
                     (photometric == kYCbCr ? R"("YCBCR")" : R"("RGB")");
  }
  return MakeCodecSpec("numcodecs.imagecodecs_jpeg", "{" + configuration + "}");
}

std::vector<zarr::CodecSpec> TiffImage::MakeCodecs(const zarr::ChunkGrid& grid) const {
  const Compression& compression = *FindCompression(compression_);
  std::vector<zarr::CodecSpec> codecs;
  const std::uint64_t predictor = directory_.Get(TiffTag::kPredictor, 0, 1);
  if (compression.has_predictor && predictor != 1) codecs.push_back(MakePredictor(grid, predictor));
  if (compression_ == kJpeg) {
    codecs.push_back(MakeJpeg());
  } else if (compression_ == kWebp && samples_ == 4) {
    // Blocks that are opaque have no fourth sample.
    codecs.push_back(MakeCodecSpec(compression.codec, R"({"hasalpha": true})"));
  } else if (compression.codec) {
    codecs.push_back(MakeCodecSpec(compression.codec, compression.configuration));
  }
  return codecs;
}

std::unique_ptr<SourceBlocks> TiffImage::MakeBlocks(const std::shared_ptr<TiffImage>& image, const zarr::Shape& shape) {
  return std::make_unique<TiffBlocks>(image, shape);
}

}  // namespace gdal_zarr
