import type { z } from 'zod'

/** Rules for the fields of a body. They also appear in the OpenAPI document. */

type Field<S extends z.ZodObject> = keyof S['shape'] & string

const countFields = (body: Record<string, unknown>, fields: readonly string[]): number =>
  fields.filter(field => body[field] !== undefined).length

const requireFields = (...fields: string[]) => ({
  required: fields,
  properties: Object.fromEntries(fields.map(field => [field, {}])),
})

/** @param hint text to append to the message */
export function requireExactlyOne<S extends z.ZodObject>(schema: S, fields: readonly Field<S>[], hint = ''): S {
  const [last, ...others] = fields.toReversed()
  const names = `${others.toReversed().join(', ')} and ${last}`
  return schema
    .refine(body => countFields(body, fields) === 1, `must have exactly one of ${names}${hint}`)
    .meta({ ...schema.meta(), oneOf: fields.map(field => requireFields(field)) })
}

export function requireAtMostOne<S extends z.ZodObject>(schema: S, [first, second]: [Field<S>, Field<S>]): S {
  return schema
    .refine(body => countFields(body, [first, second]) < 2, `must have at most one of ${first} and ${second}`)
    .meta({ ...schema.meta(), not: requireFields(first, second) })
}

/** Requires at least one field other than `expected_version`, which doesn't change anything. */
export function requireChange<S extends z.ZodObject>(schema: S): S {
  const fields = Object.keys(schema.shape).filter(field => field !== 'expected_version')
  return schema
    .refine(body => countFields(body, fields) > 0, 'must change at least one field')
    .meta({ ...schema.meta(), anyOf: fields.map(field => requireFields(field)) })
}

/** Allows fields only in combination with another field. */
export function allowOnlyBeside<S extends z.ZodObject>(schema: S, field: Field<S>, dependent: readonly string[]): S {
  return schema
    .refine(body => body[field] !== undefined || countFields(body, dependent) === 0, {
      message: `may have ${dependent.join(', ')} only together with ${field}`,
    })
    .meta({
      ...schema.meta(),
      dependentRequired: Object.fromEntries(dependent.map(name => [name, [field]])),
    })
}
