// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "zarrlib/store/store.h"
#include "zarrlib/tools/commands.h"

/// The command-line tool as a function, so that tests can call it.
namespace zarr::tools {

/// Opens the store that a user specifies. Throws Error if there is none.
using StoreOpener = std::function<std::shared_ptr<Store>(const std::string& name)>;

/// Makes references to several files; prints warnings to `err`. Only a program with GDAL has this command. Throws
/// Error.
using StackFunction = std::function<int(const StackOptions& options, std::ostream& err, Progress* progress)>;

/// The functions that a program with GDAL adds; each may be empty.
struct Extensions {
  StoreOpener open;  ///< Without it, stores are local folders and ZIP archives.
  StackFunction stack;
};

/// Runs `zarrkit` with the arguments that follow its name. Prints results to `out` and errors to `err`. If `err` is a
/// terminal, `terminal_width` is its number of columns, and the progress of long operations is shown there; with 0 it
/// is not.
int RunZarrkit(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
               std::size_t terminal_width = 0, const Extensions& extensions = {});

}  // namespace zarr::tools
