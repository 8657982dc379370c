import type { ValueTree } from '../../core/checkpoint-content.ts';
import type { PickleNode } from '../../core/formats/pickle/nodes.ts';
import { shortText } from '../../core/formats/pickle/short-text.ts';
import { childrenOf } from '../../core/formats/pickle/tree-view.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { type JsonInput, strictJson } from '../../shared/strict-json.ts';
import type { LoupeCommand } from '../command.ts';
import { exitOfListing, withCheckpoint } from '../open-for-command.ts';
import type { Output } from '../output.ts';

/** Children of one node printed, and how deep the tree is printed: a pickle of a few bytes can hold a tree of any size. */
const MOST_CHILDREN = 1000;
const DEEPEST = 24;
/** Rows printed in all. */
const MOST_ROWS = 100_000;

/** One row of a printed tree. */
interface Row {
  readonly depth: number;
  readonly role: string;
  readonly label: string;
  readonly text: string;
  readonly children: number;
}

/** Rows of a tree, parents before children, without recursion. */
function* rowsOf(root: PickleNode): Generator<Row> {
  yield { depth: 0, role: 'root', label: '', text: shortText(root), children: childrenOf(root, 0, 1).length };
  const stack: { node: PickleNode; above: readonly PickleNode[]; next: number }[] = [
    { node: root, above: [], next: 0 },
  ];
  let printed = 1;
  for (let top = stack.at(-1); top !== undefined && printed < MOST_ROWS; top = stack.at(-1)) {
    const path = [...top.above, top.node];
    const [row] = top.next < MOST_CHILDREN ? childrenOf(top.node, top.next, 1, path) : [];
    if (row === undefined) {
      stack.pop();
      continue;
    }
    top.next += 1;
    printed += 1;
    yield { depth: path.length, role: row.role, label: row.label, text: row.text, children: row.children };
    if (row.children > 0 && path.length < DEEPEST) {
      stack.push({ node: row.node, above: path, next: 0 });
    }
  }
}

const printTree = async (output: Output, { name, root }: ValueTree): Promise<void> => {
  await output.raw(`${escapeText(name)}\n`);
  for (const { depth, role, label, text } of rowsOf(root)) {
    const key = role === 'root' ? '' : role === 'entry' || role === 'item' ? `${label}: ` : `${role} ${label}: `;
    await output.raw(`${'  '.repeat(depth + 1)}${escapeText(`${key}${text}`)}\n`);
  }
};

const treeJson = ({ name, root }: ValueTree): JsonInput => ({
  name,
  rows: Array.from(rowsOf(root), ({ depth, role, label, text, children }) => ({ depth, role, label, text, children })),
});

export const tree: LoupeCommand = {
  register: (program, run) => {
    program
      .command('tree')
      .description('the value tree of a pickle, the metadata, and the code of TorchScript')
      .argument('<file>')
      .option('--json', 'print JSON')
      .action((file: string, { json }: { json?: boolean }) =>
        run(json, (output) =>
          withCheckpoint(file, output, async (checkpoint) => {
            const pickles = checkpoint.content.pickles ?? [];
            if (output.json) {
              const metadata = Object.fromEntries(checkpoint.metadata.map(({ key, value }) => [key, value]));
              const code = checkpoint.content.code?.map(({ name, bytes }) => ({ name, bytes }));
              await output.raw(`${strictJson({ metadata, code, pickles: pickles.map(treeJson) })}\n`);
            } else {
              for (const { key, value } of pickles.length === 0 ? checkpoint.metadata : []) {
                output.line(escapeText(`${key}: ${value}`));
              }
              for (const pickle of pickles) {
                await printTree(output, pickle);
              }
              for (const { name, bytes } of checkpoint.content.code ?? []) {
                output.line(escapeText(`${name}: ${bytes} bytes of code, not run`));
              }
            }
            return exitOfListing(checkpoint);
          }),
        ),
      );
  },
};
