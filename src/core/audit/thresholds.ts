/**
 * What the audit takes for odd. Every threshold is chosen so that healthy checkpoints stay quiet: Llama, BERT and GPT-2 kinds,
 * adapters, quantised models, convolutional networks and untrained ones (test/core/audit/healthy.test.ts).
 */

/**
 * Share of an 8-bit float tensor's numbers at ±the largest value of the format. A scale that fits puts at least one number a
 * scaled group there; with scales that are powers of two for blocks of 32, as MX formats have, some 1 % end there.
 */
export const SATURATED_8_BIT_SHARE = 0.03;

/** Numbers of a 16-bit float tensor at ±the largest value: weights never come near it but by being cut off there. */
export const SATURATED_16_BIT_COUNT = 1;

/** Tensors of one role and shape that a layer is compared with; among fewer, one that differs means nothing. */
export const LEAST_SIBLINGS = 6;

/** Robust z-score, (x − median) / (1.4826 · MAD), from which a layer is far from its siblings. */
export const OUTLIER_Z = 6;

/** Of the logarithm of the scale (root mean square): layers this close (10 %) count as equally large. */
export const SCALE_FLOOR = Math.log(1.1);
/** … and a matrix must differ by this factor besides: first and last layers are often two or three times the others. */
export const MATRIX_SCALE_FACTOR = 5;
/** Biases and norms of first and last layers are up to some ten times the others (AntiBERTy's last norm: 4.7, z = 16). */
export const VECTOR_SCALE_FACTOR = 30;

/** Of the mean, in units of the siblings' scale: closer ones count as equal, and one must differ by this much. */
export const MEAN_FLOOR = 0.1;
export const MATRIX_MEAN_DISTANCE = 3;
export const VECTOR_MEAN_DISTANCE = 10;

/** Of the share of zeros: closer ones count as equal, and one must differ by this much. */
export const ZERO_SHARE_FLOOR = 0.02;
export const ZERO_SHARE_DISTANCE = 0.3;

/** Fewer numbers have too little to say about their spread. */
export const OUTLIER_LEAST_VALUES = 16;

/** Identical tensors of fewer numbers are likely so by chance. */
export const IDENTICAL_LEAST_VALUES = 16;

/** Rows or columns of a matrix that has fewer of them are not called dead. */
export const DEAD_LEAST_LINES = 4;

/**
 * Share of an embedding's rows that may be zero: the padding token's, and those of a vocabulary rounded up or reserved.
 */
export const EMBEDDING_DEAD_SHARE = 0.05;

/** How far the parameters in the files may be from those that the model's own config describes: buffers and biases. */
export const CONFIG_PARAMETERS_SHARE = 0.02;
