/**
 * Loads Boom when the first error is made: its import costs about a tenth of the import of the core, and many processes end
 * without an error. It is loaded through a CommonJS module for the reason told in `tsyringe.cts`.
 */
const loadBoom = (): typeof import('@hapi/boom') => require('@hapi/boom');
export = loadBoom;
