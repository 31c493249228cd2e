import type { Ledger } from '../../shared/ledger.ts'
import { pathway } from '../runs.ts'
import type { TestWorkspace } from '../../stack/stack.ts'

/** Stores the targets of random runs: child pathways that end, ask, fail, sleep or hang, and two neurons. */
export async function storeRandomRunTargets({ client }: TestWorkspace, ledger: Ledger): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, body: answer } = await client.post(path, body)
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
  }
  const child = (slug: string, definition: object) => post('/v1/pathways', { title: slug, slug, definition })
  const call = (id: string, query: string, more: object = {}) => ({
    id,
    type: 'http',
    retry: { max_attempts: 1 },
    with: { method: 'POST', url: `${ledger.url}/\${run.id}/${id}?${query}` },
    ...more,
  })
  const asks = [
    { id: 'q', type: 'human', kind: 'approval' },
    { id: 'y', type: 'end', output: 1 },
    { id: 'n', type: 'end' },
  ]
  const undo = { id: 'undo_made', type: 'http', with: { method: 'POST', url: `${ledger.url}/undo/\${run.id}/made` } }

  await post('/v1/reflexes', { title: 'Built in', slug: 'builtin', source: 'builtin' })
  await post('/v1/neurons', { title: 'Writer', slug: 'writer', instructions: 'Answer shortly.' })
  await post('/v1/neurons', {
    title: 'Asker',
    slug: 'asker',
    neuron_type: 'agent',
    instructions: 'First use ask_human "Which city?".',
    tools: [{ reflex: 'builtin', names: ['ask_human'] }],
  })
  await child('child-quick', pathway([{ id: 'v', type: 'transform', with: { value: '${input}' } }]))
  await child('child-asks', pathway(asks, 'q.approve > y', 'q.reject > n'))
  await child(
    'child-fails',
    pathway([call('made', '', { compensate: 'undo_made' }), call('bad', 'status=422'), undo], 'made > bad'),
  )
  await child('child-naps', pathway([{ id: 'nap', type: 'wait', duration: 'PT0.5S' }]))
  await child(
    'child-hangs',
    pathway([call('made', '', { compensate: 'undo_made' }), call('hangs', 'hang=true'), undo], 'made > hangs'),
  )
  const nested = { id: 'inner', type: 'pathway', ref: 'child-asks', timeout: 'PT0.6S' }
  await child('child-nested', pathway([nested, { id: 'late', type: 'end', output: 'late' }], 'inner.timeout > late'))
}
