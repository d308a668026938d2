#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace zarr {

enum class ErrorKind {
  kNotFound,         ///< A node that was asked for by name is not there.
  kCorrupt,          ///< Stored bytes contradict the metadata or themselves.
  kUnsupported,      ///< Valid, or possibly valid, but not implemented here.
  kInvalidArgument,  ///< The caller's request makes no sense for this array.
  kIo,               ///< The store failed; says nothing about whether the key exists.
  kReadOnly,         ///< A write to a store that takes none.
  kLimitExceeded,    ///< A size beyond what this library is willing to take.
};

/// The one exception type of this library.
///
/// An error is thrown where it is found, with what is known there, and gains its place (store, key, JSON Pointer,
/// chunk) on the way up. `what()` has the form `<store>/<key>: <JSON Pointer>: <message>`, parts that are unknown left
/// out.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string message);
  /// An error about the metadata document `key`, at the JSON Pointer `pointer` (RFC 6901; "" is the whole document).
  Error(ErrorKind kind, std::string store, std::string key, std::string pointer, std::string message);

  const char* what() const noexcept override { return text_.c_str(); }

  ErrorKind kind() const { return kind_; }
  const std::string& store() const { return store_; }
  const std::string& key() const { return key_; }
  const std::string& pointer() const { return pointer_; }
  const std::string& message() const { return message_; }

  /// A copy that names the store and key, unless this error does already.
  Error At(std::string_view store, std::string_view key) const;
  /// A copy whose message is preceded by `context` and a colon, for instance a codec's name.
  Error Within(std::string_view context) const;
  /// A copy whose message is followed by ` (detail)`, for instance the chunk.
  Error With(std::string_view detail) const;

 private:
  void Format();

  ErrorKind kind_;
  std::string store_;
  std::string key_;
  std::string pointer_;
  std::string message_;
  std::string text_;
};

/// "expected <expected>, got <got>".
std::string ExpectedGot(std::string_view expected, std::string_view got);

}  // namespace zarr
