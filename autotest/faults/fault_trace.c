// SPDX-License-Identifier: MIT
/* The record of all changes below the folder, one line each, from which autotest/pymod/power_failure.py makes what a
 * power failure may leave:
 *
 *   new <inode> <path>           a file was made; the path is "-" for one without a name
 *   write <inode> <offset> <bytes in hexadecimal digits>
 *   sync <inode>                 the content of a file was forced to the disk
 *   syncdir <path>               the names in a folder were
 *   link <inode> <path>
 *   rename <path>\t<path>, exchange <path>\t<path>, mkdir <path>, remove <path>
 *   mark <text>                  what the program says of itself */

#define _GNU_SOURCE
#include "fault_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long trace = -1;

int IsRecording(void) {
  return trace >= 0;
}

static void Write(const char* text, size_t size) {
  const int before = errno;
  const long written = syscall(SYS_write, trace, text, size);
  (void)written;
  errno = before;
}

static unsigned long GetInode(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? (unsigned long)status.st_ino : 0;
}

static int IsInside(int file) {
  char path[kPathSize];
  return trace >= 0 && GetPathOf(file, path) && IsBelowFolder(path);
}

void RecordOpened(int file, const char* path, int is_unnamed) {
  if (trace < 0 || !IsBelowFolder(path)) return;
  char line[kPathSize + 64];
  const int size = snprintf(line, sizeof line, "new %lu %s\n", GetInode(file), is_unnamed ? "-" : path);
  Write(line, (size_t)size);
}

void RecordWrite(int file, const void* data, size_t size, off_t offset) {
  if (!IsInside(file)) return;
  char* line = malloc(2 * size + 64);
  if (!line) abort();
  char* end = line + sprintf(line, "write %lu %ld ", GetInode(file), (long)offset);
  for (size_t i = 0; i < size; ++i) end += sprintf(end, "%02x", ((const unsigned char*)data)[i]);
  *end++ = '\n';
  Write(line, (size_t)(end - line));
  free(line);
}

void RecordSync(int file) {
  char path[kPathSize];
  struct stat status;
  if (trace < 0 || !GetPathOf(file, path) || fstat(file, &status) != 0) return;
  char line[kPathSize + 64];
  const int size = S_ISDIR(status.st_mode) ? snprintf(line, sizeof line, "syncdir %s\n", path)
                                           : snprintf(line, sizeof line, "sync %lu\n", (unsigned long)status.st_ino);
  Write(line, (size_t)size);
}

/* `from` may be a link to an open file in /proc. */
void RecordName(const char* operation, const char* from, const char* to) {
  if (trace < 0 || !IsBelowFolder(to)) return;
  char line[2 * kPathSize + 64];
  int size = 0;
  struct stat status;
  if (strcmp(operation, "link") == 0) {
    if (stat(from, &status) != 0) return;
    size = snprintf(line, sizeof line, "link %lu %s\n", (unsigned long)status.st_ino, to);
  } else if (from) {
    size = snprintf(line, sizeof line, "%s %s\t%s\n", operation, from, to);
  } else {
    size = snprintf(line, sizeof line, "%s %s\n", operation, to);
  }
  Write(line, (size_t)size);
}

#define EXPORTED __attribute__((visibility("default")))

/* Records changes below the folder of `zarr_fault_arm` from now on. */
EXPORTED void zarr_fault_record(const char* file) {
  trace = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

EXPORTED void zarr_fault_mark(const char* text) {
  char line[kPathSize];
  const int size = snprintf(line, sizeof line, "mark %s\n", text);
  if (trace >= 0) Write(line, (size_t)size);
}
