// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// Resolves the files that virtual chunks are in, and decides which of them may be read. Thread-safe.
class VirtualFiles {
 public:
  /// A file, and how its state is known.
  struct File {
    std::shared_ptr<const Store> store;
    std::string key;
    std::string path;                   ///< In the notation of the store's I/O library.
    bool has_etags = false;             ///< The tag in a stamp of the store is an entity tag, or "".
    std::int64_t ticks_per_second = 0;  ///< The unit of the time in a stamp; 0 if it is not the time of modification.
  };

  virtual ~VirtualFiles() = default;

  /// Resolves a URL. Throws Error(unsupported) for a URL that cannot be read, and Error(invalid_argument) for a file
  /// that must not be read.
  virtual File Find(const std::string& url) const = 0;
  /// Returns the path of an object of the repository, in the notation of the I/O library.
  virtual std::string GetPath(const std::string& key) const = 0;
  /// Returns a text that changes with the settings by which the file of a URL is read.
  virtual std::string GetSettings(const std::string& url) const = 0;
  /// The useful number of requests in flight for remote files.
  virtual std::size_t concurrency() const = 0;
};

}  // namespace zarr
