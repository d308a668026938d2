// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/column_values.h"

#include <string>

#include "driver/stores/parquet/bit_readers.h"
#include "driver/stores/parquet/parquet_errors.h"

namespace gdal_zarr {
namespace {

/// Each entry takes up to 24 bytes of memory, though an empty string takes only 4 bytes of the page.
constexpr std::uint64_t kMostDictionaryEntries = 4 << 20;

/// Consumes the first bytes of the values.
zarr::ByteSpan Take(std::uint64_t count, zarr::ByteSpan* rest) {
  if (count > rest->size()) FailParquet("a value of " + std::to_string(count) + " bytes", "the end of the page");
  const zarr::ByteSpan taken = rest->first(static_cast<std::size_t>(count));
  *rest = rest->subspan(taken.size());
  return taken;
}

std::string_view TakeString(zarr::ByteSpan* rest) {
  const auto size = zarr::LoadLittleEndian<std::uint32_t>(Take(4, rest).data());
  return zarr::AsText(Take(size, rest));
}

std::int64_t TakeInteger(const ParquetColumn& column, zarr::ByteSpan* rest) {
  if (column.type == ParquetType::kInt64) return zarr::LoadLittleEndian<std::int64_t>(Take(8, rest).data());
  const std::byte* const bytes = Take(4, rest).data();
  if (column.is_unsigned) return zarr::LoadLittleEndian<std::uint32_t>(bytes);
  return zarr::LoadLittleEndian<std::int32_t>(bytes);
}

/// The lengths of all strings, and then the strings.
class DeltaLengthStrings {
 public:
  DeltaLengthStrings(zarr::ByteSpan bytes, std::uint64_t most)
      : lengths_(bytes, most), rest_(bytes.subspan(lengths_.FindEnd())) {}
  std::string_view TakeNext() {
    const std::int64_t length = lengths_.ReadNext();
    if (length < 0) FailParquet("the length of a string", std::to_string(length));
    return zarr::AsText(Take(static_cast<std::uint64_t>(length), &rest_));
  }

 private:
  DeltaReader lengths_;
  zarr::ByteSpan rest_;
};

/// Strings of which each has the beginning of the one before it.
class DeltaStrings {
 public:
  DeltaStrings(zarr::ByteSpan bytes, std::uint64_t most)
      : prefixes_(bytes, most), suffixes_(bytes.subspan(prefixes_.FindEnd()), most) {}
  /// The view is valid until the next call.
  std::string_view TakeNext(std::uint64_t* budget) {
    const std::int64_t prefix = prefixes_.ReadNext();
    const bool is_in_value = prefix >= 0 && static_cast<std::uint64_t>(prefix) <= value_.size();
    if (!is_in_value) FailParquet("a part of the string before", std::to_string(prefix) + " bytes");
    value_.resize(static_cast<std::size_t>(prefix));
    value_ += suffixes_.TakeNext();
    Spend(value_.size(), budget);
    return value_;
  }

