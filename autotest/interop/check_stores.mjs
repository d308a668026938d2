// SPDX-License-Identifier: MIT
// Reads the stores that write_stores wrote with zarrita.js, and compares their values.
//
// Usage: node check_stores.mjs <folder>
//
// What zarrita.js does not know (a codec, a grid) is named and counted as not known; a value or another error fails.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FileSystemStore } from "@zarrita/storage";
import { get, open } from "zarrita";

const ROWS = 13;
const COLUMNS = 17;
const NOT_KNOWN = /unknown codec|Unknown codec|not found|unsupported|Unsupported|Unknown or unsupported|not implemented/i;
// zarrita.js does not look at a grid's name, looks for a shard's index at its end only, and for delta's type at its
// dtype only; what it then makes of the bytes may end the process.
const NOT_SUPPORTED = /rectilinear|shard_start|delta_astype/;

function numberAt(i) {
  if (Math.floor(i / COLUMNS) >= 8 && i % COLUMNS >= 12) return 0;
  return ((i * 37) % 113) - 20;
}

function textAt(i) {
  return i % 5 === 0 ? "" : (i % 3 === 0 ? "\u00e9" : "s") + i;
}

function expectedAt(name, dtype, i) {
  if (name.includes("vlen")) return textAt(i);
  const number = numberAt(i);
  if (dtype === "bool") return number > 10;
  if (dtype.startsWith("float")) return number * 0.25;
  if (dtype === "int64") return BigInt(number);
  if (dtype === "uint64") return BigInt.asUintN(64, BigInt(number));
  if (dtype.startsWith("uint")) return number < 0 ? number + 2 ** Number(dtype.slice(4)) : number;
  return number;
}

function element(data, i) {
  return typeof data.get === "function" ? data.get(i) : data[i];
}

async function check(folder, name) {
  const array = await open(new FileSystemStore(join(folder, name)), { kind: "array" });
  const { data, stride } = await get(array);
  for (let i = 0; i < ROWS * COLUMNS; ++i) {
    const position = Math.floor(i / COLUMNS) * stride[0] + (i % COLUMNS) * stride[1];
    const got = element(data, position);
    const want = expectedAt(name, array.dtype, i);
    if (got !== want) return `element ${i}: got ${got}, expected ${want}`;
  }
  return "";
}

if (process.argv.length !== 3 || !existsSync(process.argv[2])) {
  console.error("usage: node check_stores.mjs <folder>");
  process.exit(2);
}
const folder = process.argv[2];
const counts = { read: 0, "not known": 0, failed: 0 };
for (const name of readdirSync(folder).sort()) {
  let result = "not known";
  let message = "not read by zarrita.js";
  if (!NOT_SUPPORTED.test(name)) {
    try {
      message = await check(folder, name);
      result = message ? "failed" : "read";
    } catch (error) {
      message = String(error);
      if (!NOT_KNOWN.test(message)) result = "failed";
    }
  }
  counts[result] += 1;
  if (result !== "read") console.log(`${result}: ${name}: ${message.slice(0, 200)}`);
}
const summary = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
console.log(`zarrita.js: ${summary.join(", ")}`);
process.exit(counts.failed > 0 || counts.read === 0 ? 1 : 0);
