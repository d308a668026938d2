// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// A whole value that is likely to be needed.
struct EarlyRequest {
  std::string key;
  std::uint64_t max_size = 0;  ///< A larger one is not worth having early.
  /// The entity tag of a state that is at hand, which need not be sent again; "" if there is none.
  std::string known_tag = {};
};

/// The answer to an EarlyRequest.
struct EarlyAnswer {
  enum class State : std::uint8_t {
    kUnknown,  ///< The request failed: it is to be sent again when the value is needed.
    kAbsent,
    kFound,
    kUnchanged,  ///< The value is the one of the tag that is known.
  };
  State state = State::kUnknown;
  /// The error, if the server refuses access, so that sending the request again would be in vain; else null.
  std::exception_ptr refusal;
  Bytes value;
  VersionStamp stamp;
  std::string known_tag;     ///< The entity tag, if every change of the value will change it; else "".
  std::uint64_t writes = 0;  ///< As StoreRequests::CountWrites, before the request.
};

/// Numbers about the reading of a store, since it was opened.
struct RequestCounts {
  std::uint64_t requests = 0;  ///< Requests that the store has sent itself, and that have ended, in whatever way.
  /// The length of the longest series of these requests in which each began after the one before had ended. Requests
  /// that are under way at the same time are one round trip, however many they are. A request begins when it is sent,
  /// not when it is put into the queue.
  std::uint64_t round_trips = 0;
  std::uint64_t bytes = 0;  ///< Bytes of bodies that were received, and of values that others have read for the store.
  std::uint64_t retries = 0;  ///< Those of the requests that were sent again after a failure.
  double seconds = 0;         ///< The time during which at least one of the requests was under way.
  std::uint64_t values = 0;   ///< Reads of values by others, whose requests the store does not see.
};

/// Where the bytes of a value are.
struct ValueLocation {
  std::string path;                     ///< Of the file, as the store's program names it.
  std::uint64_t offset = 0;             ///< In bytes.
  std::optional<std::uint64_t> length;  ///< In bytes; nothing means the whole file.
  std::optional<std::string> bytes;     ///< The value itself, if no file has it; then `path` is "".
};

/// What stores have that send requests, or whose bytes come from elsewhere. Thread-safe.
class StoreRequests {
 public:
  virtual ~StoreRequests() = default;

  /// Whether the store still is the one that its identity tells: credentials may change.
  virtual bool KeepsIdentity() const { return true; }
  /// Says that these metadata documents and, if they are small, these values will be asked for soon. Does not throw for
  /// what cannot be read: asking for it does. Returns false if it does nothing.
  virtual bool Prefetch(std::span<const std::string> /*documents*/, std::span<const std::string> /*values*/) const {
    return false;
  }
  /// Asks for values, all at once, and for each of them once. Nothing if the store cannot do that.
  virtual std::optional<std::vector<EarlyAnswer>> ReadEarly(std::span<const EarlyRequest> /*requests*/) const {
    return std::nullopt;
  }
  /// Whether `ReadEarly` works.
  virtual bool reads_early() const { return false; }
  /// A number that grows when this process writes or erases the value; by chance, also when it does so with another.
  virtual std::uint64_t CountWrites(std::string_view /*key*/) const { return 0; }
  /// Says that the bytes which a getter gave for a key, with a stamp of that status, cannot be decoded. `times` is how
  /// often this was said in one read, from 1 on. Returns whether the value is worth getting again, because a server or
  /// a proxy may have failed, and waits as long as is good before that. Else adds to the error where the bytes came
  /// from, if the names of the store and the key do not tell it.
  virtual bool NoteBroken(std::string_view key, int status, int times, Error* error) const = 0;
  /// Where a value's bytes are, if they are elsewhere than the names of the store and of the key say; nothing if not,
  /// and for an absent key. Does not look whether they are there. Throws Error for a value that refers to none, or that
  /// must not be followed.
  virtual std::optional<ValueLocation> Locate(std::string_view /*key*/) const { return std::nullopt; }
  /// Nothing for a store that needs no network.
  virtual std::optional<RequestCounts> counts() const { return std::nullopt; }
};

/// Hands all calls on to those of another store.
class ForwardingRequests : public StoreRequests {
 public:
  explicit ForwardingRequests(const StoreRequests& inner) : inner_(inner) {}

  bool KeepsIdentity() const override { return inner_.KeepsIdentity(); }
  bool Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const override {
    return inner_.Prefetch(documents, values);
  }
  std::optional<std::vector<EarlyAnswer>> ReadEarly(std::span<const EarlyRequest> requests) const override {
    return inner_.ReadEarly(requests);
  }
  bool reads_early() const override { return inner_.reads_early(); }
  std::uint64_t CountWrites(std::string_view key) const override { return inner_.CountWrites(key); }
  bool NoteBroken(std::string_view key, int status, int times, Error* error) const override {
    return inner_.NoteBroken(key, status, times, error);
  }
  std::optional<ValueLocation> Locate(std::string_view key) const override { return inner_.Locate(key); }
  std::optional<RequestCounts> counts() const override { return inner_.counts(); }

 protected:
  /// Those of the other store.
  const StoreRequests& inner_requests() const { return inner_; }

 private:
  const StoreRequests& inner_;
};

// For every store.

bool KeepsIdentity(const Store& store);
bool Prefetch(const Store& store, std::span<const std::string> documents, std::span<const std::string> values);

}  // namespace zarr
