/** Addresses the program may hand to the system's browser: exactly these, and nothing that comes out of a file. */
export const EXTERNAL_LINKS = {
  safetensors: 'https://huggingface.co/docs/safetensors/index',
  pytorch: 'https://docs.pytorch.org/docs/stable/notes/serialization.html',
} as const;

const ALLOWED: readonly string[] = Object.values(EXTERNAL_LINKS);

/** Whether an address may be opened outside. */
export const isExternalLink = (url: string): boolean => ALLOWED.includes(url);
