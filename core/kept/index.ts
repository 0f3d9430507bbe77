export { keepLookups } from './lookups.js';
export { renderMissing } from './render-missing.js';
export { keepRenderings, type Rendering, type Renderings } from './renderings.js';
