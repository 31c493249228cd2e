import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { makeFolder, serverUser } from '../../../dev/machine/folders.ts'
import { run } from '../../../dev/machine/shell.ts'
import { postgres } from '../../../dev/components/postgres.ts'
import type { OwnComponents } from '../../faults/support/own-components.ts'
import { waitUntil } from '../../support/stack/process.ts'

/** A physical backup of a whole cluster. */
export interface Backup {
  folder: string
  /** Everything that was acknowledged before this time (milliseconds) is in the backup. */
  consistentAt: number
  seconds: number
  bytes: number
}

/** Receives the write-ahead log (WAL) continuously, as an archive on another machine does. */
export interface WalArchive {
  folder: string
  /** Resolves once the archive has everything that was committed before the call. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

const SAMPLE_MS = 20

/** Returns the folder of the installed Postgres programs. */
const findPrograms = (): Promise<string> => postgres.install({ apt: () => Promise.resolve() } as never)

/** Runs a physical backup while the cluster is in use. `rate` limits the transfer, so that the load continues in it. */
export async function takeBackup(components: OwnComponents, name: string, rate: string): Promise<Backup> {
  const folder = join(components.dataOf('postgres'), '..', name)
  makeFolder(folder, { mode: 0o700, user: serverUser() })
  const samples = await startSamples(components)
  const began = Date.now()
  const args = ['-D', folder, '-X', 'stream', '-c', 'fast', `--max-rate=${rate}`, '-d', adminUrl(components)]
  await run(join(await findPrograms(), 'pg_basebackup'), args, { user: serverUser(), cwd: folder })
  const seconds = (Date.now() - began) / 1_000
  const manifest = JSON.parse(readFileSync(join(folder, 'backup_manifest'), 'utf8')) as {
    'WAL-Ranges': { 'End-LSN': string }[]
  }
  const end = parseLsn(manifest['WAL-Ranges'].at(-1)?.['End-LSN'] ?? '0/0')
  const consistentAt = (await samples.stop()).findLast(({ lsn }) => lsn <= end)?.at ?? began
  const bytes = Number((await run('du', ['-sb', folder])).split('\t')[0])
  return { folder, consistentAt, seconds, bytes }
}

/** Records how far the WAL was written at which time. */
async function startSamples(components: OwnComponents) {
  const client = await connect(components)
  const samples: { at: number; lsn: bigint }[] = []
  const over = new AbortController()
  const sampling = (async () => {
    while (!over.signal.aborted) {
      const at = Date.now()
      const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn')
      samples.push({ at, lsn: parseLsn(rows[0]?.lsn ?? '0/0') })
      await sleep(SAMPLE_MS)
    }
  })()
  return {
    stop: async () => {
      over.abort()
      await sampling
      await client.end()
      return samples
    },
  }
}

export async function archiveWal(components: OwnComponents): Promise<WalArchive> {
  const folder = join(components.dataOf('postgres'), '..', `wal-${Date.now()}`)
  const user = serverUser()
  makeFolder(folder, { mode: 0o700, user })
  const program = join(await findPrograms(), 'pg_receivewal')
  const child = spawn(program, ['-D', folder, '--synchronous', '--no-loop', '-d', adminUrl(components)], {
    cwd: folder,
    stdio: 'ignore',
    ...(user && { uid: user.uid, gid: user.gid }),
  })
  const exited = once(child, 'exit')
  const catchUp = async () => {
    const client = await connect(components)
    const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn')
    const wanted = rows[0]?.lsn ?? '0/0'
    await waitUntil(async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_replication where application_name = 'pg_receivewal' and flush_lsn >= $1`,
        [wanted],
      )
      return rowCount === 1
    })
    await client.end()
  }
  await catchUp()
  return {
    folder,
    catchUp,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/**
 * Replaces the cluster's data by a backup. With an archive, Postgres also replays the WAL up to `until`
 * (milliseconds), or to its end. Postgres must not be running.
 */
export async function restoreBackup(
  components: OwnComponents,
  backup: Backup,
  archive?: WalArchive & { until?: number },
): Promise<void> {
  const cluster = join(components.dataOf('postgres'), 'cluster')
  rmSync(cluster, { recursive: true, force: true })
  cpSync(backup.folder, cluster, { recursive: true })
  if (archive) {
    for (const name of readdirSync(archive.folder).filter(file => file.endsWith('.partial')))
      renameSync(join(archive.folder, name), join(archive.folder, name.replace('.partial', '')))
    const until =
      archive.until === undefined
        ? ''
        : `recovery_target_time = '${formatTime(archive.until)}'\nrecovery_target_action = 'promote'\n`
    appendFileSync(
      join(cluster, 'postgresql.auto.conf'),
      `\nrestore_command = 'cp "${archive.folder}/%f" "%p"'\n${until}`,
    )
    writeFileSync(join(cluster, 'recovery.signal'), '')
  }
  const user = serverUser()
  if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, cluster])
  await run('chmod', ['0700', cluster])
}

/** Formats a time as Postgres settings require it. */
const formatTime = (time: number): string => new Date(time).toISOString().replace('T', ' ').replace('Z', '+00')

/** Waits until recovery has ended and the cluster accepts writes. */
export async function untilRecovered(components: OwnComponents): Promise<void> {
  await waitUntil(async () => {
    const client = await connect(components).catch(() => undefined)
    const { rows } = (await client?.query<{ waiting: boolean }>('select pg_is_in_recovery() as waiting')) ?? {}
    await client?.end()
    return rows?.[0]?.waiting === false
  })
}

const adminUrl = ({ env }: OwnComponents): string => {
  const url = new URL(env['DATABASE_ADMIN_URL'] ?? '')
  url.pathname = '/postgres'
  return url.href
}

async function connect(components: OwnComponents): Promise<Client> {
  const client = new Client({ connectionString: adminUrl(components), connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Parses a position in the WAL, such as `0/3000148`. */
function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
