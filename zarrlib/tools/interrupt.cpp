// SPDX-License-Identifier: MIT
#include "zarrlib/tools/interrupt.h"

#include <atomic>
#include <cstddef>
#include <iterator>

namespace zarr::tools {
namespace {

constexpr int kSignals[] = {
    SIGINT,
    SIGTERM,
#ifdef SIGHUP
    SIGHUP,
#endif
};
std::atomic<int> noted_signal{0};  // read by threads while the handler sets it
static_assert(std::atomic<int>::is_always_lock_free);

void Note(int signal) {
#ifdef _WIN32
  std::signal(signal, Note);  // there, a signal is handled once
#endif
  noted_signal = signal;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  noted_signal = 0;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    before_[i] = std::signal(kSignals[i], Note);
    // A program that was started to outlive its terminal keeps ignoring the signal.
    if (before_[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    if (before_[i] != SIG_ERR) std::signal(kSignals[i], before_[i]);
  }
}

bool InterruptWatch::noted() {
  return noted_signal != 0;
}

void InterruptWatch::Forget() {
  noted_signal = 0;
}

void InterruptWatch::Check() {
  if (noted_signal != 0) throw Interrupted{.signal = noted_signal};
}

}  // namespace zarr::tools
