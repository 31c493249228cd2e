import type { NodeType, PathwayDefinition, PathwayNode } from '../../../../domain/pathways/definition.ts'
import { listPorts } from '../../../../domain/pathways/validation/edges.ts'
import type { Choices } from '../../../domain/support/choices.ts'
import { CHILDREN, NEURONS } from './definition.ts'

/** The input for runs with hostile values. */
export const HOSTILE_INPUT = {
  keys: { constructor: 'k', toString: 1, hasOwnProperty: [], prototype: null, length: -1, valueOf: 'x' },
  names: ['constructor', '__proto__', 'toString'],
  odd: `a${'😀'.repeat(3_000)}`,
  even: '😀'.repeat(3_000),
  long: '株'.repeat(250_000),
}

/** A text of 5.7 MB, the maximum that an expression may return. */
const HUGE = `cel.bind(v, "${'株'.repeat(19)}", ${'cel.bind(v, v+v+v+v+v+v+v+v+v+v, '.repeat(5)}v${')'.repeat(6)}`
const DEEP = `${'['.repeat(50)}1${']'.repeat(50)}`

/** Expressions with values that are known to harm services. */
const VALUES = [
  '"a\\u0000b"',
  '{"a\\u0000": "\\u0000"}',
  'string(b"\\xed\\xa0\\x80")',
  String.raw`bytes("{\"\\ud83d\": \"\\ud83d\", \"__proto__\": {\"a\": 1e400}, \"n\": 9223372036854775808}").json()`,
  '{"constructor": "k", "__proto__": {"a": 1}, "toString": 2}',
  'input.keys',
  'input.keys.constructor',
  'input.names',
  'input.odd',
  'input.even',
  'input.odd.substring(1, 3)',
  'input.long',
  'input.long + input.long + input.long',
  HUGE,
  `[${HUGE}]`,
  `{"v": ${HUGE}}`,
  '9007199254740992.0 * 1024.0',
  'int("9223372036854775807")',
  '1e308 * 10.0',
  '1e308',
  '-1',
  '0.0 / 0.0',
  'timestamp("2027-02-30T10:00:00Z")',
  '"2027-02-30T10:00:00Z"',
  '"2027-02-30"',
  '"9999-12-31T23:59:59Z"',
  '"0000-01-01T00:00:00Z"',
  '"PT0.0001S"',
  '"P99999999D"',
  'duration("999999999999999h")',
  DEEP,
  'null',
  'true',
  '""',
  '[]',
  '{}',
  'input',
] as const

type Fields = Record<string, unknown>

/** The fields that evaluate expressions, by node type, as JSON pointers. */
const FIELDS: Partial<Record<NodeType, readonly string[]>> = {
  transform: ['/with/value', '/with/value/part', '/with/value/0'],
  http: [
    '/with/url',
    '/with/query/q',
    '/with/query/q/0',
    '/with/headers/x-h',
    '/with/json',
    '/with/json/part',
    '/with/body',
  ],
  human: [
    '/title',
    '/description',
    '/context',
    '/context/part',
    '/questions/0/text',
    '/questions/0/options/0',
    '/assignees/0',
    '/due',
    '/remind/0',
    '/escalate/0/after',
    '/escalate/0/to/0',
    '/quorum',
    '/form/properties/f/default',
  ],
  wait: ['/until', '/duration'],
  map: ['/items', '/items/0'],
  pathway: ['/with/part', '/with/input/part'],
  neuron: ['/with/message', '/with/instructions', '/with/variables/v', '/with/model'],
  tool: [
    '/with/args',
    '/with/args/time_zone',
    '/with/args/query',
    '/with/args/id',
    '/with/args/content',
    '/with/args/url',
  ],
  search: [
    '/with/query',
    '/with/path_prefix',
    '/with/limit',
    '/with/min_score',
    '/with/versions',
    '/with/types/0',
    '/with/metadata/k',
  ],
  transcribe: ['/with/audio_base64', '/with/mime_type', '/with/asset'],
  stakeholders: ['/with/map', '/with/found', '/with/delta', '/with/expected_version', '/with/note'],
  switch: ['/cases/0/when'],
  loop: ['/until'],
  end: ['/output', '/output/part'],
}
const TYPES = Object.keys(FIELDS) as NodeType[]
const bodyOf = (id: string) => ({ nodes: [{ id: `${id}in`, type: 'transform', with: { value: 1 } }], edges: [] })
const TOOLS = ['current_time', 'calculate', 'search', 'read_resource', 'write_artifact', 'http_fetch'] as const
/** Ledger responses whose content callers must not pass on. */
const REPLY = String.raw`{"\ud83d":"\ud83d","a":"\u0000","__proto__":{"n":1e400},"constructor":9223372036854775808}`

