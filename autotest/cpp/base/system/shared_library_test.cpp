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

#ifdef ZARR_LINUX

TEST(SharedLibrary, FindsDependenciesOfTheLibraryOfAFunction) {
  const auto c = SharedLibrary::FindDependency(reinterpret_cast<const void*>(&std::terminate), "libc.so");
  ASSERT_TRUE(c);
  std::size_t (*length)(const char*) = nullptr;
  ASSERT_TRUE(c->Find("strlen", &length));
  EXPECT_EQ(length("four"), 4U);
  EXPECT_FALSE(c->Find("there_is_no_such_function", &length));
  EXPECT_EQ(length, nullptr);
}

TEST(SharedLibrary, FindsNoDependencyThatIsNotThere) {
  EXPECT_FALSE(SharedLibrary::FindDependency(reinterpret_cast<const void*>(&std::terminate), "libcurl"));
}

#endif

}  // namespace
}  // namespace zarr
