import { finding } from '../../shared/findings.ts';
import type { ByteSource } from '../bytes/byte-source.ts';
import { readBytes } from '../bytes/checked-read.ts';
import { type CheckpointContent, noContent } from '../checkpoint-content.ts';
import { FindingList } from '../finding-list.ts';
import { contentKind } from './content-kinds.ts';
import { notACheckpoint, stoodInFor } from './not-a-checkpoint.ts';
import { looksLikePickle } from './pickle/looks-like-pickle.ts';
import { readLegacy } from './pytorch/read-legacy.ts';
import { readPytorch } from './pytorch/read-pytorch.ts';
import { readRawPickle } from './pytorch/read-raw-pickle.ts';
import { readTorchTar } from './pytorch/read-torch-tar.ts';
import { beginsLikeLegacy } from './pytorch/stacked-pickles.ts';
import type { ReadOptions } from './read-options.ts';
import { LONGEST_HEADER } from './safetensors/limits.ts';
import { readSafetensors } from './safetensors/read-safetensors.ts';
import { isTarHeader } from './tar/read-tar.ts';

/** What is known of a file before a reader is chosen. */
export interface Candidate {
  readonly head: Uint8Array;
  readonly size: number;
  /** Lower-case file extension without the dot; empty when there is none. */
  readonly extension: string;
}

/** One format this program opens. Adding a format is one folder and one row here. */
export interface Format {
  readonly id: string;
  /** Name for people. */
  readonly label: string;
  readonly extensions: readonly string[];
  /** Whether the content is in this format, by its bytes alone. */
  readonly matches: (candidate: Candidate) => boolean;
  /** Whether a damaged file of this name could be this format, though its first bytes look like another kind. */
  readonly couldBe: (candidate: Candidate) => boolean;
  /** Whether a file that no content gives away is taken for this format by its name. */
  readonly byName: boolean;
  readonly read: (source: ByteSource, options: ReadOptions) => Promise<CheckpointContent>;
}

/** Bytes read to recognise a file. */
const HEAD_BYTES = 4096;
const OPEN_BRACE = 0x7b;
const SPACES = [0x20, 0x09, 0x0a, 0x0d];

/**
 * A length that fits, then `{`; or, for a file cut inside its header, a length of a plausible size right before `{`
 * (FORMATS.md 7 row 8).
 */
const looksLikeSafetensors = ({ head, size }: Candidate): boolean => {
  if (head.length < 9) {
    return false;
  }
  const length = headerLength(head);
  if (length > BigInt(LONGEST_HEADER)) {
    return false;
  }
  const first = head.subarray(8).find((byte) => !SPACES.includes(byte));
  return first === OPEN_BRACE && (length <= BigInt(size - 8) || head[8] === OPEN_BRACE);
};

const headerLength = (head: Uint8Array): bigint => new DataView(head.buffer, head.byteOffset, 8).getBigUint64(0, true);

/**
 * A file that ends inside its length field; a length below 4 GiB, as all are, that fits or stands right before `{`. A
 * protocol 4 pickle of a few bytes has such a length too, but it leads far behind its end.
 */
const couldBeSafetensors = ({ head, size }: Candidate): boolean =>
  head.length < 8 ||
  (headerLength(head) < 2n ** 32n && (headerLength(head) <= BigInt(size - 8) || head[8] === OPEN_BRACE));

/** Extensions of files that are pickles by themselves, or may be. */
const PICKLE_EXTENSIONS = ['pkl', 'pickle', 'pt', 'pth', 'bin', 'ckpt', 'joblib'];

/**
 * Protocols of before 2 have no header, so text can look like one of theirs: there the name has to agree (FORMATS.md 7
 * row 21).
 */
const looksLikeRawPickle = ({ head, extension }: Candidate): boolean =>
  (head[0] === 0x80 || PICKLE_EXTENSIONS.includes(extension)) && looksLikePickle(head);

