// SPDX-License-Identifier: MIT
#include "zarrlib/store/temporary_names.h"

namespace zarr {

bool IsMadeName(std::string_view name, std::string_view prefix) {
  constexpr std::size_t kDigits = 16;  // for 64 bits
  return name.size() == prefix.size() + kDigits && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789abcdef", prefix.size()) == name.npos;
}

bool IsOwnTemporaryName(std::string_view name) {
  return IsMadeName(name, kTemporaryPrefix) || IsMadeName(name, kArchivePrefix);
}

bool IsOwnRemovalName(std::string_view name) {
  return IsMadeName(name, kRemovalPrefix);
}

}  // namespace zarr
