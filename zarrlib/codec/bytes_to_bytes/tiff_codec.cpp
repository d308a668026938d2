// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/tiff_codec.h"

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "zarrlib/codec/codec_util.h"
#include "zarrlib/codec/number_order.h"

// Earlier versions report errors only to process-wide handlers.
static_assert(TIFFLIB_VERSION >= 20221213, "libtiff 4.5.0 or later is needed");

namespace zarr {
namespace {

/// Memory that libtiff needs for everything except pixels, and for tiles of a small image.
constexpr std::uint64_t kSmallMemory = std::uint64_t{64} << 20;

// --- a file in memory ---------------------------------------------------------------------------------------------

/// The bytes that libtiff reads, and the first error that it reported.
struct MemoryFile {
  ByteSpan bytes;
  std::uint64_t position = 0;
  std::array<char, 200> error{};
};

tmsize_t ReadMemory(thandle_t handle, void* buffer, tmsize_t size) {
  auto* file = static_cast<MemoryFile*>(handle);
  if (size <= 0 || file->position >= file->bytes.size()) return 0;
  const std::size_t left = file->bytes.size() - static_cast<std::size_t>(file->position);
  const std::size_t count = std::min(static_cast<std::size_t>(size), left);
  std::memcpy(buffer, file->bytes.data() + file->position, count);
  file->position += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t RefuseWriting(thandle_t, void*, tmsize_t) {
  return 0;
}

toff_t SeekMemory(thandle_t handle, toff_t offset, int whence) {
  auto* file = static_cast<MemoryFile*>(handle);
  if (whence == SEEK_CUR) offset += file->position;
  if (whence == SEEK_END) offset += file->bytes.size();
  file->position = offset;
  return offset;
}

int CloseMemory(thandle_t) {
  return 0;
}

toff_t GetMemorySize(thandle_t handle) {
  return static_cast<MemoryFile*>(handle)->bytes.size();
}

int KeepError(TIFF*, void* user_data, const char*, const char* format, va_list arguments) {
  auto* file = static_cast<MemoryFile*>(user_data);
  if (file->error[0] == '\0') std::vsnprintf(file->error.data(), file->error.size(), format, arguments);
  return 1;  // so that libtiff does not call the handlers of the process
}

int IgnoreWarning(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

struct CloseTiff {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
struct FreeOptions {
  void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

// --- one image ----------------------------------------------------------------------------------------------------

/// The layout of an image in the file. Strips are treated as tiles as wide as the image.
struct Layout {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t planes = 1;
  std::uint32_t samples = 1;  // in each plane
  std::uint32_t sample_size = 1;
  std::uint16_t sample_format = SAMPLEFORMAT_UINT;
  friend bool operator==(const Layout&, const Layout&) = default;

  /// A complex sample is two numbers.
  std::size_t number_size() const {
    const bool is_complex = sample_format == SAMPLEFORMAT_COMPLEXINT || sample_format == SAMPLEFORMAT_COMPLEXIEEEFP;
    return is_complex ? sample_size / 2 : sample_size;
  }
  std::uint64_t pixel_size() const { return std::uint64_t{samples} * sample_size; }
  /// The size is checked when the layout is read.
  std::uint64_t row_size() const { return width * pixel_size(); }
  std::uint64_t plane_size() const { return height * row_size(); }
  std::uint64_t image_size() const { return planes * plane_size(); }
};

class TiffFile {
 public:
  /// Decoded images may have at most `limit` bytes.
  TiffFile(ByteSpan bytes, std::uint64_t limit);
  TiffFile(const TiffFile&) = delete;  // libtiff keeps the address of this object
  TiffFile& operator=(const TiffFile&) = delete;

  /// Opens an image. The first one is initially open.
  bool OpenImage(std::uint32_t index) { return TIFFSetDirectory(tiff_.get(), index) != 0; }
  bool OpenNextImage() { return TIFFReadDirectory(tiff_.get()) != 0; }
  /// Throws Error for an image that this codec does not support.
  Layout ReadLayout();
  bool IsLike(const Layout& layout);
  /// `out` must have the size of the image.
  void ReadImage(const Layout& layout, MutableByteSpan out);

 private:
  template <typename T>
  T ReadTag(std::uint32_t tag) {
    T value{};
    TIFFGetFieldDefaulted(tiff_.get(), tag, &value);
    return value;
  }
  void ReadStrips(const Layout& layout, MutableByteSpan out);
  void ReadTiles(const Layout& layout, MutableByteSpan out);
  /// Checks that a strip or tile is in the file; otherwise libtiff may read other bytes instead.
  void CheckPiece(const char* what, std::uint32_t number, std::uint64_t decoded_size);
  void ReadTile(std::uint32_t number, MutableByteSpan tile);
  std::size_t GetCheckedTileSize(const Layout& layout, std::uint32_t width, std::uint32_t height) const;
  void CheckSupported();
  [[noreturn]] void Fail(const std::string& what) const;

  MemoryFile file_;
  std::unique_ptr<TIFF, CloseTiff> tiff_;
};

TiffFile::TiffFile(ByteSpan bytes, std::uint64_t limit) {
  file_.bytes = bytes;
  const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
  if (!options) throw std::bad_alloc();
  const std::uint64_t memory = kSmallMemory + 4 * std::min<std::uint64_t>(limit + bytes.size(), std::uint64_t{1} << 48);
  TIFFOpenOptionsSetMaxSingleMemAlloc(
      options.get(), static_cast<tmsize_t>(std::min<std::uint64_t>(memory, std::numeric_limits<tmsize_t>::max())));
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), KeepError, &file_);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), IgnoreWarning, &file_);
  // "m": no memory mapping, which would let libtiff change the bytes
  tiff_.reset(TIFFClientOpenExt("chunk", "rm", &file_, ReadMemory, RefuseWriting, SeekMemory, CloseMemory,
                                GetMemorySize, nullptr, nullptr, options.get()));
  if (!tiff_) Fail("the TIFF file");
}

void TiffFile::Fail(const std::string& what) const {
  const std::string reason = file_.error[0] == '\0' ? "" : std::string(": ") + file_.error.data();
  throw Error(ErrorKind::kCorrupt, what + " cannot be read" + reason);
}

void TiffFile::CheckSupported() {
  const auto compression = ReadTag<std::uint16_t>(TIFFTAG_COMPRESSION);
  if (compression == COMPRESSION_OJPEG || compression == COMPRESSION_SGILOG || compression == COMPRESSION_SGILOG24 ||
      TIFFIsCODECConfigured(compression) == 0) {
    throw Error(ErrorKind::kUnsupported, "compression " + std::to_string(compression) + " is not supported");
  }
  const auto photometric = ReadTag<std::uint16_t>(TIFFTAG_PHOTOMETRIC);
  if (compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR) {
    TIFFSetField(tiff_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  } else if (photometric == PHOTOMETRIC_YCBCR || photometric == PHOTOMETRIC_SEPARATED) {
    throw Error(ErrorKind::kUnsupported,
                "photometric interpretation " + std::to_string(photometric) + " is not supported");
  }
  if (const auto depth = ReadTag<std::uint32_t>(TIFFTAG_IMAGEDEPTH); depth > 1) {
    throw Error(ErrorKind::kUnsupported, FormatExpectedGot("an image of depth 1", std::to_string(depth)));
  }
}

Layout TiffFile::ReadLayout() {
  CheckSupported();
  const auto bits = ReadTag<std::uint16_t>(TIFFTAG_BITSPERSAMPLE);
  const auto samples = ReadTag<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
  const bool separate = ReadTag<std::uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
  Layout layout;
  layout.width = ReadTag<std::uint32_t>(TIFFTAG_IMAGEWIDTH);
  layout.height = ReadTag<std::uint32_t>(TIFFTAG_IMAGELENGTH);
  layout.planes = separate ? samples : 1;
  layout.samples = separate ? 1 : samples;
  layout.sample_size = bits / 8u;
  layout.sample_format = ReadTag<std::uint16_t>(TIFFTAG_SAMPLEFORMAT);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128) {
    throw Error(ErrorKind::kUnsupported, FormatExpectedGot("8, 16, 32, 64 or 128 bits a sample", std::to_string(bits)));
  }
  // A row has less than 2^52 bytes.
  const auto plane_size = MultiplyChecked(layout.row_size(), layout.height);
  const auto image_size = plane_size ? MultiplyChecked(*plane_size, layout.planes) : std::nullopt;
  if (!image_size || *image_size == 0) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("an image", std::to_string(layout.width) + " x " +
                                                                       std::to_string(layout.height) + " pixels"));
  }
  return layout;
}

