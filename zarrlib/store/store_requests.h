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
  std::uint64_t max_size = 0;  ///< Larger values are not read early.
  /// The entity tag of a cached state, which need not be sent again; "" if there is none.
  std::string known_tag = {};
};

/// The response to an EarlyRequest.
struct EarlyAnswer {
  enum class State : std::uint8_t {
    kUnknown,  ///< The request failed. Send it again when the value is needed.
    kAbsent,
    kFound,
    kUnchanged,  ///< The value still has the known tag.
  };
  State state = State::kUnknown;
  /// The error if the server denies access, so that repeating the request would not help; otherwise null.
  std::exception_ptr refusal;
  Bytes value;
  VersionStamp stamp;
  std::string known_tag;     ///< The entity tag, if every change of the value changes it; otherwise "".
  std::uint64_t writes = 0;  ///< StoreRequests::CountWrites before the request.
};

/// Statistics about reads from a store since it was opened.
struct RequestCounts {
  std::uint64_t requests = 0;  ///< Requests sent by the store itself that have ended, with any result.
  /// The length of the longest series of these requests in which each began after the previous one had ended. Requests
  /// that overlap in time count as one round trip. A request begins when it is sent, not when it is queued.
  std::uint64_t round_trips = 0;
  std::uint64_t bytes = 0;  ///< Bytes of received response bodies, and of values that were read for the store by other
                            ///< code.
  std::uint64_t retries = 0;  ///< The number of these requests that were repeated after a failure.
  double seconds = 0;         ///< The time during which at least one of the requests was in flight.
  std::uint64_t values = 0;   ///< Reads of values by other code, whose requests the store cannot count.
};

/// The location of a value's bytes.
struct ValueLocation {
  std::string path;                     ///< The path of the file, in the notation of the store's I/O library.
  std::uint64_t offset = 0;             ///< In bytes.
  std::optional<std::uint64_t> length;  ///< In bytes; nullopt means the whole file.
  std::optional<std::string> bytes;     ///< The value itself, if it is not in a file; `path` is then "".
};

/// Features of stores that send requests, or whose bytes are stored elsewhere. Thread-safe.
class StoreRequests {
 public:
  virtual ~StoreRequests() = default;

  /// Returns true if the store still has the identity that it reports: credentials may change.
  virtual bool KeepsIdentity() const { return true; }
  /// Announces that these metadata documents and, if they are small, these values will be read soon. Does not throw for
  /// unreadable values: reading them does. Returns false if the store does not prefetch.
  virtual bool Prefetch(std::span<const std::string> /*documents*/, std::span<const std::string> /*values*/) const {
    return false;
  }
  /// Requests values, all at once, each of them once. Returns nullopt if the store cannot do that.
  virtual std::optional<std::vector<EarlyAnswer>> ReadEarly(std::span<const EarlyRequest> /*requests*/) const {
    return std::nullopt;
  }
  /// Returns true if `ReadEarly` works.
  virtual bool reads_early() const { return false; }
  /// Reads several whole values: requests of ReadRequest::Part::kWhole for values that `Locate` finds in one file.
  /// Values that are close to each other take one request, and all come from one state of the file. Returns false, with
  /// anything in the results, if a value is absent or cannot be read in this way: reading each by itself tells why.
  virtual bool ReadTogether(std::span<const ReadRequest> /*requests*/) const { return false; }
  /// Returns true if `ReadTogether` works and may save requests, so that it is worthwhile to locate values first.
  virtual bool reads_together() const { return false; }
  /// Returns a number that grows when this process writes or erases the value. It may also grow when another value is
  /// written.
  virtual std::uint64_t CountWrites(std::string_view /*key*/) const { return 0; }
  /// Reports that the bytes read for a key, with a stamp of that status, cannot be decoded. `times` is how often this
  /// was reported in one read, starting at 1.
  ///
  /// Returns true, after a suitable delay, if the value should be read again because a server or a proxy may have
  /// failed. Otherwise adds the origin of the bytes to the error, if the names of the store and the key do not show it.
  virtual bool NoteBroken(std::string_view key, int status, int times, Error* error) const = 0;
  /// Returns the location of a value's bytes if it differs from the names of the store and the key. Otherwise, and for
  /// an absent key, returns nullopt. Does not check that the bytes exist. Throws Error for an invalid reference, or for
  /// one that must not be followed.
  virtual std::optional<ValueLocation> Locate(std::string_view /*key*/) const { return std::nullopt; }
  /// Returns true if the store has a list of all keys, so that an absent value takes no request.
  virtual bool knows_keys() const { return false; }
  /// Returns nullopt for a store that is not remote.
  virtual std::optional<RequestCounts> counts() const { return std::nullopt; }
};

/// Forwards all calls to the requests of another store.
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
  bool ReadTogether(std::span<const ReadRequest> requests) const override { return inner_.ReadTogether(requests); }
  bool reads_together() const override { return inner_.reads_together(); }
  std::uint64_t CountWrites(std::string_view key) const override { return inner_.CountWrites(key); }
  bool NoteBroken(std::string_view key, int status, int times, Error* error) const override {
    return inner_.NoteBroken(key, status, times, error);
  }
  std::optional<ValueLocation> Locate(std::string_view key) const override { return inner_.Locate(key); }
  bool knows_keys() const override { return inner_.knows_keys(); }
  std::optional<RequestCounts> counts() const override { return inner_.counts(); }

 protected:
  const StoreRequests& inner_requests() const { return inner_; }

 private:
  const StoreRequests& inner_;
};

// The following functions work on every store.

bool KeepsIdentity(const Store& store);
bool Prefetch(const Store& store, std::span<const std::string> documents, std::span<const std::string> values);

}  // namespace zarr
