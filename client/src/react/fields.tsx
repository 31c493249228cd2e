import { type ReactNode, useId, useState } from 'react'
import { applyConditions, type FieldSchema, findFieldKind, isNullable, nameField, toInputText } from './form-values.ts'
import type { ChatLabels } from './labels.ts'

interface FieldProps {
  schema: FieldSchema
  /** Schema of the form. */
  root: FieldSchema
  /** The value of an object while the form is being filled in. Conditions depend on it. */
  value?: unknown
  /** JSON pointer of the value in the form's data. */
  name: string
  label: string
  isRequired: boolean
  /** Messages by pointer. */
  errors: ReadonlyMap<string, string>
  labels: ChatLabels
}

/** The input for a value of a schema. */
export function Field({ schema: given, root, value, name, label, isRequired: mustExist, errors, labels }: FieldProps) {
  const id = useId()
  const schema = applyConditions(given, value, root)
  const kind = findFieldKind(schema)
  const isRequired = mustExist && !isNullable(schema)
  const error = errors.get(name)
  const text = schema.title ?? label
  const notes = (schema.description ?? error) !== undefined && (
    <span id={`${id}n`} className="gc-note">
      {schema.description} {error !== undefined && <strong className="gc-error">{error}</strong>}
    </span>
  )
  const common = {
    id,
    name,
    required: isRequired,
    'aria-invalid': error !== undefined,
    'aria-describedby': notes ? `${id}n` : undefined,
  }
  if (kind === 'constant') return null
  if (kind === 'group')
    return (
      <Group legend={name && text} notes={notes}>
        {Object.entries(schema.properties ?? {}).map(([property, each]) => (
          <Field
            key={property}
            schema={each}
            root={root}
            value={(value as Record<string, unknown> | undefined)?.[property]}
            name={nameField(name, property)}
            label={property}
            isRequired={schema.required?.includes(property) ?? false}
            errors={errors}
            labels={labels}
          />
        ))}
      </Group>
    )
  if (kind === 'choices')
    return (
      <Group legend={text} notes={notes}>
        {schema.items?.enum?.map((value, i) => (
          <label key={String(i)} className="gc-choice">
            <input
              type="checkbox"
              name={name}
              value={i}
              defaultChecked={Array.isArray(schema.default) && schema.default.includes(value)}
            />
            {schema.items?.titles?.[i] ?? formatValue(value)}
          </label>
        ))}
      </Group>
    )
  if (kind === 'flag')
    return (
      <div className="gc-field">
        <label className="gc-choice">
          <input type="checkbox" {...common} required={false} defaultChecked={schema.default === true} />
          {text}
        </label>
        {notes}
      </div>
    )
  return (
    <div className="gc-field">
      <label htmlFor={id}>
        {text}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {kind === 'choice' ? (
        <Choice key={JSON.stringify(schema.enum)} schema={schema} none={labels.choose} common={common} />
      ) : (
        <Input schema={schema} kind={kind} common={common} />
      )}
      {notes}
    </div>
  )
}

function Choice({ schema, none, common }: { schema: FieldSchema; none: string; common: object }) {
  const [value, setValue] = useState(findIndex(schema))
  return (
    <select {...common} value={value} onChange={event => setValue(event.currentTarget.value)}>
      <option value="">{none}</option>
      {schema.enum?.map((each, i) => (
        <option key={String(i)} value={i}>
          {schema.titles?.[i] ?? formatValue(each)}
        </option>
      ))}
    </select>
  )
}

/** Texts that may be longer than this number of characters have several lines. */
const LONG = 200

/** Input types by the format of a text. */
const TYPES: Record<string, string> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  time: 'time',
  'date-time': 'datetime-local',
}

interface InputProps {
  schema: FieldSchema
  kind: string
  common: object
}

function Input({ schema, kind, common }: InputProps) {
  const { default: initial, type, minimum, maximum, minLength, maxLength } = schema
  const isList = kind === 'lines'
  const { format = '', contentMediaType: accept } = (isList && schema.items) || schema
  const text = isList && Array.isArray(initial) ? initial.join('\n') : formatValue(initial ?? '')
  if (format === 'file') return <input type="file" multiple={isList} accept={accept} {...common} />
  if (kind === 'number')
    return (
      <input
        type="number"
        step={type === 'integer' ? 1 : 'any'}
        min={minimum}
        max={maximum}
        {...common}
        defaultValue={text}
      />
    )
  const limits = { minLength, maxLength, ...common, defaultValue: toInputText(text, format) }
  return kind === 'text' && (maxLength ?? 0) <= LONG && !text.includes('\n') ? (
    <input type={TYPES[format] ?? 'text'} {...limits} />
  ) : (
    <textarea rows={3} {...limits} />
  )
}

interface GroupProps {
  legend: string
  notes?: ReactNode
  children: ReactNode
}

export function Group({ legend, notes, children }: GroupProps) {
  return (
    <fieldset className="gc-group">
      {legend && <legend>{legend}</legend>}
      {children}
      {notes}
    </fieldset>
  )
}

function findIndex({ enum: values = [], default: initial }: FieldSchema): string {
  const index = values.indexOf(initial)
  return index < 0 ? '' : String(index)
}

/** Returns a text unchanged, and other values as JSON. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)
