// SPDX-License-Identifier: MIT
#include "zarrlib/tools/help/help_texts.h"

namespace zarr::tools {

const std::string_view kHelpBegin =
    R"(Looks at Zarr stores, takes their metadata to newer formats, gives them other chunks, plans the work of many writers,
and explains what reading costs.

STORE is a local folder or ZIP archive. With the GDAL plugin it can also be a URL (https://, s3://, gs://, az://, ...), a
path of GDAL's virtual file systems (/vsicurl/..., /vsis3/...), kerchunk references (a.json), an Icechunk repository
(a.icechunk, a.icechunk?tag=v1), or the name of a dataset (ZARR:"..."). GDAL's configuration options come from the
environment.
)";

const CommandHelp kCommandHelps[kCommandCount] = {
    {"info", "groups and arrays, with their sizes on the disk",
     R"(  zarrkit info STORE [--array PATH] [--attributes] [--sizes] [--json]
      The groups and arrays, with shapes, data types, chunks and codecs.
        --array        only this array, or this group with what is below it
        --attributes   also the attributes, each on a line
        --sizes        also how many chunks are stored, their bytes as stored and decoded, and the ratio; for each array,
                       and for all of them together. zarrkit finish --no-consolidate names those that are missing
        --json         an object, with all attributes
)",
     R"(zarrkit info relief.zarr --sizes)"},
    {"check", "what is wrong with a store; repairs",
     R"(  zarrkit check STORE [--array PATH] [--conventions] [--json] [--repair] [--remove-temporary]
      Reads all metadata and decodes every chunk that is stored. Prints one line for each finding, with its key and, in
      brackets, the name of the rule that is broken; --rules lists the rules. Errors, which give readers wrong values or
      none: documents and chunks that cannot be read; folders and pipes in the place of chunks; an array and a group in one folder; metadata of several formats, or
      consolidated ones, that do not agree; coordinates of another length than the data; an array that an interrupted
      reshard has not put in its place. Warnings: nodes that consolidated metadata do not list; coordinates of which
      values are not stored; arrays of v1 below the root, which are not checked; dimensions of one name and several
      lengths without coordinates; chunks outside of the grid; temporary files and what else of processes that were
      killed is left. The exit status is 1 if there is any error, and 0 otherwise.
        --array              only this array, or this group with what is below it
        --conventions        also checks the attributes against CF, xarray and the conventions of GeoZarr
        --json               an object with the list "findings": of each, its severity, rule, key, message and, in a
                             document, the JSON Pointer
        --repair             first repairs what can be repaired without losing anything: makes consolidated metadata
                             anew that do not agree with the documents of the nodes, and completes interrupted reshards
        --remove-temporary   removes temporary files (.zarr-tmp-*) that have not been written to for an hour, and no others
  zarrkit check --rules [--json]
      The rules, with their severity and meaning.
)",
     R"(zarrkit check relief.zarr --conventions)"},
    {"migrate", "metadata of a newer format, and back",
     R"(  zarrkit migrate STORE --to v2|v3 [--dry-run] [--delete-old]
      Writes metadata of that format next to the old ones. No chunk is touched. If anything has no equal in the new
      format, says what, and writes nothing. STORE must be one; folders in it that have no metadata are left alone.
        --dry-run      only says what would be written
        --delete-old   removes the old metadata afterwards; with them there, the migration can be taken back by --undo,
                       and nodes are not changed, since one of the two would become wrong
  zarrkit migrate STORE --undo [--dry-run]
      Takes a migration back: removes the new metadata, if the old ones are complete and the new ones say the same.
  zarrkit migrate STORE --to v3 --output NEW_STORE [--dry-run]
      Makes a new store of v3 of a store of the draft of v3 (2020 to 2022). The old store stays as it is. Chunks are
      copied, as they are stored, since they have other keys in v3. NEW_STORE must be an empty folder, or absent; with a
      name that ends in .zip, it becomes a ZIP archive.
)",
     R"(zarrkit migrate relief.zarr --to v3)"},
    {"reshard", "other chunks or shards for one array",
     R"(  zarrkit reshard STORE --array PATH --chunks N,N,... [--shards N,N,...] [--allow-lossy]
      Rewrites an array with other chunks, in shards if their edges are given (v3 only). The array is written anew in the
      folder .zarr-tmp-reshard-NAME beside it, and takes its place in one step at the end. When it is interrupted, the
      array stays as it was; if it is killed, the next reshard of the array removes or completes what was left.
      What others write meanwhile is copied, too. Whoever had the array open must open it again, also to read.
      It takes memory for three new chunks (shards), which may have 1 GiB decoded, and for the old chunks being decoded,
      besides 512 MiB of cache.
        --allow-lossy  encodes values anew also with codecs that round them (quantize, bitround, zfp, ...)
)",
     R"(zarrkit reshard relief.zarr --array relief --chunks 90,180 --shards 540,1080)"},
    {"plan", "the units that many writers can share out",
     R"(  zarrkit plan STORE --array PATH [--region START:STOP,... | --overviews] [--json]
      The units of an array that processes can write without touching what others write: its shards, else its chunks.
      One line for each, with START:STOP of its elements along each axis. Nothing is written.
        --region   only units that meet the region. Either number may be left out; negative ones count from the end. A
                   unit that is partly in the region is cut to it, and marked as partial: writing it reads it back
        --overviews  the units of its overviews that lack changes, each after the name of the overview. A unit is
                   computed from the level before: all units of one level must be written before those of the next
        --json     an object with a list of units, each with start and count
)",
     R"(zarrkit plan relief.zarr --array relief --region 0:270,:)"},
    {"finish", "consolidated metadata, and what is missing",
     R"(  zarrkit finish STORE [--array PATH [--region START:STOP,...] [--overviews]] [--no-consolidate] [--json]
      Makes the consolidated metadata of the store, when the processes have ended, and prints the units of which nothing
      is stored, in the form of plan: of one array, or of all that have dimensions. The exit status is 3 if any are.
      Units that hold nothing but the fill value are missing too, unless their writer stores empty chunks.
        --overviews        all units of plan --overviews have been written: the array's overviews are not stale now
        --no-consolidate   writes nothing
)",
     R"(zarrkit finish relief.zarr)"},
    {"explain", "what a read would cost on the web",
     R"(  zarrkit explain STORE --array PATH [--window COLUMN,ROW,WIDTH,HEIGHT | --region START:STOP,...] [--json]
      How a read becomes requests, if the store were on the web: the chunks and shards that it meets, the least number of
      requests, the bytes that are stored and decoded, the share of the decoded values that is used, and what would be
      better. Sizes and the indices of shards are looked at; no chunk is decoded.
        --window   a window of the last two axes, at the first index along the others
        --region   as for plan
)",
     R"(zarrkit explain relief.zarr --array relief --window 100,100,50,50)"},
    {"map", "a picture of the chunks and the values",
     R"(  zarrkit map STORE --array PATH [--window COLUMN,ROW,WIDTH,HEIGHT | --region START:STOP,...] OUT.svg
      Draws the chunk grid of the last two axes, at the first index along the others, over a small picture of the values:
      what is present, missing and damaged, shards and their inner chunks. Decodes each of these chunks. The exit status
      is 1 if one is damaged. OUT.svg may also be -, for standard output, or the name of a pipe or a device.
)",
     R"(zarrkit map relief.zarr --array relief relief.svg)"},
    {"copy", "a whole store, with other chunks or compressors",
     R"(  zarrkit copy STORE NEW_STORE [--compress NAME[:LEVEL]] [--chunks N,N,...] [--shards N,N,...] [--array RULE]...
                                 [--allow-lossy]
      Copies a whole store of v2 or v3, with attributes, consolidated metadata and files of other programs. Chunks are
      copied as they are stored, except those of arrays that get other chunks or codecs. NEW_STORE must be an empty
      folder, or absent, or what an interrupted copy has left: then the same command goes on where that has stopped. If
      its name ends in .zip, it becomes a ZIP archive, and must be absent.
        --compress     zstd, gzip or blosc, with or without a level as in zstd:5, in the place of what compresses the
                       chunks now; or none
        --chunks       for all arrays with as many dimensions; with --shards, in shards (v3 only)
        --array        a rule for some arrays: "PATTERN [chunks=N,N,...] [shards=N,N,...] [compress=NAME[:LEVEL]]".
                       In the pattern * stands for any text within a name, and ** for any text. The first rule that
                       matches counts, and the options above for arrays that none matches. All arrays are copied
        --allow-lossy  as for reshard
)",
     R"(zarrkit copy relief.zarr new.zarr --array 'relief chunks=90,90' --compress zstd:9)"},
    {"stat", "where one chunk is stored",
     R"(  zarrkit stat STORE --array PATH --chunk I,J,... [--json]
  zarrkit stat STORE --array PATH --shard I,J,... [--json]
      One chunk, inner chunk or shard, by its place in the grid of chunks: its key, whether it is stored, its offset and
      bytes in the stored value, the bytes decoded, its region of the array, and its codecs. Of references and
      repositories, also the file with the bytes, and the offset in it.
        --chunk   an inner chunk where the array has shards, which --shard names; an array without axes needs neither
)",
     R"(zarrkit stat relief.zarr --array relief --chunk 4,7)"},
    {"cat", "the values or the bytes of one chunk",
     R"(  zarrkit cat STORE --array PATH --chunk I,J,... [--text | --raw]
  zarrkit cat STORE --array PATH --shard I,J,... [--text | --raw]
      The values of a chunk inside the array, in C order, as bytes in the byte order of this machine. Of a chunk that is
      not stored, they are the fill value.
        --text   as numbers: a line for each row, and an empty line between planes. Dates of datetime64 are as in ISO
                 8601, text is in quotation marks, as in JSON, and bytes are in base64
        --raw    the bytes as they are stored, encoded
)",
     R"(zarrkit cat relief.zarr --array relief --chunk 4,7 --text)"},
    {"stack", "references to many files, as one store",
     R"(  zarrkit stack --along DIMENSION FILE... -o OUTPUT
      Makes kerchunk references to files that follow each other along a dimension, without copying their chunks: to
      netCDF and HDF5 files (with GDAL 3.12 or later), stores and references. Coordinates along it are part of OUTPUT,
      with times in the unit of the first file. If no array has the dimension, those with two or more dimensions get it.
      Files of which the chunks differ in length give rectilinear chunks, in v3. What is not stacked is that of the
      first file; what differs in others is named on standard error. What cannot be described is an error.
        -o   a file of JSON; with a name that ends in .parq or .parquet, a folder of Parquet files; in .icechunk,
             a repository
)",
     R"(zarrkit stack --along time january.nc february.nc -o winter.json)"},
    {"log", "the commits of an Icechunk repository",
     R"(  zarrkit log REPOSITORY [--at BRANCH|TAG|SNAPSHOT] [--limit N]
      The commits of a repository in a local folder, the last one first: its ID, time, message and author.
        --at      where to begin, by default the branch main
        --limit   how many at most
)",
     R"(zarrkit log counts.icechunk --limit 5)"},
    {"branch", "branches of an Icechunk repository",
     R"(  zarrkit branch REPOSITORY [--create NAME [--at BRANCH|TAG|SNAPSHOT] | --delete NAME]
      Lists the branches of a repository in a local folder, with the IDs of their snapshots, or makes or deletes one. The
      branch main cannot be deleted. Changes need format 2.
        --at   the snapshot of a new one, by default that of the branch main
)",
     R"(zarrkit branch counts.icechunk --create test --at half)"},
    {"tag", "tags of an Icechunk repository",
     R"(  zarrkit tag REPOSITORY [--create NAME [--at BRANCH|TAG|SNAPSHOT] | --delete NAME]
      The same for tags. A tag that was deleted cannot be made again.
)",
     R"(zarrkit tag counts.icechunk --create v1)"},
    {"gc", "what an Icechunk repository does not need",
     R"(  zarrkit gc REPOSITORY --older-than TIME [--remove]
      Lists the objects of a repository in a local folder that no branch and no tag leads to, and that were written before
      a time. It must be before the beginning of any change that is not committed yet.
        --remove   removes them
)",
     R"(zarrkit gc counts.icechunk --older-than 2026-05-01T12:00:00Z)"},
};

const std::string_view kHelpEnd =
    R"(Commands that take long show their progress on standard error if it is a terminal, unless --quiet is given.

Exit statuses: 0 success; 1 failure: check has found errors, or the command cannot be carried out; 2 wrong arguments;
3 finish has found that units are missing; 128 and the number of the signal, if one has interrupted a reshard or a copy.
)";

}  // namespace zarr::tools
