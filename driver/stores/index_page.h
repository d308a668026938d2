// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/stores/network_listing.h"

namespace gdal_zarr {

/// Parses the directory page of a web server: Apache, nginx, lighttpd, IIS, Jetty, Tomcat or Python, which are
/// recognized by the title. `url` is the folder's URL. The entries are the link targets directly in the folder. Returns
/// nullopt if the page is not such a list, or if it has no entries.
std::optional<std::vector<ListedEntry>> ParseIndexPage(std::string_view page, std::string_view url);

}  // namespace gdal_zarr
