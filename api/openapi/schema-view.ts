import type { OpenApiDocument } from './document.ts'
import { html, join } from './html.ts'
import type { Html } from './html.ts'

type Schema = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>[string]
type Reference = Extract<Schema, { $ref: string }>
type SchemaObject = Exclude<Schema, Reference>

/** A schema to read: its type in a word, then its fields as a table. `note: false` leaves the description out. */
export function schemaView(schema: Schema, { note = true } = {}): Html {
  if (isReference(schema)) return linkTo(schema.$ref)
  const { properties } = schema
  const description = note && schema.description ? html`<p>${schema.description}</p>` : html``
  if (!properties) return html`${word(schema)} ${description}${variants(schema)}`
  const rows = Object.entries(properties).map(([name, field]) =>
    fieldRow(name, field, schema.required?.includes(name) ?? false),
  )
  return html`${description}
    <table>
      ${join(rows)}
    </table>`
}

function fieldRow(name: string, field: Schema, required: boolean): Html {
  return html`<tr>
    <th><code>${name}</code>${required ? '' : html` <small>optional</small>`}</th>
    <td>${schemaView(field)}</td>
  </tr>`
}

function variants(schema: SchemaObject): Html {
  const any = schema.oneOf ?? schema.anyOf
  if (!any || any.every(isPlain)) return html``
  return html`<ul>
    ${join(any.map(one => html`<li>${schemaView(one)}</li>`))}
  </ul>`
}

/** The type in a word: `string, uuid`, `list of Job`, `pending | running`. */
function word(schema: Schema): Html {
  if (isReference(schema)) return linkTo(schema.$ref)
  const { type, format, items, oneOf, anyOf, additionalProperties } = schema
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values) return join(values.map((value, index) => html`${index > 0 ? ' | ' : ''}<code>${String(value)}</code>`))
  if (items) return html`list of ${word(items)}${items && 'properties' in items ? schemaView(items) : ''}`
  const any = oneOf ?? anyOf
  if (any)
    return any.every(isPlain)
      ? join(any.map((one, index) => html`${index > 0 ? ' | ' : ''}${word(one)}`))
      : html`<i>one of</i>`
  if (typeof additionalProperties === 'object') return html`<i>object of</i> ${word(additionalProperties)}`
  const names = (Array.isArray(type) ? type : [type ?? 'any JSON']).join(' | ')
  return html`<i>${names}${format ? `, ${format}` : ''}</i>`
}

const isReference = (schema: Schema): schema is Reference => '$ref' in schema && schema.$ref !== undefined

const isPlain = (schema: Schema): boolean => isReference(schema) || !schema.properties

function linkTo(ref: string): Html {
  const name = ref.split('/').at(-1) ?? ''
  return html`<a href="#schema-${name}">${name}</a>`
}
