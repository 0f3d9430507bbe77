/** Boom by way of a CommonJS module, for the reason told in `container.cts`. */
import boom = require('@hapi/boom');
export = boom;
