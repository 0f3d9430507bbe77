/** JSON Schema (draft 2020-12) as a plain object. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

export const anything: Schema = {};
export const text: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer' };
export const flag: Schema = { type: 'boolean' };
export const url: Schema = { type: 'string', format: 'uri' };
/** A UUID in a response: in lower case (decisions 4). */
export const uuid: Schema = {
  type: 'string',
  format: 'uuid',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};
/** A UUID in a request. */
export const uuidAnyCase: Schema = {
  type: 'string',
  format: 'uuid',
  pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
};
/** A time in a response: UTC with three decimals (spec 2). */
export const timestamp: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
};

export const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
export const arrayOf = (items: Schema, limits: Schema = {}): Schema => ({ type: 'array', items, ...limits });
/** An object with any keys, whose values have one schema. */
export const mapOf = (values: Schema, limits: Schema = {}): Schema => ({
  type: 'object',
  additionalProperties: values,
  ...limits,
});

/** The schema of a value that may be null. The copy has the same `properties` object. */
export const orNull = (schema: Schema): Schema => ({
  ...schema,
  type: [...[schema.type ?? []].flat(), 'null'],
  ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
});

type Properties = Readonly<Record<string, Schema>>;

const propertiesOf = (required: Properties, optional: Properties): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  ...(Object.keys(required).length > 0 ? { required: Object.keys(required) } : {}),
});

/** An object in a response: it has no other properties than these. */
export const object = (required: Properties, optional: Properties = {}): Schema => ({
  ...propertiesOf(required, optional),
  additionalProperties: false,
});

/** The body of a request: other properties are ignored (decisions 1). */
export const requestBody = (required: Properties, optional: Properties = {}, rules: Schema = {}): Schema => ({
  ...propertiesOf(required, optional),
  ...rules,
});
