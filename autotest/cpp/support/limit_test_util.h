// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"

namespace zarr::test {

/// Sets a limit while it lives.
class LimitSetting {
 public:
  LimitSetting(Limit limit, std::uint64_t value) : limit_(limit), before_(GetLimit(limit)) { SetLimit(limit, value); }
  ~LimitSetting() { SetLimit(limit_, before_); }
  LimitSetting(const LimitSetting&) = delete;
  LimitSetting& operator=(const LimitSetting&) = delete;

 private:
  Limit limit_;
  std::uint64_t before_;
};

/// Checks that `use` needs exactly so much of a limit.
inline void ExpectNeed(Limit limit, std::uint64_t need, const std::function<void()>& use) {
  const std::string_view name = ListLimits()[static_cast<std::size_t>(limit)].name;
  {
    const LimitSetting enough(limit, need);
    EXPECT_NO_THROW(use()) << name;
  }
  const LimitSetting too_low(limit, need - 1);
  const Error error = ErrorOf(use);
  EXPECT_EQ(error.kind(), ErrorKind::kLimitExceeded) << name << ": " << error.what();
  EXPECT_NE(std::string(error.what()).find("at most " + std::to_string(need - 1)), std::string::npos) << error.what();
}

/// Returns the least value of a limit, up to `enough`, with which `use` does not throw.
inline std::uint64_t FindNeed(Limit limit, std::uint64_t enough, const std::function<void()>& use) {
  std::uint64_t too_low = 0;
  while (enough - too_low > 1) {
    const std::uint64_t middle = too_low + (enough - too_low) / 2;
    const LimitSetting setting(limit, middle);
    try {
      use();
      enough = middle;
    } catch (const Error&) {
      too_low = middle;
    }
  }
  return enough;
}

}  // namespace zarr::test
