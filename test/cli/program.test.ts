import { describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { makeProgram, runProgram } from '../../src/cli/program.ts';
import { LoupeError } from '../../src/shared/errors.ts';
import { fixture, runLoupe } from './support/run-loupe.ts';

describe('runProgram', () => {
  it('prints the version and a help that names every command', async () => {
    expect(await runLoupe('--version')).toEqual({ code: 0, stdout: '0.0.0\n', stderr: '' });
    const { code, stdout, stderr } = await runLoupe('--help');
    expect([code, stderr]).toEqual([0, '']);
    for (const command of makeProgram('', async () => undefined).commands) {
      expect(stdout).toContain(`  ${command.name()} `);
    }
    expect(stdout.match(/^ {2}[a-z]+ /gm)).toHaveLength(COMMANDS.length + 1);
  });

  it.each([
    [[]],
    [['nonsense']],
    [['info']],
    [['info', '--nonsense', 'x']],
    [['info', fixture('good/nothing-here.safetensors')]],
  ])('answers 2 for %j, with the reason on stderr and nothing on stdout', async (parameters) => {
    const { code, stdout, stderr } = await runLoupe(...parameters);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });

  it('escapes the message of an error, and lets a fault of its own through', async () => {
    const [first] = COMMANDS;
    const register = vi.spyOn(first ?? expect.fail('there are commands'), 'register');
    const failWith = (fault: Error): void => {
      register.mockImplementation((program, run) => {
        program.command('fail').action(() => run(false, () => Promise.reject(fault)));
      });
    };
    failWith(new LoupeError('not-found', 'no \u001b[2J here'));
    expect(await runLoupe('fail')).toEqual({ code: 2, stdout: '', stderr: 'loupe: no \\u{1b}[2J here\n' });
    failWith(new TypeError('a fault'));
    await expect(runProgram(['fail'], '')).rejects.toThrow(TypeError);
  });
});
