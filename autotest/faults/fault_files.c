// SPDX-License-Identifier: MIT
/* The calls for files of the shim: each fails, does a part of its work, or is passed on and recorded. */

#define _GNU_SOURCE
#include "fault_shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int FailsAt(const char* call, Family family, int folder, const char* path, int takes_room) {
  char full[kPathSize];
  return IsActive() && GetFullPath(folder, path, full) && Fails(call, family, full, takes_room);
}

/* Of a descriptor. Files without a name have the path of one in their folder. What is open only for reading counts only
 * as a file to read. */
static int FailsOf(const char* call, Family family, int descriptor, int takes_room) {
  char path[kPathSize];
  if (!IsActive()) return 0;
  const int before = errno;
  const int flags = fcntl(descriptor, F_GETFL);
  errno = before;
  if (flags < 0 || ((flags & O_ACCMODE) == O_RDONLY && family != kRead && family != kSync)) return 0;
  return GetPathOf(descriptor, path) && Fails(call, family, path, takes_room);
}

/* A part of a read or a write: at least one byte. */
static size_t HalfOf(size_t size) {
  return size > 1 ? size / 2 : size;
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

static int IsUnnamed(int flags) {
  return (flags & O_TMPFILE) == O_TMPFILE;
}

static int IsForWriting(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY;
}

static mode_t ModeOf(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || IsUnnamed(flags) ? va_arg(list, mode_t) : 0;
}

static int OpenAt(int folder, const char* path, int flags, mode_t mode) {
  const int writes = IsForWriting(flags);
  if (FailsAt("open", writes ? kOpen : kLook, folder, path, writes)) return -1;
  const int is_new = IsRecording() && ((flags & O_CREAT) || IsUnnamed(flags)) &&
                     (IsUnnamed(flags) || faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0);
  const int file = ((int (*)(int, const char*, int, ...))Next("openat"))(folder, path, flags, mode);
  char full[kPathSize];
  if (file >= 0 && is_new && GetFullPath(folder, path, full)) RecordOpened(file, full, IsUnnamed(flags));
  return file;
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = ModeOf(flags, list);
  va_end(list);
  return OpenAt(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));

int openat(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = ModeOf(flags, list);
  va_end(list);
  return OpenAt(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));

/* A copy of a descriptor is made to be closed: only that tells of some errors. */
int dup(int file) {
  if (FailsOf("dup", kClose, file, 0)) return -1;
  return ((int (*)(int))Next("dup"))(file);
}

FILE* fopen(const char* path, const char* mode) {
  const int writes = strpbrk(mode, "wa+") != NULL;
  if (FailsAt("fopen", writes ? kOpen : kLook, AT_FDCWD, path, writes)) return NULL;
  return ((FILE * (*)(const char*, const char*)) Next("fopen"))(path, mode);
}
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));

DIR* opendir(const char* path) {
  if (FailsAt("opendir", kLook, AT_FDCWD, path, 0)) return NULL;
  return ((DIR * (*)(const char*)) Next("opendir"))(path);
}

/* --- reading ---------------------------------------------------------------------------------------------------- */

ssize_t read(int file, void* data, size_t size) {
  if (FailsOf("read", kRead, file, 0)) {
    if (!IsShort()) return -1;
    size = HalfOf(size);
  }
  return ((ssize_t(*)(int, void*, size_t))Next("read"))(file, data, size);
}

ssize_t pread(int file, void* data, size_t size, off_t offset) {
  if (FailsOf("pread", kRead, file, 0)) {
    if (!IsShort()) return -1;
    size = HalfOf(size);
  }
  return ((ssize_t(*)(int, void*, size_t, off_t))Next("pread"))(file, data, size, offset);
}
ssize_t pread64(int file, void* data, size_t size, off64_t offset) __attribute__((alias("pread")));

/* A stream reads until it has all: a short count is an error, which `ferror` tells. */
size_t fread(void* data, size_t size, size_t count, FILE* stream) {
  if (FailsOf("fread", kRead, fileno(stream), 0) && !IsShort()) {
    stream->_flags |= _IO_ERR_SEEN;
    return 0;
  }
  return ((size_t(*)(void*, size_t, size_t, FILE*))Next("fread"))(data, size, count, stream);
}

/* --- writing and closing ---------------------------------------------------------------------------------------- */

