// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ostream>

#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {

void PrintVersion(std::ostream& out) {
  out << "zarrkit " ZARRLIB_VERSION "\ncodecs:";
  std::vector<std::string> names = ListCodecNames();
  std::sort(names.begin(), names.end());
  std::size_t column = sizeof("codecs:") - 1;
  for (const std::string& name : names) {
    constexpr std::size_t kWidth = 100;
    if (column + 1 + name.size() > kWidth) {
      out << "\n       ";
      column = sizeof("codecs:") - 1;
    }
    out << " " << name;
    column += 1 + name.size();
  }
  const std::vector<std::string> compressors = ListBloscCompressors();
  if (!compressors.empty()) out << "\ncompressors of blosc:";
  for (const std::string& name : compressors) out << " " << name;
  out << "\n";
}

}  // namespace zarr::tools
