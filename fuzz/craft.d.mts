export declare const craftFile: (seed: number) => Uint8Array<ArrayBuffer>;