export const FORMATS: readonly Format[] = [
  {
    id: 'safetensors',
    label: 'safetensors',
    extensions: ['safetensors', 'sft'],
    matches: looksLikeSafetensors,
    couldBe: couldBeSafetensors,
    byName: true,
    read: readSafetensors,
  },
  {
    id: 'pytorch',
    label: 'a PyTorch archive',
    extensions: ['pt', 'pth', 'bin', 'ckpt', 'tar'],
    // torch looks at these four bytes alone (FORMATS.md 2); the reader finds out whether the archive is torch's.
    matches: ({ head }) => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4,
    couldBe: () => false,
    byName: false,
    read: readPytorch,
  },
  {
    id: 'pytorch-legacy',
    label: 'a PyTorch file of the stacked-pickle format',
    extensions: ['pt', 'pth', 'bin', 'ckpt', 'tar'],
    matches: ({ head }) => beginsLikeLegacy(head),
    couldBe: () => false,
    byName: false,
    read: readLegacy,
  },
  {
    id: 'pytorch-tar',
    label: 'a PyTorch file of the tar format',
    extensions: ['pt', 'pth', 'bin', 'ckpt', 'tar'],
    matches: ({ head }) => isTarHeader(head),
    couldBe: () => false,
    byName: false,
    read: readTorchTar,
  },
  {
    id: 'pickle',
    label: 'a pickle',
    extensions: PICKLE_EXTENSIONS,
    matches: looksLikeRawPickle,
    couldBe: () => false,
    byName: false,
    read: readRawPickle,
  },
];

/** Extensions that promise something else than what a reader recognised. */
const FOREIGN_EXTENSIONS = new Set(
  'safetensors sft pt pth bin ckpt pkl pickle th tar npy npz gguf ggml onnx h5 hdf5 keras pb tflite msgpack zip gz 7z json txt html'.split(
    ' ',
  ),
);

const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

const unrecognised = (file: string, head: Uint8Array, size: number): CheckpointContent => {
  const { code, message } = notACheckpoint(head, size);
  const findings = new FindingList();
  findings.add(finding(code, message, { file, offset: 0 }));
  return noContent('unrecognised', file, findings);
};

const chooseFormat = (candidate: Candidate): Format | undefined => {
  if (stoodInFor(candidate.head, candidate.size) !== undefined) {
    return undefined;
  }
  const byContent = FORMATS.find((format) => format.matches(candidate));
  if (byContent !== undefined) {
    return byContent;
  }
  // A damaged file is still what its name says, unless its content is surely something else.
  const kind = contentKind(candidate.head, candidate.size);
  const named = FORMATS.find((format) => format.byName && format.extensions.includes(candidate.extension));
  const overruled = kind !== undefined && named?.couldBe(candidate) !== true;
  return overruled ? undefined : named;
};

/**
 * Recognises a source by its content — its name only breaks ties — and reads it. A file that is no checkpoint yields
 * format `unrecognised`, no tensors and a finding that says what it is.
 *
 * @throws whatever the source's reads throw.
 */
export const readCheckpoint = async (source: ByteSource, options: ReadOptions): Promise<CheckpointContent> => {
  const head = await readBytes(source, 0, Math.min(source.size, HEAD_BYTES));
  const candidate: Candidate = { head, size: source.size, extension: extensionOf(source.name) };
  const format = chooseFormat(candidate);
  if (format === undefined) {
    return unrecognised(source.name, head, source.size);
  }
  const content = await format.read(source, options);
  const mismatch = !format.extensions.includes(candidate.extension) && FOREIGN_EXTENSIONS.has(candidate.extension);
  if (mismatch && content.format !== 'unrecognised') {
    const message = `named ".${candidate.extension}" but its content is ${format.label}: opened as that`;
    content.findings.add(finding('extension-mismatch', message, { file: source.name, offset: 0 }));
  }
  return content;
};
