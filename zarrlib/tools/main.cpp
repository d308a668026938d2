// SPDX-License-Identifier: MIT
#include <iostream>
#include <string>
#include <vector>

#include "zarrlib/tools/zarrkit.h"

int main(int argc, char** argv) {
  return zarr::tools::RunZarrkit(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr);
}
