import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import type { SearchReply } from '../../../contract/search/search.ts'
import type { EffectInDoubt, ReconcileReport } from '../../../services/runs/reconcile/report.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { answer } from '../../support/runs/runs.ts'
import type { Acknowledged } from './load.ts'
import type { Site } from './site.ts'

/** Answers open questions until all runs have ended. Returns the runs. Throws if a run is missing. */
export async function finishRuns({ workspace }: Site, runs: Acknowledged['runs']): Promise<JobDetail[]> {
  const { client, id } = workspace
  const ended = new Map<string, JobDetail>()
  await waitUntil(
    async () => {
      const { body } = await client.get<{ data: InterventionView[] }>('/v1/interventions?status=open&limit=100')
      await Promise.all(
        body.data.map(({ job_id, interventionId }) =>
          answer(client, id, job_id, interventionId, { action: 'approve' }),
        ),
      )
      for (const { job_id } of runs.filter(run => !ended.has(run.job_id))) {
        const job = await client.get<JobDetail>(`/v1/jobs/${job_id}`)
        expect({ job_id, status: job.status }).toEqual({ job_id, status: 200 })
        if (job.body.status === 'completed' || job.body.status === 'failed') ended.set(job_id, job.body)
      }
      return ended.size === runs.length
    },
    undefined,
    async () => {
      const open = runs.filter(({ job_id }) => !ended.has(job_id))
      const first = await client.get(`/v1/jobs/${open[0]?.job_id}/diagnosis`)
      return `${open.length} of ${runs.length} runs have not ended: ${JSON.stringify(first.body)}`
    },
  )
  return [...ended.values()]
}

/** Expects that each acknowledged answer is recorded, and that all votes and the audit log are intact. */
export async function expectAnswers({ workspace, admin }: Site, answers: Acknowledged['answers']): Promise<void> {
  for (const { interventionId } of answers) {
    const { status, body } = await workspace.client.get<InterventionView>(`/v1/interventions/${interventionId}`)
    expect({ interventionId, status, by: body.decision?.by }).toEqual({ interventionId, status: 200, by: 'user:ann' })
  }
  const report = JSON.parse(await admin('audit', 'verify', '--workspace', workspace.slug, '--json')) as {
    problem?: object
    votes: { verified: number; problems: object[] }
  }
  expect(report.problem).toBeUndefined()
  expect(report.votes.problems).toEqual([])
  expect(report.votes.verified).toBeGreaterThanOrEqual(answers.length)
}

/** Expects that search returns each acknowledged document. */
export async function expectDocuments({ workspace }: Site, documents: Acknowledged['documents']): Promise<void> {
  for (const { id, word } of documents)
    await waitUntil(
      async () => {
        const { body } = await workspace.client.post<SearchReply>('/v1/search', { query: word, mode: 'keyword' })
        return body.matches?.some(({ resource_id }) => resource_id === id)
      },
      60_000,
      () => `search does not return ${id}`,
    )
}

/** Returns the keys of calls that the ledger received before and after the disaster. */
export function listRepeatedCalls({ ledger }: Site, killedAt: number): string[] {
  const keysOf = (requests: typeof ledger.requests) =>
    new Set(requests.flatMap(({ key, headers }) => key ?? headers['webhook-id'] ?? []))
  const before = keysOf(ledger.requests.filter(({ at }) => at < killedAt))
  const after = keysOf(ledger.requests.filter(({ at }) => at >= killedAt))
  return [...before].filter(key => after.has(key))
}

/** Returns whether an effect in doubt stands for this key. `*` stands for any part of a key. */
export function isInDoubt({ effects_in_doubt: effects }: ReconcileReport, key: string): boolean {
  return effects.some(({ idempotency_key }) => matches(idempotency_key, key))
}

function matches(pattern: EffectInDoubt['idempotency_key'], key: string): boolean {
  if (pattern === null) return false
  return new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`).test(key)
}
