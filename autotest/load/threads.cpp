// SPDX-License-Identifier: MIT
// Many threads read, write, resize and rename arrays of one store in memory, and drop the cache, for some seconds. All
// values that are read must be ones that were written. Meant for ThreadSanitizer; see cmake/sanitizers.sh.
//
// Usage: load_threads [seconds]

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

constexpr std::uint64_t kEdge = 64;
constexpr std::uint64_t kChunk = 16;

class Load {
 public:
  Load()
      : store_(std::make_shared<MemoryStore>("load")), hierarchy_(EditableHierarchy::Create(store_, ZarrFormat::kV3)) {
    hierarchy_->CreateArray("chunks", MakeMetadata("chunks", false));
    hierarchy_->CreateArray("shards", MakeMetadata("shards", true));
    hierarchy_->CreateArray("grows", MakeMetadata("grows", false));
    hierarchy_->CreateArray("moves", MakeMetadata("moves", false));
  }

  /// Runs for that long. Returns whether all values were right.
  bool Run(std::chrono::seconds time) {
    std::vector<std::thread> threads;
    const std::vector<void (Load::*)(std::mt19937*)> jobs = {&Load::ReadSome, &Load::ReadSome, &Load::WriteOne,
                                                             &Load::WriteOne, &Load::Resize,   &Load::Rename,
                                                             &Load::Open,     &Load::DropCache};
    const auto end = std::chrono::steady_clock::now() + time;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      threads.emplace_back([this, end, i, job = jobs[i]] {
        std::mt19937 random(static_cast<unsigned>(i));
        while (std::chrono::steady_clock::now() < end) Try([&] { (this->*job)(&random); });
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::cout << steps_ << " steps, " << refused_ << " refused, " << wrong_ << " wrong\n";
    return wrong_ == 0 && steps_ > refused_;
  }

 private:
  static ArrayMetadata MakeMetadata(const std::string& path, bool sharded) {
    const std::string bytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";
    const std::string inner = "[" + bytes + R"(, {"name": "gzip", "configuration": {"level": 1}}])";
    const std::string shards = R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [8, 8], "codecs": )" +
                               inner + R"(, "index_codecs": [)" + bytes + "]}}]";
    const std::string text = R"({"zarr_format": 3, "node_type": "array", "shape": [64, 64], "data_type": "int32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [16, 16]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": )" +
                             (sharded ? shards : inner) + "}";
    return ParseArrayV3(JsonNode::Parse(text, "load", path + "/zarr.json"));
  }

  /// A step may be refused because of what another thread has done: an array may have moved, or have another shape.
  void Try(const std::function<void()>& step) {
    ++steps_;
    try {
      step();
    } catch (const Error& error) {
      ++refused_;
      const bool is_fair = error.kind() == ErrorKind::kNotFound || error.kind() == ErrorKind::kInvalidArgument;
      if (!is_fair) Fail(error.what());
    }
  }

  void Fail(const std::string& message) {
    ++wrong_;
    std::cerr << message << '\n';
  }

  /// Each chunk is written whole with one number, so that a reader sees one number in each.
  void WriteOne(std::mt19937* random) {
    const auto array = hierarchy_->OpenArray((*random)() % 2 ? "chunks" : "shards");
    const std::uint64_t chunks = kEdge / kChunk;
    const Box box{{(*random)() % chunks * kChunk, (*random)() % chunks * kChunk}, {kChunk, kChunk}};
    const std::vector<std::int32_t> values(kChunk * kChunk, static_cast<std::int32_t>((*random)() % 1000));
    const auto writer = ArrayWriter::Make(array, {});
    writer->Write(Selection::FromBox(box), {reinterpret_cast<const std::byte*>(values.data()),
                                            GetContiguousStrides(box.shape, sizeof(std::int32_t)), nullptr});
    writer->Flush();
  }

  std::vector<std::int32_t> Read(const Array& array, const Box& box) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(ComputeProduct(box.shape)), -1);
    array.Read(Selection::FromBox(box), {reinterpret_cast<std::byte*>(values.data()),
                                         GetContiguousStrides(box.shape, sizeof(std::int32_t)), nullptr});
    return values;
  }

  void ReadSome(std::mt19937* random) {
    const auto array = hierarchy_->OpenArray((*random)() % 2 ? "chunks" : "shards");
    const std::uint64_t row = (*random)() % (kEdge / kChunk) * kChunk;
    const Box box{{row, 0}, {kChunk, kEdge}};
    const std::vector<std::int32_t> values = Read(*array, box);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t first = i % kEdge / kChunk * kChunk;  // in the first row of the same chunk
      if (values[i] != values[first] || values[i] < 0) return Fail(array->path() + ": torn chunk");
    }
  }

  void Resize(std::mt19937* random) {
    const std::uint64_t rows = 1 + (*random)() % 100;
    ResizeArray(*hierarchy_, hierarchy_->OpenArray("grows"), {rows, kEdge});
  }

  void Rename(std::mt19937*) {
    const bool is_here = hierarchy_->Probe("moves").has_value();
    hierarchy_->Rename(is_here ? "moves" : "moved", is_here ? "moved" : "moves");
  }

  void Open(std::mt19937* random) {
    const auto fresh = EditableHierarchy::Open(store_);
    const auto array = fresh->OpenArray((*random)() % 2 ? "grows" : "moves");
    const std::vector<std::int32_t> values = Read(*array, {Shape(2, 0), array->shape()});
    if (std::any_of(values.begin(), values.end(), [](std::int32_t v) { return v != 0; })) Fail("wrong values");
  }

  void DropCache(std::mt19937* random) {
    ChunkCache& cache = ChunkCache::GetShared();
    if ((*random)() % 2) {
      cache.Clear();
    } else {
      cache.SetLimit((*random)() % 65536);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::shared_ptr<MemoryStore> store_;
  std::shared_ptr<EditableHierarchy> hierarchy_;
  std::atomic<std::uint64_t> steps_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::uint64_t> wrong_ = 0;
};

}  // namespace

bool RunLoad(int seconds) {
  return Load().Run(std::chrono::seconds(seconds));
}

}  // namespace zarr

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 5;
  return zarr::RunLoad(seconds) ? 0 : 1;
}
