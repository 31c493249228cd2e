import type { PathwayDefinition, PathwayNode } from '../../../domain/pathways/definition.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'

export const node = (type: string, id: string, more: object): PathwayNode => ({ id, type, ...more }) as PathwayNode
export const human = (id: string, more: object = {}) => node('human', id, { kind: 'approval', ...more })
export const http = (id: string, more: object = {}) =>
  node('http', id, { with: { method: 'POST', url: 'https://example.test/x' }, ...more })
export const value = (id: string, result: JsonValue) => node('transform', id, { with: { value: result } })
export const map = (id: string, body: object, more: object = {}) =>
  node('map', id, { items: '${input.list}', body, ...more })
export const loop = (id: string, until: string, max: number, body: object, more: object = {}) =>
  node('loop', id, { until, max, body, ...more })

/** Parses `a > b`, or `a.port > b`. */
export const edges = (lines: string[]) =>
  lines.map(text => {
    const [, from = '', on, to = ''] = /^([^. ]+)(?:\.(\S+))? > (\S+)$/.exec(text) ?? []
    return { from, ...(on && { on }), to }
  })

export const body = (nodes: PathwayNode[], lines: string[] = []) => ({ nodes, edges: edges(lines) })

/** Returns a valid definition. Throws if the definition has problems. */
export function pathway(nodes: PathwayNode[], lines: string[]): PathwayDefinition {
  const checked = validateDefinition({ schema: 'pathway/1', ...body(nodes, lines) })
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  return checked.definition
}
