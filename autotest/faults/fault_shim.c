// SPDX-License-Identifier: MIT
/* Preloaded into a program (LD_PRELOAD), this makes one of its calls fail that write below a folder.
 *
 *   ZARR_FAULT_FOLDER   the folder, as an absolute path without symbolic links
 *   ZARR_FAULT_NUMBER   which of the calls fails, from 1 on; 0: none
 *   ZARR_FAULT_ERRNO    the error, as a number
 *   ZARR_FAULT_LASTING  if 1, all later calls that take room fail too, as on a disk that is full
 *   ZARR_FAULT_REPORT   a file that gets a line "<call> <path>" for each call that fails; it is not made if none does
 *
 * The calls are those that open for writing, write, cut, flush, close, rename, link, make and remove; of the C
 * library's streams also those that write and close. What closes a descriptor does so, and tells of an error all the
 * same.
 *
 * For systems of 64 bits, where the calls with a 64 in their names are the same as those without. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kPathSize = 4096 };

static atomic_long calls;
static atomic_int has_failed;

static void* Next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

/* --- which call fails ------------------------------------------------------------------------------------------- */

static int IsBelowFolder(const char* path) {
  const char* folder = getenv("ZARR_FAULT_FOLDER");
  if (!folder || !*folder) return 0;
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static long NumberOf(const char* variable) {
  const char* text = getenv(variable);
  return text ? atol(text) : 0;
}

/* By system calls, which this does not count. */
static void Report(const char* call, const char* path) {
  const char* report = getenv("ZARR_FAULT_REPORT");
  if (!report) return;
  char line[kPathSize + 64];
  const int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  const long file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0) return;
  const long written = syscall(SYS_write, file, line, (size_t)length);
  (void)written;
  syscall(SYS_close, file);
}

/* Sets errno if the call is to fail. */
static int Fails(const char* call, const char* path, int takes_room) {
  if (!IsBelowFolder(path)) return 0;
  const long number = NumberOf("ZARR_FAULT_NUMBER");
  if (number == 0) return 0;
  const int lasts = takes_room && atomic_load(&has_failed) && NumberOf("ZARR_FAULT_LASTING") == 1;
  if (atomic_fetch_add(&calls, 1) + 1 != number && !lasts) return 0;
  atomic_store(&has_failed, 1);
  Report(call, path);
  errno = (int)NumberOf("ZARR_FAULT_ERRNO");
  return 1;
}

static int FailsAt(const char* call, int folder, const char* path, int takes_room) {
  char full[kPathSize];
  if (path[0] == '/') return Fails(call, path, takes_room);
  char base[kPathSize];
  ssize_t length = 0;
  if (folder == AT_FDCWD) {
    length = readlink("/proc/self/cwd", base, sizeof base - 1);
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    length = readlink(link, base, sizeof base - 1);
  }
  if (length < 0) return 0;
  base[length] = '\0';
  if (snprintf(full, sizeof full, "%s/%s", base, path) >= (int)sizeof full) return 0;
  return Fails(call, full, takes_room);
}

/* Of a descriptor that is open for writing; files without a name have the path of one in their folder. */
static int FailsOf(const char* call, int descriptor, int takes_room) {
  const int before = errno;
  const int flags = fcntl(descriptor, F_GETFL);
  errno = before;
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) return 0;
  char link[64];
  char path[kPathSize];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = '\0';
  return Fails(call, path, takes_room);
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

static int IsForWriting(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY;
}

static mode_t ModeOf(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = ModeOf(flags, list);
  va_end(list);
  if (IsForWriting(flags) && FailsAt("open", AT_FDCWD, path, 1)) return -1;
  return ((int (*)(const char*, int, ...))Next("open"))(path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));

int openat(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = ModeOf(flags, list);
  va_end(list);
  if (IsForWriting(flags) && FailsAt("open", folder, path, 1)) return -1;
  return ((int (*)(int, const char*, int, ...))Next("openat"))(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));

static int IsWritingMode(const char* mode) {
  return strpbrk(mode, "wa+") != NULL;
}

