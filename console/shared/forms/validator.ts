import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from '@rjsf/utils'

/** Keywords whose errors are redundant, because the nested value has its own error. */
const OUTER = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
  'if',
  'then',
  'else',
])
const MISSING = /required property "(.*)"/

/**
 * Validates a value against a draft 2020-12 schema. Compiles no code, because the content security policy forbids it.
 */
function findErrors(schema: RJSFSchema, value: unknown): RJSFValidationError[] {
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(value)
  return errors.filter(isInner).map(toFormError)
}

const isInner = ({ keyword, error }: OutputUnit) =>
  !OUTER.has(keyword) || (keyword === 'additionalProperties' && error.includes('not allowed'))

function toFormError({ keyword, instanceLocation, error }: OutputUnit): RJSFValidationError {
  const path = instanceLocation.split('/').slice(1).map(decode)
  const [, missing] = (keyword === 'required' && MISSING.exec(error)) || []
  if (missing !== undefined) path.push(missing)
  const message = missing === undefined ? error : 'Required.'
  const property = path.map(part => `.${part}`).join('')
  return { name: keyword, message, property, stack: `${property} ${message}`, params: {} }
}

const decode = (part: string) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')

/** Nested schemas refer to the root schema's definitions. */
const withDefinitions = (schema: RJSFSchema, { $defs, definitions }: RJSFSchema): RJSFSchema => ({
  ...($defs && { $defs }),
  ...(definitions && { definitions }),
  ...schema,
})

/** The form validator. Replaces the default validator, which compiles schemas to code. */
const validator: ValidatorType = {
  isValid: (schema, value, root) => findErrors(withDefinitions(schema, root), value).length === 0,
  rawValidation: (schema, value) => ({ errors: findErrors(schema, value) as never[] }),
  validateFormData(value, schema) {
    const errors = findErrors(schema, value)
    return { errors, errorSchema: toErrorSchema(errors) }
  },
}

export default validator
