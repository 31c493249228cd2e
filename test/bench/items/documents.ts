import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../../config/config.ts'
import { openEmbedder } from '../../../search/embedding/embedder.ts'
import type { Bench } from '../bench.ts'
import { createBenchClient } from '../support/client.ts'
import type { Item } from '../support/item.ts'
import type { Document } from '../search/collection.ts'
import { textsOf } from '../search/filling.ts'
import { takeTurns, timed } from '../support/turns.ts'
import { selectOne } from '../../../data/shared/statements.ts'
import { bigint } from '../../../data/shared/table.ts'

const TEXTS = 1_500
const WORDS = 150
const BATCH = 100
const POLL_MS = 100
const SEARCHES = 100

/**
 * The time until text batches are searchable, compared with embedding alone, and search times during ingestion,
 * compared with an idle system.
 */
export const documents: Item = {
  name: 'documents',
  async run({ stack, samples }: Bench) {
    const { id, api_key } = await stack.workspace()
    const { ganglion, close } = createBenchClient(stack.baseUrl, api_key)
    const embedder = openEmbedder(readConfig(stack.env))
    const vocabulary = readVocabulary()
    let rounds = 0
    const searches = { ours: [] as number[], bare: [] as number[] }

    const countUnindexed = () =>
      stack.database.db.inWorkspace(id, async tx => {
        const counted = await selectOne(tx, { count: bigint() }, 'select count(*) as count from search_outbox')
        return counted?.count ?? 0
      })

    async function ingestAll(texts: Document[]): Promise<void> {
      for (let at = 0; at < texts.length; at += BATCH) {
        const documents = texts.slice(at, at + BATCH).map(({ title, text }) => ({ title, text }))
        await ganglion.assets.ingest({ documents })
      }
      while ((await countUnindexed()) !== 0) await sleep(POLL_MS)
    }

    async function timeEmbedding(): Promise<number> {
      const texts = await textsOf(embedder, createTexts(vocabulary, samples(TEXTS), `round ${rounds}`))
      return timed(() => embedder.embed(texts))
    }

    async function search(n: number): Promise<void> {
      const query = `${vocabulary[n % vocabulary.length]} ${vocabulary[(n * 31) % vocabulary.length]}`
      await ganglion.search.query({ query })
    }

    /** Searches at the same rate with and without other work, because an idle process is slower at first. */
    async function searchUntil(isOver: () => boolean, times: number[]): Promise<void> {
      for (let n = 0; !isOver(); n++) {
        times.push(await timed(() => search(n)))
        await sleep(POLL_MS)
      }
    }

    async function searchWhileIdle(): Promise<void> {
      const end = searches.bare.length + SEARCHES
      await searchUntil(() => searches.bare.length === end, searches.bare)
    }

    async function searchDuring(work: Promise<void>): Promise<void> {
      const over = new AbortController()
      const searching = searchUntil(() => over.signal.aborted, searches.ours)
      await work.finally(() => over.abort())
      await searching
    }

    try {
      await embedder.ready()
      await ingestAll(createTexts(vocabulary, BATCH, 'warm'))
      const turns = {
        ours: async () => {
          const texts = createTexts(vocabulary, samples(TEXTS), `round ${++rounds}`)
          return timed(() => ingestAll(texts))
        },
        bare: timeEmbedding,
      }
      const { ours, bare } = await takeTurns(turns, 2, 0)
      // A separate round, because the searches slow down ingestion. Idle rounds run before and after it, because the
      // index grows.
      await searchWhileIdle()
      await searchDuring(ingestAll(createTexts(vocabulary, samples(TEXTS), 'searched')))
      await searchWhileIdle()
      return [
        {
          name: `${samples(TEXTS)} texts until found; bare: the embedding alone`,
          unit: 'ms',
          samples: { ours, bare },
          aim: { of: 'ratio', atMost: 1.25 },
        },
        { name: 'a search meanwhile; bare: idle', unit: 'ms', samples: searches, aim: { of: 'ratio', atMost: 1.5 } },
      ]
    } finally {
      await Promise.all([embedder.close(), close()])
    }
  },
}

/** Returns the words of an English text. */
function readVocabulary(): string[] {
  const text = readFileSync(new URL('../../../docs/reference/node-types.md', import.meta.url), 'utf8')
  return [...new Set(text.match(/[a-z]{3,}/gi))]
}

/** Returns distinct texts. */
const createTexts = (vocabulary: string[], count: number, name: string): Document[] =>
  Array.from({ length: count }, (_, n) => {
    const words = Array.from({ length: WORDS }, (_, at) => vocabulary[(n * 7_919 + at * (n + 13)) % vocabulary.length])
    return { id: `${name}-${n}`, title: `Text ${n} of ${name}`, text: `${name} ${n}: ${words.join(' ')}.` }
  })
