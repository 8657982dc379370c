// Writes dictionaries with the built library: one JSON object a line, {path, metadata, tensors: [{name, dtype, shape, base64}]}.
// Reads them off a file, in pieces of odd sizes half of the time, so that the streaming is tried too.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { write } from '../../out/lib/index.js';

function* pieces(bytes, length) {
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
  }
}

let number = 0;
for await (const line of createInterface({
  input: createReadStream(process.argv[2]),
  crlfDelay: Number.POSITIVE_INFINITY,
})) {
  const { path, metadata, tensors } = JSON.parse(line);
  const file = write(path, metadata === null ? {} : { metadata: new Map(Object.entries(metadata)) });
  for (const { name, dtype, shape, base64 } of tensors) {
    number += 1;
    const bytes = Buffer.from(base64, 'base64');
    file.add(name, dtype, shape, number % 2 === 0 ? bytes : () => pieces(bytes, 7));
  }
  await file.finish();
}