bool TiffFile::IsLike(const Layout& layout) {
  try {
    return ReadLayout() == layout;
  } catch (const Error&) {
    return false;
  }
}

void TiffFile::ReadImage(const Layout& layout, MutableByteSpan out) {
  if (TIFFIsTiled(tiff_.get()) != 0) {
    ReadTiles(layout, out);
  } else {
    ReadStrips(layout, out);
  }
  ToOrFromLittleEndian(out, layout.number_size());  // libtiff gives numbers in native byte order
}

void TiffFile::CheckPiece(const char* what, std::uint32_t number, std::uint64_t decoded_size) {
  const std::uint64_t size = TIFFGetStrileByteCount(tiff_.get(), number);
  const bool is_plain = ReadTag<std::uint16_t>(TIFFTAG_COMPRESSION) == COMPRESSION_NONE;
  const std::uint64_t smallest = is_plain ? decoded_size : 1;
  if (TIFFGetStrileOffset(tiff_.get(), number) != 0 && size >= smallest) return;
  throw Error(ErrorKind::kCorrupt,
              what + (" " + std::to_string(number)) + " cannot be read: " +
                  FormatExpectedGot("at least " + std::to_string(smallest) + " bytes", std::to_string(size)));
}

void TiffFile::ReadStrips(const Layout& layout, MutableByteSpan out) {
  const std::uint32_t rows_per_strip = std::min(ReadTag<std::uint32_t>(TIFFTAG_ROWSPERSTRIP), layout.height);
  if (rows_per_strip == 0) Fail("strips without rows");
  std::uint32_t strip = 0;
  for (std::uint32_t plane = 0; plane < layout.planes; ++plane) {
    for (std::uint64_t row = 0; row < layout.height; row += rows_per_strip, ++strip) {
      const std::uint64_t size = std::min<std::uint64_t>(rows_per_strip, layout.height - row) * layout.row_size();
      CheckPiece("strip", strip, size);
      const tmsize_t read = TIFFReadEncodedStrip(tiff_.get(), strip, out.data(), static_cast<tmsize_t>(size));
      if (read != static_cast<tmsize_t>(size)) Fail("strip " + std::to_string(strip));
      out = out.subspan(static_cast<std::size_t>(size));
    }
  }
}

