// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/checks.h"

#include <cstdio>
#include <cstdlib>

namespace zarr::fuzz {

void Require(bool holds, std::string_view rule, std::string_view detail) {
  if (holds) return;
  std::fprintf(stderr, "broken rule: %.*s: %.*s\n", static_cast<int>(rule.size()), rule.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

}  // namespace zarr::fuzz
