import type { Filter } from 'scim2-parse-filter'
import { normalizeAttribute } from '../../domain/access/scim-attribute.ts'
import { ScimProblem } from '../../domain/access/scim-problem.ts'
import { decodeScimId } from '../../domain/access/scim-id.ts'

/** A filterable attribute: a text expression, or an array of JSON objects. */
type FilterColumn =
  { sql: string; isExact?: boolean; isId?: boolean } | { elements: string; fields: readonly string[]; isId?: boolean }

/** Filterable attributes by their names in lower case. */
export type FilterColumns = Record<string, FilterColumn>

type Bind = (value: unknown) => string

/** Translates a SCIM filter to an SQL condition. Throws ScimProblem for attributes and operators without a translation. */
export function buildCondition(filter: Filter, columns: FilterColumns, bind: Bind): string {
  if ('filters' in filter)
    return `(${filter.filters.map(part => buildCondition(part, columns, bind)).join(` ${filter.op} `)})`
  if ('filter' in filter) return `(${buildCondition(filter.filter, columns, bind)}) is not true`
  const path = normalizeAttribute(filter.attrPath)
  if ('valFilter' in filter) {
    const column = getColumn(columns, path)
    if (!('elements' in column)) throw unsupportedError(filter.attrPath)
    return existsElement(column, buildCondition(filter.valFilter, toElementColumns(column), bind))
  }
  const [root = '', field = 'value'] = path.split('.')
  const column = getColumn(columns, Object.hasOwn(columns, path) ? path : root)
  if ('sql' in column) return compare(column, filter, bind)
  const elementColumns = toElementColumns(column)
  return existsElement(column, compare(getColumn(elementColumns, field) as { sql: string }, filter, bind))
}

function getColumn(columns: FilterColumns, name: string): FilterColumn {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (!column) throw unsupportedError(name)
  return column
}

const toElementColumns = ({ fields, isId }: { fields: readonly string[]; isId?: boolean }): FilterColumns =>
  Object.fromEntries(fields.map(field => [field, { sql: `element ->> '${field}'`, isExact: isId, isId }]))

const existsElement = ({ elements }: { elements: string }, condition: string) =>
  `exists (select from jsonb_array_elements(${elements}) element where ${condition})`

const OPERATORS: Record<string, (text: string, value: string) => string> = {
  eq: (text, value) => `${text} = ${value}`,
  ne: (text, value) => `${text} is distinct from ${value}`,
  co: (text, value) => `strpos(${text}, ${value}) > 0`,
  sw: (text, value) => `starts_with(${text}, ${value})`,
  ew: (text, value) => `right(${text}, length(${value})) = ${value}`,
}

type Comparison = Extract<Filter, { op: 'pr' | 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'lt' | 'ge' | 'le' }>

function compare(
  { sql, isExact, isId }: { sql: string; isExact?: boolean; isId?: boolean },
  filter: Comparison,
  bind: Bind,
) {
  if (filter.op === 'pr') return `${sql} is not null`
  const operator = OPERATORS[filter.op]
  if (!operator || (isId && filter.op !== 'eq' && filter.op !== 'ne'))
    throw new ScimProblem('invalidFilter', `The operator "${filter.op}" is not supported for "${filter.attrPath}"`)
  const value = String(filter.compValue)
  const place = `${bind(isId ? (decodeScimId(value) ?? '') : value)}::text`
  return isExact ? operator(sql, place) : operator(`lower(${sql})`, `lower(${place})`)
}

const unsupportedError = (path: string) => new ScimProblem('invalidFilter', `"${path}" can't be used in a filter`)
