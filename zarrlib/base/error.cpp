// SPDX-License-Identifier: MIT
#include "zarrlib/base/error.h"

#include <utility>

namespace zarr {

Error::Error(ErrorKind kind, std::string message) : std::runtime_error(""), kind_(kind), message_(std::move(message)) {
  Format();
}

Error::Error(ErrorKind kind, std::string store, std::string key, std::string pointer, std::string message)
    : std::runtime_error(""),
      kind_(kind),
      store_(std::move(store)),
      key_(std::move(key)),
      pointer_(std::move(pointer)),
      message_(std::move(message)) {
  Format();
}

Error Error::At(std::string_view store, std::string_view key) const {
  Error copy = *this;
  if (copy.store_.empty()) copy.store_ = store;
  if (copy.key_.empty()) copy.key_ = key;
  copy.Format();
  return copy;
}

Error Error::Within(std::string_view context) const {
  Error copy = *this;
  copy.message_ = std::string(context) + ": " + message_;
  copy.Format();
  return copy;
}

Error Error::AsRefusal() const {
  Error copy = *this;
  copy.is_refusal_ = true;
  return copy;
}

Error Error::With(std::string_view detail) const {
  Error copy = *this;
  copy.message_ = message_ + " (" + std::string(detail) + ")";
  copy.Format();
  return copy;
}

void Error::Format() {
  text_ = store_;
  if (!key_.empty()) {
    if (!text_.empty() && text_.back() != '/') text_ += '/';
    text_ += key_;
  }
  if (!pointer_.empty()) text_ += (text_.empty() ? "" : ": ") + pointer_;
  text_ += (text_.empty() ? "" : ": ") + message_;
}

std::string FormatExpectedGot(std::string_view expected, std::string_view got) {
  return "expected " + std::string(expected) + ", got " + std::string(got);
}

}  // namespace zarr
