// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/stores/network_listing.h"

namespace gdal_zarr {

/// Reads the page that a web server makes of a folder: those of Apache, nginx, lighttpd, IIS, Jetty, Tomcat and Python,
/// which all say so in the title. `url` is that of the folder. The entries are what the links lead to that lie directly
/// in the folder. Returns nothing if the page is no such list, or if it has no entries.
std::optional<std::vector<ListedEntry>> ParseIndexPage(std::string_view page, std::string_view url);

}  // namespace gdal_zarr
