export { type Address, addressOf } from './address.js';
export type { BlackBoxCase } from './case.js';
export { blackBoxCases } from './cases/index.js';
export { blackBoxLevel, outOfReachLevel, type ServiceUnderTest } from './level.js';
export type { RunningService } from './running.js';
