import type { RJSFSchema } from '@rjsf/utils'

/** Schema of a text field. */
export const text = (title: string, description?: string) => ({ type: 'string' as const, title, description })

/** Schema of a text field whose value is not displayed. */
export const secret = (title: string, description?: string) => ({ ...text(title, description), format: 'password' })

/** Schema of a selection, with the labels of the values. The first value is the default. */
export const choice = (title: string, labels: Record<string, string>) => ({
  ...text(title),
  oneOf: Object.entries(labels).map(([value, label]) => ({ const: value, title: label })),
  default: Object.keys(labels)[0],
})

/** Schema of a group of fields. */
export const group = (title: string, required: string[], properties: NonNullable<RJSFSchema['properties']>) => ({
  type: 'object' as const,
  title,
  required,
  properties,
})
