import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { waitUntil } from '../../support/stack/process.ts'
import type { Bench } from '../bench.ts'
import { createBenchClient } from '../support/client.ts'
import { forEach } from '../support/for-each.ts'
import { transforms } from '../support/pathways.ts'
import { execute, select } from '../../../data/shared/statements.ts'
import { text } from '../../../data/shared/table.ts'

/** A run that is waiting for a person. */
export interface Waiting {
  jobId: string
  interventionId: string
}

const AT_ONCE = 20

/** Starts runs and waits until each one asks its question. */
export async function startWaitingRuns({ ours }: Bench, pathwayId: string, count: number): Promise<Waiting[]> {
  const waiting: Waiting[] = []
  await forEach(Array(count).keys(), AT_ONCE, async n => {
    const jobId = await ours.start(pathwayId, { run: String(n) })
    waiting.push({ jobId, interventionId: (await ours.asked(jobId)).interventionId })
    if (waiting.length % 1_000 === 0) process.stderr.write(`  ${waiting.length}\n`)
  })
  return waiting
}

const BATCH_ROWS = 10_000

/** Adds rows for runs that ended in the past year: copies of a three-step run with new ids. */
export async function addFinishedRuns({ ours, stack }: Bench, count: number): Promise<void> {
  const jobId = await ours.start(await ours.store('Ended', transforms(3)))
  await ours.completed(jobId)
  await sleep(2_000)
  const { db, adminUrl } = stack.database
  for (let from = 1; from <= count; from += BATCH_ROWS)
    await db.inWorkspace(ours.workspaceId, async tx => {
      const copy = async (table: string, changed: Record<string, string>) => {
        const columns = await select(
          tx,
          { name: text() },
          `select quote_ident(column_name) as name from information_schema.columns
            where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
          [table],
        )
        const names = columns.map(({ name }) => name)
        await execute(
          tx,
          `insert into ${table} (${names.join(', ')})
           select ${names.map(name => changed[name] ?? name).join(', ')}
             from ${table}, generate_series($2::integer, $3::integer) n where job_id = $1`,
          [jobId, from, Math.min(count, from + BATCH_ROWS - 1)],
        )
      }
      const at = `now() - n * interval '150 seconds'`
      await copy('jobs', { job_id: `'ended-' || n`, root_job_id: `'ended-' || n`, created_at: at, finished_at: at })
      await copy('job_nodes', { job_id: `'ended-' || n`, at })
    })
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Opens run streams. Returns a function that closes them. */
export async function openStreams({ ours }: Bench, runs: Waiting[], count: number): Promise<() => Promise<void>> {
  const ending = new AbortController()
  const { ganglion, close } = createBenchClient(ours.baseUrl, ours.authorization.replace('Bearer ', ''), null)
  let opened = 0
  const follow = async (jobId: string) => {
    let isOpen = false
    for await (const _ of ganglion.jobs.run(jobId).stream({ signal: ending.signal })) {
      if (!isOpen) opened++
      isOpen = true
    }
  }
  const streams = runs.slice(0, count).map(({ jobId }) => follow(jobId).catch(() => undefined))
  await waitUntil(() => opened >= Math.min(count, runs.length), 120_000)
  return async () => {
    ending.abort()
    await Promise.all(streams)
    await close()
  }
}
