import { useAgents } from '../../support/agents/agents.ts'
import { answer, asked, jobWith } from '../../support/runs/runs.ts'

const agents = useAgents()

interface MapHead {
  id: string
  version: number
  snapshot: { stakeholders: { id: string }[]; edges: object[] }
}

const people = [
  { id: 'ann', name: 'Ann Ito', role: 'CFO', stance: 'neutral' },
  { id: 'bob', name: 'Bob Ray' },
]

const client = () => agents.workspace.client
const createMap = async () => {
  const body = { title: 'Board', snapshot: { stakeholders: people } }
  return (await client().post<MapHead>('/v1/resources/stakeholder_maps', body)).body
}
const read = async (id: string) => (await client().get<MapHead>(`/v1/resources/stakeholder_maps/${id}`)).body
const extract = async (body: object) => {
  const started = await client().post<{ job_id: string }>('/v1/stakeholders/extract', body)
  expect([started.status, started.body]).toMatchObject([202, {}])
  return started.body.job_id
}
const decide = (job: string, interventionId: string, action: string) =>
  answer(client(), agents.workspace.id, job, interventionId, { action })

describe('an extraction', () => {
  test('by a model proposes a delta, displays it as a diff, and applies it after approval', async () => {
    const map = await createMap()
    const found = {
      people: [
        { name: 'ANN ITO', role: 'CFO', organization: null, stance: 'supporter', notes: null },
        { name: 'Zoe Hart', role: 'Auditor', organization: 'Acme', stance: null, notes: null },
      ],
      relations: [{ from: 'Zoe Hart', to: 'Ann Ito', type: 'advises' }],
    }
    agents.plays('budget meeting', { tokens: [JSON.stringify(found)] })
    const meeting = await client().post<{ id: string }>('/v1/resources/meetings', {
      title: 'Minutes of the budget meeting',
      document: { transcript: [{ seq: 1, speaker: 'Ann Ito', text: 'In this budget meeting I say yes.' }] },
    })
    const source = { type: 'meetings', id: meeting.body.id }
    const job = await extract({ resource_id: map.id, source, assignees: ['user:ann'] })
    const [intervention] = await asked(client(), job)
    expect(intervention).toMatchObject({
      title: 'Apply the changes from Minutes of the budget meeting to Board?',
      assignees: ['user:ann'],
      description: [
        '- Zoe Hart (Auditor, Acme) was added.',
        '- Ann Ito: stance changed from “neutral” to “supporter”.',
        '- The relation “Zoe Hart advises Ann Ito” was added.',
      ].join('\n'),
      context: { version: 1, delta: { stakeholders: { update: [{ id: 'ann', stance: 'supporter' }] } } },
    })
    expect((await read(map.id)).version).toBe(1)
    await decide(job, intervention?.interventionId ?? '', 'approve')
    expect(await jobWith(client(), job)).toMatchObject({
      status: 'completed',
      result: { applied: true, map: map.id, version: 2 },
    })
    const after = await read(map.id)
    expect(after.snapshot).toMatchObject({
      stakeholders: [{ id: 'ann', stance: 'supporter' }, { id: 'bob' }, { id: 'zoe-hart', organization: 'Acme' }],
      edges: [{ from: 'zoe-hart', to: 'ann', type: 'advises' }],
    })
  })

  test('by rules finds people in lines, changes nothing when it is rejected, and rejects an outdated proposal', async () => {
    const map = await createMap()
    const text = '- Ann Ito, CEO\n- Kim Lee (COO)\n\nKim Lee reports to Ann Ito.'
    const request = { resource_id: map.id, text, model: 'builtin:extractive' }
    const rejected = await extract(request)
    const [one] = await asked(client(), rejected)
    await decide(rejected, one?.interventionId ?? '', 'reject')
    expect(await jobWith(client(), rejected)).toMatchObject({ result: { applied: false } })
    expect((await read(map.id)).version).toBe(1)

    const late = await extract(request)
    const [two] = await asked(client(), late)
    expect(two?.description).toContain('Kim Lee (COO) was added.')
    const delta = { stakeholders: { add: [{ id: 'new', name: 'Someone Else' }] } }
    await client().post(`/v1/resources/stakeholder_map/${map.id}/patch`, { delta })
    await decide(late, two?.interventionId ?? '', 'approve')
    expect(await jobWith(client(), late)).toMatchObject({
      status: 'failed',
      failedReason: expect.stringContaining('version'),
    })
    expect((await read(map.id)).version).toBe(2)
  })

  test('of known facts does not ask anyone', async () => {
    const map = await createMap()
    const job = await extract({ resource_id: map.id, text: 'Bob Ray', model: 'builtin:extractive' })
    expect(await jobWith(client(), job)).toMatchObject({ status: 'completed', result: { applied: false } })
  })

  test.each([
    [{}, 400],
    [{ text: 'x', source: { type: 'meetings', id: 'x' } }, 400],
    [{ source: { type: 'skills', id: 'x' } }, 400],
    [{ source: { type: 'assets', id: 'nothing' } }, 404],
    [{ text: 'x', assignees: ['nobody'] }, 400],
  ])('of %j is rejected with %i', async (body, status) => {
    const { id } = await createMap()
    expect((await client().post('/v1/stakeholders/extract', { resource_id: id, ...body })).status).toBe(status)
  })
})

test('a written briefing keeps only sentences that cite supporting facts', async () => {
  const map = await createMap()
  const sentences = [
    { text: 'Ann Ito is the CFO.', facts: [1] },
    { text: 'Ann Ito will leave in 2031.', facts: [1] },
    { text: 'Everybody likes her.', facts: [] },
  ]
  agents.plays('Facts about Ann Ito', { tokens: [JSON.stringify({ sentences })] })
  const { status, body } = await client().get<{ written: object; facts: string[] }>(
    `/v1/stakeholders/ann/briefing?resource_id=${map.id}&written=true`,
  )
  expect([status, body]).toMatchObject([
    200,
    { written: { model: 'small', sentences: [{ text: 'Ann Ito is the CFO.', facts: [1] }], left_out: 2 } },
  ])
  expect(body.facts[0]).toBe('Ann Ito (CFO) is a stakeholder of Board.')
})
