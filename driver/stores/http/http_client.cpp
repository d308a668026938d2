// SPDX-License-Identifier: MIT
#include "driver/stores/http/http_client.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>

#include "zarrlib/base/await.h"
#include "zarrlib/base/system/broken_pipes.h"
#include "zarrlib/base/system/process_id.h"

namespace gdal_zarr {
namespace {

/// Number of connections that stay open for later requests.
constexpr long kMostIdleConnections = 64;
constexpr int kPollMilliseconds = 1000;

}  // namespace

HttpClient::HttpClient(const CurlLibrary& curl, long process)
    : curl_(curl), multi_(curl.multi_init()), process_(process) {
  if (!multi_) throw std::bad_alloc();
  curl_.multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kMostIdleConnections);
}

HttpClient& HttpClient::Get(const CurlLibrary& curl) {
  // Like the thread pool, this has no mutex and is never destroyed: the child of a fork must not touch its parent's
  // connections, and cannot close its copies of them without ending the TLS sessions.
  static std::atomic<HttpClient*> shared{nullptr};
  HttpClient* client = shared.load();
  const long process = zarr::GetProcessId();
  while (client == nullptr || client->process_ != process) {
    auto fresh = std::unique_ptr<HttpClient>(new HttpClient(curl, process));
    if (shared.compare_exchange_strong(client, fresh.get())) {
      client = fresh.release();
    } else {
      curl.multi_cleanup(fresh->multi_);
    }
  }
  return *client;
}

void HttpClient::Perform(std::span<HttpTransfer* const> transfers, std::size_t most_in_flight) {
  Waiter self;
  self.unanswered = transfers.size();
  std::list<Request> requests;
  for (HttpTransfer* transfer : transfers) requests.push_back({transfer, &self});
  std::list<Waiter*> place{&self};

  std::unique_lock lock(mutex_);
  most_in_flight_ = most_in_flight;
  queue_.splice(queue_.end(), requests);
  if (driven_) curl_.multi_wakeup(multi_);
  while (self.unanswered > 0) {
    if (!driven_) {
      Drive(self, &lock);
      continue;
    }
    waiting_.splice(waiting_.end(), place);
    zarr::Await(&self.changed, &lock, [&] { return self.unanswered == 0 || !driven_; });
    place.splice(place.end(), waiting_, std::find(waiting_.begin(), waiting_.end(), &self));
  }
  // Another thread continues the work. If its own requests have ended in the meantime, it wakes the next one here.
  if (!driven_ && !waiting_.empty()) waiting_.front()->changed.notify_one();
}

void HttpClient::Drive(const Waiter& self, std::unique_lock<std::mutex>* lock) {
  const zarr::WithoutBrokenPipes guard;
  driven_ = true;
  while (self.unanswered > 0) {
    StartRequests();
    lock->unlock();
    int running = 0;
    const CURLMcode code = curl_.multi_perform(multi_, &running);
    lock->lock();
    const std::size_t before = in_flight_.size();
    Collect();
    // Only possible when memory is exhausted. The requests would otherwise never end.
    if (code != CURLM_OK) {
      while (!in_flight_.empty()) End(in_flight_.front().transfer->handle(), CURLE_FAILED_INIT);
    }
    const bool can_start = !queue_.empty() && in_flight_.size() < most_in_flight_;
    if (in_flight_.size() < before || can_start) continue;
    lock->unlock();
    curl_.multi_poll(multi_, nullptr, 0, kPollMilliseconds, nullptr);
    lock->lock();
  }
  driven_ = false;
}

void HttpClient::StartRequests() {
  while (!queue_.empty() && in_flight_.size() < most_in_flight_) {
    CURL* const handle = queue_.front().transfer->handle();
    in_flight_.splice(in_flight_.end(), queue_, queue_.begin());
    in_flight_.back().transfer->Begin();
    if (curl_.multi_add_handle(multi_, handle) != CURLM_OK) End(handle, CURLE_FAILED_INIT);
  }
}

void HttpClient::Collect() {
  int left = 0;
  while (const CURLMsg* message = curl_.multi_info_read(multi_, &left)) {
    if (message->msg == CURLMSG_DONE) End(message->easy_handle, message->data.result);
  }
}

void HttpClient::End(CURL* handle, CURLcode code) {
  const auto request = std::find_if(in_flight_.begin(), in_flight_.end(),
                                    [&](const Request& other) { return other.transfer->handle() == handle; });
  if (request == in_flight_.end()) return;
  curl_.multi_remove_handle(multi_, handle);
  request->transfer->Finish(code);
  if (--request->waiter->unanswered == 0) request->waiter->changed.notify_one();
  in_flight_.erase(request);
}

}  // namespace gdal_zarr
