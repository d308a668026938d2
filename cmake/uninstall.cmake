# SPDX-License-Identifier: MIT
# Removes what the last installations from a build folder have put in place, and folders of zarrlib's own that are empty
# then. Usage: cmake -DBUILD_DIR=... -P uninstall.cmake      DESTDIR is heeded as by the installation.
file(GLOB manifests ${BUILD_DIR}/install_manifest*.txt)
if(NOT manifests)
  message(FATAL_ERROR "nothing has been installed from ${BUILD_DIR}: it has no install_manifest.txt")
endif()

# Removes the folder of a file, and those above it, as long as they are empty and below a folder called zarrlib.
function(remove_empty_folders file)
  get_filename_component(folder ${file} DIRECTORY)
  file(GLOB entries LIST_DIRECTORIES TRUE ${folder}/*)
  if(folder MATCHES "/zarrlib(/|$)" AND NOT entries AND IS_DIRECTORY ${folder})
    file(REMOVE_RECURSE ${folder})
    remove_empty_folders(${folder})
  endif()
endfunction()

foreach(manifest IN LISTS manifests)
  file(STRINGS ${manifest} files)
  foreach(file IN LISTS files)
    set(file "$ENV{DESTDIR}${file}")
    if(EXISTS ${file} OR IS_SYMLINK ${file})
      message(STATUS "Removing: ${file}")
      file(REMOVE ${file})
      if(EXISTS ${file})
        message(FATAL_ERROR "${file} cannot be removed")
      endif()
    endif()
    remove_empty_folders(${file})
  endforeach()
  file(REMOVE ${manifest})
endforeach()
