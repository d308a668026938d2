// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/shared_library.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>

#include "zarrlib/base/error.h"
#include "zarrlib/base/system/which_system.h"

namespace zarr {
namespace {

TEST(SharedLibrary, SaysWhichLibraryIsAbsent) {
  try {
    SharedLibrary::Load("libthere_is_none.so.7");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("libthere_is_none.so.7"), std::string::npos) << error.what();
  }
}

#if defined(ZARR_LINUX) || defined(_WIN32)

#ifdef _WIN32
constexpr const char* kSystemLibrary = "kernel32";  // whatever the case that a linker has written
constexpr const char* kLengthFunction = "lstrlenA";
using LengthFunction = int (*)(const char*);
#else
constexpr const char* kSystemLibrary = "libc.so";
constexpr const char* kLengthFunction = "strlen";
using LengthFunction = std::size_t (*)(const char*);
#endif

TEST(SharedLibrary, FindsDependenciesOfTheLibraryOfAFunction) {
  const auto c = SharedLibrary::FindDependency(reinterpret_cast<const void*>(&std::terminate), kSystemLibrary);
  ASSERT_TRUE(c);
  LengthFunction length = nullptr;
  ASSERT_TRUE(c->Find(kLengthFunction, &length));
  EXPECT_EQ(static_cast<std::size_t>(length("four")), 4U);
  EXPECT_FALSE(c->Find("there_is_no_such_function", &length));
  EXPECT_EQ(length, nullptr);
}

TEST(SharedLibrary, FindsNoDependencyThatIsNotThere) {
  EXPECT_FALSE(SharedLibrary::FindDependency(reinterpret_cast<const void*>(&std::terminate), "libcurl"));
}

#endif

}  // namespace
}  // namespace zarr
