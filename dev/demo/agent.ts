import type { Ganglion, Job } from '@ganglion/client'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKOUT } from '../machine/folders.ts'
import { ensure } from './ensure.ts'
import { follow, type DemoContext } from './follow.ts'

const HANDBOOK = join(CHECKOUT, 'dev/samples/handbook')
const FOLDER = '/handbook'
const MIME_TYPES: Record<string, string> = {
  html: 'text/html',
  json: 'application/json',
  txt: 'text/plain',
  csv: 'text/csv',
  md: 'text/markdown',
}
const QUESTION = 'How long may parents stay at home after a birth?'
const INSTRUCTIONS = `You prepare notes for the staff from the handbook.
First use search to find what the handbook says, then ask_human "May I publish this note?", then write_artifact with the note.`

const READ_TRIES = 120
const READ_EVERY_MS = 250

/**
 * Adds the sample handbook to the workspace, and runs an agent that searches the handbook, asks the person and writes
 * an artifact. Returns the latest state of the job.
 */
export async function runAgent(attended: DemoContext): Promise<Job> {
  const { ganglion } = attended
  await ingestHandbook(ganglion)
  await ensure(
    () => ganglion.reflexes.get('handbook-tools'),
    () =>
      ganglion.reflexes.create({
        slug: 'handbook-tools',
        title: 'Handbook tools',
        source: 'builtin',
        tools: [{ name: 'search' }, { name: 'ask_human' }, { name: 'write_artifact' }],
      }),
  )
  await ensure(
    () => ganglion.neurons.get('handbook-editor'),
    () =>
      ganglion.neurons.create({
        slug: 'handbook-editor',
        title: 'Handbook editor',
        neuron_type: 'agent',
        instructions: INSTRUCTIONS,
        // No approval is needed here, because the agent itself asks before it writes.
        tools: [{ reflex: 'handbook-tools', approval: 'never' }],
      }),
  )
  const run = await ganglion.neurons.run('handbook-editor', { message: QUESTION })
  process.stdout.write(`\nNeuron handbook-editor: job ${run.jobId}\n  "${QUESTION}"\n\n`)
  return follow(attended, run)
}

/**
 * Ingests the handbook, and waits until the last document is searchable. Documents that already exist are not
 * changed.
 */
async function ingestHandbook(ganglion: Ganglion): Promise<void> {
  const files = readdirSync(HANDBOOK)
  const ids = await Promise.all(files.map(file => ingest(ganglion, file)))
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const query = { query: 'handbook', filters: { path_prefix: FOLDER }, types: ['assets' as const], limit: 50 }
    const { matches } = await ganglion.search.query(query)
    const documentIds = new Set(matches.filter(({ chunk }) => chunk).map(({ resource_id }) => resource_id))
    if (ids.every(id => documentIds.has(id))) {
      process.stdout.write(`\nHandbook: ${files.length} documents in ${FOLDER}\n`)
      return
    }
    await sleep(READ_EVERY_MS)
  }
  throw new Error('The handbook was not ingested in time. Run "npm run logs" to see why')
}

/** Ingests a file. Resolves with the asset id. */
async function ingest(ganglion: Ganglion, file: string): Promise<string> {
  const mime_type = MIME_TYPES[file.split('.').at(-1) ?? '']
  const text = readFileSync(join(HANDBOOK, file), 'utf8')
  const reply = await ganglion.assets.ingest({
    text,
    mime_type,
    file_name: file,
    path: FOLDER,
    source_key: `${FOLDER}/${file}`,
  })
  if (!('asset' in reply)) throw new Error('Expected a single result')
  return reply.asset.id
}
