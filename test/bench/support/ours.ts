import { setTimeout as sleep } from 'node:timers/promises'
import type { Ganglion, Question } from '@ganglion/client'
import { createBenchClient } from './client.ts'

/** The API as seen through the client, over kept-alive connections. */
export interface Ours {
  ganglion: Ganglion
  baseUrl: string
  authorization: string
  workspaceId: string
  /** Stores a pathway with a title. Returns its id. */
  store(title: string, definition: object): Promise<string>
  /** Starts a run. When the run is accepted, resolves with its job id. */
  start(pathwayId: string, input?: object): Promise<string>
  /** Follows the stream to the end of the run. Throws unless the run completes. */
  completed(jobId: string): Promise<void>
  /** Waits for the question from a run, and returns the question. */
  asked(jobId: string): Promise<Question>
  approve(jobId: string, interventionId: string): Promise<void>
  close(): Promise<void>
}

const LOOK_EVERY_MS = 10

export function createOurs(baseUrl: string, workspace: { id: string; api_key: string }): Ours {
  const { ganglion, close } = createBenchClient(baseUrl, workspace.api_key)

  async function asked(jobId: string): Promise<Question> {
    for (;;) {
      const { status, waitingFor } = await ganglion.jobs.get(jobId)
      const [first] = waitingFor ?? []
      if (status === 'waiting' && first) return first
      if (status === 'failed') throw new Error(`${jobId} failed before it asked`)
      await sleep(LOOK_EVERY_MS)
    }
  }

  return {
    ganglion,
    baseUrl,
    authorization: `Bearer ${workspace.api_key}`,
    workspaceId: workspace.id,
    completed: async jobId => void (await ganglion.jobs.run(jobId).result()),
    asked,
    store: async (title, definition) => (await ganglion.pathways.create({ title, definition } as never)).id,
    start: async (pathwayId, input) => (await ganglion.pathways.execute(pathwayId, { input })).job_id,
    approve: async (jobId, interventionId) => {
      const input = { type: 'intervention_response', interventionId, action: 'approve' } as const
      await ganglion.jobs.answer(jobId, { workspace_id: workspace.id, input })
    },
    close,
  }
}
