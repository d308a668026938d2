// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/codec_rows.h"

#include <array>

#include "zarrlib/codec/codec_registry.h"

namespace zarr::fuzz {
namespace {

// clang-format off
constexpr CodecRow kRows[] = {
    {R"([{"name":"transpose","configuration":{"order":[1,0]}},"bytes"])", R"("int32")"},
    {R"([{"name":"bitround","configuration":{"keepbits":3}},"bytes"])", R"("float32")"},
    {R"([{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"])", R"("int32")"},
    {R"([{"name":"cast_value","configuration":{"data_type":"float32","scalar_map":{"decode":[["NaN",-1]]},"out_of_range":"clamp"}},"bytes"])", R"("int16")"},
    {R"([{"name":"reshape","configuration":{"shape":[-1]}},"bytes"])", R"("int32")"},
    {R"([{"name":"scale_offset","configuration":{"scale":4,"offset":-20}},"bytes"])", R"("float32")"},
    {R"([{"name":"numcodecs.astype","configuration":{"encode_dtype":"<f4","decode_dtype":"<i4"}},"bytes"])", R"("int32")"},
    {R"([{"name":"numcodecs.delta","configuration":{"dtype":"<i4","astype":"<i2"}},"bytes"])", R"("int32")"},
    {R"([{"name":"numcodecs.fixedscaleoffset","configuration":{"scale":4,"offset":-20,"dtype":"<f4","astype":"<u2"}},"bytes"])", R"("float32")"},
    {R"([{"name":"numcodecs.quantize","configuration":{"digits":2,"dtype":"<f4"}},"bytes"])", R"("float32")"},
    {R"([{"name":"imagecodecs_delta","configuration":{"axis":-1,"dist":1}},"bytes"])", R"("int32")"},
    {R"([{"name":"imagecodecs_floatpred","configuration":{"axis":-1,"dist":1}},"bytes"])", R"("float32")"},
    {R"([{"name":"bytes","configuration":{"endian":"big"}}])", R"("complex64")"},
    {R"(["bytes"])", R"("int4")"},
    {R"(["vlen-utf8"])", R"("string")"},
    {R"(["vlen-bytes"])", R"("bytes")"},
    {R"([{"name":"packbits","configuration":{"padding_encoding":"first_byte"}}])", R"("bool")"},
    {R"([{"name":"packbits","configuration":{"first_bit":2,"last_bit":9}}])", R"("int32")"},
    {R"([{"name":"packbits","configuration":{"padding_encoding":"last_byte"}}])", R"("int4")"},
    {R"([{"name":"numcodecs.packbits","configuration":{}},"bytes"])", R"("bool")"},
    {R"([{"name":"n5_default","configuration":{"codecs":[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"bytes","configuration":{"endian":"big"}}]}}])", R"("int32")"},
    {R"([{"name":"zfp","configuration":{"mode":"fixed_accuracy","tolerance":0.1}}])", R"("float32")"},
    {R"([{"name":"zfp","configuration":{"mode":"reversible"}}])", R"("int32")"},
    {R"([{"name":"numcodecs.zfpy","configuration":{"mode":3,"precision":16}}])", R"("float64")"},
    {R"([{"name":"numcodecs.json2","configuration":{}}])", R"("string")"},
    {R"([{"name":"numcodecs.msgpack2","configuration":{}}])", R"("string")"},
    {R"([{"name":"numcodecs.categorize","configuration":{"labels":["other","text"]}}])", R"("string")"},
    {R"([{"name":"numcodecs.vlen-array","configuration":{"dtype":"<i4"}}])", R"("string")"},
    {R"([{"name":"numcodecs.fill_hdf_strings","configuration":{"dtype":"|S2","id_map":{"\u0001":"one","":"none"}}}])", R"("string")"},
    {R"(["optional"])", R"({"name":"optional","configuration":{"name":"int32","configuration":{}}})"},
    {R"([{"name":"optional","configuration":{"mask_codecs":[{"name":"packbits","configuration":{}}],"data_codecs":["bytes"]}}])", R"({"name":"optional","configuration":{"name":"int32","configuration":{}}})"},
    {R"([{"name":"optional","configuration":{"mask_codecs":[{"name":"packbits","configuration":{}}],"data_codecs":["vlen-utf8"]}}])", R"({"name":"optional","configuration":{"name":"string","configuration":{}}})"},
    {R"([{"name":"numcodecs.pcodec","configuration":{}}])", R"("uint32")"},
    {R"([{"name":"numcodecs.pcodec","configuration":{}}])", R"("float64")"},
    {R"([{"name":"imagecodecs_pcodec","configuration":{}}])", R"("int16")"},
    {R"([{"name":"imagecodecs_jpeg","configuration":{}}])", R"("uint8")"},
    {R"([{"name":"imagecodecs_webp","configuration":{}}])", R"("uint8")"},
    {R"([{"name":"imagecodecs_lerc","configuration":{}}])", R"("uint8")"},
    {R"([{"name":"imagecodecs_lerc","configuration":{}}])", R"("float32")"},
    {R"([{"name":"imagecodecs_lerc","configuration":{}}])", R"("int16")"},
    {R"(["bytes",{"name":"blosc","configuration":{"cname":"lz4","clevel":5,"shuffle":"shuffle","typesize":4,"blocksize":0}}])", R"("int32")"},
    {R"(["bytes",{"name":"blosc","configuration":{"cname":"zstd","clevel":5,"shuffle":"bitshuffle","typesize":4,"blocksize":0}}])", R"("int32")"},
    {R"(["bytes",{"name":"blosc","configuration":{"cname":"blosclz","clevel":9,"shuffle":"noshuffle","typesize":1,"blocksize":16}}])", R"("uint8")"},
    {R"(["bytes","crc32c"])", R"("int32")"},
    {R"(["bytes",{"name":"gzip","configuration":{"level":5}}])", R"("int32")"},
    {R"(["bytes",{"name":"zstd","configuration":{"level":5,"checksum":true}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.bz2","configuration":{"level":1}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.lz4","configuration":{}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.lzma","configuration":{"preset":1}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.lzma","configuration":{"format":2,"preset":1}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.lzma","configuration":{"format":3,"filters":[{"id":3,"dist":4},{"id":33,"preset":1}]}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.zlib","configuration":{"level":1}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.adler32","configuration":{}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.fletcher32","configuration":{}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.jenkins_lookup3","configuration":{}}])", R"("int32")"},
    {R"(["bytes",{"name":"numcodecs.shuffle","configuration":{"elementsize":4}}])", R"("int32")"},
    {R"(["bytes",{"name":"conditional","configuration":{"header_bits":16,"codecs":["crc32c",{"name":"numcodecs.shuffle","configuration":{"elementsize":4}}]}}])", R"("int32")"},
    {R"(["bytes",{"name":"imagecodecs_deflate","configuration":{"level":12,"raw":true}}])", R"("int32")"},
    {R"(["bytes",{"name":"imagecodecs_lzf","configuration":{}}])", R"("int32")"},
    {R"(["bytes",{"name":"imagecodecs_lzma","configuration":{}}])", R"("int32")"},
    {R"(["bytes",{"name":"imagecodecs_lzw","configuration":{}}])", R"("uint8")"},
    {R"(["bytes",{"name":"imagecodecs_packbits","configuration":{}}])", R"("uint8")"},
    {R"(["bytes",{"name":"imagecodecs_tiff","configuration":{}}])", R"("uint8")"},
    {R"(["bytes",{"name":"imagecodecs_tiff","configuration":{}}])", R"("uint16")"},
    {R"(["bytes",{"name":"imagecodecs_zstd","configuration":{}}])", R"("int32")"},
    {R"(["vlen-utf8",{"name":"zstd","configuration":{"level":1}}])", R"("string")"},
    {R"(["vlen-utf8",{"name":"gzip","configuration":{"level":1}},"crc32c"])", R"("string")"},
    {R"(["bytes",{"name":"gzip","configuration":{"level":1}},{"name":"blosc","configuration":{"cname":"lz4hc","clevel":1,"shuffle":"noshuffle","typesize":1,"blocksize":0}},{"name":"numcodecs.lz4","configuration":{}}])", R"("int32")"},
    {R"([{"name":"sharding_indexed","configuration":{"chunk_shape":[2,1],"codecs":["bytes","crc32c"],"index_codecs":["bytes"]}}])", R"("int32")"},
    {R"(["bytes"])", R"({"name":"struct","configuration":{"fields":[{"name":"a","data_type":"int16"},{"name":"b","data_type":"float64"}]}})"},
    {R"(["bytes"])", R"({"name":"fixed_length_utf32","configuration":{"length_bytes":8}})"},
    {R"([{"name":"cast_value","configuration":{"data_type":"int64","rounding":"towards-negative","out_of_range":"wrap"}},"bytes"])", R"("int16")"},
    {R"([{"name":"cast_value","configuration":{"data_type":"float64","rounding":"towards-zero","out_of_range":"clamp"}},"bytes"])", R"("uint8")"},
    {R"([{"name":"cast_value","configuration":{"data_type":"uint64","rounding":"nearest-away"}},"bytes"])", R"("float32")"},
    {R"([{"name":"cast_value","configuration":{"data_type":"float16","rounding":"towards-positive"}},"bytes"])", R"("int64")"},
    {R"([{"name":"scale_offset","configuration":{"scale":3,"offset":-20}},"bytes"])", R"("int64")"},
    {R"([{"name":"reshape","configuration":{"shape":[[1],[0]]}},"bytes"])", R"("uint8")"},
    {R"([{"name":"reshape","configuration":{"shape":[[0,1]]}},"bytes"])", R"("uint8")"},
    {R"(["zarrs.squeeze","bytes"])", R"("int32")"},
    {R"([{"name":"zarrs.vlen","configuration":{"index_codecs":["bytes"],"data_codecs":["bytes"],"index_data_type":"uint32","index_location":"end"}}])", R"("string")"},
    {R"([{"name":"zarrs.vlen","configuration":{"index_codecs":["bytes","crc32c"],"data_codecs":["bytes","gzip"],"index_data_type":"uint64"}}])", R"("bytes")"},
};
// clang-format on

}  // namespace

std::span<const CodecRow> GetCodecRows() {
  return kRows;
}

std::span<const Shape> GetChunkShapes() {
  static const std::array<Shape, 10> shapes = {Shape{4, 6}, Shape{1, 1},    Shape{18, 5},   Shape{64, 33},
                                               Shape{2, 3}, Shape{2, 3, 2}, Shape{8, 8, 3}, Shape{2, 2, 3, 1},
                                               Shape{300},  Shape{}};
  return shapes;
}

std::shared_ptr<const ResolvedPipeline> ResolveRow(const CodecRow& row, const Shape& shape) {
  const DataType type = DataType::FromV3(JsonNode::Parse(row.data_type, "", "type"));
  const auto specs = ParseCodecsV3(JsonNode::Parse(row.codecs, "", "codecs"));
  return MakePipeline(specs, false)->Resolve({shape, type, MakeZeroFill(type)});
}

}  // namespace zarr::fuzz
