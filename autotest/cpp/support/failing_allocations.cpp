// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/failing_allocations.h"

#include <cstdlib>

namespace {

/// The number of allocations of this thread that still succeed; nothing means all.
thread_local std::optional<int> allocations_left;
thread_local std::size_t allocations = 0;

void* TryAllocate(std::size_t size) noexcept {
  ++allocations;
  if (allocations_left && (*allocations_left)-- <= 0) return nullptr;
  return std::malloc(size > 0 ? size : 1);
}

void* Allocate(std::size_t size) {
  void* const memory = TryAllocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return TryAllocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return TryAllocate(size);
}
void* operator new(std::size_t size) {
  return Allocate(size);
}
void* operator new[](std::size_t size) {
  return Allocate(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace zarr::test {

std::size_t CountAllocations(const std::function<void()>& work) {
  const std::size_t before = allocations;
  work();
  return allocations - before;
}

void LimitAllocations(std::optional<int> count) {
  allocations_left = count;
}

}  // namespace zarr::test
