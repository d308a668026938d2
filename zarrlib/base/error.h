// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace zarr {

enum class ErrorKind {
  kNotFound,         ///< A node that was requested by name does not exist.
  kCorrupt,          ///< Stored bytes contradict the metadata or themselves.
  kUnsupported,      ///< Valid, or possibly valid, but not implemented here.
  kInvalidArgument,  ///< The request makes no sense for this array.
  kIo,               ///< The store failed, or memory ran out: the key may or may not exist.
  kReadOnly,         ///< A write to a read-only store.
  kLimitExceeded,    ///< A size exceeds a limit of this library.
};

/// The only exception type of this library.
///
/// An error is thrown with the facts known where it is found. Its location (store, key, JSON Pointer, chunk) is added
/// on the way up. `what()` has the form `<store>/<key>: <JSON Pointer>: <message>`, without the parts that are unknown.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string message);
  /// Constructs an error about the metadata document `key`, at the JSON Pointer `pointer` (RFC 6901; "" means the whole
  /// document).
  Error(ErrorKind kind, std::string store, std::string key, std::string pointer, std::string message);

  const char* what() const noexcept override { return text_.c_str(); }

  ErrorKind kind() const { return kind_; }
  /// Returns true for an Error(io) by which a server has denied access to a key, which may exist or not.
  bool is_refusal() const { return is_refusal_; }
  const std::string& store() const { return store_; }
  const std::string& key() const { return key_; }
  const std::string& pointer() const { return pointer_; }
  const std::string& message() const { return message_; }

  /// Returns a copy that names the store and the key, unless this error already names them.
  Error At(std::string_view store, std::string_view key) const;
  /// Returns a copy with `context` and a colon in front of the message; `context` may be a codec's name.
  Error Within(std::string_view context) const;
  /// Returns a copy that is a refusal.
  Error AsRefusal() const;
  /// Returns a copy with ` (detail)` appended to the message; `detail` may be the chunk.
  Error With(std::string_view detail) const;

 private:
  void Format();

  ErrorKind kind_;
  bool is_refusal_ = false;
  std::string store_;
  std::string key_;
  std::string pointer_;
  std::string message_;
  std::string text_;
};

/// Returns "expected <expected>, got <got>".
std::string FormatExpectedGot(std::string_view expected, std::string_view got);

}  // namespace zarr
