import { randomUUID } from 'node:crypto'
import type { JobStatus } from '../../../domain/runs/jobs.ts'
import type { JobEvent } from '../../../domain/runs/events.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { type ApiClient, sendUntilTaken } from '../clients/client.ts'
import { describeRun } from './describe-run.ts'
import { PATIENCE_MS, waitUntil } from '../stack/process.ts'

/** Parses edges such as `a > b` and `a.port > b`, one per line, into the format of definitions. */
export function edges(...lines: string[]): { from: string; on?: string; to: string }[] {
  return lines.map(line => {
    const [, from = '', on, to = ''] = /^([^. ]+)(?:\.(\S+))? > (\S+)$/.exec(line) ?? []
    return on ? { from, on, to } : { from, to }
  })
}

export const pathway = (nodes: object[], ...lines: string[]) => ({ schema: 'pathway/1', nodes, edges: edges(...lines) })

/** Asks for one approval, and ends with the output whatever the decision is. */
export const askThenEnd = (output: unknown = 'done', question: object = { title: 'Go?' }) =>
  pathway(
    [
      { id: 'ask', type: 'human', kind: 'approval', ...question },
      { id: 'z', type: 'end', output },
    ],
    'ask.approve > z',
    'ask.reject > z',
  )

/** Starts an inline pathway. Returns the job id. */
export async function startRun(client: ApiClient, definition: object, input?: unknown): Promise<string> {
  const headers = { 'Idempotency-Key': randomUUID() }
  const response = await sendUntilTaken(() =>
    client.post<{ job_id: string }>('/v1/jobs', { pathway: definition, input }, { headers }),
  )
  if (response.status !== 202) throw new Error(`${response.status}: ${JSON.stringify(response.body)}`)
  return response.body.job_id
}

/** Waits until the job has one of these statuses. By default, waits until it has finished. */
export async function jobWith(client: ApiClient, jobId: string, ...wantedStatuses: JobStatus[]): Promise<JobDetail> {
  const statuses = wantedStatuses.length > 0 ? wantedStatuses : ['completed', 'failed']
  let last: unknown
  return waitUntil(
    async () => {
      const { status, body } = await client.get<JobDetail>(`/v1/jobs/${jobId}`)
      last = body
      return status === 200 && statuses.includes(body.status) && body
    },
    undefined,
    async () =>
      `the job is not ${statuses.join(' or ')}: ${JSON.stringify(last)}\nTemporal: ${await describeRun(jobId)}`,
  )
}

/** Waits until the run asks a question. Returns its open questions. */
export async function asked(client: ApiClient, jobId: string): Promise<WaitingFor[]> {
  const { waitingFor } = await jobWith(client, jobId, 'waiting')
  return waitingFor ?? []
}

/** Sends an answer according to the specification. */
export const answer = (client: ApiClient, workspaceId: string, jobId: string, interventionId: string, body: object) =>
  client.post<{ message: string; code: string; decided: boolean; by: string; at: string; approvals: number }>(
    `/v1/jobs/${jobId}/input`,
    { workspace_id: workspaceId, input: { type: 'intervention_response', interventionId, ...body } },
  )

/** Returns all events in a job's stream, up to its end. */
export async function readEvents(
  client: ApiClient,
  jobId: string,
  query = '',
): Promise<{ id: string; data: JobEvent }[]> {
  const events: { id: string; data: JobEvent }[] = []
  const stream = await client.sse(`/v1/jobs/${jobId}/stream${query}`, { signal: AbortSignal.timeout(PATIENCE_MS) })
  for await (const message of stream) if (message.data) events.push({ id: message.id, data: message.data })
  return events
}