FILE* fopen(const char* path, const char* mode) {
  if (IsWritingMode(mode) && FailsAt("fopen", AT_FDCWD, path, 1)) return NULL;
  return ((FILE * (*)(const char*, const char*)) Next("fopen"))(path, mode);
}
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));

/* --- writing and closing ---------------------------------------------------------------------------------------- */

ssize_t write(int file, const void* data, size_t size) {
  if (FailsOf("write", file, 1)) return -1;
  return ((ssize_t(*)(int, const void*, size_t))Next("write"))(file, data, size);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  if (FailsOf("writev", file, 1)) return -1;
  return ((ssize_t(*)(int, const struct iovec*, int))Next("writev"))(file, parts, count);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  if (FailsOf("pwrite", file, 1)) return -1;
  return ((ssize_t(*)(int, const void*, size_t, off_t))Next("pwrite"))(file, data, size, offset);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) __attribute__((alias("pwrite")));

int ftruncate(int file, off_t size) {
  if (FailsOf("ftruncate", file, 1)) return -1;
  return ((int (*)(int, off_t))Next("ftruncate"))(file, size);
}
int ftruncate64(int file, off64_t size) __attribute__((alias("ftruncate")));

int fsync(int file) {
  if (FailsOf("fsync", file, 1)) return -1;
  return ((int (*)(int))Next("fsync"))(file);
}

int close(int file) {
  const int fails = FailsOf("close", file, 0);
  const int error = errno;
  const int result = ((int (*)(int))Next("close"))(file);
  if (!fails) return result;
  errno = error;
  return -1;
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* stream) {
  if (FailsOf("fwrite", fileno(stream), 1)) return 0;
  return ((size_t(*)(const void*, size_t, size_t, FILE*))Next("fwrite"))(data, size, count, stream);
}

int fflush(FILE* stream) {
  if (stream && FailsOf("fflush", fileno(stream), 1)) {
    __fpurge(stream);
    return EOF;
  }
  return ((int (*)(FILE*))Next("fflush"))(stream);
}

/* What the stream holds is lost: this is where it would be written. */
int fclose(FILE* stream) {
  const int fails = FailsOf("fclose", fileno(stream), 1);
  const int error = errno;
  if (fails) __fpurge(stream);
  const int result = ((int (*)(FILE*))Next("fclose"))(stream);
  if (!fails) return result;
  errno = error;
  return EOF;
}

/* --- names ------------------------------------------------------------------------------------------------------ */

int rename(const char* from, const char* to) {
  if (FailsAt("rename", AT_FDCWD, to, 1)) return -1;
  return ((int (*)(const char*, const char*))Next("rename"))(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  if (FailsAt("renameat", to_folder, to, 1)) return -1;
  return ((int (*)(int, const char*, int, const char*))Next("renameat"))(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (FailsAt("renameat2", to_folder, to, 1)) return -1;
  return ((int (*)(int, const char*, int, const char*, unsigned))Next("renameat2"))(from_folder, from, to_folder, to,
                                                                                    flags);
}

int link(const char* from, const char* to) {
  if (FailsAt("link", AT_FDCWD, to, 1)) return -1;
  return ((int (*)(const char*, const char*))Next("link"))(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (FailsAt("linkat", to_folder, to, 1)) return -1;
  return ((int (*)(int, const char*, int, const char*, int))Next("linkat"))(from_folder, from, to_folder, to, flags);
}

int mkdir(const char* path, mode_t mode) {
  if (FailsAt("mkdir", AT_FDCWD, path, 1)) return -1;
  return ((int (*)(const char*, mode_t))Next("mkdir"))(path, mode);
}

int mkdirat(int folder, const char* path, mode_t mode) {
  if (FailsAt("mkdirat", folder, path, 1)) return -1;
  return ((int (*)(int, const char*, mode_t))Next("mkdirat"))(folder, path, mode);
}

int unlink(const char* path) {
  if (FailsAt("unlink", AT_FDCWD, path, 0)) return -1;
  return ((int (*)(const char*))Next("unlink"))(path);
}

int unlinkat(int folder, const char* path, int flags) {
  if (FailsAt("unlinkat", folder, path, 0)) return -1;
  return ((int (*)(int, const char*, int))Next("unlinkat"))(folder, path, flags);
}
