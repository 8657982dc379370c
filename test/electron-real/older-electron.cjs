// What the program calls of Electron and an older one (22 at the least) does not have, by the means that one has. Stands in for
// the module `electron` in builds for older runtimes: see build-for-older.mjs.
const electron = require('electron');

/** `webUtils.getPathForFile` (Electron 29): a file used to carry its path. */
const webUtils = electron.webUtils ?? { getPathForFile: (file) => file.path ?? '' };

/** `protocol.handle` (Electron 25) by `registerBufferProtocol`, for GET answers that are read whole. */
const handle = (scheme, answer) =>
  electron.protocol.registerBufferProtocol(scheme, (request, reply) => {
    answer({ url: request.url, method: request.method }).then(
      async (response) =>
        reply({
          statusCode: response.status,
          headers: Object.fromEntries(response.headers),
          data: Buffer.from(await response.arrayBuffer()),
        }),
      (error) => {
        process.stderr.write(`${error.stack}\n`);
        reply({ error: -2 });
      },
    );
  });

const protocol =
  electron.protocol === undefined || electron.protocol.handle !== undefined
    ? electron.protocol
    : { handle, registerSchemesAsPrivileged: (schemes) => electron.protocol.registerSchemesAsPrivileged(schemes) };

module.exports = Object.defineProperties(
  {},
  {
    ...Object.getOwnPropertyDescriptors(electron),
    webUtils: { value: webUtils, enumerable: true },
    protocol: { value: protocol, enumerable: true },
  },
);
