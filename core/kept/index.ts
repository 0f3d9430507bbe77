export { keepLookups, type Lookups } from './lookups.js';
export { renderMissing } from './render-missing.js';
export { keepRenderings, type Rendering, type Renderings } from './renderings.js';
export { Trail } from './trail.js';
export { Ways } from './ways.js';
