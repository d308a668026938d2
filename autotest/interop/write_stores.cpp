// SPDX-License-Identifier: MIT
// Writes one store per codec, type and grid with zarrlib's encoders, into a folder, for other libraries to read back.
//
// Usage: write_stores <folder>
//
// Element i (counted in C order) of every array has a value that follows from i and the type: see ValueAt here and
// `expected` in check_stores.py, which must agree.

#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/float16.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/store/filesystem_store.h"

namespace {

using zarr::DataType;
using zarr::JsonNode;

/// A store to write: the metadata document, v2's `.zarray` or v3's `zarr.json`.
struct Sample {
  std::string name;
  std::string document;
};

constexpr std::uint64_t kRows = 13;
constexpr std::uint64_t kColumns = 17;

std::string V3(const std::string& type, const std::string& fill, const std::string& codecs,
               const std::string& grid = R"({"name":"regular","configuration":{"chunk_shape":[8,6]}})") {
  return R"({"zarr_format":3,"node_type":"array","shape":[13,17],"data_type":)" + type + R"(,"chunk_grid":)" + grid +
         R"(,"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},"fill_value":)" + fill +
         R"(,"codecs":)" + codecs + R"(,"attributes":{}})";
}

std::string V2(const std::string& type, const std::string& fill, const std::string& filters,
               const std::string& compressor, const std::string& order = "C") {
  return R"({"zarr_format":2,"shape":[13,17],"chunks":[8,6],"dtype":")" + type + R"(","fill_value":)" + fill +
         R"(,"order":")" + order + R"(","filters":)" + filters + R"(,"compressor":)" + compressor + "}";
}

const std::string kBytes = R"({"name":"bytes","configuration":{"endian":"little"}})";

