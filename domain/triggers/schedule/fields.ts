/** A calendar field: its range of values, and the names of some values. */
interface FieldDefinition {
  min: number
  max: number
  names?: readonly string[]
  /** Whether 7 stands for 0 (Sunday). */
  isWeekday?: boolean
}

export const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const
export const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

export const FIELDS = {
  second: { min: 0, max: 59 },
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  day_of_month: { min: 1, max: 31 },
  month: { min: 1, max: 12, names: MONTH_NAMES },
  day_of_week: { min: 0, max: 6, names: DAY_NAMES, isWeekday: true },
  year: { min: 2000, max: 2100 },
} as const satisfies Record<string, FieldDefinition>

export type FieldName = keyof typeof FIELDS

/** A field text is invalid. The message is the end of a sentence that starts with the field name. */
export class FieldError extends Error {}

/** Returns whether a text means all values of its field. */
export const isAny = (text: string): boolean => text === '*' || text === '?'

/**
 * Parses a field of a cron expression, such as `*`, `1-5`, `MON,WED`, `*\/15` and `10-50/20`. Returns the values in
 * ascending order. Throws FieldError.
 */
export function parseField(name: FieldName, text: string): number[] {
  const field: FieldDefinition = FIELDS[name]
  const values = new Set<number>()
  for (const part of text.split(',')) {
    for (const value of parsePart(field, part.trim())) values.add(field.isWeekday && value === 7 ? 0 : value)
  }
  return [...values].sort((a, b) => a - b)
}

function parsePart(field: FieldDefinition, part: string): number[] {
  const [, range = '', step] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(part) ?? []
  const every = step === undefined ? 1 : Number(step)
  if (every === 0) throw new FieldError('has a step of 0')
  const [first, last] = parseRange(field, range, step !== undefined)
  if (step !== undefined && every > last - first)
    throw new FieldError(`has a step of ${every}, which must be at most ${last - first} from ${first} to ${last}`)
  const values: number[] = []
  for (let value = first; value <= last; value += every) values.push(value)
  return values
}

function parseRange(field: FieldDefinition, range: string, hasStep: boolean): [first: number, last: number] {
  if (isAny(range)) return [field.min, field.max]
  const [, from = '', to] = /^([^-]+)(?:-([^-]+))?$/.exec(range) ?? []
  const first = parseValue(field, from)
  const last = to === undefined ? (hasStep ? field.max : first) : parseValue(field, to)
  if (last < first) throw new FieldError(`has the range ${range}, which ends before it starts`)
  return [first, last]
}

function parseValue({ min, max, names, isWeekday }: FieldDefinition, text: string): number {
  const place = names?.indexOf(text.toUpperCase()) ?? -1
  if (place >= 0) return place + min
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  const top = isWeekday ? 7 : max
  if (value >= min && value <= top) return value
  const nameHint = names ? ` or of ${names.join(', ')}` : ''
  throw new FieldError(`must contain only numbers from ${min} to ${top}${nameHint}, not "${text.slice(0, 20)}"`)
}
