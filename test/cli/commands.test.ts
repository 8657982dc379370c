import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';

const registered = (): readonly Command[] => {
  const program = new Command('loupe');
  for (const command of COMMANDS) {
    command.register(program, () => Promise.resolve());
  }
  return program.commands;
};

describe('COMMANDS', () => {
  it('holds every file of commands/ once, under its own name', () => {
    const files = readdirSync(new URL('../../src/cli/commands/', import.meta.url));
    const names = registered().map((command) => command.name());
    expect(names.toSorted()).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted());
    expect(new Set(names).size).toBe(names.length);
  });

  it('gives every command that answers a --json and a description', () => {
    for (const command of registered()) {
      expect(command.description(), command.name()).not.toBe('');
      const hasJson = command.options.some(({ long }) => long === '--json');
      expect(hasJson, command.name()).toBe(!['open', 'serve'].includes(command.name()));
    }
  });
});