 private:
  DeltaReader prefixes_;
  DeltaLengthStrings suffixes_;
  std::string value_;
};

PageValues MakeDictionaryValues(bool is_integer, zarr::ByteSpan bytes, ParquetDictionary* dictionary) {
  if (!dictionary) FailParquet("a dictionary page in front of its indices", "none");
  const unsigned width = bytes.empty() ? 0 : std::to_integer<unsigned>(bytes[0]);
  RunReader indices(bytes.subspan(bytes.empty() ? 0 : 1), width);
  return [=](ColumnSink* sink) mutable {
    const std::size_t index = indices.ReadNext();
    const std::size_t size = is_integer ? dictionary->integers.size() : dictionary->strings.size();
    if (index >= size) FailParquet("an index below " + std::to_string(size), std::to_string(index));
    if (is_integer) return sink->AddInteger(dictionary->integers[index]);
    sink->AddBytes(dictionary->strings[index], &dictionary->notes[index]);
  };
}

PageValues MakeIntegers(const ParquetColumn& column, ParquetEncoding encoding, zarr::ByteSpan bytes,
                        std::uint64_t most) {
  if (encoding == ParquetEncoding::kPlain) {
    return [=, rest = bytes](ColumnSink* sink) mutable { sink->AddInteger(TakeInteger(column, &rest)); };
  }
  if (encoding != ParquetEncoding::kDeltaBinaryPacked) return nullptr;
  return [is_long = column.type == ParquetType::kInt64, is_unsigned = column.is_unsigned,
          values = DeltaReader(bytes, most)](ColumnSink* sink) mutable {
    const std::int64_t value = values.ReadNext();
    // The differences wrap around at the width of the column.
    const auto lower = static_cast<std::uint32_t>(value);
    sink->AddInteger(is_long ? value : is_unsigned ? std::int64_t{lower} : static_cast<std::int32_t>(lower));
  };
}

PageValues MakeStrings(ParquetEncoding encoding, zarr::ByteSpan bytes, std::uint64_t most, std::uint64_t* budget) {
  if (encoding == ParquetEncoding::kPlain) {
    return [rest = bytes](ColumnSink* sink) mutable { sink->AddBytes(TakeString(&rest), nullptr); };
  }
  if (encoding == ParquetEncoding::kDeltaLengthByteArray) {
    return [strings = DeltaLengthStrings(bytes, most)](ColumnSink* sink) mutable {
      sink->AddBytes(strings.TakeNext(), nullptr);
    };
  }
  if (encoding != ParquetEncoding::kDeltaByteArray) return nullptr;
  return [budget, strings = DeltaStrings(bytes, most)](ColumnSink* sink) mutable {
    sink->AddBytes(strings.TakeNext(budget), nullptr);
  };
}

bool IsInteger(const ParquetColumn& column) {
  return column.type == ParquetType::kInt32 || column.type == ParquetType::kInt64;
}

}  // namespace

void ColumnSink::AddInteger(std::int64_t value) {
  FailUnsupported("strings", "the integer " + std::to_string(value));
}

void ColumnSink::AddBytes(std::string_view value, std::uint64_t*) {
  FailUnsupported("integers", "a string of " + std::to_string(value.size()) + " bytes");
}

void Spend(std::uint64_t bytes, std::uint64_t* budget) {
  CheckAtMost(bytes, *budget, "more bytes of a column to decode");
  *budget -= bytes;
}

PageValues MakePageValues(const ParquetColumn& column, ParquetEncoding encoding, zarr::ByteSpan bytes,
                          std::uint64_t most, ParquetDictionary* dictionary, std::uint64_t* budget) {
  const bool is_integer = IsInteger(column);
  if (!is_integer && column.type != ParquetType::kByteArray) {
    // A column of another type may consist of nulls.
    return [type = column.type](ColumnSink*) {
      FailUnsupported("a column of INT32, INT64 or BYTE_ARRAY", "type " + std::to_string(static_cast<int>(type)));
    };
  }
  if (encoding == ParquetEncoding::kPlainDictionary || encoding == ParquetEncoding::kRleDictionary) {
    return MakeDictionaryValues(is_integer, bytes, dictionary);
  }
  PageValues values =
      is_integer ? MakeIntegers(column, encoding, bytes, most) : MakeStrings(encoding, bytes, most, budget);
  if (values) return values;
  FailUnsupported("PLAIN, or an encoding DELTA_* or of a dictionary that suits the type",
                  "encoding " + std::to_string(static_cast<int>(encoding)));
}

void ReadDictionary(const ParquetColumn& column, std::uint64_t count, ParquetDictionary* dictionary) {
  CheckAtMost(count, kMostDictionaryEntries, "values in a dictionary");
  zarr::ByteSpan rest = dictionary->page;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (IsInteger(column)) {
      dictionary->integers.push_back(TakeInteger(column, &rest));
    } else if (column.type == ParquetType::kByteArray) {
      dictionary->strings.push_back(TakeString(&rest));
    }
  }
  dictionary->notes.resize(dictionary->strings.size());
}

}  // namespace gdal_zarr
