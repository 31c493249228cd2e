import type { StakeholderMap } from '../../../domain/resources/stakeholder-map.ts'
import { findPaths, listFacts, listRelations, indexNames } from '../../../domain/stakeholders/briefing.ts'
import { diffMaps, listSentences } from '../../../domain/stakeholders/diff.ts'
import { buildGraph, groupStance } from '../../../domain/stakeholders/graph.ts'
import { doOverlap, layOut } from '../../../domain/stakeholders/layout.ts'
import { renderBriefingMarkdown } from '../../../domain/stakeholders/markdown.ts'
import { drawMap } from '../../../domain/stakeholders/picture.ts'
import { foundPeople, proposeDelta } from '../../../domain/stakeholders/propose.ts'
import { checkWritten } from '../../../domain/stakeholders/written.ts'

const person = (id: string, name: string, fields: object = {}) => ({ id, name, attributes: {}, ...fields })

const before: StakeholderMap = {
  description: null,
  stakeholders: [
    person('ann', 'Ann Ito', { role: 'CFO', stance: 'neutral', attributes: { city: 'Oslo' } }),
    person('bob', 'Bob Ray', { influence: 3 }),
    person('eve', 'Eve Oduya'),
    person('ivo', 'Ivo Lind'),
  ],
  edges: [
    { from: 'ann', to: 'bob', type: 'reports_to', strength: 1 },
    { from: 'eve', to: 'bob', type: 'advises' },
  ],
}
const after: StakeholderMap = {
  description: null,
  stakeholders: [
    person('ann', 'Ann Ito', { stance: 'supporter', attributes: { city: 'Rome' } }),
    person('bob', 'Bob Ray', { influence: 3 }),
    person('kim', 'Kim <b>Lee</b>', { role: 'CTO', organization: 'Acme' }),
    person('ivo', 'Ivo Lind'),
  ],
  edges: [
    { from: 'ann', to: 'bob', type: 'reports_to', strength: 2 },
    { from: 'kim', to: 'ann', type: 'advises' },
  ],
}

test('a difference lists people and relations by field, with a sentence for each', () => {
  const diff = diffMaps(before, after)
  expect(diff.stakeholders.changed).toEqual([
    {
      id: 'ann',
      name: 'Ann Ito',
      changes: [
        { field: 'role', before: 'CFO', after: null },
        { field: 'stance', before: 'neutral', after: 'supporter' },
        { field: 'attributes.city', before: 'Oslo', after: 'Rome' },
      ],
      sentence:
        'Ann Ito: role “CFO” was removed; stance changed from “neutral” to “supporter”; city changed from “Oslo” to “Rome”.',
    },
  ])
  expect(listSentences(diff)).toEqual([
    'Kim <b>Lee</b> (CTO, Acme) was added.',
    'Eve Oduya was removed.',
    diff.stakeholders.changed[0]?.sentence,
    'The relation “Kim <b>Lee</b> advises Ann Ito” was added.',
    'The relation “Eve Oduya advises Bob Ray” was removed.',
    '“Ann Ito reports to Bob Ray”: strength changed from 1 to 2.',
  ])
  expect(listSentences(diffMaps(after, after))).toEqual([])
})

test('a briefing lists relations in both directions and the shortest paths', () => {
  const names = indexNames(after)
  expect(listRelations(after.edges, 'ann', names)).toMatchObject({
    outgoing: [{ stakeholder: { id: 'bob' }, strength: 2, sentence: 'Ann Ito reports to Bob Ray (strength 2)' }],
    incoming: [{ stakeholder: { id: 'kim' }, strength: null }],
  })
  expect(findPaths(after.edges, 'kim', ['bob', 'ivo'], names)).toEqual([
    {
      to: { id: 'bob', name: 'Bob Ray' },
      through: ['kim', 'ann', 'bob'].map(id => ({ id, name: names.get(id) })),
      sentence: 'Kim <b>Lee</b> → Ann Ito → Bob Ray: Kim <b>Lee</b> advises Ann Ito; Ann Ito reports to Bob Ray.',
    },
    { to: { id: 'ivo', name: 'Ivo Lind' }, through: [], sentence: 'There is no path from Kim <b>Lee</b> to Ivo Lind.' },
  ])
})

describe('a briefing', () => {
  const facts = ['Ann Ito (CFO) is a stakeholder of Board.', 'The influence of Ann Ito is 9.']
  const briefing = {
    resource_id: 'r',
    map_title: 'Board',
    version: 2,
    stakeholder: person('ann', 'Ann *Ito*', { influence: 9, notes: '# not a heading' }),
    relations: { outgoing: [], incoming: [] },
    paths: [],
    changes: [],
    has_more_changes: false,
    mentions: null,
    interventions: [],
  }

  test('in Markdown shows the text that people wrote unchanged', () => {
    const text = renderBriefingMarkdown({ ...briefing, written: null, facts: [] })
    expect(text).toContain('# Ann \\*Ito\\*')
    expect(text).toContain('\\# not a heading')
    expect(text).toContain('Search is currently unavailable.')
    expect(listFacts(briefing)).toContain('The influence of Ann *Ito* is 9.')
  })

  test('keeps sentences from the model only if the cited facts support them', () => {
    const sentences = [
      { text: 'Ann Ito is the CFO.', facts: [1] },
      { text: 'Ann Ito has an influence of 9.', facts: [1, 2, 2] },
      { text: 'She matters.', facts: [] },
      { text: 'She matters a lot.', facts: [7] },
      { text: 'Ann Ito has an influence of 10.', facts: [2] },
      { text: 'Ann Ito reports to Bob Ray.', facts: [1] },
    ]
    expect(checkWritten({ sentences }, facts)).toEqual({
      sentences: [
        { text: 'Ann Ito is the CFO.', facts: [1] },
        { text: 'Ann Ito has an influence of 9.', facts: [1, 2] },
      ],
      left_out: 4,
    })
  })
})

