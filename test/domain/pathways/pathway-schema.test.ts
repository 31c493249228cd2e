import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { pathwaySchemas } from '../../../domain/pathways/json-schema.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'

/** The published schemas, read by a validator in its strict mode, as editors and clients read them. */
const ajv = new Ajv2020({ allowUnionTypes: true })
ajv.addKeyword('schemas')
ajv.addKeyword('discriminator')
const schemas = pathwaySchemas('#/schemas/')
const compile = (name: string) => ajv.compile({ schemas, $ref: `#/schemas/${name}` })
const isDefinition = compile('PathwayDefinition')
const isNode = compile('PathwayNode')

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const examples = [...read('docs/pathways.md').matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text = '']) => JSON.parse(text) as { nodes?: object[]; type?: string; definition?: object },
)
const purchase =
  /cat > purchase\.json <<'END'\n([\s\S]*?)\nEND/.exec(read('docs/tutorials/first-workflow.md'))?.[1] ?? ''
const sample = JSON.parse(read('dev/samples/invoice-approval.json')) as object

test('every example of a definition fits the published schema', () => {
  const definitions = [
    ...examples.filter(({ nodes }) => nodes),
    (JSON.parse(purchase) as { definition: object }).definition,
    sample,
  ]
  expect(definitions.length).toBeGreaterThan(2)
  for (const definition of definitions) {
    expect(validateDefinition(definition).ok).toBe(true)
    expect([isDefinition(definition), isDefinition.errors, definition]).toEqual([true, null, definition])
  }
})

test('every example of a node fits the schema of its type', () => {
  const nodes = examples.filter(({ type, nodes }) => type && !nodes)
  expect(new Set(nodes.map(({ type }) => type)).size).toBeGreaterThan(12)
  for (const node of nodes) expect([isNode(node), node]).toEqual([true, node])
})

test.each([
  ['a node of no known type', { nodes: [{ id: 'a', type: 'teleport' }] }],
  ['an unknown field', { nodes: [{ id: 'a', type: 'end', colour: 'red' }] }],
  ['a timeout that is no duration', { nodes: [{ id: 'a', type: 'wait', event: 'e', timeout: 'P' }] }],
  ['a missing field', { nodes: [{ id: 'a', type: 'map', items: [] }] }],
  [
    'a body with a node that is none',
    { nodes: [{ id: 'a', type: 'map', items: [], body: { nodes: [{}], edges: [] } }] },
  ],
  ['an edge without an end', { nodes: [{ id: 'a', type: 'end' }], edges: [{ from: 'a' }] }],
  ['another version', { schema: 'pathway/2', nodes: [{ id: 'a', type: 'end' }] }],
])('%s is refused by the schema, as by the service', (_, change) => {
  const definition = { schema: 'pathway/1', edges: [], ...change }
  expect([isDefinition(definition), validateDefinition(definition).ok]).toEqual([false, false])
})
