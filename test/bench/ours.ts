import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { JobEvent, WaitingFor } from '../../domain/jobs.ts'
import type { JobView } from '../../services/jobs/types.ts'

/** The API as a caller with kept-alive connections has it, without the checks of the tests' own client. */
export interface Ours {
  baseUrl: string
  authorization: string
  workspaceId: string
  /** Stores a pathway under a title; gives its id. */
  store(title: string, definition: object): Promise<string>
  /** Starts a run; resolves with its job id once it is accepted. */
  start(pathwayId: string, input?: object): Promise<string>
  /** Follows the stream until it says how the run ended. Throws unless it completed. */
  completed(jobId: string): Promise<void>
  /** What a run asks, once it asks. */
  asked(jobId: string): Promise<WaitingFor>
  approve(jobId: string, interventionId: string): Promise<void>
  close(): Promise<void>
}

const LOOK_EVERY_MS = 10
const CONNECTIONS = 128

export function createOurs(baseUrl: string, workspace: { id: string; api_key: string }): Ours {
  const dispatcher = new Agent({ connections: CONNECTIONS, keepAliveTimeout: 60_000 })
  const authorization = `Bearer ${workspace.api_key}`
  const headers = { authorization, 'content-type': 'application/json' }

  async function send<T>(method: 'GET' | 'POST', path: string, wanted: number, body?: object): Promise<T> {
    const options = { method, headers, dispatcher, body: body && JSON.stringify(body) }
    const response = await request(baseUrl + path, options)
    const text = await response.body.text()
    if (response.statusCode !== wanted) throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`)
    return JSON.parse(text) as T
  }

  async function completed(jobId: string): Promise<void> {
    const response = await request(`${baseUrl}/v1/jobs/${jobId}/stream`, { headers, dispatcher })
    let last = ''
    for await (const chunk of response.body.setEncoding('utf8')) last = (last + String(chunk)).slice(-4_096)
    const [, json] = /data: (.*)\n\n$/.exec(last) ?? []
    const event = json ? (JSON.parse(json) as JobEvent) : undefined
    if (event?.type !== 'complete') throw new Error(`${jobId} ended with ${last.slice(-500)}`)
  }

  async function asked(jobId: string): Promise<WaitingFor> {
    for (;;) {
      const { status, waitingFor } = await send<JobView>('GET', `/v1/jobs/${jobId}`, 200)
      const [first] = waitingFor ?? []
      if (status === 'waiting' && first) return first
      if (status === 'failed') throw new Error(`${jobId} failed before it asked`)
      await sleep(LOOK_EVERY_MS)
    }
  }

  return {
    baseUrl,
    authorization,
    workspaceId: workspace.id,
    completed,
    asked,
    store: async (title, definition) => {
      const made = await send<{ id: string }>('POST', '/v1/pathways', 201, { title, definition })
      return made.id
    },
    start: async (pathwayId, input) => {
      const path = `/v1/pathways/${pathwayId}/execute`
      const { job_id } = await send<{ job_id: string }>('POST', path, 202, { input })
      return job_id
    },
    approve: async (jobId, interventionId) => {
      const input = { type: 'intervention_response', interventionId, action: 'approve' }
      await send('POST', `/v1/jobs/${jobId}/input`, 200, { workspace_id: workspace.id, input })
    },
    close: () => dispatcher.destroy(),
  }
}
