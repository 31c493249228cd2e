import type { ReconcileReport } from '../../../services/runs/reconcile/report.ts'
import type { Load } from './load.ts'
import type { Site } from './site.ts'

/** Kills everything and deletes the data of Redis and Elasticsearch. Returns the time of the disaster. */
export async function strikeDisaster(site: Site, load: Load): Promise<number> {
  await site.killAll()
  const killedAt = Date.now()
  await load.stop()
  site.lose('redis')
  site.lose('elasticsearch')
  return killedAt
}

export interface Recovery {
  title: string
  /** Replaces the data of Postgres. */
  restore: () => Promise<void>
  /** Time from which data was lost (milliseconds). */
  lostSince: number
}

/** Follows docs/operate/backup-and-restore.md. Returns the report from before the repairs. */
export async function recover(site: Site, { title, restore, lostSince }: Recovery): Promise<ReconcileReport> {
  const steps: string[] = []
  const began = Date.now()
  const secondsSince = (start: number) => ((Date.now() - start) / 1_000).toFixed(1)
  const time = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const start = Date.now()
    const result = await work()
    steps.push(`${step} ${secondsSince(start)} s`)
    return result
  }
  await time('copy backup', restore)
  await time('start components', () => site.startComponents())
  await time('migrate', () => site.migrate())
  const lost = ['--lost-since', new Date(lostSince).toISOString()]
  const report = await time('reconcile', () => site.reconcile(...lost))
  await time('reconcile --apply', () => site.reconcile('--apply', '--terminate'))
  await time('start API and worker', () => site.startApps())
  await time('reindex', () => site.admin('reindex', '--json'))
  process.stderr.write(`${title}: ${steps.join(', ')}; ${secondsSince(began)} s in total\n`)
  return report
}
