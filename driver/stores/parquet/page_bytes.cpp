// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/page_bytes.h"

#include <algorithm>
#include <memory>
#include <string>
#include <variant>

#include "driver/stores/parquet/compact_reader.h"
#include "driver/stores/parquet/parquet_errors.h"
#include "zarrlib/codec/bytes_to_bytes/byte_output.h"
#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/codec/codec_util.h"

namespace gdal_zarr {
namespace {

/// Decodes with one of the codecs of chunks. Memory grows with what is decoded, not with what the page claims.
void DecodeGrowingTo(const char* name, zarr::ByteSpan stored, std::uint64_t size, zarr::Bytes* out) {
  zarr::CodecSpec spec;
  spec.name = name;
  const auto codec = std::get<std::shared_ptr<const zarr::BytesToBytesCodec>>(zarr::MakeCodec(spec));
  zarr::MemoryShare share;
  const auto decoded = DecodeGrowing(*codec, stored, size, out, &share);
  if (!decoded) FailParquet(std::to_string(size) + " bytes in a page", "more");
  out->resize(*decoded);
}

/// The codec of chunks expects the decoded size in front of a block of LZ4.
void DecodeLz4Block(zarr::ByteSpan block, std::uint64_t size, zarr::Bytes* out) {
  zarr::Bytes with_size(4 + block.size());
  zarr::WriteLittleEndian(with_size.data(), static_cast<std::uint32_t>(size));
  std::copy(block.begin(), block.end(), with_size.begin() + 4);
  DecodeGrowingTo("numcodecs.lz4", with_size, size, out);
}

/// Decodes the frames of Hadoop: the decoded and the stored size of each block of LZ4, in big-endian byte order.
/// Returns false for bytes that do not have this form.
bool DecodeHadoopFrames(zarr::ByteSpan stored, std::uint64_t size, zarr::Bytes* out) {
  constexpr std::size_t kHeaderSize = 8;
  const auto load = [&](std::size_t position) {
    std::uint64_t value = 0;
    for (const std::byte byte : stored.subspan(position, 4)) value = value << 8 | std::to_integer<std::uint64_t>(byte);
    return value;
  };
  out->clear();
  zarr::Bytes block;
  while (!stored.empty()) {
    if (stored.size() < kHeaderSize) return false;
    const std::uint64_t decoded_size = load(0);
    const std::uint64_t stored_size = load(4);
    stored = stored.subspan(kHeaderSize);
    if (stored_size > stored.size() || decoded_size > size - out->size()) return false;
    DecodeLz4Block(stored.first(static_cast<std::size_t>(stored_size)), decoded_size, &block);
    out->insert(out->end(), block.begin(), block.end());
    stored = stored.subspan(static_cast<std::size_t>(stored_size));
  }
  return out->size() == size;
}

/// The deprecated codec LZ4 is written with Hadoop's frames, or, by some writers, as one block without a frame.
void DecodeLz4(zarr::ByteSpan stored, std::uint64_t size, zarr::Bytes* out) {
  try {
    if (DecodeHadoopFrames(stored, size, out)) return;
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kCorrupt) throw;
  }
  DecodeLz4Block(stored, size, out);
}

/// Reads a little-endian integer of `size` bytes, and moves `*position` after it.
std::size_t TakeLittleEndian(zarr::ByteSpan bytes, std::size_t size, std::size_t* position) {
  if (size > bytes.size() - *position) FailParquet("an element of Snappy's format", "the end of the page");
  std::size_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::size_t>(bytes[(*position)++]) << (8 * i);
  return value;
}

/// Decodes an element of Snappy's format: literal bytes, or a copy of earlier ones. Returns false if there is no room.
bool DecodeSnappyElement(zarr::ByteSpan stored, std::size_t* position, zarr::ByteOutput* out) {
  const std::size_t tag = TakeLittleEndian(stored, 1, position);
  const std::size_t upper = tag >> 2;
  if ((tag & 3) == 0) {
    const std::size_t length = (upper < 60 ? upper : TakeLittleEndian(stored, upper - 59, position)) + 1;
    if (length > stored.size() - *position) FailParquet("literal bytes of Snappy's format", "the end of the page");
    *position += length;
    return out->Append(stored.subspan(*position - length, length));
  }
  const bool is_short = (tag & 3) == 1;
  const std::size_t length = is_short ? (upper & 7) + 4 : upper + 1;
  const std::size_t lower = TakeLittleEndian(stored, is_short ? 1 : (tag & 3) == 2 ? 2 : 4, position);
  const std::size_t distance = is_short ? (upper >> 3) << 8 | lower : lower;
  if (distance == 0 || distance > out->size()) FailParquet("a copy of earlier bytes", "another distance");
  return out->AppendCopy(out->size() - distance, length);
}

void DecodeSnappy(zarr::ByteSpan stored, std::uint64_t size, zarr::Bytes* out) {
  std::size_t position = 0;
  const std::uint64_t claimed = ReadVarint(stored, &position);
  // A copy of up to 64 bytes takes three bytes.
  if (claimed != size || size / 64 > stored.size())
    FailParquet(std::to_string(size) + " bytes in a page", "another size");
  out->resize(static_cast<std::size_t>(size));
  zarr::ByteOutput output(*out);
  while (position < stored.size()) {
    if (!DecodeSnappyElement(stored, &position, &output))
      FailParquet(std::to_string(size) + " bytes in a page", "more");
  }
  out->resize(output.size());
}

}  // namespace

void DecompressPage(ParquetCodec codec, zarr::ByteSpan stored, std::uint64_t decoded_size, zarr::Bytes* out) {
  if (decoded_size == 0) return out->clear();  // the values of a page of nulls, which some writers store as no bytes
  if (codec == ParquetCodec::kNone) {
    out->assign(stored.begin(), stored.end());
  } else if (codec == ParquetCodec::kSnappy) {
    DecodeSnappy(stored, decoded_size, out);
  } else if (codec == ParquetCodec::kGzip || codec == ParquetCodec::kZstd) {
    DecodeGrowingTo(codec == ParquetCodec::kGzip ? "gzip" : "zstd", stored, decoded_size, out);
  } else if (codec == ParquetCodec::kLz4) {
    DecodeLz4(stored, decoded_size, out);
  } else if (codec == ParquetCodec::kLz4Raw) {
    DecodeLz4Block(stored, decoded_size, out);
  } else {
    FailUnsupported("the codec UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4 or LZ4_RAW",
                    codec == ParquetCodec::kBrotli ? "BROTLI" : "number " + std::to_string(static_cast<int>(codec)));
  }
  if (out->size() != decoded_size) {
    FailParquet(std::to_string(decoded_size) + " bytes in a page", std::to_string(out->size()));
  }
}

}  // namespace gdal_zarr
