import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { pathwaySchemas } from '../../../domain/pathways/json-schema.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'

/** The published schemas, read by a validator in strict mode, like editors and clients. */
const ajv = new Ajv2020({ allowUnionTypes: true })
ajv.addKeyword('schemas')
ajv.addKeyword('discriminator')
const schemas = pathwaySchemas('#/schemas/')
const compile = (name: string) => ajv.compile({ schemas, $ref: `#/schemas/${name}` })
const isDefinition = compile('PathwayDefinition')
const isNode = compile('PathwayNode')

const ROOT = new URL('../../../', import.meta.url).pathname
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const readBlocks = (page: string, block: RegExp) => [...read(page).matchAll(block)].map(([, text = '']) => text)
const examples = ['docs/reference/workflow-format.md', 'docs/reference/node-types.md']
  .flatMap(page => readBlocks(page, /```json\n([\s\S]*?)```/g))
  .map(text => JSON.parse(text) as { nodes?: object[]; type?: string })
/** The workflow definitions in files that the guides create. */
const guideDefinitions = globSync('docs/guides/{pathways,people,triggers}/*.md', { cwd: ROOT })
  .flatMap(page => readBlocks(page, /```yaml file=\S+\n(kind: pathway\n[\s\S]*?)```/g))
  .map(text => (parse(text) as { definition: object }).definition)
const sample = JSON.parse(read('dev/samples/invoice-approval.json')) as object

test('every definition example matches the published schema', () => {
  expect(guideDefinitions.length).toBeGreaterThan(10)
  const definitions = [...examples.filter(({ nodes }) => nodes), ...guideDefinitions, sample]
  expect(definitions.length).toBeGreaterThan(guideDefinitions.length + 1)
  for (const definition of definitions) {
    expect(validateDefinition(definition).ok).toBe(true)
    expect([isDefinition(definition), isDefinition.errors, definition]).toEqual([true, null, definition])
  }
})

test('every node example matches the schema of its type', () => {
  const nodes = examples.filter(({ type, nodes }) => type && !nodes)
  expect(new Set(nodes.map(({ type }) => type)).size).toBeGreaterThan(12)
  for (const node of nodes) expect([isNode(node), node]).toEqual([true, node])
})

test.each([
  ['a node of an unknown type', { nodes: [{ id: 'a', type: 'teleport' }] }],
  ['an unknown field', { nodes: [{ id: 'a', type: 'end', color: 'red' }] }],
  ['a timeout that is not a duration', { nodes: [{ id: 'a', type: 'wait', event: 'e', timeout: 'P' }] }],
  ['a missing field', { nodes: [{ id: 'a', type: 'map', items: [] }] }],
  ['a body with an invalid node', { nodes: [{ id: 'a', type: 'map', items: [], body: { nodes: [{}], edges: [] } }] }],
  ['an edge without an end', { nodes: [{ id: 'a', type: 'end' }], edges: [{ from: 'a' }] }],
  ['another version', { schema: 'pathway/2', nodes: [{ id: 'a', type: 'end' }] }],
])('%s is rejected by the schema and the service', (_, change) => {
  const definition = { schema: 'pathway/1', edges: [], ...change }
  expect([isDefinition(definition), validateDefinition(definition).ok]).toEqual([false, false])
})
