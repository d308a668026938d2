// SPDX-License-Identifier: MIT
#include "driver/stores/network_settings.h"

#include <gtest/gtest.h>

namespace gdal_zarr {
namespace {

TEST(NetworkSettings, APathLeadsToANetworkThroughItsFileSystems) {
  for (const char* path : {"/vsis3/b/a", "/vsicurl/http://host/a", "/vsizip//vsis3/b/a.zip/c", "/vsizip/vsis3/b/a.zip",
                           "/vsizip/{/vsis3/b/a.zip}/c", "/vsicached?file=/vsis3/b/a", "/vsisubfile/1_2,/vsis3/b/a",
                           "/vsitar//vsigzip//vsis3/b/a.tar.gz"})
    EXPECT_FALSE(FindNetworkPart(path).empty()) << path;
  EXPECT_EQ(FindNetworkPart("/vsizip//vsis3/b/vsis3/a.zip/c"), "/vsis3/b/vsis3/a.zip/c");
}

TEST(NetworkSettings, AFolderMayHaveTheNameOfANetwork) {
  for (const char* path : {"/data/vsis3/a.zarr", "vsis3/b/a", "/vsimem/vsis3/a.zarr", "/vsizip//data/vsis3/a.zip/c",
                           "/vsizip//vsimem/vsicurl/a.zip", "/vsizip/{/data/vsicurl/a.zip}/vsis3/c"})
    EXPECT_EQ(FindNetworkPart(path), "") << path;
}

}  // namespace
}  // namespace gdal_zarr
