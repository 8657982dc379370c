import type * as Electron from 'electron';

type Template = Electron.MenuItemConstructorOptions[];
type Role = NonNullable<Template[number]['role']>;

const linesBelow = (line: Template[number]): Template =>
  Array.isArray(line.submenu) ? [line, ...line.submenu.flatMap(linesBelow)] : [line];

/** The menu; a template stands for what Electron would build of it. `roles` does what the system does for a role. */
export class StandInMenu {
  template: Template = [];
  readonly #roles: Partial<Record<Role, () => void>>;

  constructor(roles: Partial<Record<Role, () => void>> = {}) {
    this.#roles = roles;
  }

  buildFromTemplate(template: Template): Template {
    return template;
  }

  setApplicationMenu(template: Template): void {
    this.template = template;
  }

  /** Clicks a line by its labels, as a person does. */
  click(...labels: readonly string[]): void {
    let lines = this.template;
    let line: Template[number] | undefined;
    for (const label of labels) {
      line = lines.find((candidate) => (candidate.label ?? candidate.role) === label);
      if (line === undefined) {
        throw new Error(`there is no menu line "${label}"`);
      }
      if (line.enabled === false) {
        throw new Error(`"${label}" is disabled`);
      }
      lines = Array.isArray(line.submenu) ? line.submenu : [];
    }
    if (!this.#run(line)) {
      throw new Error(`"${labels.join(' ▸ ')}" cannot be clicked`);
    }
  }

  /** Does what the line with this key does; a key that no line has does nothing. */
  press(accelerator: string): void {
    const same = (key: unknown): boolean => String(key).toLowerCase() === accelerator.toLowerCase();
    this.#run(this.template.flatMap(linesBelow).find((line) => line.enabled !== false && same(line.accelerator)));
  }

  /** Whether there was something to do. */
  #run(line: Template[number] | undefined): boolean {
    const action = line?.role === undefined ? line?.click : this.#roles[line.role];
    if (action === undefined) {
      return false;
    }
    Reflect.apply(action, undefined, []);
    return true;
  }
}
