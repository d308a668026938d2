// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/base/strided_copy.h"
#include "zarrlib/metadata/data_type.h"

namespace gdal_zarr {

/// How elements of one type look in GDAL.
///
/// | Zarr                       | GDAL                                                                             |
/// |----------------------------|----------------------------------------------------------------------------------|
/// | bool                       | Byte, 0 or 1                                                                     |
/// | int8                       | Int8, or Int16 before GDAL 3.7                                                   |
/// | float16, complex of it     | Float16, CFloat16, or Float32, CFloat32 before GDAL 3.11                         |
/// | bfloat16, float8 and less  | Float32                                                                          |
/// | other numbers              | the same                                                                         |
/// | datetime64, timedelta64    | Int64                                                                            |
/// | S, U, string               | string, in UTF-8 (S as it is stored), up to the first NUL                        |
/// | bytes of any length        | string: the text, where it is UTF-8 without NUL, else "0x" and hexadecimal digits |
/// | V, r<N>                    | compound of as many bytes, "0", "1" and so on                                     |
/// | struct                     | compound, with components that have no name, which pad, left out; a sub-array is  |
/// |                            | a compound of its elements, "0", "1" and so on                                   |
/// | unknown                    | string, which cannot be read                                                     |
///
/// A struct without a named component, or of more than 10,000 components (with those of its components), or of more
/// than 32 levels, is handed out as V is; and V of more than 10,000 bytes as a string of hexadecimal digits, two per
/// byte.
struct ElementForm {
  GDALExtendedDataType type = GDALExtendedDataType::CreateString();
  /// Whether zarrlib and GDAL hold an element as the same bytes.
  bool same_bytes = false;
  /// Converts one element from zarrlib's memory form (std::string_view for types of variable length) to GDAL's. The
  /// caller owns the strings that this allocates. Throws std::bad_alloc.
  std::function<void(const std::byte* source, std::byte* destination)> expand;
  /// Converts one element from GDAL's form to zarrlib's. Numbers are rounded and clamped to the range of the type. A
  /// string of variable length becomes a std::string_view into the string at `source`. Throws
  /// zarr::Error(invalid_argument) for a string that is too long for the type.
  std::function<void(const std::byte* source, std::byte* destination)> pack;
};

ElementForm MakeElementForm(const zarr::DataType& type);
/// Does the same, and takes the form that another array of opaque bytes has, if it is equal: it may have thousands of
/// components. Thread-safe.
std::shared_ptr<const ElementForm> ShareElementForm(const zarr::DataType& type);

/// The class of MakeElementForm(type).type, and its numeric type if it is a number.
struct ElementClass {
  GDALExtendedDataTypeClass type_class = GEDTC_STRING;
  GDALDataType number = GDT_Unknown;
};

/// Finds that without making the form.
ElementClass FindElementClass(const zarr::DataType& type);

/// Makes the converter from elements of a Zarr array to those of a buffer of type `to`; null if their bytes are the
/// same. GDAL must be able to convert MakeElementForm(from).type to `to`, and decides rounding, clamping and number
/// texts.
std::unique_ptr<zarr::RowConverter> MakeRowConverter(const zarr::DataType& from, const GDALExtendedDataType& to);

/// Makes the converter from elements of a buffer to those of a Zarr array; null if their bytes are the same. Views of
/// variable-length elements are valid while both the buffer and the converter live.
std::unique_ptr<zarr::RowConverter> MakeWriteConverter(const GDALExtendedDataType& from, const zarr::DataType& to);

/// Owns one element in GDAL's memory form, with its strings.
class GdalElement {
 public:
  /// The element's bytes are zero.
  explicit GdalElement(const GDALExtendedDataType& type);
  ~GdalElement();
  GdalElement(const GdalElement&) = delete;
  GdalElement& operator=(const GdalElement&) = delete;

  std::byte* data() { return bytes_.data(); }
  const std::byte* data() const { return bytes_.data(); }
  const GDALExtendedDataType& type() const { return type_; }

 private:
  GDALExtendedDataType type_;
  zarr::Bytes bytes_;
};

/// Copies `text` to a new string, which the caller frees with CPLFree. Throws std::bad_alloc.
char* CopyToNewString(std::string_view text);

/// Converts one number as GDALCopyWords64 does, but a Float64 to the nearest Float32: GDAL takes one that is hardly
/// larger than the largest Float32, as short texts of that are, for infinite.
void ConvertNumber(const void* number, GDALDataType from, void* element, GDALDataType to);

/// Whether a number of type `from` is read back as the same number, or as the nearest of Float32, when ConvertNumber
/// gives it the type `to`.
bool CanHold(GDALDataType to, const void* number, GDALDataType from);

/// Whether an array of the form keeps an element in GDAL's form: an integer as it is, and a floating-point number
/// rounded, but neither clamped to the type's range nor infinite or NaN instead. True for elements that are no numbers.
bool KeepsNumber(const ElementForm& form, const std::byte* element);

}  // namespace gdal_zarr
