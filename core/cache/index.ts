export { withLookupCache } from './lookup-cache.js';
export { makeRenderCache, type RenderCache, type Rendering } from './render-cache.js';
export { renderUncached } from './render-uncached.js';
