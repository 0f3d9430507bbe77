import { openApiDocument } from '../../core/openapi.js';
import { baseUrlOf } from './choices.js';
import { command } from './command.js';

export const openapiCommand = command(
  {
    name: 'openapi',
    summary: 'Prints the OpenAPI 3.1 document of the API.',
    operands: [],
    options: { 'base-url': { type: 'string', value: 'URL', help: 'Where the API is reached' } },
  },
  async ({ 'base-url': given }) => {
    const document = openApiDocument(given === undefined ? {} : { baseUrl: baseUrlOf(given) });
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  },
);
