import type * as Electron from 'electron';

type Template = Electron.MenuItemConstructorOptions[];

/** The menu; a template stands for what Electron would build of it. */
export class FakeMenu {
  template: Template = [];

  buildFromTemplate(template: Template): Template {
    return template;
  }

  setApplicationMenu(template: Template): void {
    this.template = template;
  }

  /** Clicks a line by its labels, as a person does. */
  click(...labels: string[]): void {
    let lines = this.template;
    let line: Template[number] | undefined;
    for (const label of labels) {
      line = lines.find((candidate) => candidate.label === label);
      if (line === undefined) {
        throw new Error(`there is no menu line "${label}"`);
      }
      lines = Array.isArray(line.submenu) ? line.submenu : [];
    }
    const { click } = line ?? {};
    if (click === undefined) {
      throw new Error(`"${labels.join(' ▸ ')}" cannot be clicked`);
    }
    Reflect.apply(click, undefined, []);
  }
}
