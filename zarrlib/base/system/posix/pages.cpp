// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/pages.h"

#include <cstdint>
#include <new>

#include "zarrlib/base/system/which_system.h"

#ifdef ZARR_LINUX
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace zarr {

#ifdef ZARR_LINUX

std::byte* MapHugePages(std::size_t size) {
  // A mapping of twice the size contains an aligned block.
  void* const whole = ::mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) throw std::bad_alloc();
  const std::size_t before = (size - reinterpret_cast<std::uintptr_t>(whole) % size) % size;
  auto* const begin = static_cast<std::byte*>(whole) + before;
  if (before > 0) ::munmap(whole, before);
  ::munmap(begin + size, size - before);
  ::madvise(begin, size, MADV_HUGEPAGE);  // on failure, the pages are small
  return begin;
}

void UnmapHugePages(std::byte* memory, std::size_t size) {
  ::munmap(memory, size);
}

void DropPagesInside(std::byte* memory, std::size_t size) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;
  if (size < before + page) return;
  ::madvise(memory + before, (size - before) / page * page, MADV_DONTNEED);
}

#else

std::byte* MapHugePages(std::size_t) {
  throw std::bad_alloc();
}

void UnmapHugePages(std::byte*, std::size_t) {}

void DropPagesInside(std::byte*, std::size_t) {}

#endif

}  // namespace zarr
