// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/shard_forms.h"

namespace zarr::fuzz {
namespace {

constexpr const char* kLittleEndian = R"({"name":"bytes","configuration":{"endian":"little"}})";

std::string MakeSharding(const ShardForm& form, const std::string& inner_shape, const std::string& codecs) {
  return R"({"name":"sharding_indexed","configuration":{"chunk_shape":)" + inner_shape + R"(,"codecs":[)" + codecs +
         R"(],"index_codecs":[)" + kLittleEndian + (form.index_has_checksum ? R"(,"crc32c")" : "") +
         R"(],"index_location":")" + (form.index_at_start ? "start" : "end") + R"("}})";
}

}  // namespace

ShardForm GetShardForm(unsigned char number) {
  const auto bit = [&](unsigned i) { return (number >> i & 1) != 0; };
  return {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)};
}

std::size_t GetIndexSize(const ShardForm& form) {
  return 4 * 16 + (form.index_has_checksum ? 4 : 0);
}

std::string MakeShardedArray(unsigned char number) {
  const ShardForm form = GetShardForm(number);
  std::string codecs = form.text ? R"("vlen-utf8")" : kLittleEndian;
  if (form.compressed) codecs += R"(,{"name":"gzip","configuration":{"level":1}})";
  if (form.nested) codecs = MakeSharding(form, "[1,2]", codecs);
  codecs = MakeSharding(form, "[2,2]", codecs);
  if (form.transposed) codecs = R"({"name":"transpose","configuration":{"order":[1,0]}},)" + codecs;
  return R"({"zarr_format":3,"node_type":"array","shape":[4,4],"data_type":)" +
         std::string(form.text ? R"("string","fill_value":"none")" : R"("int16","fill_value":7)") +
         R"(,"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4,4]}},)"
         R"("chunk_key_encoding":{"name":"default"},"codecs":[)" +
         codecs + "]}";
}

}  // namespace zarr::fuzz
