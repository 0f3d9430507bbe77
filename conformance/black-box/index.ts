export { type Address, addressOf } from './address.js';
export type { BlackBoxCase } from './case.js';
export { blackBoxCases } from './cases/index.js';
export { blackBoxLevel, type ServiceUnderTest, skippedServiceLevel } from './level.js';
export type { RunningService } from './running-service.js';
