import { setTimeout as sleep } from 'node:timers/promises'
import { startStack } from '../../support/stack/stack.ts'
import { timed } from '../support/turns.ts'
import type { TestContext } from './place.ts'
import type { SearchReply } from '../../../contract/search/search.ts'

export interface FreshnessRow {
  /** Milliseconds from the response to a write until a search finds the written data. */
  samples: number[]
}

const WRITES = 60
const LOOK_EVERY_MS = 10
/** The first samples after startup are not counted. */
const WARM_UP = 5

/** Measures the time until written data is searchable on an idle system, with the API and worker as in production. */
export async function measureFreshness({ quick }: TestContext): Promise<FreshnessRow> {
  const stack = await startStack()
  try {
    const { client } = await stack.workspace()
    const samples: number[] = []
    for (let n = 0; n < WARM_UP + WRITES / (quick ? 4 : 1); n++) {
      const word = `freshness${n}`
      const document = { instructions: `A short note about ${word}, to be found soon.` }
      await client.post('/v1/resources/skills', { title: `Note ${n}`, document })
      const isFound = async () => {
        const { body } = await client.post<SearchReply>('/v1/search', { query: word, mode: 'keyword', limit: 1 })
        return body.matches.length > 0
      }
      const took = await timed(async () => {
        while (!(await isFound())) await sleep(LOOK_EVERY_MS)
      })
      if (n >= WARM_UP) samples.push(took)
    }
    return { samples }
  } finally {
    await stack.stop()
  }
}
