import type { z } from 'zod'
import { SECRET_SETTINGS } from '../../config/secret-files.ts'
import { planFields } from '../../config/plans.ts'
import { SETTING_GROUPS } from '../../config/settings.ts'
import { code, renderTable } from './regions.ts'

/** Text to print instead of default values that would not help a reader. */
const SHOWN_DEFAULTS: Record<string, string> = { PLANS: '', SECRETS: '' }

/** Renders the settings, with one table per group. */
export const renderSettings = (): string =>
  Object.entries(SETTING_GROUPS)
    .map(([title, shape]) => `## ${title}\n\n${renderTable(['Name', 'Default', 'Meaning'], listRows(shape))}`)
    .join('\n\n')

/** Renders the limits of a plan with their default values. */
export const renderPlan = (): string => renderTable(['Limit', 'Default', 'Meaning'], listRows(planFields))

export const renderSecretSettings = (): string => SECRET_SETTINGS.map(code).join(', ')

const listRows = (shape: Record<string, z.ZodType>) =>
  Object.entries(shape).map(([name, schema]) => [
    code(name),
    SHOWN_DEFAULTS[name] ?? describeDefault(schema),
    schema.description ?? '',
  ])

function describeDefault(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined)
  if (!success) return 'required'
  if (data === undefined) return ''
  if (data === null) return 'unlimited'
  if (typeof data === 'number') return data < 10_000 ? String(data) : data.toLocaleString('en')
  if (Array.isArray(data)) return data.length === 0 ? '' : code(data.join(','))
  return code(typeof data === 'string' ? data : JSON.stringify(data))
}
