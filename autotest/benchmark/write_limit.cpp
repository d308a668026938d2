// SPDX-License-Identifier: MIT
// Times the writing of a whole array against the limit: the same codec calls on chunks that are gathered already, with
// as many threads, and one write(2) for each; nothing else.
//
// Usage: write_limit <folder> [runs] [threads] [size]
//
// Writes an elevation-like int16 array (8192 x 8192), with chunks of 512 x 512 and with shards of 4096 x 4096 that
// hold chunks of 256 x 256. Both are run in turn, each into a new subfolder; what is printed are medians in
// milliseconds, of the time that passed and of the processors' time.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/store/filesystem_store.h"

namespace {

using zarr::Bytes;
using zarr::Shape;

struct Times {
  double wall = 0;
  double processor = 0;
};

double ProcessorSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Times Measure(const std::function<void()>& work) {
  const double processor = ProcessorSeconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  return {passed.count() * 1000, (ProcessorSeconds() - processor) * 1000};
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Hills of several sizes, and a little noise.
std::vector<std::int16_t> Elevation(std::size_t size) {
  std::vector<std::int16_t> values(size * size);
  std::uint32_t noise = 1;
  for (std::size_t y = 0; y < size; ++y) {
    for (std::size_t x = 0; x < size; ++x) {
      const double u = static_cast<double>(x);
      const double v = static_cast<double>(y);
      noise = noise * 1664525 + 1013904223;
      values[y * size + x] = static_cast<std::int16_t>(
          900 + 600 * std::sin(u / 700) * std::cos(v / 900) + 120 * std::sin(u / 61 + v / 83) +
          15 * std::sin(u / 7) * std::sin(v / 9) + static_cast<double>(noise >> 29));
    }
  }
  return values;
}

std::string MetadataOf(std::size_t size, std::size_t chunk, const std::string& codecs) {
  const std::string shape = "[" + std::to_string(size) + "," + std::to_string(size) + "]";
  const std::string chunks = "[" + std::to_string(chunk) + "," + std::to_string(chunk) + "]";
  return R"({"zarr_format":3,"node_type":"array","shape":)" + shape +
         R"(,"data_type":"int16","chunk_grid":{"name":"regular","configuration":{"chunk_shape":)" + chunks +
         R"(}},"chunk_key_encoding":"default","fill_value":0,"codecs":)" + codecs + "}";
}

const std::string kBytes = R"({"name":"bytes","configuration":{"endian":"little"}})";
const std::string kLz4 =
    R"({"name":"blosc","configuration":{"cname":"lz4","clevel":5,"shuffle":"shuffle","typesize":2,"blocksize":0}})";
const std::string kZstd = R"({"name":"zstd","configuration":{"level":3,"checksum":false}})";

std::string Sharded(const std::string& codec) {
  return R"([{"name":"sharding_indexed","configuration":{"chunk_shape":[256,256],"codecs":[)" + kBytes + "," + codec +
         R"(],"index_codecs":[)" + kBytes + R"(,"crc32c"]}}])";
}

struct Case {
  std::string name;
  std::size_t chunk;        // of the array
  std::size_t inner_chunk;  // that a codec sees
  std::string codec;
  std::string codecs;
};

/// The chunks that the codec is to encode, packed.
std::vector<Bytes> Gather(const std::vector<std::int16_t>& values, std::size_t size, std::size_t inner_chunk) {
  std::vector<Bytes> chunks;
  for (std::size_t y = 0; y < size; y += inner_chunk) {
    for (std::size_t x = 0; x < size; x += inner_chunk) {
      Bytes& chunk = chunks.emplace_back(inner_chunk * inner_chunk * sizeof(std::int16_t));
      for (std::size_t row = 0; row < inner_chunk; ++row) {
        std::memcpy(chunk.data() + row * inner_chunk * 2, &values[(y + row) * size + x], inner_chunk * 2);
      }
    }
  }
  return chunks;
}

void WriteFile(const std::string& path, zarr::ByteSpan bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  ::close(file);
}

/// One file for each `per_file` chunks.
void WriteAtLimit(const std::string& folder, const std::vector<Bytes>& chunks, std::size_t per_file,
                  const zarr::ResolvedPipeline& pipeline, std::size_t threads) {
  std::filesystem::create_directories(folder);
  zarr::ParallelFor(chunks.size() / per_file, {threads, nullptr, {}}, [&](std::uint64_t file) {
    zarr::ScratchBuffer encoded;
    zarr::ScratchBuffer all;
    for (std::size_t i = 0; i < per_file; ++i) {
      pipeline.Encode(chunks[static_cast<std::size_t>(file) * per_file + i], &encoded.bytes());
      if (per_file > 1) all.bytes().insert(all.bytes().end(), encoded.bytes().begin(), encoded.bytes().end());
    }
    WriteFile(folder + "/" + std::to_string(file), per_file > 1 ? all.span() : encoded.span());
  });
}

void WriteArray(const zarr::Array& array, const std::vector<std::int16_t>& values,
                const std::shared_ptr<const zarr::Array>& shared, std::size_t threads) {
  const auto writer = zarr::ArrayWriter::Make(shared);
  const zarr::ElementSource source{reinterpret_cast<const std::byte*>(values.data()),
                                   zarr::GetContiguousStrides(array.shape(), sizeof(std::int16_t)), nullptr};
  zarr::WriteOptions call;
  call.threads = threads;
  writer->Write(zarr::Selection::FromBox({Shape(2, 0), array.shape()}), source, call);
  writer->Flush(call);
}

std::shared_ptr<const zarr::Array> MakeArray(const std::string& folder, const std::string& metadata) {
  return zarr::Array::Make(std::make_shared<zarr::FilesystemStore>(folder), "a",
                           zarr::ParseArrayV3(zarr::JsonNode::Parse(metadata, folder, "zarr.json")));
}

void Run(const Case& c, const std::string& folder, const std::vector<std::int16_t>& values, std::size_t size, int runs,
         std::size_t threads) {
  const std::vector<Bytes> chunks = Gather(values, size, c.inner_chunk);
  const auto inner_chunk = MakeArray(folder, MetadataOf(size, c.inner_chunk, "[" + kBytes + "," + c.codec + "]"));
  const auto pipeline = inner_chunk->ResolveFor({c.inner_chunk, c.inner_chunk});
  const std::size_t per_file = (c.chunk / c.inner_chunk) * (c.chunk / c.inner_chunk);
  std::vector<double> times[4];
  for (int run = 0; run < runs; ++run) {
    const std::string limit_folder = folder + "/limit";
    const std::string array_folder = folder + "/array";
    const Times limit = Measure([&] { WriteAtLimit(limit_folder, chunks, per_file, *pipeline, threads); });
    const auto array = MakeArray(array_folder, MetadataOf(size, c.chunk, c.codecs));
    const Times written = Measure([&] { WriteArray(*array, values, array, threads); });
    times[0].push_back(limit.wall);
    times[1].push_back(written.wall);
    times[2].push_back(limit.processor);
    times[3].push_back(written.processor);
    std::filesystem::remove_all(limit_folder);
    std::filesystem::remove_all(array_folder);
  }
  std::printf("| %-18s | %7.1f | %7.1f | %5.2f | %7.1f | %7.1f | %5.2f |\n", c.name.c_str(), Median(times[0]),
              Median(times[1]), Median(times[1]) / Median(times[0]), Median(times[2]), Median(times[3]),
              Median(times[3]) / Median(times[2]));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: write_limit <folder> [runs] [threads] [size]\n";
    return 2;
  }
  const std::string folder = argv[1];
  const int runs = argc > 2 ? std::atoi(argv[2]) : 7;
  const std::size_t threads = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 2;
  const std::size_t size = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 8192;
  const Case cases[] = {
      {"blosc-lz4", 512, 512, kLz4, "[" + kBytes + "," + kLz4 + "]"},
      {"zstd", 512, 512, kZstd, "[" + kBytes + "," + kZstd + "]"},
      {"blosc-lz4, shards", 4096, 256, kLz4, Sharded(kLz4)},
      {"zstd, shards", 4096, 256, kZstd, Sharded(kZstd)},
  };
  const std::vector<std::int16_t> values = Elevation(size);
  std::printf("| %-18s | %7s | %7s | %5s | %7s | %7s | %5s |\n|---|---|---|---|---|---|---|\n", "", "limit", "array",
              "ratio", "limit, CPU", "array, CPU", "ratio");
  for (const Case& c : cases) Run(c, folder, values, size, runs, threads);
  return 0;
}
