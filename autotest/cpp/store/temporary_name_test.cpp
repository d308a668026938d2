// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <array>
#include <set>
#include <string>

#include "zarrlib/store/temporary_names.h"

namespace zarr {
namespace {

TEST(TemporaryNameTest, HasThePrefixAnd64BitsInHex) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = MakeTemporaryName();
    ASSERT_TRUE(name.starts_with(kTemporaryPrefix));
    const std::string digits = name.substr(kTemporaryPrefix.size());
    EXPECT_EQ(digits.size(), 16u);
    EXPECT_EQ(digits.find_first_not_of("0123456789abcdef"), digits.npos);
    EXPECT_TRUE(names.insert(name).second);
  }
  // Each digit takes all values at each place, so no digit is that of a process or a counter.
  for (std::size_t place = 0; place < 16; ++place) {
    std::set<char> digits;
    for (const std::string& name : names) digits.insert(name[kTemporaryPrefix.size() + place]);
    EXPECT_EQ(digits.size(), 16u) << place;
  }
}

TEST(TemporaryNameTest, IsRecognisedExactly) {
  const std::string digits = MakeTemporaryName().substr(kTemporaryPrefix.size());
  EXPECT_TRUE(IsOwnTemporaryName(std::string(kTemporaryPrefix) + digits));
  EXPECT_TRUE(IsOwnTemporaryName(std::string(kArchivePrefix) + digits));
  EXPECT_FALSE(IsOwnTemporaryName(std::string(kRemovalPrefix) + digits));
  EXPECT_TRUE(IsOwnRemovalName(std::string(kRemovalPrefix) + digits));
  for (const std::string end : {"", "notes.txt", "1-2", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg",
                                "0123456789ABCDEF", "reshard-a", "copy"}) {
    EXPECT_FALSE(IsOwnTemporaryName(std::string(kTemporaryPrefix) + end)) << end;
    EXPECT_FALSE(IsOwnTemporaryName(std::string(kArchivePrefix) + end)) << end;
    EXPECT_FALSE(IsOwnRemovalName(std::string(kRemovalPrefix) + end)) << end;
  }
}

#ifdef _WIN32

TEST(TemporaryNameTest, AForkedProcessHasOthers) {
  GTEST_SKIP() << "Windows has no forks";
}

#else

TEST(TemporaryNameTest, AForkedProcessHasOthers) {
  MakeTemporaryName();
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string name = MakeTemporaryName();
    ::_exit(::write(pipe[1], name.data(), name.size()) == static_cast<ssize_t>(name.size()) ? 0 : 1);
  }
  const std::string own = MakeTemporaryName();
  std::string others(own.size(), ' ');
  EXPECT_EQ(::read(pipe[0], others.data(), others.size()), static_cast<ssize_t>(others.size()));
  EXPECT_TRUE(others.starts_with(kTemporaryPrefix));
  EXPECT_NE(own, others);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

#endif

}  // namespace
}  // namespace zarr
