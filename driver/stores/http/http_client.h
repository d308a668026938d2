// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>
#include <span>

#include "driver/stores/http/curl_library.h"
#include "driver/stores/http/http_transfer.h"

namespace gdal_zarr {

/// Sends the requests of all threads of the process over one set of connections, which stay open for later requests. It
/// does not have a thread of its own: one of the waiting threads works for all. Thread-safe.
class HttpClient {
 public:
  /// Returns the client of this process. The child of a fork gets its own, with new connections. `curl` is always the
  /// same.
  static HttpClient& Get(const CurlLibrary& curl);

  /// Sends the requests, and returns when all have ended. At most `most_in_flight` requests of the process are in
  /// flight at once; the rest is queued.
  void Perform(std::span<HttpTransfer* const> transfers, std::size_t most_in_flight);

 private:
  /// A thread that waits for answers.
  struct Waiter {
    std::condition_variable changed;
    std::size_t unanswered = 0;
  };
  struct Request {
    HttpTransfer* transfer;
    Waiter* waiter;
  };

  HttpClient(const CurlLibrary& curl, long process);
  /// Does the work for all threads until this thread's requests have ended.
  void Drive(const Waiter& self, std::unique_lock<std::mutex>* lock);
  void StartRequests();
  /// Delivers the answers of ended requests.
  void Collect();
  void End(CURL* handle, CURLcode code);

  const CurlLibrary& curl_;
  CURLM* const multi_;
  const long process_;
  std::mutex mutex_;
  bool driven_ = false;  // a thread does the work
  std::size_t most_in_flight_ = 1;
  std::list<Request> queue_;  // not sent yet
  std::list<Request> in_flight_;
  std::list<Waiter*> waiting_;  // threads that wait while another thread does the work
};

}  // namespace gdal_zarr
