/** One tensor of a role. */
export interface RoleMember {
  /** What the caller calls it by: its place in the list of names. */
  readonly id: number;
  /** Which layer it belongs to. */
  readonly index: number;
  /** Which one it is of several in the same layer, such as its expert's number; empty for most roles. */
  readonly inner: readonly number[];
}

/** Tensors that do the same work in layer after layer: `model.layers.{}.self_attn.q_proj.weight`. */
export interface LayerRole {
  /** The name they share, `{}` for the layer's number and `*` for a number that tells tensors of one layer apart. Raw text. */
  readonly label: string;
  /** The same with the layers that there are: `model.layers.{0..25}.self_attn.q_proj.weight`. Raw text. */
  readonly pattern: string;
  /** The layers, each once, ascending; at least two. */
  readonly indexes: readonly number[];
  /** Ascending by layer, then by inner numbers. */
  readonly members: readonly RoleMember[];
}

/** Parts of a name that are looked at; a hostile one may hold a million dots, and what follows stays one part. */
const PART_LIMIT = 32;
/** A numbered part. Longer numbers are names: no model has a thousand million layers. */
const NUMBER = /^(?:expert_)?(\d{1,9})$/i;
/** The folder of a mixture's experts, which are siblings in one layer and no layers themselves. */
const EXPERTS = /^(?:\w+_)?experts?$/i;
/** A second number of at most this many values tells kinds of tensors apart (`block.3.layer.0`), of more their instances. */
const KINDS_LIMIT = 16;
/** Runs of layers that a pattern names before it only says how many more there are. */
const RUNS_SHOWN = 8;

/** Names with the same parts and numbers in the same places. */
interface Group {
  readonly parts: readonly string[];
  /** Places of the numbers among the parts. */
  readonly places: readonly number[];
  readonly ids: number[];
  /** Of each id, its numbers. */
  readonly numbers: (readonly number[])[];
}

const splitName = (name: string): string[] => {
  const parts: string[] = [];
  let at = 0;
  while (parts.length < PART_LIMIT - 1) {
    const dot = name.indexOf('.', at);
    if (dot < 0) {
      break;
    }
    parts.push(name.slice(at, dot));
    at = dot + 1;
  }
  parts.push(name.slice(at));
  return parts;
};

const groupsOf = (length: number, nameOf: (id: number) => string): Iterable<Group> => {
  const groups = new Map<string, Group>();
  for (let id = 0; id < length; id += 1) {
    const parts = splitName(nameOf(id));
    const places: number[] = [];
    const numbers: number[] = [];
    parts.forEach((part, place) => {
      const digits = part.length <= 16 ? NUMBER.exec(part)?.[1] : undefined;
      if (digits !== undefined) {
        places.push(place);
        numbers.push(Number(digits));
        // Not of the key, where the places stand for it; a name may itself hold a `{}`.
        parts[place] = '';
      }
    });
    if (places.length > 0) {
      const key = `${places.join(',')} ${parts.join('.')}`;
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, { parts: splitName(nameOf(id)), places, ids: [id], numbers: [numbers] });
      } else {
        group.ids.push(id);
        group.numbers.push(numbers);
      }
    }
  }
  return groups.values();
};

/** A number that differs between the names of a group. */
interface Axis {
  /** Its place among the numbers. */
  readonly at: number;
  readonly values: number;
  readonly isExpert: boolean;
}

const axesOf = ({ parts, places, numbers }: Group): Axis[] =>
  places
    .map((place, at) => ({
      at,
      values: new Set(numbers.map((own) => own[at])).size,
      isExpert: EXPERTS.test(parts[place - 1] ?? '') || /^expert_/i.test(parts[place] ?? ''),
    }))
    .filter(({ values }) => values > 1);

/** The one that counts layers: of those that do not number experts, the one with most values, the first of several. */
const depthOf = (axes: readonly Axis[]): Axis | undefined => {
  const [first, ...others] = axes.some(({ isExpert }) => !isExpert) ? axes.filter(({ isExpert }) => !isExpert) : axes;
  return others.reduce((best, axis) => (best === undefined || axis.values > best.values ? axis : best), first);
};

