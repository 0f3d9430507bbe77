/**
 * tsyringe by way of a CommonJS module. Imported from an ES module, Node would first read all of its files for the names
 * that they export, which takes five times as long as running them.
 */
import 'reflect-metadata/lite';

import tsyringe = require('tsyringe');
export = tsyringe;
