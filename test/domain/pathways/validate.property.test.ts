import * as fc from 'fast-check'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { dryRun } from '../../../domain/pathways/dry-run.ts'
import { compileGraph } from '../../../domain/pathways/graph.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'
import { Choices, choices } from '../support/choices.ts'
import { randomPathway } from '../support/random-pathway.ts'

type Change = (value: JsonValue, decide: Choices) => JsonValue | undefined

const WORDS = [
  '',
  'n0',
  'n1',
  'constructor',
  '__proto__',
  'default',
  'error',
  '${nodes.n0.output}',
  '${1 +',
  'PT5M',
  'P-1D',
  'http',
  'map',
  'end',
  'all',
  'nodes.n1.output == 1',
]
const VALUES: JsonValue[] = [
  null,
  true,
  0,
  -1,
  1e9,
  1.5,
  [],
  {},
  [[]],
  { $ref: '#' },
  { id: 'n0', type: 'end' },
  { nodes: [], edges: [] },
]

/** Ways to damage a part of a definition. Undefined removes the part. */
const CHANGES: Change[] = [
  () => undefined,
  (_value, decide) => decide.of(WORDS),
  (_value, decide) => decide.of(VALUES),
  value => [value, value],
  value => ({ nodes: value, body: value }),
  value => (typeof value === 'string' ? value.repeat(20) : value),
  (value, decide) => (isHolder(value) ? { ...value, [decide.of(WORDS)]: decide.of(VALUES) } : value),
  value => (Array.isArray(value) ? value.toReversed() : value),
  value => (Array.isArray(value) ? [...value, ...value] : value),
]

const isHolder = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Damages a random place inside a value. */
function spoil(value: JsonValue, decide: Choices): JsonValue | undefined {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (keys.length === 0 || decide.once(4)) return decide.of(CHANGES)(value, decide)
  const key = decide.of(keys)
  if (Array.isArray(value))
    return value.flatMap((part, i) => (String(i) === key ? [spoil(part, decide) ?? []].flat() : [part]))
  const parts = value as { [key: string]: JsonValue }
  const part = spoil(parts[key] ?? null, decide)
  const { [key]: _old, ...others } = parts
  return part === undefined ? others : { ...others, [key]: part }
}

const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue

/** Mocks for about half of the nodes. */
function mocks(decide: Choices): Record<string, JsonValue> {
  const outcomes: JsonValue[] = [
    { n: 1 },
    { action: 'approve' },
    { $error: { code: 'X' } },
    { $timeout: true },
    null,
    { action: 'reject' },
  ]
  return Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`n${i}`, decide.of(outcomes)]))
}

function runsDry(raw: JsonValue, outputs: Record<string, JsonValue>): void {
  const checked = validateDefinition(raw)
  if (!checked.ok) {
    for (const { pointer, message } of checked.problems)
      expect(pointer === '' || pointer.startsWith('/') ? message : '').not.toBe('')
    return
  }
  compileGraph(checked.definition)
  const report = dryRun(checked.definition, { input: { list: [1, 2], flags: [true, false] }, outputs })
  expect(['completed', 'failed', 'waiting']).toContain(report.status)
  expect(plain(report)).toBeTruthy()
}

describe('validation', () => {
  test('accepts any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), raw => runsDry(raw as JsonValue, {})),
      { numRuns: 600 },
    )
  })

  test('handles a damaged definition without throwing, and definitions that it accepts can run', () => {
    const counts = { accepted: 0, refused: 0 }
    const takes = fc.property(choices(60), choices(60), (graph, changes) => {
      const decide = new Choices(changes)
      let raw = plain(randomPathway(new Choices(graph), { races: true, failures: true }))
      for (let i = decide.below(3); i >= 0; i--) raw = spoil(raw, decide) ?? null
      counts[validateDefinition(raw).ok ? 'accepted' : 'refused']++
      runsDry(raw, mocks(decide))
    })
    fc.assert(takes, { numRuns: 500 })
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(20)
  })

  test('reports problems with pointers to places in the definition', () => {
    const points = fc.property(choices(60), choices(60), (graph, changes) => {
      const raw =
        spoil(plain(randomPathway(new Choices(graph), { races: true, failures: true })), new Choices(changes)) ?? null
      const checked = validateDefinition(raw)
      for (const { pointer } of checked.ok ? [] : checked.problems) expect(findHolder(raw, pointer)).toBeDefined()
    })
    fc.assert(points, { numRuns: 300 })
  })
})

/** Returns the parent of the value that a pointer refers to, because the value itself may be missing. */
function findHolder(raw: JsonValue, pointer: string): JsonValue | undefined {
  const steps = pointer.split('/').slice(1, -1)
  return steps.reduce<JsonValue | undefined>((part, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof part === 'object' && part !== null ? (part as Record<string, JsonValue>)[key] : undefined
  }, raw)
}
