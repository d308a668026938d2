// SPDX-License-Identifier: MIT
// Reads and changes repositories with the reference implementation of Icechunk. Usage: node reference.mjs <steps>, where
// <steps> is a JSON array of [operation, arguments...]. Prints one JSON value per step that returns something.
import { Repository, Storage } from "@earthmover/icechunk";
import * as zarr from "zarrita";

/** A place is the path of a local folder, or a folder of a bucket: { endpoint, bucket, prefix, id, secret }. */
async function findStorage(place) {
  if (typeof place === "string") return Storage.newLocalFilesystem(place);
  const credentials = { type: "Static", field0: { accessKeyId: place.id, secretAccessKey: place.secret } };
  const options = { endpointUrl: `http://${place.endpoint}`, allowHttp: true, forcePathStyle: true, region: "us-east-1" };
  return Storage.newS3(place.bucket, place.prefix, credentials, options);
}

/** `containers` are the URLs of virtual chunks that may be read. */
async function open(place, containers = []) {
  const allowed = Object.fromEntries(containers.map((url) => [url, null]));
  return Repository.open(await findStorage(place), undefined, allowed);
}

function plain(value) {
  return typeof value === "bigint" ? Number(value) : value;
}

async function readArrays(session, names) {
  const root = await zarr.open(session.store, { kind: "group" }).catch(() => zarr.root(session.store));
  const arrays = {};
  for (const name of names) {
    const array = await zarr.open(root.resolve(name), { kind: "array" });
    const { data } = await zarr.get(array);
    arrays[name] = { shape: array.shape, values: Array.from(data, plain), attributes: array.attrs };
  }
  return { attributes: root.attrs, arrays };
}

const operations = {
  async create(path, version) {
    await Repository.create(await findStorage(path), undefined, version);
  },
  /** Makes an int32 array, and commits. */
  async addArray(path, branch, name, shape, chunks, value, message, withRoot = true) {
    const session = await (await open(path)).writableSession(branch);
    const root = zarr.root(session.store);
    if (withRoot) await zarr.create(root, { attributes: {} });
    const array = await zarr.create(root.resolve(name), { shape, chunkShape: chunks, dtype: "int32", fillValue: -1 });
    if (value !== null) await zarr.set(array, null, value);
    return session.commit(message);
  },
  /** Sets a part of an array, and commits. */
  async set(path, branch, name, ranges, value, message) {
    const session = await (await open(path)).writableSession(branch);
    const array = await zarr.open(zarr.root(session.store).resolve(name), { kind: "array" });
    await zarr.set(array, ranges.map(([from, to]) => zarr.slice(from, to)), value);
    return session.commit(message);
  },
  /** Like set, in a session that commits again and again while others do, one row of chunks each time, with the number
   * of the row. Returns how often others were faster. */
  async setRows(path, branch, name, first, count, height, width) {
    let conflicts = 0;
    for (let i = 0; i < count; ++i) {
      const row = (first + i) * height;
      for (;;) {
        const session = await (await open(path)).writableSession(branch);
        const array = await zarr.open(zarr.root(session.store).resolve(name), { kind: "array" });
        await zarr.set(array, [zarr.slice(row, row + height), zarr.slice(0, width)], first + i);
        try {
          await session.commit(`rows ${row}`);
          break;
        } catch (error) {
          if (!String(error).match(/conflict|rebase|branch/i)) throw error;
          ++conflicts;
        }
      }
    }
    return conflicts;
  },
  async tag(path, name, snapshot) {
    await (await open(path)).createTag(name, snapshot);
  },
  async branch(path, name, snapshot) {
    await (await open(path)).createBranch(name, snapshot);
  },
  async history(path, branch) {
    return (await open(path)).ancestry({ branch });
  },
  async names(path) {
    const repository = await open(path);
    return { version: repository.specVersion, branches: await repository.listBranches(), tags: await repository.listTags() };
  },
  async read(path, version, names, containers) {
    return readArrays(await (await open(path, containers)).readonlySession(version), names);
  },
  /** Makes a repository of references to an int32 array in a file, each chunk after the other. The file is in a container
   * whose URL is `folder`, in a store with the type and the options of `store`. */
  async refer(path, folder, store, file, chunks, length, version) {
    const container = { urlPrefix: folder, store: { type: store[0], field0: store[1] } };
    const storage = await Storage.newLocalFilesystem(path);
    const repository = await Repository.create(storage, { virtualChunkContainers: { [folder]: container } }, version, { [folder]: null });
    const session = await repository.writableSession("main");
    const root = zarr.root(session.store);
    await zarr.create(root, { attributes: {} });
    await zarr.create(root.resolve("a"), { shape: [chunks * length], chunkShape: [length], dtype: "int32", fillValue: -1 });
    for (let i = 0; i < chunks; ++i) {
      await session.store.setVirtualRef(`a/c/${i}`, folder + file, 4 * i * length, 4 * length, null, null, true);
    }
    return session.commit("referred");
  },
  async diff(path, from, to) {
    return (await open(path)).diff({ fromSnapshotId: from, toSnapshotId: to });
  },
};

for (const [operation, ...rest] of JSON.parse(process.argv[2])) {
  const result = await operations[operation](...rest);
  console.log(JSON.stringify(result ?? null));
}
