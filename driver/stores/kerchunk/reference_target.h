#pragma once

#include <string>
#include <string_view>

namespace gdal_zarr {

/// A path in two: the folder, as VsiStore wants it (with a URL's query, if it has one), and the name in it.
struct FolderAndName {
  std::string folder;
  std::string name;
};
FolderAndName SplitPath(const std::string& path);

/// Finds the files that a file of references names. Immutable; safe for any number of threads.
class ReferenceTargets {
 public:
  /// `file` is the path of the references.
  explicit ReferenceTargets(std::string file);

  /// The path, for GDAL's file functions, of a URL of http, https, ftp, s3, gs, az, abfs, oss, hdfs or file, or of a
  /// path; what is relative is relative to the folder of the references. Throws Error(unsupported) for other URLs, and
  /// Error(invalid_argument) where references on a network name a local file: these could be made to show any file of
  /// the user's. The configuration option GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE=YES allows it. The errors
  /// name no place.
  std::string PathOf(const std::string& url) const;

  /// Whether the references are on a network.
  bool remote() const { return remote_; }

 private:
  std::string RelativePath(std::string_view path) const;
  void CheckAllowed(const std::string& path) const;

  std::string file_;
  std::string folder_;  // with "/", or ""
  std::string query_;   // with "?"
  bool remote_;
};

}  // namespace gdal_zarr
