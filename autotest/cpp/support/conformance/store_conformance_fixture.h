// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// What the tests of StoreConformance (store_conformance.h) have in common. `Fixture` makes the store.
template <typename Fixture>
class StoreConformance : public testing::Test {
 protected:
  Store& store() { return fixture_.store(); }
  void Set(std::string_view key, std::string_view value) { store().Set(key, AsBytes(value)); }

  /// Returns the value as text, or "(absent)".
  std::string Get(std::string_view key) {
    Bytes value = ToBytes("what was there before");
    return store().Get(key, &value) ? std::string(AsText(value)) : "(absent)";
  }

  /// Returns the ranges one after the other, each followed by '|', or "(absent)".
  std::string GetRanges(std::string_view key, const std::vector<ByteRange>& ranges) {
    std::vector<Bytes> memory;
    for (const ByteRange& range : ranges) memory.emplace_back(range.length, std::byte{'?'});
    std::vector<MutableByteSpan> buffers(memory.begin(), memory.end());
    if (!store().GetRanges(key, ranges, buffers)) return "(absent)";
    std::string text;
    for (const Bytes& bytes : memory) text += std::string(AsText(bytes)) + "|";
    return text;
  }

  std::string GetSuffix(std::string_view key, std::uint64_t length, VersionStamp* stamp = nullptr) {
    Bytes value = ToBytes("what was there before");
    return store().GetSuffix(key, length, &value, stamp) ? std::string(AsText(value)) : "(absent)";
  }

  VersionStamp StampOf(std::string_view key) {
    Bytes value;
    VersionStamp stamp;
    EXPECT_TRUE(store().Get(key, &value, &stamp));
    return stamp;
  }

 private:
  Fixture fixture_;
};

/// Returns true if this system forbids files with one of the names in a key.
inline bool IsForbidden(const std::string& key) {
  std::istringstream names(key);
  for (std::string name; std::getline(names, name, '/');) {
    if (!FindNameFault(name).empty()) return true;
  }
  return false;
}

/// Expects that `function` throws an Error of that kind.
template <typename Function>
void ExpectError(ErrorKind kind, const Function& function) {
  try {
    function();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
  }
}

TYPED_TEST_SUITE_P(StoreConformance);

}  // namespace zarr
