import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AssetView } from '../../services/documents/types.ts'
import type { JobView } from '../../services/jobs/types.ts'
import type { SearchReply } from '../../services/search/types.ts'
import { CHECKOUT } from '../machine/folders.ts'
import type { ApiClient } from './api-client.ts'
import { ensure } from './ensure.ts'
import { follow, type Attended } from './follow.ts'

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
 * Puts the sample handbook into the workspace and has an agent work on it: it searches, asks the person, and writes an
 * artifact. Gives the job as it then is.
 */
export async function runAgent(attended: Attended): Promise<JobView> {
  const { api } = attended
  await ingestHandbook(api)
  await ensure(api, '/v1/reflexes', 'handbook-tools', {
    title: 'Handbook tools',
    source: 'builtin',
    tools: [{ name: 'search' }, { name: 'ask_human' }, { name: 'write_artifact' }],
  })
  await ensure(api, '/v1/neurons', 'handbook-editor', {
    title: 'Handbook editor',
    neuron_type: 'agent',
    instructions: INSTRUCTIONS,
    tools: [{ reflex: 'handbook-tools' }],
  })
  const body = { message: QUESTION, stream: true }
  const { job_id } = await api.call<{ job_id: string }>('POST', '/v1/neurons/handbook-editor/invoke', body)
  process.stdout.write(`\nNeuron handbook-editor: job ${job_id}\n  "${QUESTION}"\n\n`)
  return follow(attended, job_id)
}

/** Documents that are there already stay as they are. Waits until the last of them can be found. */
async function ingestHandbook(api: ApiClient): Promise<void> {
  const files = readdirSync(HANDBOOK)
  const assets = await Promise.all(files.map(file => ingest(api, file)))
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const query = { query: 'handbook', filters: { path_prefix: FOLDER }, types: ['assets'], limit: 50 }
    const { matches } = await api.call<SearchReply>('POST', '/v1/search', query)
    const found = new Set(matches.filter(({ chunk }) => chunk).map(({ resource_id }) => resource_id))
    if (assets.every(({ id }) => found.has(id))) {
      process.stdout.write(`\nHandbook: ${files.length} documents in ${FOLDER}\n`)
      return
    }
    await sleep(READ_EVERY_MS)
  }
  throw new Error('The handbook was not read in time: "npm run logs" says why')
}

async function ingest(api: ApiClient, file: string): Promise<AssetView> {
  const mime_type = MIME_TYPES[file.split('.').at(-1) ?? '']
  const text = readFileSync(join(HANDBOOK, file), 'utf8')
  const body = { text, mime_type, file_name: file, path: FOLDER, source_key: file }
  return (await api.call<{ asset: AssetView }>('POST', '/v1/assets/ingest', body)).asset
}
