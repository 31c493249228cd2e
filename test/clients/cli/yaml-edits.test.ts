import { parse } from 'yaml'
import { renderWanted } from '../../../cli/src/resources/files.ts'

const FILE = `# The approval of invoices.
kind: pathway
slug: 'approve'
title:   "Approve"   # shown in lists
definition:
  nodes:
  - id: ask   # first
    type: human
    form: {a: 1,b: 2}
    instructions: "Look at the invoice, and compare it with the order, the delivery note and the contract of the supplier"
  - id: hold
    type: wait

    duration: PT1H
  edges: [{from: ask, to: hold}]
# The folder.
path: /finance
`

interface Resource {
  [name: string]: unknown
  definition: { nodes: Record<string, unknown>[]; edges: unknown[] }
}

const change = (edit: (resource: Resource) => void) => {
  const { kind: _kind, slug: _slug, ...fields } = parse(FILE) as Resource & { kind: string; slug: string }
  edit(fields)
  const text = renderWanted('pathways', 'approve', fields, FILE)
  expect(parse(text)).toEqual({ kind: 'pathway', slug: 'approve', ...fields })
  const [before, after] = [FILE.split('\n'), text.split('\n')]
  return {
    added: after.filter(line => !before.includes(line)),
    removed: before.filter(line => !after.includes(line)),
  }
}

describe('a pulled resource', () => {
  test.each<[string, (resource: Resource) => void, { added: string[]; removed: string[] }]>([
    ['nothing', () => undefined, { added: [], removed: [] }],
    [
      'a field with a comment',
      resource => Object.assign(resource, { title: 'Decide' }),
      { added: ['title: Decide   # shown in lists'], removed: ['title:   "Approve"   # shown in lists'] },
    ],
    [
      'a field of a node',
      ({ definition }) => Object.assign(definition.nodes[1] ?? {}, { duration: 'P1D' }),
      { added: ['    duration: P1D'], removed: ['    duration: PT1H'] },
    ],
    [
      'a new node',
      ({ definition }) => definition.nodes.splice(1, 0, { id: 'note', text: 'one\ntwo\n' }),
      { added: ['  - id: note', '    text: |', '      one', '      two'], removed: [] },
    ],
    [
      'a new first node',
      ({ definition }) => definition.nodes.unshift({ id: 'note' }),
      { added: ['  - id: note'], removed: [] },
    ],
    [
      'a removed node',
      ({ definition }) => definition.nodes.pop(),
      { added: [], removed: ['  - id: hold', '    type: wait', '    duration: PT1H'] },
    ],
    [
      'the first field of a node',
      ({ definition }) => delete definition.nodes[0]?.['id'],
      { added: ['  - type: human'], removed: ['  - id: ask   # first', '    type: human'] },
    ],
    [
      'removed and added fields',
      resource => {
        delete resource['path']
        Object.assign(resource, { scope: 'brain' })
      },
      { added: ['scope: brain'], removed: ['path: /finance'] },
    ],
  ])('changes no other lines of its file: %s', (_, edit, changed) => {
    expect(change(edit)).toEqual(changed)
  })

  test('quotes values that YAML 1.1 would read as another type', () => {
    const text = renderWanted('pathways', 'approve', { on: 'yes', ports: ['no', 'off', 'y'], at: '12:30' })
    expect(text.split('\n').slice(2)).toEqual([
      '"on": "yes"',
      'ports:',
      '  - "no"',
      '  - "off"',
      '  - "y"',
      'at: "12:30"',
      '',
    ])
  })

  test('replaces fields in a file with anchors', () => {
    const file = 'kind: skill\nslug: a\nfirst: &x one # kept\nsecond: *x\n'
    const text = renderWanted('skills', 'a', { first: 'one', second: 'two' }, file)
    expect(parse(text)).toEqual({ kind: 'skill', slug: 'a', first: 'one', second: 'two' })
    expect(text).toContain('# kept')
  })
})
