// SPDX-License-Identifier: MIT
#include "driver/create/references/netcdf_classic.h"

#include <cpl_vsi.h>

#include <string>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

namespace gdal_zarr {
namespace {

/// The largest header that is read.
constexpr std::uint64_t kMostHeader = std::uint64_t{16} << 20;

constexpr std::uint64_t kDimensions = 10;  // tags of lists
constexpr std::uint64_t kVariables = 11;
constexpr std::uint64_t kAttributes = 12;

struct Variable {
  std::string name;
  std::vector<std::uint64_t> dimensions;
  std::uint64_t element_size = 0;
  std::uint64_t begin = 0;
};

/// Reads the header of a file. Throws zarr::Error(corrupt) at its end.
class Header {
 public:
  Header(std::string path, zarr::Bytes bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {
    is_64_bit_ = TakeNumber(4) % 256 == 5;
    has_64_bit_offsets_ = std::to_integer<int>(bytes_[3]) != 1;
    records_ = TakeCount();
    ReadDimensions();
    SkipAttributes();
    ReadVariables();
  }

  static bool IsClassic(zarr::ByteSpan bytes) {
    return bytes.size() >= 4 && zarr::AsText(bytes).starts_with("CDF") &&
           (bytes[3] == std::byte{1} || bytes[3] == std::byte{2} || bytes[3] == std::byte{5});
  }

  /// `type` is the one that GDAL shows.
  std::optional<ContiguousPlace> Find(const std::string& name, const GDALExtendedDataType& type) const {
    for (const Variable& variable : variables_) {
      if (variable.name != name) continue;
      ContiguousPlace place{path_, variable.begin, zarr::Endian::kBig};
      place.type = FindOtherType(variable, type);
      if (HasRecords(variable)) place.record_distance = GetRecordSize();
      return place;
    }
    return std::nullopt;
  }

 private:
  [[noreturn]] void Fail(const std::string& message) const {
    throw zarr::Error(zarr::ErrorKind::kCorrupt, path_, "", "", "the header of the file is damaged: " + message);
  }
  std::uint64_t TakeNumber(std::size_t size) {
    if (bytes_.size() - position_ < size) Fail("it ends too early");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | std::to_integer<std::uint64_t>(bytes_[position_++]);
    return value;
  }
  std::uint64_t TakeCount() { return TakeNumber(is_64_bit_ ? 8 : 4); }
  void Skip(std::uint64_t size) {
    const std::uint64_t padded = size + (4 - size % 4) % 4;
    if (bytes_.size() - position_ < padded) Fail("it ends too early");
    position_ += static_cast<std::size_t>(padded);
  }
  std::string TakeName() {
    const std::uint64_t size = TakeCount();
    const std::size_t begin = position_;
    Skip(size);
    return std::string(zarr::AsText(bytes_).substr(begin, static_cast<std::size_t>(size)));
  }
  /// Returns the number of items of a list, whose tag is 0 if it is absent.
  std::uint64_t BeginList(std::uint64_t tag) {
    const std::uint64_t got = TakeNumber(4);
    const std::uint64_t count = TakeCount();
    if (got != tag && (got != 0 || count != 0)) Fail("expected the list " + std::to_string(tag));
    return count;
  }
  std::uint64_t TakeElementSize() {
    constexpr std::uint8_t kSizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const std::uint64_t type = TakeNumber(4);
    if (type == 0 || type >= std::size(kSizes)) Fail("unknown type " + std::to_string(type));
    return kSizes[type];
  }
  void ReadDimensions() {
    for (std::uint64_t left = BeginList(kDimensions); left > 0; --left) {
      TakeName();
      lengths_.push_back(TakeCount());
    }
  }
  void SkipAttributes() {
    for (std::uint64_t left = BeginList(kAttributes); left > 0; --left) {
      TakeName();
      const std::uint64_t size = TakeElementSize();
      const auto bytes = zarr::MultiplyChecked(size, TakeCount());
      Skip(bytes && *bytes < bytes_.size() ? *bytes : bytes_.size());
    }
  }
  void ReadVariables() {
    for (std::uint64_t left = BeginList(kVariables); left > 0; --left) {
      Variable variable;
      variable.name = TakeName();
      for (std::uint64_t rank = TakeCount(); rank > 0; --rank) {
        const std::uint64_t dimension = TakeCount();
        if (dimension >= lengths_.size()) Fail("a variable has unknown dimensions");
        variable.dimensions.push_back(lengths_[static_cast<std::size_t>(dimension)]);
      }
      SkipAttributes();
      variable.element_size = TakeElementSize();
      TakeCount();  // the size, which is not reliable for large variables
      variable.begin = TakeNumber(has_64_bit_offsets_ ? 8 : 4);
      variables_.push_back(std::move(variable));
    }
  }

  /// Returns the type of the elements in the file if GDAL shows another one. Throws zarr::Error(unsupported) for one
  /// that is not known.
  std::optional<zarr::DataType> FindOtherType(const Variable& variable, const GDALExtendedDataType& shown) const {
    if (variable.element_size == shown.GetSize()) return std::nullopt;
    if (variable.element_size == 1 && shown.GetNumericDataType() == GDT_Int16)
      return zarr::DataType::FromV3(zarr::JsonNode::MakeString("int8"));
    throw zarr::Error(zarr::ErrorKind::kUnsupported, path_, "", "",
                      zarr::FormatExpectedGot("elements of " + std::to_string(shown.GetSize()) + " bytes",
                                              std::to_string(variable.element_size) + " in the file"));
  }

  /// The length of the dimension of records is 0 in the header.
  static bool HasRecords(const Variable& variable) {
    return !variable.dimensions.empty() && variable.dimensions.front() == 0;
  }
  std::uint64_t GetRecordSize() const {
    if (records_ == (is_64_bit_ ? UINT64_MAX : UINT32_MAX)) {
      throw zarr::Error(zarr::ErrorKind::kUnsupported, path_, "", "", "the header does not tell the number of records");
    }
    std::uint64_t sum = 0;
    std::uint64_t plain = 0;
    std::size_t count = 0;
    for (const Variable& variable : variables_) {
      if (!HasRecords(variable)) continue;
      plain = variable.element_size;
      for (std::size_t i = 1; i < variable.dimensions.size(); ++i) plain *= variable.dimensions[i];
      sum += plain + (4 - plain % 4) % 4;
      ++count;
    }
    return count == 1 ? plain : sum;  // a single variable is not padded
  }

  std::string path_;
  zarr::Bytes bytes_;
  std::size_t position_ = 0;
  bool is_64_bit_ = false;
  bool has_64_bit_offsets_ = false;
  std::uint64_t records_ = 0;
  std::vector<std::uint64_t> lengths_;
  std::vector<Variable> variables_;
};

zarr::Bytes ReadBeginning(const std::string& path, std::uint64_t size) {
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(path.c_str(), "rb"), VSIFCloseL);
  zarr::Bytes bytes(static_cast<std::size_t>(size));
  bytes.resize(file ? VSIFReadL(bytes.data(), 1, bytes.size(), file.get()) : 0);
  return bytes;
}

}  // namespace

std::optional<ContiguousPlace> FindClassicVariable(const GDALMDArray& array) {
  constexpr std::uint64_t kFirst = 1 << 16;
  const std::string& path = array.GetFilename();
  zarr::Bytes bytes = path.empty() ? zarr::Bytes() : ReadBeginning(path, kFirst);
  if (!Header::IsClassic(bytes)) return std::nullopt;
  const bool is_whole = bytes.size() < kFirst;
  try {
    return Header(path, bytes).Find(array.GetName(), array.GetDataType());
  } catch (const zarr::Error& error) {
    if (is_whole || error.kind() != zarr::ErrorKind::kCorrupt) throw;
  }
  return Header(path, ReadBeginning(path, kMostHeader)).Find(array.GetName(), array.GetDataType());
}

}  // namespace gdal_zarr
