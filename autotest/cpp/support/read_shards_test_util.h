// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"

/// Helpers for the tests of reading shards.
namespace zarr::test {

/// Shards of 6 x 8 elements with 8 inner chunks of 3 x 2, which take 24 bytes each without compression, and an index of
/// 132 bytes.
struct ShardFixture {
  std::shared_ptr<CountingStore> store;
  std::string metadata;
  std::shared_ptr<const Array> array;

  explicit ShardFixture(const std::string& sharding = Sharding("[3, 2]", kPlain), const Shape& shape = {12, 16},
                        std::string_view chunks = "[6, 8]", std::size_t concurrency = 0)
      : store(std::make_shared<CountingStore>(concurrency)),
        metadata(Metadata(shape, chunks, "[" + sharding + "]")),
        array(MakeArray(store, metadata)) {
    Write(store.get(), *array);
  }
  std::vector<std::int32_t> ExpectedOf(const Selection& selection) const { return Expected(array->shape(), selection); }
  Bytes ValueOf(std::string_view key) const {
    Bytes value;
    EXPECT_TRUE(store->Get(key, &value, nullptr, UINT64_MAX));
    store->TakeReads();
    return value;
  }
};

/// The codec of shards with inner chunks of 3 x 2, whose index has no checksum.
inline const std::string kPlainIndexShards =
    R"({"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 2], "codecs": )" + std::string(kCompressed) +
    R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}})";

inline const Selection kOneInnerChunk = Selection::FromBox({{3, 2}, {3, 2}});

}  // namespace zarr::test
