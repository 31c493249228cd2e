import type { Command } from 'commander'
import { pino } from 'pino'
import { createIndexing } from '../../services/search/indexing/indexing.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the command about the search index. */
export function addSearch(program: Command): void {
  program
    .command('reindex')
    .description('Rebuild the search index from Postgres, then replace the live one; searches continue meanwhile')
    .option('--json', 'print one JSON line')
    .action((options: Output) =>
      withStores(4, async ({ db, embedder, searchIndex: search }) => {
        const log = pino({ level: 'info', base: { process: 'cli' } }, pino.destination(2))
        const interrupted = new AbortController()
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
        if (!search) throw new Error('ELASTICSEARCH_URL is not set: there is nothing to build')
        const result = await createIndexing({ db, search, embedder, log }).rebuild(interrupted.signal)
        say(options.json, result, `${result.index} is live, with ${result.resources} resources.`)
      }),
    )
}