/** A map in which each stakeholder knows some others. */
function buildMap(people: number): StakeholderMap {
  const stances = ['supporter', 'blocker', 'neutral', 'sceptical', undefined]
  return {
    description: null,
    stakeholders: Array.from({ length: people }, (_, i) =>
      person(`p${i}`, ['Maximiliane Wagner-Montgomery', 'Bo', 'Ann Ito', '王小明', 'Jo Mitchell'][i % 5] as string, {
        role: i % 3 ? 'Head of Procurement and Logistics' : undefined,
        stance: stances[i % 5],
        influence: i % 11,
      }),
    ),
    edges: Array.from({ length: people * 2 }, (_, i) => ({
      from: `p${i % people}`,
      to: `p${(i * 7 + 1 + Math.floor(i / people)) % people}`,
      type: ['reports_to', 'advises'][i % 2] as string,
    })).filter(({ from, to }) => from !== to),
  }
}

describe('a picture', () => {
  test.each([0, 1, 5, 60, 300])('of %i people contains no overlapping labels', people => {
    const former = buildMap(Math.ceil(people * 0.9))
    const { nodes } = layOut(buildGraph(buildMap(people), former))
    for (const [i, a] of nodes.entries())
      for (const b of nodes.slice(i + 1)) if (doOverlap(a.box, b.box)) throw new Error(`${a.id} and ${b.id} overlap`)
    for (const { box, cx, cy, radius } of nodes) {
      expect(Math.abs(cx - box.x) + radius).toBeLessThanOrEqual(box.width / 2 + 0.01)
      expect(Math.abs(cy - box.y) + radius).toBeLessThanOrEqual(box.height / 2 + 0.01)
    }
  })

  test('is identical every time, with all text escaped, and marks changes', () => {
    const maps = { map: after, former: before, caption: { title: 'A & <B>', version: 2, diff: 1 } }
    const svg = drawMap(maps, 'svg')
    expect(drawMap(maps, 'svg')).toBe(svg)
    expect(svg).not.toContain('<b>')
    expect(svg).toContain('>A &amp; &lt;B&gt;</text>')
    expect(svg).toContain('>Kim &lt;b&gt;Lee&lt;/b&gt;</text>')
    expect(svg.match(/<g class="node (added|removed|changed)"/g)?.toSorted()).toEqual([
      '<g class="node added"',
      '<g class="node changed"',
      '<g class="node removed"',
    ])
    expect(svg).toContain('@media(prefers-color-scheme:dark)')
    expect(svg).not.toMatch(/<script|<foreignObject|href=|\son\w+=/)
  })

  test('in Mermaid and GraphML contains names as data', () => {
    const sly = {
      ...after,
      stakeholders: [person('x', 'end"]; click x "javascript:1" %%'), person('y', '<&>')],
      edges: [],
    }
    const maps = { map: sly, caption: { title: '</desc>', version: 1 } }
    const mermaid = drawMap(maps, 'mermaid')
    expect(mermaid).toContain('n0["end#34;#93;#59; click x #34;javascript#58;1#34; #37;#37;"]:::unknown')
    const graphml = drawMap(maps, 'graphml')
    expect(graphml).toContain('<data key="node_name">&lt;&amp;&gt;</data>')
    expect(graphml).toContain('<desc>&lt;/desc&gt;</desc>')
  })

  test.each([
    ['Strong supporter', 'for'],
    ['blocker', 'against'],
    ['unsupportive', 'against'],
    ['cautiously supportive', 'mixed'],
    ['undecided', 'neutral'],
    ['wait and see', 'other'],
    [undefined, 'unknown'],
  ])('displays the stance %j as %s', (stance, group) => {
    expect(groupStance(stance)).toBe(group)
  })
})

describe('a proposal', () => {
  const found = foundPeople.parse({
    people: [
      { name: 'ann  ITO', role: 'CEO', stance: null, notes: 'Runs it.' },
      { name: 'Zoë Ray', organization: 'Acme' },
      { name: 'Zoë Ray', role: 'Buyer' },
      { name: '' },
    ],
    relations: [
      { from: 'Zoë Ray', to: 'Ann Ito', type: 'Reports to' },
      { from: 'Zoë Ray', to: 'Ann Ito', type: 'reports_to' },
      { from: 'Zoë Ray', to: 'Nobody', type: 'knows' },
      { from: 'Ann Ito', to: 'Bob Ray', type: 'reports_to' },
    ],
  })

  test('adds and updates people by name, and adds relations only between people on the map', () => {
    expect(proposeDelta(before, [found])).toEqual({
      delta: {
        stakeholders: {
          add: [{ id: 'zoe-ray', name: 'Zoë Ray', organization: 'Acme', role: 'Buyer', attributes: {} }],
          update: [{ id: 'ann', role: 'CEO', notes: 'Runs it.' }],
        },
        edges: { add: [{ from: 'zoe-ray', to: 'ann', type: 'reports_to' }] },
      },
      sentences: [
        'Zoë Ray (Buyer, Acme) was added.',
        'Ann Ito: role changed from “CFO” to “CEO”; notes was set to “Runs it.”.',
        'The relation “Zoë Ray reports to Ann Ito” was added.',
      ],
      is_empty: false,
    })
  })

  test('is empty for facts already on the map, and for fields that no model may set', () => {
    const known = foundPeople.parse({ people: [{ name: 'Bob Ray' }], relations: [] })
    expect(proposeDelta(before, [known, foundPeople.parse({ people: 'x', relations: null })])).toEqual({
      delta: {},
      sentences: [],
      is_empty: true,
    })
  })
})
