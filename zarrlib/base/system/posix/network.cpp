// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "zarrlib/base/system/file.h"
#include "zarrlib/base/system/which_system.h"

#ifdef ZARR_LINUX
#include <sys/vfs.h>
#elif defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>
#endif

namespace zarr {

bool IsOnNetwork([[maybe_unused]] const File& file) {
#ifdef ZARR_LINUX
  // From statfs(2): NFS, CIFS, SMB2, Ceph, AFS, Lustre, GPFS, FUSE (such as sshfs).
  constexpr std::array<std::uint32_t, 8> kNetworks = {0x6969,     0xff534d42, 0xfe534d42, 0x00c36400,
                                                      0x5346414f, 0x0bd00bd0, 0x47504653, 0x65735546};
  struct statfs status;
  if (::fstatfs(file.get(), &status) != 0) return true;
  const auto type = static_cast<std::uint32_t>(status.f_type);
  return std::find(kNetworks.begin(), kNetworks.end(), type) != kNetworks.end();
#elif defined(__APPLE__)
  struct statfs status;
  return ::fstatfs(file.get(), &status) != 0 || (status.f_flags & MNT_LOCAL) == 0;
#else
  return true;
#endif
}

}  // namespace zarr
