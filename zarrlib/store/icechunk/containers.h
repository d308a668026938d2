// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A folder or bucket of virtual chunks outside of the repository, as the configuration declares it. "" stands for what
/// it does not tell.
struct Container {
  std::string name;
  std::string url;              ///< What the URLs of its files begin with.
  std::string kind = {};        ///< "s3", "s3_compatible", "gcs", "azure", "http", "local_file_system" or another.
  std::string region = {};      ///< Of S3.
  std::string endpoint = {};    ///< The URL of a server of S3.
  std::string account = {};     ///< Of Azure.
  bool is_anonymous = false;    ///< Requests need no credentials.
  bool has_path_style = false;  ///< The bucket is in the path of URLs, not in the name of the host.
  bool requester_pays = false;
};

/// Reads the containers in a repository's configuration, a FlexBuffer. Leaves out those without a URL. Throws
/// Error(corrupt) for a damaged FlexBuffer.
std::vector<Container> ReadContainers(ByteSpan config);

/// Reads the containers in `config.yaml`, the configuration of a repository of format 1, as the reference
/// implementation writes it: a line for each member, in blocks. Members in braces or on several lines are passed over.
std::vector<Container> ParseContainers(std::string_view yaml);

}  // namespace zarr
