// SPDX-License-Identifier: MIT
#include "zarrlib/base/error.h"

#include <gtest/gtest.h>

#include <string>

namespace zarr {
namespace {

TEST(ErrorTest, TextIsStoreKeyPointerMessage) {
  const Error error(ErrorKind::kCorrupt, "/vsis3/b/a.zarr", "t2m/zarr.json", "/codecs/1/configuration/level",
                    FormatExpectedGot("an integer 0..9", "12"));
  EXPECT_STREQ(error.what(),
               "/vsis3/b/a.zarr/t2m/zarr.json: /codecs/1/configuration/level: expected an integer 0..9, got 12");
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
  EXPECT_EQ(error.store(), "/vsis3/b/a.zarr");
  EXPECT_EQ(error.key(), "t2m/zarr.json");
  EXPECT_EQ(error.pointer(), "/codecs/1/configuration/level");
  EXPECT_EQ(error.message(), "expected an integer 0..9, got 12");
}

TEST(ErrorTest, PartsThatAreUnknownAreLeftOut) {
  EXPECT_STREQ(Error(ErrorKind::kIo, "no such luck").what(), "no such luck");
  EXPECT_STREQ(Error(ErrorKind::kIo, "s", "k", "", "m").what(), "s/k: m");
  EXPECT_STREQ(Error(ErrorKind::kIo, "s", "", "", "m").what(), "s: m");
  EXPECT_STREQ(Error(ErrorKind::kIo, "", "k", "/p", "m").what(), "k: /p: m");
  EXPECT_STREQ(Error(ErrorKind::kIo, "", "", "/p", "m").what(), "/p: m");
}

TEST(ErrorTest, AStoreThatEndsInASlashGetsNoSecondOne) {
  EXPECT_STREQ(Error(ErrorKind::kIo, "/", "k", "", "m").what(), "/k: m");
}

TEST(ErrorTest, AtFillsInThePlaceButReplacesNone) {
  const Error placed = Error(ErrorKind::kIo, "m").At("s", "k");
  EXPECT_STREQ(placed.what(), "s/k: m");
  EXPECT_STREQ(placed.At("other", "other").what(), "s/k: m");
  EXPECT_STREQ(Error(ErrorKind::kIo, "", "k", "/p", "m").At("s", "other").what(), "s/k: /p: m");
}

TEST(ErrorTest, WithinAndWithSurroundTheMessage) {
  const Error error = Error(ErrorKind::kCorrupt, "frame truncated").Within("zstd").With("chunk [0,3]").At("s", "c/0/3");
  EXPECT_STREQ(error.what(), "s/c/0/3: zstd: frame truncated (chunk [0,3])");
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
}

TEST(ErrorTest, ACopyMadeByThrowingKeepsItsText) {
  std::string text;
  try {
    try {
      throw Error(ErrorKind::kIo, "m").At("s", "k");
    } catch (const std::exception&) {
      throw;
    }
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_EQ(text, "s/k: m");
}

}  // namespace
}  // namespace zarr
