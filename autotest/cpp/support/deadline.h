// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

namespace zarr::test {

/// Ends the program if the object exists for minutes: what a test does meanwhile hangs.
class Deadline {
 public:
  Deadline() : watch_([ended = ended_.get_future()] { Watch(ended); }) {}
  ~Deadline() {
    ended_.set_value();
    watch_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  static void Watch(const std::future<void>& ended) {
    if (ended.wait_for(std::chrono::minutes(3)) != std::future_status::timeout) return;
    std::fprintf(stderr, "this test hangs\n");
    std::_Exit(1);
  }

  std::promise<void> ended_;
  std::thread watch_;
};

}  // namespace zarr::test
