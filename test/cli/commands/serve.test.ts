import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../e2e/support/start-server.ts';
import { fixture, runBuilt } from '../support/run-loupe.ts';

describe('loupe serve', () => {
  it('prints an address on loopback that serves the page, and ends when told', async () => {
    const server = await startServer(fixture('good/all_dtypes.safetensors'));
    try {
      const { hostname, hash, origin } = new URL(server.url);
      expect(hostname).toBe('127.0.0.1');
      expect(hash).toMatch(/^#token=[\w-]{20,}$/);
      const page = await fetch(`${origin}/`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('<title>Tensor Loupe</title>');
      const foreign = await fetch(`${origin}/`, { headers: { Origin: 'http://evil.example' } });
      expect(foreign.status).toBe(403);
    } finally {
      await server.stop();
    }
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('exits with 2 and the reason where the port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { code, stderr } = await runBuilt('serve', '--no-open', '--port', String(port));
    holder.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`port ${port} is taken`);
  });

  it.each([
    ['--port', 'many'],
    ['--port', '-1'],
    ['--port', '65536'],
    ['--idle-close', '1.5'],
  ])('exits with 2 for %s %s', async (option, value) => {
    const { code, stderr } = await runBuilt('serve', '--no-open', option, value);
    expect(code).toBe(2);
    expect(stderr).not.toContain('at ');
  });
});
