export type NaiveNode =
  | { readonly type: 'object'; readonly members: readonly { readonly key: string; readonly value: NaiveNode }[] }
  | { readonly type: 'array'; readonly items: readonly NaiveNode[] }
  | { readonly type: 'string' | 'number'; readonly text: string }
  | { readonly type: 'boolean' | 'null' };

/** @throws SyntaxError */
export declare const naiveJson: (text: string) => NaiveNode;

/** Whether a value holds a number that overflows a float64. */
export declare const overflows: (node: NaiveNode) => boolean;
