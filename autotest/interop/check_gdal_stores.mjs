// SPDX-License-Identifier: MIT
// Reads the stores that write_gdal_stores.py wrote with zarrita.js, and compares them bit for bit.
//
// Usage: node check_gdal_stores.mjs <folder>
//
// What zarrita.js does not know is named here and counted apart; all else that it cannot read, and every value that
// differs, fails.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FileSystemStore } from "@zarrita/storage";
import { get, open, root } from "zarrita";

// It does not look at a grid's name, has neither complex numbers nor these codecs, and takes the array's type for that of
// the delta filter, which is an integer's of floats with PREDICTOR=3 in v2.
const NOT_KNOWN = /CFloat|rectilinear|months|lzma|bz2|v2_predictor3/;

function bytesOf(data) {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** The elements in C order, whatever the strides. */
function inOrder({ data, shape, stride }) {
  const ordered = new data.constructor(data.length);
  for (let i = 0; i < data.length; ++i) {
    let rest = i;
    let position = 0;
    for (let d = shape.length - 1; d >= 0; --d) {
      position += (rest % shape[d]) * stride[d];
      rest = Math.floor(rest / shape[d]);
    }
    ordered[i] = data[position];
  }
  return ordered;
}

async function check(folder, row) {
  const store = new FileSystemStore(join(folder, row.name));
  const location = root(store).resolve(row.array);
  const array = await (row.version === 2 ? open.v2(location, { kind: "array" }) : open.v3(location, { kind: "array" }));
  const result = await get(array);
  if (row.values) {
    return JSON.stringify([...result.data]) === JSON.stringify(row.values) ? "" : "values differ";
  }
  const want = readFileSync(join(folder, `${row.name}.bin`));
  return bytesOf(inOrder(result)).equals(want) ? "" : "values differ";
}

const folder = process.argv[2];
const counts = { read: 0, "left out": 0, failed: 0 };
for (const row of JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))) {
  let result = "left out";
  let message = "";
  if (row.version !== 1 && !NOT_KNOWN.test(row.name)) {
    try {
      message = await check(folder, row);
      result = message ? "failed" : "read";
    } catch (error) {
      message = String(error);
      result = "failed";
    }
  }
  counts[result] += 1;
  if (result === "failed") console.log(`failed: ${row.name}: ${message.slice(0, 200)}`);
}
const summary = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
console.log(`zarrita.js: ${summary.join(", ")}`);
process.exit(counts.failed > 0 || counts.read === 0 ? 1 : 0);
