// SPDX-License-Identifier: MIT
/* Preloaded into a program (LD_PRELOAD), this makes one of its calls fail that concern files below a folder.
 *
 *   ZARR_FAULT_FOLDER   the folder, as an absolute path without symbolic links
 *   ZARR_FAULT_NUMBER   which of the calls fails, from 1 on; 0: none; -1: none, but they are counted
 *   ZARR_FAULT_ERRNO    the error, as a number
 *   ZARR_FAULT_CALLS    which kinds of calls are counted, such as "write,fsync"; by default all that change something
 *   ZARR_FAULT_LASTING  if 1, all later calls that take room fail too, as on a disk that is full
 *   ZARR_FAULT_SHORT    if 1, the call reads or writes a part of what it is asked to, and succeeds
 *   ZARR_FAULT_REPORT   a file that gets a line "<call> <path>" for each call that fails; it is not made if none does
 *
 * The kinds are: open (for writing), write, fsync, close, rename, link, mkdir, unlink; look (open for reading, open a
 * folder), read; malloc. Those of the C library's streams count among them. A call that closes a descriptor does so,
 * and tells of an error all the same. Memory fails to calls from the plugin or from zarrkit (fault_memory.c).
 *
 * A program may also call the functions at the end. For systems of 64 bits, where the calls with a 64 in their names
 * are the same as those without. */

#define _GNU_SOURCE
#include "fault_shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* const kFamilies[] = {"open",  "write",  "fsync", "close", "rename", "link",
                                        "mkdir", "unlink", "look",  "read",  "malloc"};
enum { kDefaultFamilies = (1 << kLook) - 1 };

static struct {
  char folder[kPathSize];
  char report[kPathSize];
  unsigned families;
  long number;
  int error;
  int lasting;
  int is_short;
} settings;
static atomic_long calls;
static atomic_int has_failed;

void* Next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

int IsActive(void) {
  return settings.number != 0 || IsRecording();
}

int IsShort(void) {
  return settings.is_short;
}

int CountsMemory(void) {
  return settings.number != 0 && (settings.families & (1u << kMemory)) != 0;
}

/* --- paths ------------------------------------------------------------------------------------------------------ */

int IsBelowFolder(const char* path) {
  const size_t length = strlen(settings.folder);
  return length > 0 && strncmp(path, settings.folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

int GetPathOf(int descriptor, char path[kPathSize]) {
  const int before = errno;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, kPathSize - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = '\0';
  return 1;
}

int GetFullPath(int folder, const char* path, char full[kPathSize]) {
  char base[kPathSize] = "";
  if (path[0] != '/') {
    const int before = errno;
    ssize_t length = -1;
    if (folder == AT_FDCWD) {
      length = readlink("/proc/self/cwd", base, sizeof base - 1);
      if (length >= 0) base[length] = '\0';
    } else if (GetPathOf(folder, base)) {
      length = (ssize_t)strlen(base);
    }
    errno = before;
    if (length < 0) return 0;
  }
  return snprintf(full, kPathSize, "%s%s%s", base, base[0] ? "/" : "", path) < kPathSize;
}

/* --- which call fails ------------------------------------------------------------------------------------------- */

/* By system calls, which this does not count. */
static void Report(const char* call, const char* path) {
  if (!settings.report[0]) return;
  char line[kPathSize + 64];
  const int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  const long file = syscall(SYS_openat, AT_FDCWD, settings.report, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0) return;
  const long written = syscall(SYS_write, file, line, (size_t)length);
  (void)written;
  syscall(SYS_close, file);
}

static int Count(const char* call, Family family, const char* path, int takes_room) {
  if ((settings.families & (1u << family)) == 0) return 0;
  const int lasts = takes_room && settings.lasting && atomic_load(&has_failed);
  if (atomic_fetch_add(&calls, 1) + 1 != settings.number && !lasts) return 0;
  atomic_store(&has_failed, 1);
  Report(call, path);
  errno = settings.error;
  return 1;
}

int Fails(const char* call, Family family, const char* path, int takes_room) {
  return settings.number != 0 && IsBelowFolder(path) && Count(call, family, path, takes_room);
}

int FailsForMemory(const char* call) {
  return Count(call, kMemory, "", 0);
}

/* --- settings --------------------------------------------------------------------------------------------------- */

static unsigned ParseFamilies(const char* names) {
  if (!names || !*names) return kDefaultFamilies;
  unsigned families = 0;
  for (unsigned family = 0; family < sizeof kFamilies / sizeof kFamilies[0]; ++family) {
    const size_t length = strlen(kFamilies[family]);
    for (const char* found = strstr(names, kFamilies[family]); found; found = strstr(found + 1, kFamilies[family])) {
      const int begins = found == names || found[-1] == ',';
      if (begins && (found[length] == ',' || found[length] == '\0')) families |= 1u << family;
    }
  }
  return families;
}

static void SetText(char* target, const char* text) {
  snprintf(target, kPathSize, "%s", text ? text : "");
}

#define EXPORTED __attribute__((visibility("default")))

/* As the variables of the environment. Counts from 1 on again. */
EXPORTED void zarr_fault_arm(const char* folder, const char* names, long number, int error, int lasting, int is_short,
                             const char* report) {
  settings.number = 0;
  SetText(settings.folder, folder);
  SetText(settings.report, report);
  settings.families = ParseFamilies(names);
  settings.error = error;
  settings.lasting = lasting;
  settings.is_short = is_short;
  atomic_store(&calls, 0);
  atomic_store(&has_failed, 0);
  settings.number = number;
}

/* Lets no more calls fail; returns how many were counted. */
EXPORTED long zarr_fault_disarm(void) {
  settings.number = 0;
  return atomic_load(&calls);
}

EXPORTED int zarr_fault_happened(void) {
  return atomic_load(&has_failed);
}

static long NumberOf(const char* variable) {
  const char* text = getenv(variable);
  return text ? atol(text) : 0;
}

__attribute__((constructor)) static void ReadEnvironment(void) {
  zarr_fault_arm(getenv("ZARR_FAULT_FOLDER"), getenv("ZARR_FAULT_CALLS"), NumberOf("ZARR_FAULT_NUMBER"),
                 (int)NumberOf("ZARR_FAULT_ERRNO"), NumberOf("ZARR_FAULT_LASTING") == 1,
                 NumberOf("ZARR_FAULT_SHORT") == 1, getenv("ZARR_FAULT_REPORT"));
}
