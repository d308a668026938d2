// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/parquet_file.h"

#include <algorithm>
#include <memory>
#include <string>

#include "driver/stores/parquet/bit_readers.h"
#include "driver/stores/parquet/page_bytes.h"
#include "driver/stores/parquet/parquet_errors.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kEncryptedMagic = "PARE";
constexpr std::uint64_t kTrailerSize = 8;  // the size of the metadata, and the magic
constexpr std::uint64_t kMostMetadata = 16 << 20;
constexpr std::uint64_t kMostRows = 1 << 24;
/// Writers make pages of about 1 MiB, except for one that stores a whole column chunk in a page.
constexpr std::uint64_t kLargestPage = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostDecoded = std::uint64_t{2} << 30;
/// The stored bytes of a column chunk are in memory as a whole.
constexpr std::uint64_t kLargestChunk = std::uint64_t{256} << 20;
/// What a page counts for at least: one without values takes time, too.
constexpr std::uint64_t kLeastOfPage = 1 << 12;

/// Reads one column chunk, page by page.
class ChunkReader {
 public:
  ChunkReader(const ParquetColumn& column, const ParquetColumnChunk& chunk, zarr::ByteSpan bytes, std::uint64_t* budget,
              ColumnSink* sink)
      : column_(column), codec_(chunk.codec), left_(chunk.value_count), rest_(bytes), budget_(*budget), sink_(*sink) {}

  void Read() {
    while (left_ > 0 && !sink_.is_done()) ReadPage();
  }

 private:
  void ReadPage() {
    std::size_t size = 0;
    const ParquetPageHeader header = ParseParquetPageHeader(rest_, &size);
    rest_ = rest_.subspan(size);
    CheckAtMost(header.decoded_size, kLargestPage, "bytes in a page");
    if (header.stored_size > rest_.size()) FailParquet("a page within the column", "a longer one");
    const zarr::ByteSpan stored = rest_.first(static_cast<std::size_t>(header.stored_size));
    rest_ = rest_.subspan(stored.size());
    Spend(std::max(header.decoded_size, kLeastOfPage), &budget_);
    if (header.type == ParquetPageType::kDictionary) {
      dictionary_ = std::make_unique<ParquetDictionary>();
      DecompressPage(codec_, stored, header.decoded_size, &dictionary_->page);
      ReadDictionary(column_, header.value_count, dictionary_.get());
    } else if (header.type == ParquetPageType::kData) {
      ReadDataPage(header, stored);
    } else if (header.type == ParquetPageType::kDataV2) {
      ReadDataPageV2(header, stored);
    }
  }

  /// In pages of version 1, the levels are compressed together with the values.
  void ReadDataPage(const ParquetPageHeader& header, zarr::ByteSpan stored) {
    DecompressPage(codec_, stored, header.decoded_size, &page_);
    zarr::ByteSpan values = page_;
    zarr::ByteSpan levels;
    if (column_.is_optional) {
      if (header.level_encoding != ParquetEncoding::kRle) {
        FailUnsupported("definition levels of the encoding RLE", "BIT_PACKED or another");
      }
      const std::size_t size = values.size() < 4 ? 0 : zarr::LoadLittleEndian<std::uint32_t>(values.data());
      if (values.size() < 4 + size) FailParquet("a size and definition levels", "the end of the page");
      levels = values.subspan(4, size);
      values = values.subspan(4 + size);
    }
    PassValues(header, levels, values);
  }

  void ReadDataPageV2(const ParquetPageHeader& header, zarr::ByteSpan stored) {
    const std::uint64_t levels_size = header.repetition_size + header.definition_size;
    if (levels_size > stored.size() || levels_size > header.decoded_size) {
      FailParquet("levels within a page", std::to_string(levels_size) + " bytes");
    }
    const zarr::ByteSpan values = stored.subspan(static_cast<std::size_t>(levels_size));
    const zarr::ByteSpan levels = stored.subspan(static_cast<std::size_t>(header.repetition_size));
    const ParquetCodec codec = header.is_compressed ? codec_ : ParquetCodec::kNone;
    DecompressPage(codec, values, header.decoded_size - levels_size, &page_);
    PassValues(header, levels, page_);
  }

