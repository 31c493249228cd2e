import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { TriggerView } from '../../../contract/triggers/trigger.ts'
import { post } from '../../faults/support/effects.ts'
import type { Ledger } from '../../support/shared/ledger.ts'
import type { TestWorkspace } from '../../support/stack/stack.ts'
import { answer, edges, pathway } from '../../support/runs/runs.ts'

/** Everything that the service acknowledged, with the time (milliseconds) of the response. */
export interface Acknowledged {
  runs: { job_id: string; at: number }[]
  answers: { job_id: string; interventionId: string; at: number }[]
  documents: { id: string; word: string; at: number }[]
}

export interface Load extends Acknowledged {
  /** Ends the load. Requests that are in progress may fail. */
  stop(): Promise<void>
}

const RUN_EVERY_MS = 150
const DOCUMENT_EVERY_MS = 300
const ANSWER_EVERY_MS = 250
/** An effect takes this long, so that a crash interrupts some of them. */
const SLOW = '?delay_ms=400'
const PATIENT = { retry: { max_attempts: 50, initial: 'PT0.5S', max: 'PT2S' } }
const done = (output: unknown) => ({ id: 'done', type: 'end', output })

/** Pathways with effects around a person, a timer, an agent and a map. */
const listPathways = (ledger: Ledger): object[] => {
  const effect = (id: string, query = SLOW) => post(ledger, id, query, PATIENT)
  const body = { nodes: [effect('send', `/\${item}${SLOW}`)], edges: edges() }
  return [
    pathway(
      [effect('before'), { id: 'review', type: 'human', kind: 'approval' }, effect('after'), done('decided')],
      'before > review',
      'review.approve > after',
      'review.reject > done',
      'after > done',
    ),
    pathway(
      [effect('first'), { id: 'pause', type: 'wait', duration: 'PT3S' }, effect('second'), done('waited')],
      'first > pause',
      'pause > second',
      'second > done',
    ),
    pathway(
      [{ id: 'say', type: 'neuron', with: { message: 'Speak.' } }, effect('tell'), done('said')],
      'say > tell',
      'tell > done',
    ),
    pathway([{ id: 'each', type: 'map', items: [0, 1, 2], concurrency: 1, body }, done('mapped')], 'each > done'),
  ]
}

/** Creates a schedule that fires every two seconds, and a webhook for the ends of runs. Both call the ledger. */
export async function prepareWorkspace({ client }: TestWorkspace, ledger: Ledger): Promise<TriggerView> {
  const definition = pathway([post(ledger, 'scheduled', SLOW, PATIENT)])
  const { body: target } = await client.post<{ id: string }>('/v1/pathways', { title: 'Scheduled', definition })
  const { status, body } = await client.post<TriggerView>('/v1/triggers', {
    title: 'Every two seconds',
    trigger_type: 'schedule',
    schedule: { interval: { every: 'PT2S' }, overlap: 'allow' },
    target: { type: 'pathway', ref: target.id },
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  const webhook = await client.post('/v1/webhooks', { url: `${ledger.url}/hook`, event_types: ['job.completed'] })
  expect(webhook.status).toBe(201)
  return body
}

/** Starts runs, answers some of these runs' questions and saves documents, until `stop`. */
export function startLoad(workspace: TestWorkspace, ledger: Ledger): Load {
  const { client, id: workspaceId } = workspace
  const pathways = listPathways(ledger)
  const load: Acknowledged = { runs: [], answers: [], documents: [] }
  const over = new AbortController()
  const { signal } = over

  async function repeat(everyMs: number, work: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !signal.aborted; n++) {
      // After the disaster, requests fail. They are not acknowledged.
      await work(n).catch(() => undefined)
      await sleep(everyMs)
    }
  }

  const loops = [
    repeat(RUN_EVERY_MS, async n => {
      const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') }
      const definition = pathways[n % pathways.length]
      const reply = await client.post<{ job_id: string }>('/v1/jobs', { pathway: definition }, { headers, signal })
      if (reply.status === 202) load.runs.push({ job_id: reply.body.job_id, at: Date.now() })
    }),
    repeat(ANSWER_EVERY_MS, async () => {
      const { body } = await client.get<{ data: InterventionView[] }>('/v1/interventions?status=open&limit=20', {
        signal,
      })
      const isOwn = new Set(load.runs.map(({ job_id }) => job_id))
      // Every other question stays open.
      for (const { job_id, interventionId } of body.data.filter((task, i) => i % 2 === 0 && isOwn.has(task.job_id))) {
        const reply = await answer(client, workspaceId, job_id, interventionId, { action: 'approve' })
        if (reply.status === 200) load.answers.push({ job_id, interventionId, at: Date.now() })
      }
    }),
    repeat(DOCUMENT_EVERY_MS, async () => {
      const word = `word${randomBytes(6).toString('hex')}`
      const fields = { title: `Skill ${word}`, instructions: `Keep ${word} in mind.` }
      const reply = await client.post<{ id: string }>('/v1/skills', fields, { signal })
      if (reply.status === 201) load.documents.push({ id: reply.body.id, word, at: Date.now() })
    }),
  ]
  return Object.assign(load, {
    stop: async () => {
      over.abort()
      await Promise.all(loops)
    },
  })
}

/** Returns the work acknowledged before a time. */
export function acknowledgedBefore({ runs, answers, documents }: Acknowledged, time: number): Acknowledged {
  const isEarlier = ({ at }: { at: number }) => at < time
  return { runs: runs.filter(isEarlier), answers: answers.filter(isEarlier), documents: documents.filter(isEarlier) }
}
