// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gdal_zarr {

/// A path, split into the folder in the form that VsiStore expects (with the query of a URL) and the file's name.
struct FolderAndName {
  std::string folder;
  std::string name;
};
FolderAndName SplitPath(const std::string& path);

/// Returns true if the beginning of a URL shows that it refers to another host.
bool LeadsToHost(std::string_view url);

/// Returns the URL by which references name a file, given by its path for GDAL's file functions: the reverse of
/// ReferenceTargets::GetPath. A local path becomes absolute. The path of a file system without URLs, such as /vsizip/,
/// stays, which only this driver can read. Throws Error(io) if the working directory is unknown.
std::string MakeReferenceUrl(const std::string& path);

/// Resolves the files that references name. Immutable, and safe for any number of threads.
class ReferenceTargets {
 public:
  /// `file` is the path of the file of references.
  explicit ReferenceTargets(std::string file);

  /// Converts a URL of http, https, ftp, s3, gs, az, abfs, oss, hdfs or file, or a path, to a path for GDAL's file
  /// functions. A relative path begins at the folder of the references, or at a folder in there: "" or a path that ends
  /// in "/". Throws Error(unsupported) for other URLs.
  /// Throws Error(invalid_argument) if remote references name a local file, because such references could expose any of
  /// the user's files; the configuration option GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE=YES allows it. The
  /// errors do not include a location in the references.
  std::string GetPath(const std::string& url, std::string_view folder = "") const;

  /// Returns true if the references themselves are remote.
  bool remote() const { return remote_; }

 private:
  std::string MakeRelativePath(std::string_view path, std::string_view below) const;
  void CheckAllowed(const std::string& path) const;

  std::string file_;
  std::string folder_;  // ends in "/", or is empty
  std::string query_;   // begins with "?", or is empty
  bool remote_;
};

}  // namespace gdal_zarr
