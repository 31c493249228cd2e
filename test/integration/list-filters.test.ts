import { pathway } from '../support/runs.ts'
import { useStack } from '../support/use-stack.ts'

const context = useStack()

interface Jobs {
  total: number
  jobs: { job_id: string }[]
}

test('lists of jobs take the id and the slug of what they name alike', async () => {
  const { client, slug: workspace } = context.workspace
  const create = async (kind: string, body: object) => {
    const { status, body: made } = await client.post<{ id: string; slug: string }>(`/v1/${kind}`, body)
    expect(status).toBe(201)
    return made
  }
  const definition = pathway([{ id: 'done', type: 'end', output: '1' }])
  const named = {
    pathway_id: await create('pathways', { title: 'Named pathway', definition }),
    neuron_id: await create('neurons', { title: 'Named neuron', model: 'none:none' }),
    receptor_id: await create('receptors', {
      title: 'Named receptor',
      target: { type: 'pathway', ref: 'named-pathway' },
    }),
  }
  const start = async (path: string, body: object) => (await client.post<{ job_id: string }>(path, body)).body.job_id
  const message = { message: 'Hello', stream: true }
  const run = await start('/v1/jobs', { pathway_id: 'named-pathway' })
  const answered = await start('/v1/neurons/named-neuron/invoke', message)
  const received = await start(`/v1/receptors/${workspace}/named-receptor/invoke`, message)

  const expected = { pathway_id: [received, run], neuron_id: [answered], receptor_id: [received] }
  for (const [filter, { id, slug }] of Object.entries(named)) {
    for (const name of [id, id.toUpperCase(), slug]) {
      const { body } = await client.get<Jobs>(`/v1/jobs?${filter}=${name}`)
      expect({ filter, name, jobs: body.jobs.map(({ job_id }) => job_id), total: body.total }).toEqual({
        filter,
        name,
        jobs: expected[filter as keyof typeof expected],
        total: expected[filter as keyof typeof expected].length,
      })
    }
    expect((await client.get<Jobs>(`/v1/jobs?${filter}=nobody`)).body.total).toBe(0)
  }
})

test('a list of recollections takes the id and the slug of its neuron alike', async () => {
  const { client } = context.workspace
  const { body: neuron } = await client.post<{ id: string; slug: string }>('/v1/neurons', { title: 'Keeper of notes' })
  await client.post('/v1/recollections', { neuron: neuron.slug, text: 'The key is under the mat.' })
  for (const name of [neuron.id, neuron.slug])
    expect((await client.get<{ data: object[] }>(`/v1/recollections?neuron=${name}`)).body.data).toHaveLength(1)
})