std::vector<Sample> TypeSamples() {
  std::vector<Sample> samples;
  for (const std::string type :
       {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"}) {
    samples.push_back({"v3_" + type, V3("\"" + type + "\"", "0", "[" + kBytes + "]")});
  }
  for (const std::string type : {"complex64", "complex128"}) {
    samples.push_back({"v3_" + type, V3("\"" + type + "\"", "[0.0,0.0]", "[" + kBytes + "]")});
  }
  samples.push_back({"v3_bool", V3("\"bool\"", "false", R"([{"name":"bytes"}])")});
  for (const std::string type : {"|i1", "<i2", ">i2", "<u4", ">i8", "<f2", "<f4", ">f8"}) {
    samples.push_back({"v2_" + type.substr(1) + (type[0] == '>' ? "_big" : ""), V2(type, "0", "null", "null")});
  }
  samples.push_back({"v2_b1", V2("|b1", "false", "null", "null")});
  samples.push_back({"v2_order_f", V2("<i4", "0", "null", R"({"id":"zlib","level":1})", "F")});
  return samples;
}

std::vector<Sample> CompressorSamples() {
  std::vector<Sample> samples;
  const std::vector<std::pair<std::string, std::string>> v3 = {
      {"gzip", R"({"name":"gzip","configuration":{"level":5}})"},
      {"zstd", R"({"name":"zstd","configuration":{"level":3,"checksum":false}})"},
      {"zstd_checksum", R"({"name":"zstd","configuration":{"level":3,"checksum":true}})"},
      {"crc32c", R"({"name":"crc32c"})"},
      {"blosc_lz4",
       R"({"name":"blosc","configuration":{"cname":"lz4","clevel":5,"shuffle":"shuffle","typesize":4,"blocksize":0}})"},
      {"blosc_zstd",
       R"({"name":"blosc","configuration":{"cname":"zstd","clevel":5,"shuffle":"bitshuffle","typesize":4,"blocksize":0}})"},
      {"blosc_zlib",
       R"({"name":"blosc","configuration":{"cname":"zlib","clevel":1,"shuffle":"noshuffle","typesize":4,"blocksize":0}})"},
      {"numcodecs_zlib", R"({"name":"numcodecs.zlib","configuration":{"level":1}})"},
      {"numcodecs_bz2", R"({"name":"numcodecs.bz2","configuration":{"level":1}})"},
      {"numcodecs_lz4", R"({"name":"numcodecs.lz4","configuration":{"acceleration":1}})"},
      {"numcodecs_lzma",
       R"({"name":"numcodecs.lzma","configuration":{"format":1,"check":-1,"preset":null,"filters":null}})"},
      {"numcodecs_shuffle", R"({"name":"numcodecs.shuffle","configuration":{"elementsize":4}})"},
      {"numcodecs_crc32", R"({"name":"numcodecs.crc32","configuration":{}})"},
      {"numcodecs_adler32", R"({"name":"numcodecs.adler32","configuration":{}})"},
      {"numcodecs_fletcher32", R"({"name":"numcodecs.fletcher32","configuration":{}})"},
      {"numcodecs_jenkins_lookup3",
       R"({"name":"numcodecs.jenkins_lookup3","configuration":{"initval":0,"prefix":null}})"},
  };
  for (const auto& [name, codec] : v3) {
    samples.push_back({"v3_" + name, V3("\"int32\"", "0", "[" + kBytes + "," + codec + "]")});
  }
  const std::vector<std::pair<std::string, std::string>> v2 = {
      {"zlib", R"({"id":"zlib","level":1})"},
      {"gzip", R"({"id":"gzip","level":1})"},
      {"zstd", R"({"id":"zstd","level":1})"},
      {"bz2", R"({"id":"bz2","level":1})"},
      {"lz4", R"({"id":"lz4","acceleration":1})"},
      {"lzma", R"({"id":"lzma","format":1,"check":-1,"preset":null,"filters":null})"},
      {"lzma_raw",
       R"({"id":"lzma","format":3,"check":-1,"preset":null,"filters":[{"id":3,"dist":4},{"id":33,"preset":1}]})"},
      {"blosc", R"({"id":"blosc","cname":"lz4","clevel":5,"shuffle":1,"blocksize":0})"},
      {"blosc_bit", R"({"id":"blosc","cname":"zstd","clevel":5,"shuffle":2,"blocksize":0})"},
      {"blosc_snappy", R"({"id":"blosc","cname":"snappy","clevel":5,"shuffle":0,"blocksize":0})"},
  };
  for (const auto& [name, codec] : v2) samples.push_back({"v2_" + name, V2("<i4", "0", "null", codec)});
  return samples;
}

std::vector<Sample> FilterSamples() {
  std::vector<Sample> samples;
  const std::vector<std::pair<std::string, std::string>> v2 = {
      {"delta", R"([{"id":"delta","dtype":"<i4","astype":"<i4"}])"},
      {"delta_astype", R"([{"id":"delta","dtype":"<i4","astype":"<i2"}])"},
      {"shuffle", R"([{"id":"shuffle","elementsize":4}])"},
      {"astype", R"([{"id":"astype","encode_dtype":"<i2","decode_dtype":"<i4"}])"},
      {"crc32", R"([{"id":"crc32"}])"},
      {"adler32", R"([{"id":"adler32"}])"},
      {"fletcher32", R"([{"id":"fletcher32"}])"},
  };
  for (const auto& [name, filters] : v2) {
    samples.push_back({"v2_filter_" + name, V2("<i4", "0", filters, R"({"id":"zlib","level":1})")});
  }
  samples.push_back(
      {"v2_filter_fixedscaleoffset",
       V2("<f8", "0.0", R"([{"id":"fixedscaleoffset","scale":4,"offset":-200,"dtype":"<f8","astype":"<u2"}])",
          "null")});
  samples.push_back({"v2_filter_quantize",
                     V2("<f4", "0.0", R"([{"id":"quantize","digits":2,"dtype":"<f4","astype":"<f4"}])", "null")});
  samples.push_back({"v2_filter_packbits", V2("|b1", "false", R"([{"id":"packbits"}])", "null")});
  samples.push_back({"v2_filter_bitround", V2("<f4", "0.0", R"([{"id":"bitround","keepbits":12}])", "null")});
  samples.push_back({"v2_vlen_utf8", V2("|O", "\"\"", R"([{"id":"vlen-utf8"}])", R"({"id":"zlib","level":1})")});
  samples.push_back({"v2_vlen_bytes", V2("|O", "null", R"([{"id":"vlen-bytes"}])", R"({"id":"zlib","level":1})")});
  const std::string i4 = "\"int32\"";
  samples.push_back(
      {"v3_delta", V3(i4, "0", R"([{"name":"numcodecs.delta","configuration":{"dtype":"<i4"}},)" + kBytes + "]")});
  samples.push_back(
      {"v3_transpose", V3(i4, "0", R"([{"name":"transpose","configuration":{"order":[1,0]}},)" + kBytes + "]")});
  samples.push_back(
      {"v3_vlen_utf8", V3("\"string\"", "\"\"",
                          R"([{"name":"vlen-utf8"},{"name":"zstd","configuration":{"level":1,"checksum":false}}])")});
  samples.push_back({"v3_vlen_bytes", V3("\"variable_length_bytes\"", "\"\"", R"([{"name":"vlen-bytes"}])")});
  samples.push_back(
      {"v3_zfpy",
       V3("\"float32\"", "0.0",
          R"([{"name":"numcodecs.zfpy","configuration":{"mode":2,"tolerance":-1,"rate":-1,"precision":32}}])")});
  samples.push_back({"v3_scale_offset",
                     V3("\"float64\"", "0.0",
                        R"([{"name":"scale_offset","configuration":{"scale":4.0,"offset":-200.0}},)" + kBytes + "]")});
  samples.push_back(
      {"v3_cast_value",
       V3("\"float64\"", "0.0",
          R"([{"name":"scale_offset","configuration":{"scale":4.0,"offset":-200.0}},{"name":"cast_value","configuration":{"data_type":"uint16"}},)" +
              kBytes + "]")});
  return samples;
}

std::string Sharding(const std::string& inner, const std::string& codecs, const std::string& location) {
  return R"([{"name":"sharding_indexed","configuration":{"chunk_shape":)" + inner + R"(,"codecs":)" + codecs +
         R"(,"index_codecs":[)" + kBytes + R"(,{"name":"crc32c"}],"index_location":")" + location + R"("}}])";
}

std::vector<Sample> GridSamples() {
  const std::string i4 = "\"int32\"";
  const std::string codecs = "[" + kBytes + R"(,{"name":"gzip","configuration":{"level":1}}])";
  const std::string rectilinear =
      R"({"name":"rectilinear","configuration":{"kind":"inline","chunk_shapes":[[4,[6,2]],[[8,2],4]]}})";
  return {
      {"v3_shard_end", V3(i4, "0", Sharding("[4,3]", codecs, "end"))},
      {"v3_shard_start", V3(i4, "0", Sharding("[4,3]", codecs, "start"))},
      {"v3_shard_nested", V3(i4, "0", Sharding("[4,6]", Sharding("[2,3]", codecs, "end"), "end"))},
      {"v3_rectilinear", V3(i4, "0", codecs, rectilinear)},
      {"v3_rectilinear_shards", V3(i4, "0", Sharding("[2,4]", codecs, "end"), rectilinear)},
  };
}

/// 0 for the elements whose chunk, and inner chunks, are then left out.
std::int64_t NumberAt(std::uint64_t i) {
  if (i / kColumns >= 8 && i % kColumns >= 12) return 0;
  return static_cast<std::int64_t>((i * 37) % 113) - 20;
}

std::string TextAt(std::uint64_t i) {
  if (i % 5 == 0) return "";
  return (i % 3 == 0 ? "\u00e9" : "s") + std::to_string(i);
}

template <typename T>
void Put(T value, std::byte* out) {
  std::memcpy(out, &value, sizeof(T));
}

void PutFloat(std::size_t size, double value, std::byte* out) {
  if (size == 2) return Put(zarr::ConvertDoubleToHalf(value), out);
  if (size == 4) return Put(static_cast<float>(value), out);
  Put(value, out);
}

/// The value of element i, in memory form.
void ValueAt(std::uint64_t i, const DataType& type, std::byte* out) {
  const std::int64_t number = NumberAt(i);
  switch (type.kind) {
    case DataType::Kind::kBool:
      return Put(static_cast<std::uint8_t>(number > 10), out);
    case DataType::Kind::kUint:
    case DataType::Kind::kInt:
      return void(std::memcpy(out, &number, type.size));
    case DataType::Kind::kFloat:
      return PutFloat(type.size, static_cast<double>(number) * 0.25, out);
    case DataType::Kind::kComplex:
      PutFloat(type.size / 2, static_cast<double>(number) * 0.25, out);
      return PutFloat(type.size / 2, static_cast<double>(-number), out + type.size / 2);
    default:
      throw std::runtime_error("no value for this type");
  }
}

/// Index of an element of a chunk in the array, clipped to it: what hangs over repeats the last one.
std::uint64_t ElementIndex(const zarr::ChunkOverlap& chunk, std::uint64_t row, std::uint64_t column) {
  const std::uint64_t y = std::min(chunk.live.origin[0] + row, kRows - 1);
  const std::uint64_t x = std::min(chunk.live.origin[1] + column, kColumns - 1);
  return y * kColumns + x;
}

zarr::Bytes EncodeChunk(const zarr::Array& array, const zarr::ChunkOverlap& chunk) {
  const auto pipeline = array.ResolveFor(chunk.encoded_shape);
  const std::uint64_t rows = chunk.encoded_shape[0];
  const std::uint64_t columns = chunk.encoded_shape[1];
  zarr::Bytes encoded;
  if (array.data_type().variable()) {
    std::vector<std::string> texts;
    for (std::uint64_t k = 0; k < rows * columns; ++k)
      texts.push_back(TextAt(ElementIndex(chunk, k / columns, k % columns)));
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    pipeline->EncodeVariable(views, &encoded);
    return encoded;
  }
  const std::size_t size = array.data_type().size;
  zarr::Bytes elements(rows * columns * size);
  for (std::uint64_t k = 0; k < rows * columns; ++k) {
    ValueAt(ElementIndex(chunk, k / columns, k % columns), array.data_type(), elements.data() + k * size);
  }
  pipeline->Encode(elements, &encoded);
  return encoded;
}

void Write(const std::string& folder, const Sample& sample) {
  auto store = std::make_shared<zarr::FilesystemStore>(folder + "/" + sample.name + ".zarr");
  const bool v3 = sample.document.find("\"zarr_format\":3") != std::string::npos;
  const std::string key = v3 ? "zarr.json" : ".zarray";
  store->Set(key, zarr::AsBytes(sample.document));
  const JsonNode document = JsonNode::Parse(sample.document, store->name(), key);
  const auto array = zarr::Array::Make(store, "", v3 ? zarr::ParseArrayV3(document) : zarr::ParseArrayV2(document, {}));
  const zarr::Selection all = zarr::Selection::FromBox({zarr::Shape{0, 0}, array->shape()});
  const zarr::ChunkRange chunks(array->metadata().chunk_grid, all);
  for (std::uint64_t i = 0; i < chunks.count(); ++i) {
    const zarr::ChunkOverlap chunk = chunks.At(i);
    store->Set(array->MakeChunkKey(chunk.grid_index), EncodeChunk(*array, chunk));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_stores <folder>\n";
    return 2;
  }
  int failed = 0;
  for (const auto& samples : {TypeSamples(), CompressorSamples(), FilterSamples(), GridSamples()}) {
    for (const Sample& sample : samples) {
      try {
        Write(argv[1], sample);
      } catch (const std::exception& error) {
        std::cerr << sample.name << ": " << error.what() << "\n";
        ++failed;
      }
    }
  }
  std::cout << "written, but for " << failed << "\n";
  return failed > 0 ? 1 : 0;
}