/// Returns the number of tiles of length `edge` that cover a length.
std::uint64_t CountTiles(std::uint32_t length, std::uint32_t edge) {
  return (std::uint64_t{length} + edge - 1) / edge;
}

/// Tiles may reach far beyond the edges of the image, but their total size is limited.
std::size_t TiffFile::GetCheckedTileSize(const Layout& layout, std::uint32_t width, std::uint32_t height) const {
  if (width == 0 || height == 0) Fail("tiles without pixels");
  const std::uint64_t count = CountTiles(layout.width, width) * CountTiles(layout.height, height);
  const auto size = MultiplyChecked(std::uint64_t{width} * layout.pixel_size(), height);
  const auto total = size ? MultiplyChecked(*size, count) : std::nullopt;
  if (!total || *total / 4 > layout.plane_size() + kSmallMemory / 4) {
    throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("tiles that take about as much as the image",
                                                             std::to_string(width) + " x " + std::to_string(height)));
  }
  return static_cast<std::size_t>(*size);
}

void TiffFile::ReadTiles(const Layout& layout, MutableByteSpan out) {
  const auto width = ReadTag<std::uint32_t>(TIFFTAG_TILEWIDTH);
  const auto height = ReadTag<std::uint32_t>(TIFFTAG_TILELENGTH);
  ScratchBuffer tile(GetCheckedTileSize(layout, width, height));
  std::uint32_t number = 0;
  for (std::uint32_t plane = 0; plane < layout.planes; ++plane, out = out.subspan(layout.plane_size())) {
    for (std::uint64_t y = 0; y < layout.height; y += height) {
      for (std::uint64_t x = 0; x < layout.width; x += width, ++number) {
        ReadTile(number, tile.span());
        const std::uint64_t rows = std::min<std::uint64_t>(height, layout.height - y);
        const std::uint64_t row_size = std::min<std::uint64_t>(width, layout.width - x) * layout.pixel_size();
        for (std::uint64_t row = 0; row < rows; ++row) {
          std::memcpy(out.data() + (y + row) * layout.row_size() + x * layout.pixel_size(),
                      tile.span().data() + row * width * layout.pixel_size(), static_cast<std::size_t>(row_size));
        }
      }
    }
  }
}

void TiffFile::ReadTile(std::uint32_t number, MutableByteSpan tile) {
  CheckPiece("tile", number, tile.size());
  const auto size = static_cast<tmsize_t>(tile.size());
  if (TIFFReadEncodedTile(tiff_.get(), number, tile.data(), size) != size) Fail("tile " + std::to_string(number));
}

// --- the codec ----------------------------------------------------------------------------------------------------

class TiffCodec final : public BytesToBytesCodec {
 public:
  explicit TiffCodec(std::optional<std::uint32_t> index) : index_(index) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return GetCompressedBound(decoded); }
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan, std::size_t, Bytes*) const override {
    throw Error(ErrorKind::kUnsupported, "TIFF files cannot be encoded");
  }

 private:
  std::optional<std::uint32_t> index_;
};

std::optional<std::size_t> TiffCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  TiffFile file(encoded, out.size());
  if (index_.value_or(0) != 0 && !file.OpenImage(*index_)) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("an image " + std::to_string(*index_), "fewer"));
  }
  const Layout layout = file.ReadLayout();
  std::size_t size = 0;
  do {
    if (size > 0 && !file.IsLike(layout)) continue;
    if (layout.image_size() > out.size() - size) return std::nullopt;
    const auto image_size = static_cast<std::size_t>(layout.image_size());
    file.ReadImage(layout, out.subspan(size, image_size));
    size += image_size;
  } while (!index_ && size < out.size() && file.OpenNextImage());
  return size;
}

}  // namespace

Codec MakeTiffCodec(const CodecSpec& spec) {
  if (const auto rgb = FindOption(spec, "asrgb"); rgb && rgb->AsBoolean()) {
    rgb->Fail(ErrorKind::kUnsupported, FormatExpectedGot("false", "true"));
  }
  std::optional<std::uint32_t> index;
  if (FindOption(spec, "index")) index = static_cast<std::uint32_t>(GetIntegerOption(spec, "index", 0, 0xFFFF, 0));
  return std::make_shared<TiffCodec>(index);
}

}  // namespace zarr
