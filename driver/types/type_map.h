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

/// How elements of each Zarr type are represented in GDAL.
///
/// | Zarr                       | GDAL                                                                             |
/// |----------------------------|----------------------------------------------------------------------------------|
/// | bool                       | Byte, 0 or 1                                                                     |
/// | int8                       | Int8, or Int16 before GDAL 3.7                                                   |
/// | float16, complex of it     | Float16, CFloat16, or Float32, CFloat32 before GDAL 3.11                         |
/// | bfloat16, float8 and less  | Float32                                                                          |
/// | other numbers              | the same                                                                         |
/// | datetime64, timedelta64    | Int64                                                                            |
/// | S, U, string               | string, in UTF-8 (S as stored), up to the first NUL                              |
/// | variable-length bytes      | string: the text if it is UTF-8 without NUL, otherwise "0x" and hexadecimal, as  |
/// |                            | which a text is also shown that would otherwise be taken for such bytes          |
/// | V, r<N>                    | compound of the same number of bytes, "0", "1" and so on                         |
/// | struct                     | compound without unnamed components, which are padding; a sub-array is a         |
/// |                            | compound of its elements, "0", "1" and so on                                     |
/// | unknown                    | string, which cannot be read                                                     |
///
/// A struct is represented like V if it does not have a named component, has more than 10,000 components (including
/// nested ones), or has more than 32 levels. V of more than 10,000 bytes is a string of hexadecimal digits, two per
/// byte.
struct ElementForm {
  GDALExtendedDataType type = GDALExtendedDataType::CreateString();
  /// True if zarrlib and GDAL represent an element by the same bytes.
  bool same_bytes = false;
  /// Converts one element from zarrlib's memory form (std::string_view for variable-length types) to GDAL's. The caller
  /// owns the strings that this allocates. Throws std::bad_alloc.
  std::function<void(const std::byte* source, std::byte* destination)> expand;
  /// Converts one element from GDAL's form to zarrlib's. Numbers are rounded and clamped to the range of the type. A
  /// variable-length string becomes a std::string_view into the string at `source`, and null becomes kMissingText.
  /// Variable-length bytes remain the text that shows them; see FindBytesOf. Throws
  /// zarr::Error(invalid_argument) for a string that is too long for the type.
  std::function<void(const std::byte* source, std::byte* destination)> pack;
};

ElementForm MakeElementForm(const zarr::DataType& type);
/// Like MakeElementForm, but reuses an equal form of another array of opaque bytes, because a form may have thousands
/// of components. Thread-safe.
std::shared_ptr<const ElementForm> ShareElementForm(const zarr::DataType& type);

/// The class of MakeElementForm(type).type, and its numeric type if it is a number.
struct ElementClass {
  GDALExtendedDataTypeClass type_class = GEDTC_STRING;
  GDALDataType number = GDT_Unknown;
};

/// Finds the element class without making the form.
ElementClass FindElementClass(const zarr::DataType& type);

/// Makes the converter from elements of a Zarr array to those of a buffer of type `to`; null if their bytes are the
/// same. GDAL must be able to convert MakeElementForm(from).type to `to`, and determines rounding, clamping and the
/// text of numbers.
std::unique_ptr<zarr::RowConverter> MakeRowConverter(const zarr::DataType& from, const GDALExtendedDataType& to);

/// Makes the converter from elements of a buffer to those of a Zarr array; null if their bytes are the same. Views of
/// variable-length elements are valid while both the buffer and the converter live.
std::unique_ptr<zarr::RowConverter> MakeWriteConverter(const GDALExtendedDataType& from, const zarr::DataType& to);

/// Owns one element in GDAL's memory form, with its strings.
class GdalElement {
 public:
  /// Makes an element whose bytes are zero.
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

/// Converts one number like GDALCopyWords64, except that a Float64 becomes the nearest Float32. GDAL turns a number
/// just above the largest Float32, such as its rounded decimal text, into infinity.
void ConvertNumber(const void* number, GDALDataType from, void* element, GDALDataType to);

/// Returns true if a number of type `from`, converted by ConvertNumber to the type `to`, is read back as the same
/// number, or as one to which the type's pixels are rounded.
bool CanHold(GDALDataType to, const void* number, GDALDataType from);

/// Returns true if an array of that form preserves an element in GDAL's form. An integer must be exact. A
/// floating-point number may be rounded, but not clamped to the type's range or replaced by infinity or NaN. Returns
/// true for elements that are not numbers.
bool KeepsNumber(const ElementForm& form, const std::byte* element);

}  // namespace gdal_zarr
