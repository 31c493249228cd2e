import type { Command } from 'commander'
import { pino } from 'pino'
import { createIndexing } from '../../services/search/indexing/indexing.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the search index command. */
export function addSearch(program: Command): void {
  program
    .command('reindex')
    .description('Rebuild the search index from Postgres and swap it in; searches keep working')
    .option('--json', 'print one JSON line')
    .action((options: Output) =>
      withStores(4, async ({ db, embedder, searchIndex: search }) => {
        const log = pino({ level: 'info', base: { process: 'cli' } }, pino.destination(2))
        const interrupted = new AbortController()
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
        if (!search) throw new Error('Set ELASTICSEARCH_URL to rebuild the search index')
        const result = await createIndexing({ db, search, embedder, log }).rebuild(interrupted.signal)
        say(options.json, result, `${result.index} is live and contains ${result.resources} resources.`)
      }),
    )
}
