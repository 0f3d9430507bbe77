import pg from 'pg';
import type { Query } from '../shared/lookups.js';

/** A pool with prepared statements, which returns cells as the text that the server sent. */
export interface Pool {
  /** Runs a prepared statement, and returns the rows as arrays of cells. */
  query(name: string, text: string, values: readonly unknown[]): Promise<readonly (readonly string[])[]>;
  /** Runs a statement, and returns the rows as objects: for results that are cached. */
  readonly queryObjects: Query;
  close(): Promise<void>;
}

const textTypes = { getTypeParser: () => (cell: string) => cell } as unknown as pg.CustomTypesConfig;

export function createPool(url: string): Pool {
  // Generic plans, which are made once, and times in UTC.
  const options = '-c plan_cache_mode=force_generic_plan -c timezone=UTC';
  const pool = new pg.Pool({ connectionString: url, max: 10, options });
  return {
    query: async (name, text, values) => {
      const client = await pool.connect();
      try {
        const { rows } = await client.query({
          name,
          text,
          values: values as unknown[],
          rowMode: 'array',
          types: textTypes,
        });
        return rows;
      } finally {
        client.release();
      }
    },
    queryObjects: async (text, values) => (await pool.query(text, values as unknown[])).rows,
    close: () => pool.end(),
  };
}
