import type { Bench } from '../bench.ts'
import { forEach } from '../support/for-each.ts'
import { approval } from '../support/pathways.ts'
import type { Waiting } from './filling.ts'

/** A request whose time must not grow with the stored data. */
interface Probe {
  name: string
  /** Short requests need more samples, so that the 95th percentile reflects the requests rather than other activity. */
  samples: number
  /** Prepares `count` requests, and returns a function that sends one. */
  prepare(bench: Bench, pathwayId: string, count: number, waiting: Waiting[]): Promise<(n: number) => Promise<unknown>>
}

/** Stores the pathway used by the runs, which asks a person and then calls an endpoint. */
export const preparePathway = ({ ours, endpoint }: Bench): Promise<string> =>
  ours.store('Waits', approval(endpoint.url))

const AT_ONCE = 10

export const PROBES: Probe[] = [
  {
    name: 'start a run',
    samples: 200,
    prepare:
      async ({ ours }, pathwayId) =>
      n =>
        ours.start(pathwayId, { run: String(n) }),
  },
  {
    name: 'answer',
    samples: 200,
    async prepare({ ours }, pathwayId, count) {
      const open: Waiting[] = []
      await forEach(Array(count).keys(), AT_ONCE, async n => {
        const jobId = await ours.start(pathwayId, { run: String(n) })
        open.push({ jobId, interventionId: (await ours.asked(jobId)).interventionId })
      })
      return n => ours.approve(open[n]?.jobId ?? '', open[n]?.interventionId ?? '')
    },
  },
  {
    name: 'list of runs',
    samples: 1_000,
    prepare:
      async ({ ours }) =>
      () =>
        ours.ganglion.jobs.list({ limit: 50 }),
  },
  {
    name: 'list of waiting runs',
    samples: 200,
    prepare:
      async ({ ours }) =>
      () =>
        ours.ganglion.jobs.list({ status: ['waiting'], limit: 50 }),
  },
  {
    name: 'list of ended runs, page 20',
    samples: 1_000,
    prepare:
      async ({ ours }) =>
      () =>
        ours.ganglion.jobs.list({ status: ['completed'], limit: 10, offset: 200 }),
  },
  {
    name: 'inbox',
    samples: 1_000,
    prepare:
      async ({ ours }) =>
      () =>
        ours.ganglion.inbox.list({ mine: 'true', limit: 50 }),
  },
  {
    name: 'status of a run',
    samples: 1_000,
    async prepare({ ours }, pathwayId, count, waiting) {
      const jobIds =
        waiting.length > 0 ? waiting.map(({ jobId }) => jobId) : [await ours.start(pathwayId, { run: 'status' })]
      return n => ours.ganglion.jobs.status(jobIds[(n * 97) % jobIds.length] ?? '')
    },
  },
]
