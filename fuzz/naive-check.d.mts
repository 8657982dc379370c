import type { CheckpointContent } from '../src/core/checkpoint-content.ts';

/** Why the strict rule refuses a file; undefined when it holds. */
export declare const naiveRefusal: (bytes: Uint8Array) => string | undefined;

/** What is wrong with the program's reading of a file; nothing when all holds. */
export declare const violations: (bytes: Uint8Array, content: CheckpointContent) => string[];
