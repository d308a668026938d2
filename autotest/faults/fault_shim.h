// SPDX-License-Identifier: MIT
/* What the parts of the shim share: see fault_shim.c. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { kPathSize = 4096 };

/* The kinds of calls. Those that only read fail only if they are asked for by name. */
typedef enum { kOpen, kWrite, kSync, kClose, kRename, kLink, kMakeFolder, kRemove, kLook, kRead, kMemory } Family;

/* The library's own function of that name. */
void* Next(const char* name);

/* Whether anything is to fail or to be recorded. Costs nothing. */
int IsActive(void);

/* Whether this call, of a file at an absolute path, is to fail; then sets errno. `takes_room`: it does not work on a
 * full disk. */
int Fails(const char* call, Family family, const char* path, int takes_room);

/* As Fails, of a call of memory, which has no path. */
int FailsForMemory(const char* call);
int CountsMemory(void);

/* Whether the call that is to fail does a part of its work instead. */
int IsShort(void);

/* The absolute path of a file; returns 0 if it is too long or cannot be told. */
int GetFullPath(int folder, const char* path, char full[kPathSize]);
int GetPathOf(int descriptor, char path[kPathSize]);
int IsBelowFolder(const char* path);

/* --- the record of changes (fault_trace.c); `file` is open --- */
int IsRecording(void);
void RecordOpened(int file, const char* path, int is_unnamed);
void RecordWrite(int file, const void* data, size_t size, off_t offset);
void RecordSync(int file);
void RecordName(const char* operation, const char* from, const char* to);
