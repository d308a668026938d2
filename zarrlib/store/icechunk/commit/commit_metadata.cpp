// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/commit_metadata.h"

#include "zarrlib/base/error.h"

namespace zarr {

Bytes EncodeMetadataText(const std::string& text, int version) {
  constexpr std::size_t kMost = 200;  // lengths and offsets then take one byte
  if (text.size() > kMost) {
    throw Error(ErrorKind::kInvalidArgument,
                FormatExpectedGot("an author of at most 200 bytes", std::to_string(text.size())));
  }
  const auto length = static_cast<char>(text.size());
  if (version == 1) {
    constexpr char kText8 = '\xD9';  // a string whose length takes a byte
    return ToBytes(std::string{kText8, length} + text);
  }
  // A FlexBuffer ends in its root: the offset back to the string, the type of the root and the size of the offset.
  constexpr char kString = 5 << 2;
  const auto offset = static_cast<char>(text.size() + 1);
  return ToBytes(length + text + '\0' + offset + kString + '\1');
}

}  // namespace zarr