  void PassValues(const ParquetPageHeader& header, zarr::ByteSpan levels, zarr::ByteSpan bytes) {
    if (header.value_count > left_) FailParquet("as many values as rows", std::to_string(header.value_count));
    const auto values =
        MakePageValues(column_, header.encoding, bytes, header.value_count, dictionary_.get(), &budget_);
    RunReader are_defined(levels, 1);
    for (std::uint64_t i = 0; i < header.value_count && !sink_.is_done(); ++i) {
      if (!column_.is_optional || are_defined.ReadNext() == 1) {
        values(&sink_);
      } else {
        sink_.AddNull();
      }
    }
    left_ -= header.value_count;
  }

  const ParquetColumn& column_;
  ParquetCodec codec_;
  std::uint64_t left_;  // values
  zarr::ByteSpan rest_;
  std::uint64_t& budget_;
  ColumnSink& sink_;
  std::unique_ptr<ParquetDictionary> dictionary_;
  zarr::Bytes page_;
};

/// Reads the metadata from the end of a file.
zarr::Bytes ReadFooter(const ParquetSource& source) {
  zarr::Bytes trailer(static_cast<std::size_t>(std::min(kTrailerSize, source.size())));
  source.Read(source.size() - trailer.size(), trailer);
  const std::string_view text = zarr::AsText(trailer);
  if (text.ends_with(kEncryptedMagic)) FailUnsupported("a Parquet file", "an encrypted one");
  if (trailer.size() < kTrailerSize || !text.ends_with(kParquetMagic)) {
    FailParquet("a Parquet file, which ends in \"PAR1\"", "a file of " + std::to_string(source.size()) + " bytes");
  }
  const auto size = zarr::LoadLittleEndian<std::uint32_t>(trailer.data());
  if (size > source.size() - kTrailerSize) FailParquet("metadata within the file", std::to_string(size) + " bytes");
  CheckAtMost(size, kMostMetadata, "bytes of metadata");
  zarr::Bytes footer(size);
  source.Read(source.size() - kTrailerSize - size, footer);
  return footer;
}

const ParquetColumnChunk& FindChunk(const ParquetColumn& column, const ParquetRowGroup& group) {
  const auto found = std::ranges::find(group.chunks, std::vector{column.name}, &ParquetColumnChunk::path);
  if (found == group.chunks.end()) FailParquet("the column in each row group", "a row group without it");
  return *found;
}

void ReadChunk(const ParquetColumn& column, const ParquetRowGroup& group, const ParquetSource& source,
               std::uint64_t* budget, ColumnSink* sink) {
  const ParquetColumnChunk& chunk = FindChunk(column, group);
  if (column.is_repeated) FailUnsupported("one value for each row", "a repeated column");
  if (chunk.is_elsewhere) FailUnsupported("values in this file", "values that are encrypted or in another file");
  if (chunk.value_count != group.row_count) FailParquet("a value for each row", std::to_string(chunk.value_count));
  if (chunk.offset > source.size() || chunk.size > source.size() - chunk.offset) {
    FailParquet("bytes within the file", std::to_string(chunk.offset) + " + " + std::to_string(chunk.size));
  }
  CheckAtMost(chunk.size, kLargestChunk, "bytes of a column in a row group");
  zarr::Bytes bytes(static_cast<std::size_t>(chunk.size));
  source.Read(chunk.offset, bytes);
  ChunkReader(column, chunk, bytes, budget, sink).Read();
}

}  // namespace

ParquetFile::ParquetFile(const ParquetSource& source)
    : source_(source), metadata_(ParseParquetMetadata(ReadFooter(source))) {
  for (const ParquetRowGroup& group : metadata_.row_groups) {
    CheckAtMost(group.row_count, kMostRows - row_count_, "more rows");
    row_count_ += group.row_count;
  }
}

void ParquetFile::ReadColumn(std::string_view name, ColumnSink* sink) const {
  const ParquetColumn* const column = metadata_.FindColumn(name);
  std::uint64_t budget = kMostDecoded;
  try {
    if (!column) FailParquet("a column of this name", "none");
    for (const ParquetRowGroup& group : metadata_.row_groups) {
      if (sink->is_done()) return;
      ReadChunk(*column, group, source_, &budget, sink);
    }
  } catch (const zarr::Error& error) {
    throw error.Within("column " + std::string(name));
  }
}

}  // namespace gdal_zarr
