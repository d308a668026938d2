// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"

#include <array>

namespace zarr {

const NodeFormat& GetNodeFormat(ZarrFormat version) {
  for (const NodeFormat* format : ListNodeFormats()) {
    if (format->version() == version) return *format;
  }
  return NodeFormatOfV3();
}

std::span<const NodeFormat* const> ListNodeFormats() {
  // `meta` of v1 is a common name, so it is searched last. The draft of v3 is found by v3.
  static const std::array<const NodeFormat*, 5> formats = {&NodeFormatOfV3(), &NodeFormatOfV3Draft(), &NodeFormatOfV2(),
                                                           &NodeFormatOfV0(), &NodeFormatOfV1()};
  return formats;
}

}  // namespace zarr
