import { useAgents } from '../../support/agents/agents.ts'
import { readEvents, jobWith } from '../../support/runs/runs.ts'

const context = useAgents()

const start = async (slug: string, body: object) =>
  (await context.workspace.client.post<{ job_id: string }>(`/v1/neurons/${slug}/invoke`, { ...body, stream: true }))
    .body.job_id

const long = (word: string) => `${word} `.repeat(1_500)

describe("a conversation that exceeds its model's context window", () => {
  test('is shortened, and the stream reports it', async () => {
    await context.neuron({ slug: 'talker', model: 'narrow', max_output_tokens: 200 })
    const messages = [
      { role: 'user', content: long('early') },
      { role: 'assistant', content: long('reply') },
      { role: 'user', content: 'and now briefly: what was that?' },
    ]
    const jobId = await start('talker', { messages })
    const events = await readEvents(context.workspace.client, jobId)
    expect(events.map(({ data }) => data)).toContainEqual({
      type: 'notice',
      node_id: 'talker',
      key: 'step-1',
      code: 'CONTEXT_COMPACTED',
      message: expect.stringContaining('earlier messages were omitted'),
    })
    const { turns } = context.models.requests.at(-1) ?? { turns: [] }
    expect(turns.at(-1)?.text).toBe('and now briefly: what was that?')
    expect(JSON.stringify(turns).length).toBeLessThan(16_000)
    expect(await jobWith(context.workspace.client, jobId)).toMatchObject({ status: 'completed' })
  })

  test('fails with a reason if the last message alone is too long', async () => {
    const jobId = await start('talker', { message: long('endless').repeat(4) })
    const job = await jobWith(context.workspace.client, jobId)
    expect(job).toMatchObject({ status: 'failed', failedReason: expect.stringContaining('exceeds') })
  })
})
