// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// What the text of a value begins with that is in the references as base64.
inline constexpr std::string_view kBase64 = "base64:";

/// The location of a value according to kerchunk references.
struct Reference {
  std::string url;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;      ///< Nullopt: all bytes of the URL.
  std::optional<std::string> inline_value;  ///< The value itself, if it is in the references.
  /// The folder to which a relative URL is relative, as a path from the folder of the references: "" or ends in "/".
  std::string folder;
};

/// Kerchunk references: the location of the value of each key of a Zarr store. Safe for any number of threads.
class References {
 public:
  References() = default;
  virtual ~References() = default;
  References(const References&) = delete;
  References& operator=(const References&) = delete;

  /// A hash of the document that is read when the references are opened.
  virtual std::size_t digest() const = 0;
  /// A URL that refers to another host (`scheme://` other than file://, or one of GDAL's network file systems), or its
  /// beginning. Empty if no reference has such a URL, as far as this is known.
  virtual const std::string& host_url() const = 0;
  bool names_hosts() const { return !host_url().empty(); }

  virtual bool Has(std::string_view key) const = 0;
  /// Returns nullopt if there is no such key. Throws Error, with the location in the references, if its value is not a
  /// reference, or if it cannot be read.
  virtual std::optional<Reference> Find(std::string_view key) const = 0;
  /// Lists keys like zarr::Store::List.
  virtual zarr::Listing List(std::string_view prefix) const = 0;
};

}  // namespace gdal_zarr
