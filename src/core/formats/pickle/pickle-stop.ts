/** Ends a run of the machine. Never leaves `runPickle`. */
export class PickleStop extends Error {
  override readonly name = 'PickleStop';
  readonly outcome: 'broken' | 'limit';
  /** Whether the stream merely ends too early. */
  readonly cutOff: boolean;

  constructor(outcome: 'broken' | 'limit', message: string, cutOff = false) {
    super(message);
    this.outcome = outcome;
    this.cutOff = cutOff;
  }
}

/** The stream cannot be carried out beyond this opcode. */
export const broken: (message: string) => never = (message) => {
  throw new PickleStop('broken', message);
};

/** The stream ends inside an opcode, or without STOP. */
export const cutOff: (message: string) => never = (message) => {
  throw new PickleStop('broken', message, true);
};

/** One of our own bounds was hit. */
export const overLimit: (message: string) => never = (message) => {
  throw new PickleStop('limit', message);
};
