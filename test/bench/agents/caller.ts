import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { TestWorkspace } from '../../support/stack.ts'
import { createHearing, type Heard } from './heard.ts'
import { type Plan, planned } from './plan.ts'

/** Who invokes neurons over HTTP and reads their streams, on kept-alive connections. */
export interface Caller {
  /** Invokes the neuron, then follows the stream to its end. Throws unless it completed. */
  run(neuron: string, plan: Plan): Promise<Heard>
  /** How often the service asked to be asked again later, and was. */
  sentAgain(): number
  close(): Promise<void>
}

const MAX_RETRIES = 1_000

export function createCaller(baseUrl: string, { api_key }: TestWorkspace): Caller {
  const dispatcher = new Agent({ connections: null, keepAliveTimeout: 60_000 })
  let again = 0
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' }

  const invoke = async (neuron: string, plan: Plan): Promise<string> => {
    const key = { 'idempotency-key': randomUUID() }
    for (;;) {
      const response = await request(`${baseUrl}/v1/neurons/${neuron}/invoke`, {
        method: 'POST',
        headers: { ...headers, ...key },
        body: JSON.stringify({ message: planned(plan), stream: true }),
        dispatcher,
      })
      const answer = (await response.body.json()) as { job_id: string; retryAfter?: number }
      if (response.statusCode === 202) return answer.job_id
      if (response.statusCode !== 503 || ++again > MAX_RETRIES)
        throw new Error(`invoke answered ${response.statusCode}: ${JSON.stringify(answer)}`)
      await sleep((answer.retryAfter ?? 1) * 1_000)
    }
  }

  return {
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
    close: () => dispatcher.destroy(),
  }
}

/** The end of a run says all of its answer again. */
const isToken = (event: string): boolean => event.includes('"type":"token"')