/** Parts a group by the values of some numbers, which then are the same throughout. */
const splitBy = (group: Group, axes: readonly Axis[]): Iterable<Group> => {
  const groups = new Map<string, Group>();
  group.ids.forEach((id, member) => {
    const numbers = group.numbers[member] ?? [];
    const key = axes.map(({ at }) => numbers[at]).join(',');
    const own = groups.get(key);
    if (own === undefined) {
      const parts = [...group.parts];
      for (const { at } of axes) {
        const place = group.places[at] ?? 0;
        parts[place] = (parts[place] ?? '').replace(/\d+$/, String(numbers[at]));
      }
      groups.set(key, { parts, places: group.places, ids: [id], numbers: [numbers] });
    } else {
      own.ids.push(id);
      own.numbers.push(numbers);
    }
  });
  return groups.values();
};

/** Ascending numbers in short: `0..3,5`. */
export const rangeText = (indexes: readonly number[]): string => {
  const runs: string[] = [];
  for (let from = 0; from < indexes.length; ) {
    let to = from;
    while (to + 1 < indexes.length && indexes[to + 1] === (indexes[to] ?? 0) + 1) {
      to += 1;
    }
    runs.push(to === from ? `${indexes[from]}` : `${indexes[from]}..${indexes[to]}`);
    from = to + 1;
  }
  const more = runs.length - RUNS_SHOWN;
  return more > 0 ? `${runs.slice(0, RUNS_SHOWN).join(',')},… ${more} more` : runs.join(',');
};

const compareMembers = (a: RoleMember, b: RoleMember): number => {
  if (a.index !== b.index) {
    return a.index - b.index;
  }
  const at = a.inner.findIndex((value, place) => value !== b.inner[place]);
  return at < 0 ? a.id - b.id : (a.inner[at] ?? 0) - (b.inner[at] ?? 0);
};

const roleOf = (group: Group, depth: Axis, inner: readonly Axis[]): LayerRole => {
  const members = group.ids
    .map((id, member): RoleMember => {
      const numbers = group.numbers[member] ?? [];
      return { id, index: numbers[depth.at] ?? 0, inner: inner.map(({ at }) => numbers[at] ?? 0) };
    })
    .sort(compareMembers);
  const indexes = members.map(({ index }) => index).filter((index, at, all) => index !== all[at - 1]);
  const written = (layers: string): string => {
    const parts = [...group.parts];
    for (const { at } of inner) {
      parts[group.places[at] ?? 0] = '*';
    }
    parts[group.places[depth.at] ?? 0] = layers;
    return parts.join('.');
  };
  return { label: written('{}'), pattern: written(`{${rangeText(indexes)}}`), indexes, members };
};

function* rolesOf(group: Group): Generator<LayerRole> {
  const axes = axesOf(group);
  const depth = depthOf(axes);
  if (depth === undefined) {
    return;
  }
  const others = axes.filter((axis) => axis !== depth);
  const kinds = others.filter(({ isExpert, values }) => !isExpert && values <= KINDS_LIMIT);
  if (kinds.length === 0) {
    yield roleOf(group, depth, others);
    return;
  }
  for (const part of splitBy(group, kinds)) {
    yield* rolesOf(part);
  }
}

/**
 * Finds the tensors that are repeated from layer to layer, by their dotted names alone. A part of a name that is a number may
 * count layers; where several do, the one with most values is the layer, numbers below `experts` tell siblings in a layer
 * apart (`inner`), and other ones of few values make roles of their own (`encoder.block.{}.layer.0.…`).
 *
 * Tensors of no such group are in no role. Takes time in proportion to the names' length.
 *
 * @param length how many names there are
 * @param nameOf the name with this place; asked for more than once
 */
export const layerRoles = (length: number, nameOf: (id: number) => string): readonly LayerRole[] => {
  const roles: LayerRole[] = [];
  for (const group of groupsOf(length, nameOf)) {
    if (group.ids.length > 1) {
      roles.push(...rolesOf(group));
    }
  }
  return roles;
};
