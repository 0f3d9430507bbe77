import { openApiDocument } from '../../core/openapi.js';
import { command } from './command.js';
import { parseBaseUrl } from './serve-options.js';

export const openapiCommand = command(
  {
    name: 'openapi',
    summary: 'Prints the OpenAPI 3.1 document of the API.',
    operands: [],
    options: {
      'base-url': { type: 'string', value: 'URL', help: 'Address of the API, for the servers of the document' },
    },
  },
  async ({ 'base-url': baseUrl }) => {
    const document = openApiDocument(baseUrl === undefined ? {} : { baseUrl: parseBaseUrl(baseUrl) });
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  },
);