/**
 * Returns a valid pathway with parallel nodes. Each has a hostile value in one field and is followed by a node that
 * reads its result.
 */
export function hostilePathway(decide: Choices, ledgerUrl: string): PathwayDefinition {
  const nodes: PathwayNode[] = []
  const edges: PathwayDefinition['edges'] = []
  for (let i = 0; i < 5; i++) {
    const node = hostileNode(`h${i}`, decide, ledgerUrl)
    nodes.push(node)
    if (node.type === 'end') continue
    const reader = {
      id: `seen${i}`,
      type: 'transform',
      with: { value: { ['${x}']: `\${nodes.h${i}}` } },
    } as PathwayNode
    nodes.push(reader)
    edges.push(...listPorts(node).map(on => ({ from: node.id, on, to: reader.id })))
  }
  return { schema: 'pathway/1', nodes, edges }
}

function hostileNode(id: string, decide: Choices, ledgerUrl: string): PathwayNode {
  const type = decide.of(TYPES)
  const pointer = decide.of(FIELDS[type] ?? [])
  const node: Fields = { id, type, ...plainNode(id, type, pointer, decide, ledgerUrl) }
  const source = decide.of(VALUES)
  if (type === 'switch' || type === 'loop')
    put(node, pointer, decide.of([`${source} == input`, `dyn(${source}) == true`]))
  else put(node, pointer, decide.of([`\${${source}}`, `\${${source}}`, `😀 \${${source}} x`]))
  if (pointer === '/with/url') put(node, pointer, decide.of([`${ledgerUrl}/\${${source}}`, `\${${source}}`]))
  if (decide.once(4) && type !== 'human') node['title'] = `\${${decide.of(VALUES)}}`
  return node as unknown as PathwayNode
}

/** Returns a valid node without the field. */
function plainNode(id: string, type: NodeType, pointer: string, decide: Choices, ledgerUrl: string): Fields {
  const limits = { timeout: 'PT3S', retry: { max_attempts: 2, initial: 'PT0.05S' } }
  switch (type) {
    case 'http': {
      const url = `${ledgerUrl}/\${run.id}?${decide.of(['', `raw=${encodeURIComponent(REPLY)}`])}`
      return { ...limits, idempotent: decide.once(2), with: { method: decide.of(['POST', 'GET']), url } }
    }
    case 'human': {
      const kind = pointer.startsWith('/questions') ? 'questions' : pointer.startsWith('/form') ? 'form' : 'approval'
      const form = { type: 'object', properties: { f: { type: 'string' } } }
      return {
        kind,
        due: 'PT2S',
        ...(kind === 'form' && { form }),
        ...(kind === 'questions' && { questions: [{ id: 'q', text: '?' }] }),
        escalate: [{ after: 'PT0.2S', to: ['user:ann'] }],
      }
    }
    case 'map':
      return { timeout: 'PT3S', body: bodyOf(id) }
    case 'loop':
      return { timeout: 'PT3S', max: 2, body: bodyOf(id) }
    case 'pathway':
      return { timeout: 'PT3S', ref: decide.of(CHILDREN) }
    case 'neuron':
      if (pointer === '/with/variables/v' || (pointer === '/with/message' && decide.once(2)))
        return { timeout: 'PT3S', ref: decide.of(NEURONS), with: { message: 'Say something' } }
      return { ...limits, with: { message: 'Say something' } }
    case 'tool':
      return { ...limits, with: { reflex: 'builtin', name: decide.of(TOOLS) } }
    case 'search':
      return { ...limits, with: { query: 'anything', mode: 'keyword' } }
    case 'transcribe':
      if (pointer === '/with/asset') return limits
      return { ...limits, with: { audio_base64: 'bm90IGF1ZGlv', mime_type: 'audio/wav' } }
    case 'stakeholders':
      return { ...limits, with: { action: decide.of(['propose', 'apply']), map: 'people' } }
    case 'switch':
      return { cases: [{ port: 'yes', when: 'true' }], default: 'no' }
    default:
      return {}
  }
}

/** Sets the value at a pointer. Missing parents are created. */
function put(target: Fields, pointer: string, value: unknown): void {
  const keys = pointer.split('/').slice(1)
  const last = keys.pop() ?? ''
  let at = target
  for (const [i, key] of keys.entries()) {
    const next = keys[i + 1] ?? last
    at = (at[key] ??= next === '0' ? [] : {}) as Fields
  }
  at[last] = value
}
