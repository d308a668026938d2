// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/store_above.h"

#include <gtest/gtest.h>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

/// A store above that cannot be read may list the folder; one that is damaged does not.
TEST(StoreAbove, AFailureIsNotTakenForAbsence) {
  const auto fail = [](ErrorKind kind) {
    return
        [kind](const std::string& folder) -> std::shared_ptr<Store> { throw Error(kind, folder, "", "", "a fault"); };
  };
  EXPECT_THROW(FindStoreAbove("/data/group", fail(ErrorKind::kIo)), Error);
  EXPECT_FALSE(FindStoreAbove("/data/group", fail(ErrorKind::kCorrupt)));
}

}  // namespace
}  // namespace zarr
