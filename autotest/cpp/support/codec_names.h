// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/metadata/array_metadata.h"

namespace zarr::test {

/// Joins the names of an array's codecs: "transpose numcodecs.zlib".
inline std::string CodecsOf(const ArrayMetadata& array) {
  std::string text;
  for (const CodecSpec& codec : array.codecs) text += (text.empty() ? "" : " ") + codec.name;
  return text;
}

}  // namespace zarr::test
