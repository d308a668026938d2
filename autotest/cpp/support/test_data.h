// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace zarr::test {

/// Reads a document of autotest/data, without the line break at its end.
inline std::string ReadDocument(const std::string& name) {
  std::ifstream file(ZARR_TEST_DATA "/" + name);
  EXPECT_TRUE(file) << name;
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// Reads the example of the v1 specification with large chunks.
inline std::string ReadLargeV1Example() {
  return ReadDocument("v1_specification/large.json");
}

}  // namespace zarr::test
