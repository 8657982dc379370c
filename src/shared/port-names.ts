/** What the preload says to the page, in the main world, with the port to the service attached. */
export const PORT_MESSAGE = 'loupe-port';

/** What the preload asks the main process for, once the page listens. */
export const PORT_REQUEST = 'loupe-port-request';
