/**
 * Loads Boom, when the first answer that needs it is given: many processes end without one. It is by way of a CommonJS module
 * for the reason told in `container.cts`.
 */
const loadBoom = (): typeof import('@hapi/boom') => require('@hapi/boom');
export = loadBoom;
