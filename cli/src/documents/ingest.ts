import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, posix, relative, resolve, sep } from 'node:path'
import type { Ganglion } from '@ganglion/client'
import type { Context } from '../shared/command.ts'
import { CliError, EXIT, describeFailure, usageError } from '../shared/exit.ts'
import { writeLine } from '../shared/output.ts'
import { stateFolder } from '../shared/settings.ts'
import { paint, readStdinBytes } from '../shared/terminal.ts'

export interface IngestOptions {
  path?: string
  /** Name for a document read from stdin. */
  name?: string
  charset?: string
  concurrency?: number
  exclude?: string[]
  dryRun?: boolean
  wait?: boolean
}

/**
 * A file to ingest: its path (`-` for stdin), its name relative to the given folder, its target folder, and its
 * source key.
 */
interface Source {
  file: string
  name: string
  path: string
  source_key: string
}

interface Outcome {
  file: string
  status: 'created' | 'new version' | 'moved' | 'updated' | 'unchanged' | 'done before' | 'failed'
  asset_id?: string
  /** Fields of an existing document that the request changed. */
  updated?: string[]
  job_id?: string | null
  error?: { code: string; message: string }
}

/**
 * Ingests files with source keys, so that sending a file again updates the same document. With `--path`, the key is
 * the document's target path. Otherwise it is the file's path, because files with the same name may come from
 * different folders. A journal in the state folder records the files that were sent, so that a repeated command sends
 * only the rest.
 */
export async function ingest(
  context: Context,
  path: string,
  { path: target, name, charset, concurrency = 4, exclude = [], dryRun, wait }: IngestOptions,
): Promise<void> {
  if (path === '-' && !name) throw usageError('Use --name to name a document from stdin, such as --name report.pdf')
  if (path !== '-' && !existsSync(path)) throw usageError(`${path} does not exist`)
  const sources = listSources(path, target, name).filter(({ name }) => !exclude.some(glob => matchesGlob(name, glob)))
  if (dryRun)
    return context.print(
      sources.map(({ file, path, source_key }) => ({ file, path, source_key })),
      all => all.map(source => `${source.file}\t${source.path}\t${source.source_key}\n`).join(''),
    )
  const client = await context.client()
  const journal = openJournal(
    `${context.settings.url} ${context.settings.brain ?? ''} ${resolve(path)} ${target ?? ''} ${charset ?? ''}`,
  )
  const outcomes: Outcome[] = []
  const progress = createProgress(context, sources.length)
  const queue = [...sources]
  const work = async () => {
    for (let source = queue.shift(); source; source = queue.shift()) {
      const outcome = await ingestOne(client, source, journal, charset)
      outcomes.push(outcome)
      if (context.format === 'lines') await writeLine(outcome)
      progress.show(outcomes.length, outcome)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  progress.end()
  if (wait) await waitForReading(context, client, outcomes)
  outcomes.sort((a, b) => (a.file < b.file ? -1 : 1))
  if (context.format !== 'lines')
    await context.print(outcomes, all =>
      all
        .map(outcome => `${outcome.status}\t${outcome.file}\t${outcome.asset_id ?? outcome.error?.message ?? ''}\n`)
        .join(''),
    )
  const failed = outcomes.filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    throw new CliError(
      EXIT.error,
      `${failed.length} of ${outcomes.length} files were not ingested. Run the same command again to retry them`,
    )
}

function listSources(path: string, target: string | undefined, stdinName = ''): Source[] {
  const toSource = (file: string, name: string): Source => {
    const isPlaced = target !== undefined || file === '-'
    return {
      file,
      name,
      path: posix.join(target ?? '/', posix.dirname(name)),
      source_key: isPlaced ? posix.join(target ?? '/', name) : resolve(file).split(sep).join('/'),
    }
  }
  if (path === '-') return [toSource(path, stdinName)]
  if (statSync(path).isFile()) return [toSource(path, basename(path))]
  return listFiles(path).map(file => toSource(file, relative(path, file).split(sep).join('/')))
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry =>
      entry.isDirectory() ? listFiles(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : [],
    )
}

async function ingestOne(
  client: Ganglion,
  { file, name, path, source_key }: Source,
  journal: Journal,
  charset?: string,
): Promise<Outcome> {
  try {
    const bytes = file === '-' ? await readStdinBytes() : readFileSync(file)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const before = journal.done.get(name)
    if (before?.sha256 === sha256) return { file, status: 'done before', asset_id: before.asset_id }
    const form = new FormData()
    form.set('file', new Blob([bytes]), basename(name))
    // The service detects the media type. The charset applies only to texts.
    if (charset) form.set('mime_type', `application/octet-stream; charset=${charset}`)
    form.set('path', path)
    form.set('source_key', source_key)
    const { data, response } = await client.assets.ingest(form).withResponse()
    if (!('asset' in data)) throw new Error('The service returned several results for one document')
    const { id, version } = data.asset
    journal.add({ name, sha256, asset_id: id })
    const isNew = response.status === 201
    const status = isNew ? (version > 1 ? 'new version' : 'created') : describeUpdate(data.updated)
    return { file, status, asset_id: id, job_id: data.job_id, updated: data.updated }
  } catch (error) {
    const { code, message, exitCode } = describeFailure(error)
    if (exitCode === EXIT.denied) throw error
    return { file, status: 'failed', error: { code, message } }
  }
}

function describeUpdate(updated: string[]): Outcome['status'] {
  if (updated.length === 0) return 'unchanged'
  return updated.every(field => field === 'path') ? 'moved' : 'updated'
}

async function waitForReading(context: Context, client: Ganglion, outcomes: Outcome[]): Promise<void> {
  for (const outcome of outcomes) {
    if (!outcome.job_id) continue
    context.say(`reading ${outcome.file}`)
    await client.jobs
      .run(outcome.job_id)
      .result()
      .catch((error: unknown) => {
        const { code, message } = describeFailure(error)
        Object.assign(outcome, { status: 'failed', error: { code, message } })
      })
  }
}

interface Entry {
  name: string
  sha256: string
  asset_id: string
}

interface Journal {
  done: Map<string, Entry>
  add(entry: Entry): void
}

/**
 * Opens the journal of files sent from a folder to a target. It has one line per file. Incomplete lines, which a
 * killed process leaves, are ignored.
 */
function openJournal(key: string): Journal {
  const file = join(stateFolder(), 'ingest', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.jsonl`)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const entries = lines.flatMap(line => {
    try {
      return [JSON.parse(line) as Entry]
    } catch {
      return []
    }
  })
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  return {
    done: new Map(entries.map(entry => [entry.name, entry])),
    add: entry => appendFileSync(file, `${JSON.stringify(entry)}\n`),
  }
}

const BAR = 24

/** Shows a progress bar on a terminal. Without a terminal, only the outcomes are printed. */
function createProgress(context: Context, total: number) {
  const isShown = process.stderr.isTTY && !context.options.quiet
  return {
    show(done: number, { file, status }: Outcome) {
      if (!isShown) return
      const filled = Math.round((BAR * done) / Math.max(1, total))
      process.stderr.write(
        `\r\u001B[2K${paint('green', '█'.repeat(filled))}${'░'.repeat(BAR - filled)} ${done}/${total} ${status} ${file}`,
      )
    },
    end: () => void (isShown && process.stderr.write('\r\u001B[2K')),
  }
}
