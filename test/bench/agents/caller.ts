import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { APIError, type Ganglion } from '@ganglion/client'
import type { TestWorkspace } from '../../support/stack/stack.ts'
import { createBenchClient } from '../support/client.ts'
import { createHearing, type Heard } from './heard.ts'
import { type Plan, planned } from './plan.ts'

/**
 * Invokes neurons through the client, over kept-alive connections. Streams are read as bytes, so that each token is
 * timed in the process that also runs the provider.
 */
export interface Caller {
  ganglion: Ganglion
  /** Invokes the neuron and follows the stream to its end. Throws unless the run completes. */
  run(neuron: string, plan: Plan): Promise<Heard>
  /** Number of requests retried because the service asked for it. */
  sentAgain(): number
  close(): Promise<void>
}

const MAX_RETRIES = 1_000

export function createCaller(baseUrl: string, { api_key }: TestWorkspace): Caller {
  const dispatcher = new Agent({ connections: null, keepAliveTimeout: 60_000 })
  let again = 0
  const { ganglion, close } = createBenchClient(baseUrl, api_key, null)
  const headers = { authorization: `Bearer ${api_key}` }

  const invoke = async (neuron: string, plan: Plan): Promise<string> => {
    const idempotencyKey = crypto.randomUUID()
    for (;;) {
      try {
        const body = { message: planned(plan), stream: true } as const
        return (await ganglion.neurons.invoke(neuron, body, { idempotencyKey })).job_id
      } catch (error) {
        if (!APIError.is(error, 'UNAVAILABLE') || ++again > MAX_RETRIES) throw error
        await sleep((error.retryAfter ?? 1) * 1_000)
      }
    }
  }

  return {
    ganglion,
    async run(neuron, plan) {
      const hearing = createHearing()
      const jobId = await invoke(neuron, plan)
      const response = await request(`${baseUrl}/v1/jobs/${jobId}/stream`, { headers, dispatcher })
      let rest = ''
      let lastEvents = ''
      for await (const chunk of response.body.setEncoding('utf8')) {
        const text = rest + String(chunk)
        const end = text.lastIndexOf('\n\n') + 2
        rest = text.slice(end)
        if (end < 2) continue
        lastEvents = text.slice(0, end)
        hearing.take(lastEvents.split('\n\n').filter(isToken).join('\n'))
      }
      if (!lastEvents.includes('"type":"complete"')) throw new Error(`${jobId} ended with ${lastEvents.slice(-500)}`)
      return hearing.end()
    },
    sentAgain: () => again,
    close: async () => void (await Promise.all([dispatcher.destroy(), close()])),
  }
}

/** The end of a run repeats its whole answer. */
const isToken = (event: string): boolean => event.includes('"type":"token"')
