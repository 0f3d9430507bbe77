import type { Storage } from '../../../../core/ports/index.js';
import { knexStorage } from '../../../knex/index.js';

/** Opens the storage in a file. */
export const openAt = (filename: string): Storage => knexStorage({ client: 'sqlite', filename });
