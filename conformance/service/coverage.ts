import { type Operation, type Schema, statusesOf } from '../api/index.js';
import { kindOf, resources } from './resource-fields.js';

type Properties = Readonly<Record<string, Schema>>;

/** Records which statuses each operation answered, and which fields had a value or were null. */
export class Coverage {
  readonly #statuses = new Map<string, Set<number>>();
  /** Keyed by the properties object of a schema, because a nullable copy of the schema shares it. */
  readonly #fields = new Map<Properties, Map<string, Set<'value' | 'null'>>>();

  /** Records a response of an operation. `schema` is the schema of its body. */
  record(operation: Operation, status: number, schema: Schema | undefined, body: unknown): void {
    const known = this.#statuses.get(operation.id) ?? new Set<number>();
    this.#statuses.set(operation.id, known.add(status));
    if (schema && status < 400) this.#walk(schema, body);
  }

  /** Declared statuses that were never answered, and answered statuses that are not declared. */
  statusGaps(operations: readonly Operation[]): string[] {
    return operations.flatMap((operation) => {
      const answered = this.#statuses.get(operation.id) ?? new Set();
      const declared = statusesOf(operation).filter((status) => !isUnreachable(operation, status));
      return [
        ...declared
          .filter((status) => !answered.has(status))
          .map((status) => `${operation.id} never answered ${status}`),
        ...[...answered]
          .filter((status) => !statusesOf(operation).includes(status))
          .map((status) => `${operation.id} answered ${status}, which it does not declare`),
      ];
    });
  }

  /** Fields of spec 2 that are missing, have another kind, or never appeared with a value, or as null where it is allowed. */
  fieldGaps(): string[] {
    return resources.flatMap(({ clause, name, schema, fields }) => {
      const properties = schema.properties as Properties;
      return Object.entries(fields).flatMap(([field, kind]) => {
        const fieldLabel = `${clause} ${name}.${field}`;
        const property = properties[field];
        if (!property) return [`${fieldLabel} is missing`];
        const seen = this.#fields.get(properties)?.get(field);
        const wanted = kind.replace('?', '');
        return [
          ...(kindOf(property) === wanted ? [] : [`${fieldLabel} is described as ${kindOf(property)}, not ${wanted}`]),
          ...(seen?.has('value') ? [] : [`${fieldLabel} was never rendered with a value`]),
          ...(kind.endsWith('?') && !seen?.has('null') ? [`${fieldLabel} was never rendered as null`] : []),
        ];
      });
    });
  }

  #walk(schema: Schema, value: unknown): void {
    if (Array.isArray(value)) {
      if (typeof schema.items === 'object') for (const one of value) this.#walk(schema.items as Schema, one);
    } else if (typeof value === 'object' && value !== null && schema.properties) {
      const properties = schema.properties as Properties;
      const fields = this.#fields.get(properties) ?? new Map<string, Set<'value' | 'null'>>();
      this.#fields.set(properties, fields);
      for (const [name, one] of Object.entries(value)) {
        const property = properties[name];
        if (property === undefined) continue;
        const seen = fields.get(name) ?? new Set<'value' | 'null'>();
        fields.set(name, seen.add(one === null ? 'null' : 'value'));
        this.#walk(property, one);
      }
    }
  }
}

/** The root and the API description use no storage, so no fault can make them fail. */
export const isUnreachable = (operation: Operation, status: number): boolean =>
  operation.form === 'public' && status === 500;

/** The coverage of all cases of this process. */
export const coverage = new Coverage();