ssize_t write(int file, const void* data, size_t size) {
  if (FailsOf("write", kWrite, file, 1)) {
    if (!IsShort()) return -1;
    size = HalfOf(size);
  }
  const off_t offset = IsRecording() ? lseek(file, 0, SEEK_CUR) : 0;
  const ssize_t count = ((ssize_t(*)(int, const void*, size_t))Next("write"))(file, data, size);
  if (count > 0 && IsRecording()) RecordWrite(file, data, (size_t)count, offset);
  return count;
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  if (FailsOf("writev", kWrite, file, 1)) return -1;
  return ((ssize_t(*)(int, const struct iovec*, int))Next("writev"))(file, parts, count);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  if (FailsOf("pwrite", kWrite, file, 1)) {
    if (!IsShort()) return -1;
    size = HalfOf(size);
  }
  const ssize_t count = ((ssize_t(*)(int, const void*, size_t, off_t))Next("pwrite"))(file, data, size, offset);
  if (count > 0 && IsRecording()) RecordWrite(file, data, (size_t)count, offset);
  return count;
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) __attribute__((alias("pwrite")));

int ftruncate(int file, off_t size) {
  if (FailsOf("ftruncate", kWrite, file, 1)) return -1;
  return ((int (*)(int, off_t))Next("ftruncate"))(file, size);
}
int ftruncate64(int file, off64_t size) __attribute__((alias("ftruncate")));

int fsync(int file) {
  if (FailsOf("fsync", kSync, file, 1)) return -1;
  const int result = ((int (*)(int))Next("fsync"))(file);
  if (result == 0 && IsRecording()) RecordSync(file);
  return result;
}

int close(int file) {
  const int fails = FailsOf("close", kClose, file, 0);
  const int error = errno;
  const int result = ((int (*)(int))Next("close"))(file);
  if (!fails) return result;
  errno = error;
  return -1;
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* stream) {
  if (FailsOf("fwrite", kWrite, fileno(stream), 1) && !IsShort()) return 0;
  return ((size_t(*)(const void*, size_t, size_t, FILE*))Next("fwrite"))(data, size, count, stream);
}

int fflush(FILE* stream) {
  if (stream && FailsOf("fflush", kWrite, fileno(stream), 1) && !IsShort()) {
    __fpurge(stream);
    return EOF;
  }
  return ((int (*)(FILE*))Next("fflush"))(stream);
}

/* What the stream holds is lost: this is where it would be written. */
int fclose(FILE* stream) {
  const int fails = FailsOf("fclose", kClose, fileno(stream), 1);
  const int error = errno;
  if (fails) __fpurge(stream);
  const int result = ((int (*)(FILE*))Next("fclose"))(stream);
  if (!fails) return result;
  errno = error;
  return EOF;
}

/* --- names ------------------------------------------------------------------------------------------------------ */

/* Records a change of names that has succeeded. */
static int Named(int result, const char* operation, int from_folder, const char* from, int to_folder, const char* to) {
  if (result != 0 || !IsRecording()) return result;
  char full_from[kPathSize], full_to[kPathSize];
  if (!GetFullPath(to_folder, to, full_to) || (from && !GetFullPath(from_folder, from, full_from))) return result;
  RecordName(operation, from ? full_from : NULL, full_to);
  return result;
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (FailsAt("rename", kRename, to_folder, to, 1)) return -1;
  const int result = ((int (*)(int, const char*, int, const char*, unsigned))Next("renameat2"))(from_folder, from,
                                                                                                to_folder, to, flags);
  return Named(result, flags & RENAME_EXCHANGE ? "exchange" : "rename", from_folder, from, to_folder, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return renameat2(from_folder, from, to_folder, to, 0);
}

int rename(const char* from, const char* to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (FailsAt("link", kLink, to_folder, to, 1)) return -1;
  const int result =
      ((int (*)(int, const char*, int, const char*, int))Next("linkat"))(from_folder, from, to_folder, to, flags);
  return Named(result, "link", from_folder, from, to_folder, to);
}

int link(const char* from, const char* to) {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdirat(int folder, const char* path, mode_t mode) {
  if (FailsAt("mkdir", kMakeFolder, folder, path, 1)) return -1;
  const int result = ((int (*)(int, const char*, mode_t))Next("mkdirat"))(folder, path, mode);
  return Named(result, "mkdir", AT_FDCWD, NULL, folder, path);
}

int mkdir(const char* path, mode_t mode) {
  return mkdirat(AT_FDCWD, path, mode);
}

int unlinkat(int folder, const char* path, int flags) {
  if (FailsAt("unlink", kRemove, folder, path, 0)) return -1;
  return Named(((int (*)(int, const char*, int))Next("unlinkat"))(folder, path, flags), "remove", AT_FDCWD, NULL,
               folder, path);
}

int unlink(const char* path) {
  return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char* path) {
  return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}
