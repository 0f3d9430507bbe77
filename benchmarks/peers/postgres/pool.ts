import pg from 'pg';
import type { Query } from '../shared/lookups.js';

/** Connections as a careful host sets them up: named statements, and cells as the text that the server sent. */
export interface Pool {
  /** A prepared statement; the rows as lists of cells. */
  query(name: string, text: string, values: readonly unknown[]): Promise<readonly (readonly string[])[]>;
  /** Rows as objects, for what is kept. */
  readonly queryObjects: Query;
  close(): Promise<void>;
}

const textTypes = { getTypeParser: () => (cell: string) => cell } as unknown as pg.CustomTypesConfig;

export function createPool(url: string): Pool {
  // Plans that are made once, and times as UTC.
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
