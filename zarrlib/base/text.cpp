// SPDX-License-Identifier: MIT
#include "zarrlib/base/text.h"

namespace zarr {

void AppendUtf8(std::uint32_t code, std::string* text) {
  const auto put = [text](std::uint32_t byte) { *text += static_cast<char>(byte); };
  const auto put_rest = [&](int shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put_rest(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put_rest(6);
    put_rest(0);
  } else {
    put(0xF0 | code >> 18);
    put_rest(12);
    put_rest(6);
    put_rest(0);
  }
}

}  // namespace zarr
