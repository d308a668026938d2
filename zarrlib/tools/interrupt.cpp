// SPDX-License-Identifier: MIT
#include "zarrlib/tools/interrupt.h"

#include <cstddef>
#include <iterator>

namespace zarr::tools {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t noted_signal = 0;

void Note(int signal) {
  noted_signal = signal;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  noted_signal = 0;
  struct sigaction action = {};
  action.sa_handler = Note;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], &action, &before_[i]);
    // A program that was started to outlive its terminal continues.
    if (before_[i].sa_handler == SIG_IGN) sigaction(kSignals[i], &before_[i], nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool InterruptWatch::noted() {
  return noted_signal != 0;
}

void InterruptWatch::Check() {
  if (noted_signal != 0) throw Interrupted{noted_signal};
}

}  // namespace zarr::tools
