// SPDX-License-Identifier: MIT
// Counts what a small chunk takes besides its bytes: allocations, locks, and locks that another thread held. Needs
// glibc.
//
// Usage: chunk_costs <folder> [threads]
//
// Writes 102400 chunks of 8 x 8 bytes through the library, as files and in 64 shards, reads them, and reads them again.
// Prints the counts per chunk as a Markdown table. Counted are the calls of the C library, by whatever library: this
// program's functions take their place.

#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/store/filesystem_store.h"

namespace {

struct alignas(64) Counts {
  std::atomic<std::uint64_t> allocations = 0;
  std::atomic<std::uint64_t> locks = 0;
  std::atomic<std::uint64_t> contended = 0;
};

constexpr std::size_t kSlots = 256;
std::array<Counts, kSlots> slots;  // one for each thread, so that counting does not let threads wait for each other
std::atomic<std::size_t> next_slot = 0;
thread_local Counts* own_slot = nullptr;

Counts& GetCounts() {
  if (!own_slot) own_slot = &slots[next_slot++ % kSlots];
  return *own_slot;
}

/// A function of the C library in whose place this program's is called.
template <typename Function>
Function* FindNext(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <typename Lock>
int CountLock(Lock* lock, int (*try_lock)(Lock*), int (*take)(Lock*)) {
  ++GetCounts().locks;
  const int result = try_lock(lock);
  if (result != EBUSY) return result;
  ++GetCounts().contended;
  return take(lock);
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): they are functions of glibc
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

void* malloc(std::size_t size) {
  ++GetCounts().allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++GetCounts().allocations;
  return __libc_calloc(count, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++GetCounts().allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++GetCounts().allocations;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static auto* const take = FindNext<int(pthread_mutex_t*)>("pthread_mutex_lock");
  return CountLock(mutex, pthread_mutex_trylock, take);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  static auto* const take = FindNext<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  return CountLock(lock, pthread_rwlock_tryrdlock, take);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  static auto* const take = FindNext<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  return CountLock(lock, pthread_rwlock_trywrlock, take);
}

}  // extern "C"

namespace {

using zarr::Shape;

constexpr std::uint64_t kEdge = 8;
constexpr std::uint64_t kChunksOfAxis = 320;
constexpr std::uint64_t kSide = kEdge * kChunksOfAxis;

std::array<std::uint64_t, 3> GetSums() {
  std::array<std::uint64_t, 3> sums{};
  for (const Counts& counts : slots) {
    sums[0] += counts.allocations;
    sums[1] += counts.locks;
    sums[2] += counts.contended;
  }
  return sums;
}

void Report(const std::string& name, const std::function<void()>& work) {
  const auto before = GetSums();
  work();
  const auto after = GetSums();
  std::array<double, 3> costs{};
  for (std::size_t i = 0; i < costs.size(); ++i) {
    costs[i] = static_cast<double>(after[i] - before[i]) / static_cast<double>(kChunksOfAxis * kChunksOfAxis);
  }
  std::printf("| %s | %.2f | %.2f | %.4f |\n", name.c_str(), costs[0], costs[1], costs[2]);
}

std::string MakeMetadata(std::uint64_t chunk, const std::string& codecs) {
  const auto square = [](std::uint64_t edge) { return "[" + std::to_string(edge) + "," + std::to_string(edge) + "]"; };
  return R"({"zarr_format":3,"node_type":"array","shape":)" + square(kSide) +
         R"(,"data_type":"uint8","chunk_grid":{"name":"regular","configuration":{"chunk_shape":)" + square(chunk) +
         R"(}},"chunk_key_encoding":"default","fill_value":0,"codecs":)" + codecs + "}";
}

void Measure(const std::string& name, const std::string& folder, std::uint64_t chunk, const std::string& codecs,
             std::size_t threads) {
  const auto store = std::make_shared<zarr::FilesystemStore>(folder);
  const std::string metadata = MakeMetadata(chunk, codecs);
  store->Set("a/zarr.json", zarr::AsBytes(metadata));
  const auto document = zarr::JsonNode::Parse(metadata, folder, "a/zarr.json");
  const auto array = zarr::Array::Make(store, "a", zarr::ParseArrayV3(document));
  std::vector<std::byte> values(kSide * kSide, std::byte{3});
  const zarr::Selection all = zarr::Selection::FromBox({Shape(2, 0), array->shape()});
  const zarr::Strides strides = zarr::GetContiguousStrides(array->shape(), 1);
  zarr::WriteOptions write;
  write.threads = threads;
  zarr::ReadOptions read;
  read.threads = threads;
  Report(name + ", write", [&] {
    const auto writer = zarr::ArrayWriter::Make(array);
    writer->Write(all, {values.data(), strides, nullptr}, write);
    writer->Flush(write);
  });
  for (const char* const what : {", read", ", read again"}) {
    Report(name + what, [&] { array->Read(all, {values.data(), strides, nullptr}, read); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: chunk_costs <folder> [threads]\n");
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/chunk_costs";
  const std::size_t threads = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2;
  const std::string bytes = R"({"name":"bytes","configuration":{"endian":"little"}})";
  const std::string zstd = R"({"name":"zstd","configuration":{"level":1,"checksum":false}})";
  const std::string sharding = R"([{"name":"sharding_indexed","configuration":{"chunk_shape":[8,8],"codecs":[)";
  const std::string index = R"(],"index_codecs":[)" + bytes + R"(,"crc32c"]}}])";
  std::printf("| work | allocations | locks | contended |\n|---|---|---|---|\n");
  Measure("files", folder + "/files", kEdge, "[" + bytes + "]", threads);
  Measure("files, zstd", folder + "/zstd", kEdge, "[" + bytes + "," + zstd + "]", threads);
  Measure("shards, zstd", folder + "/shards", kSide / 8, sharding + bytes + "," + zstd + index, threads);
  std::filesystem::remove_all(folder);
  return 0;
}
