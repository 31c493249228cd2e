import { createHash, randomUUID } from 'node:crypto'
import { readTextPage } from '../../../activities/documents/file-texts.ts'
import { saveContent } from '../../../data/documents/contents-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { execute, requireRow, selectOne } from '../../../data/shared/statements.ts'
import { integer } from '../../../data/shared/table.ts'
import { useFiles } from '../../../services/documents/files.ts'
import type { FileView } from '../../../contract/documents/file.ts'
import type { thread } from '../../../contract/agents/thread.ts'
import type { z } from 'zod'
import { findFiles, insertFile } from '../../../data/documents/files-store.ts'
import { useAgents } from '../../support/agents/agents.ts'
import { type ApiClient, createClient } from '../../support/clients/client.ts'
import { encodeForm, type FilePart, PNG, uploadFile } from '../../support/documents/documents.ts'
import { answer, asked, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { waitUntil } from '../../support/stack/process.ts'

/** Files that people attach to messages and forms. */

const context = useAgents()

interface Refused {
  code: string
  message: string
  details?: { pointer: string; message: string }[]
}

async function uploadTo(client: ApiClient, path: string, file: FilePart) {
  const { raw, type } = await encodeForm({ file })
  return client.post<FileView & Refused>(path, undefined, { raw, headers: { 'Content-Type': type } })
}

const upload = (file: FilePart, client = context.workspace.client) => uploadFile(client, file)

const chat = (traceId: string, body: object, client = context.workspace.client) =>
  client.post<{ job_id: string; trace_id: string } & Refused>(`/v1/chat/${traceId}`, body)

/** Sends a message and waits for the answer. */
async function say(body: { message: string; [field: string]: unknown }, traceId = 'new') {
  const { status, body: accepted } = await chat(traceId, { neuron: 'reader', ...body })
  if (status !== 202) throw new Error(`${status}: ${JSON.stringify(accepted)}`)
  await jobWith(context.workspace.client, accepted.job_id, 'completed')
  return accepted
}

const findRequest = (topic: string) =>
  context.models.requests.find(({ turns }) => turns.some(({ role, text }) => role === 'user' && text.includes(topic)))
const findQuestion = (topic: string) => findRequest(topic)?.turns.findLast(({ role }) => role === 'user')?.text ?? ''

async function download(path: string, key = context.workspace.api_key) {
  const response = await fetch(context.stack.baseUrl + path, { headers: { Authorization: `Bearer ${key}` } })
  return { status: response.status, text: await response.text(), header: (name: string) => response.headers.get(name) }
}

beforeAll(async () => {
  await context.neuron({ slug: 'reader', neuron_type: 'agent', model: 'small' })
})

describe('a message with a file', () => {
  const topic = `contract ${randomUUID()}`
  let file: FileView
  let traceId: string

  beforeAll(async () => {
    file = await upload({ bytes: 'The rent is 900 euros.', name: 'lease.txt', type: 'text/plain' })
    ;({ trace_id: traceId } = await say({ message: `About the ${topic}`, files: [file.id] }))
  })

  test('gives the agent the text of the file, marked as data', () => {
    const question = findQuestion(topic)
    expect(question).toContain(`File "lease.txt" (text/plain, id ${file.id}):`)
    expect(question).toMatch(/<data [^>]+>\nThe rent is 900 euros\.\n<\/data /)
    expect(findRequest(topic)?.tools.map(({ name }) => name)).toEqual(['read_file'])
  })

  test('shows the file in the thread', async () => {
    const { body } = await context.workspace.client.get<z.output<typeof thread>>(`/v1/traces/${traceId}`)
    const { id, file_name, media_type, size } = file
    expect(body.messages[0]).toMatchObject({ role: 'user', files: [{ id, file_name, media_type, size }] })
    expect((await context.workspace.client.get<FileView>(`/v1/files/${id}`)).body).toMatchObject({ trace_id: traceId })
  })

  test('lets everyone who may read the thread download the file, never as a page', async () => {
    const key = await context.workspace.newKey({ actor: 'user:bob' })
    const { status, text, header } = await download(`/v1/files/${file.id}/content`, key)
    expect([status, text]).toEqual([200, 'The rent is 900 euros.'])
    expect(header('content-disposition')).toBe('attachment; filename=lease.txt')
    expect(header('x-content-type-options')).toBe('nosniff')
    expect(header('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test('does not put the file into the library', async () => {
    const { body } = await context.workspace.client.get<{ data: { file_name?: string }[] }>('/v1/assets')
    expect(body.data.filter(({ file_name }) => file_name === 'lease.txt')).toEqual([])
  })

  test('keeps the file in the conversation of later messages', async () => {
    const later = `later ${randomUUID()}`
    await say({ message: later }, traceId)
    expect(findRequest(later)?.turns.filter(({ text }) => text.includes('The rent is 900 euros.'))).toHaveLength(1)
  })

  test('is accepted again with the same file in the same thread, and in no other thread', async () => {
    await say({ message: 'once more', files: [file.id] }, traceId)
    const { status, body } = await chat('new', { neuron: 'reader', message: 'elsewhere', files: [file.id] })
    expect([status, body.details]).toEqual([
      400,
      [{ pointer: '/files/0', message: expect.stringContaining('must be the id of a file') as string }],
    ])
  })
})

describe('a long file', () => {
  test('is read by the agent with a tool, page by page', async () => {
    const topic = `report ${randomUUID()}`
    const long = `${'x'.repeat(19_990)}\n${'y'.repeat(19_990)}\nThe last line is here.`
    const file = await upload({ bytes: long, name: 'long.md', type: 'text/markdown' })
    context.plays(
      topic,
      { calls: [{ name: 'read_file', args: { file_id: file.id, offset: 20_000 } }] },
      { calls: [{ name: 'read_file', args: { file_id: file.id, offset: 39_000 } }] },
      { tokens: ['Read.'] },
    )
    await say({ message: topic, files: [file.id] })
    expect(findQuestion(topic)).toContain('The text continues at the offset 20000.')
    const last = context.models.requests.findLast(({ turns }) => turns.some(({ text }) => text.includes(topic)))
    const results = last?.turns.filter(({ role }) => role === 'tool').map(({ text }) => text)
    expect(results?.[0]).toContain('yyy')
    expect(results?.[1]).toContain('The last line is here.')
  })

  test('is read without cutting a character in half', async () => {
    const { stack, workspace } = context
    const text = `a${'😀'.repeat(20)}`
    const bytes = Buffer.from(text)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const { db } = stack.database
    await db.inWorkspace(workspace.id, tx => saveContent(tx, { sha256, bytes }))
    const pages: string[] = []
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page = await readTextPage(db, workspace.id, sha256, { offset, limit: 4 })
      pages.push(page.text)
      offset = page.next_offset
    }
    expect(pages.join('')).toBe(text)
    expect(pages.filter(page => !page.isWellFormed() || page.length > 4)).toEqual([])
    const within = await readTextPage(db, workspace.id, sha256, { offset: 2, limit: 4 })
    expect(within).toEqual({ text: '\uFFFD😀', next_offset: 5 })
  })

  test('belongs to its thread: an agent in another thread cannot read it', async () => {
    const topic = `spy ${randomUUID()}`
    const file = await upload({ bytes: 'private words', name: 'private.txt', type: 'text/plain' })
    await say({ message: 'keep this', files: [file.id] })
    const own = await upload({ bytes: 'own words', name: 'own.txt', type: 'text/plain' })
    context.plays(topic, { calls: [{ name: 'read_file', args: { file_id: file.id } }] }, { tokens: ['Tried.'] })
    await say({ message: topic, files: [own.id] })
    const last = context.models.requests.findLast(({ turns }) => turns.some(({ text }) => text.includes(topic)))
    expect(last?.turns.findLast(({ role }) => role === 'tool')?.text).toContain('must be the id of a file of this run')
    expect(JSON.stringify(last?.body)).not.toContain('private words')
  })
})

describe('an image', () => {
  const send = async (model: string) => {
    const topic = `picture ${randomUUID()}`
    const slug = `viewer-${randomUUID()}`
    await context.neuron({ slug, neuron_type: 'completion', model })
    const file = await upload({ bytes: PNG, name: 'dot.png', type: 'image/png' })
    await say({ message: topic, neuron: slug, files: [file.id] })
    const messages = findRequest(topic)?.body.messages as unknown as { role: string; content: unknown }[]
    return { file, content: messages.findLast(({ role }) => role === 'user')?.content, text: findQuestion(topic) }
  }

  test('is sent to an OpenAI-compatible model that takes images', async () => {
    const { content } = await send('seeing')
    const url = `data:image/png;base64,${PNG.toString('base64')}`
    expect(content).toEqual([
      { type: 'text', text: expect.stringContaining('attached as an image') as string },
      { type: 'image_url', image_url: { url } },
    ])
  })

  test('is sent to an Anthropic model', async () => {
    const { content } = await send('anthropic:claude-sonnet-5')
    expect(content).toEqual([
      expect.objectContaining({ type: 'text' }),
      expect.objectContaining({
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') },
      }),
    ])
  })

  test('is named to a model that takes no images', async () => {
    const { text, file } = await send('small')
    expect(text).toContain(`File "dot.png" (image/png, id ${file.id}): no content`)
    expect(text).toContain('the model does not take images')
  })
})

describe('a form with file fields', () => {
  const form = {
    type: 'object',
    properties: {
      receipt: { type: 'string', format: 'file', contentMediaType: 'application/pdf, image/*', maxBytes: 1_000 },
      name: { type: 'string', default: '${input.name}' },
      is_company: { type: 'boolean' },
    },
    required: ['receipt'],
    if: { properties: { is_company: { const: true } }, required: ['is_company'] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: {
      properties: {
        register: { type: 'string', format: 'file', contentMediaType: 'text/plain' },
        receipt: { contentMediaType: 'image/*' },
      },
      required: ['register'],
    },
    else: { properties: { receipt: { contentMediaType: 'text/plain, application/pdf, image/*' } } },
  }

  const open = async () => {
    const { client, id } = context.workspace
    const definition = pathway(
      [
        { id: 'ask', type: 'human', kind: 'form', title: 'Receipt', form },
        {
          id: 'read',
          type: 'tool',
          with: { reflex: 'files', name: 'read_file', args: { file_id: '${nodes.ask.output.data.register}' } },
        },
        { id: 'done', type: 'end', output: '${nodes.read.output}' },
      ],
      'ask.submit_input > read',
      'read > done',
    )
    const job_id = await startRun(client, definition, { name: 'Ann' })
    const [task] = await asked(client, job_id)
    const send = (data: object) =>
      answer(client, id, job_id, task?.interventionId ?? '', { action: 'submit_input', data })
    return { job_id, task, send }
  }

  beforeAll(async () => {
    const tools = [{ name: 'read_file' }]
    await context.workspace.client.post('/v1/reflexes', { title: 'Files', slug: 'files', source: 'builtin', tools })
  })

  test('shows defaults that were evaluated when the task opened', async () => {
    const { task } = await open()
    expect(task?.form).toMatchObject({ properties: { name: { default: 'Ann' } } })
  })

  test('takes files of the right type, which then belong to the run', async () => {
    const { job_id, send } = await open()
    const receipt = await upload({ bytes: PNG, name: 'receipt.png', type: 'image/png' })
    const register = await upload({ bytes: 'Entry 7', name: 'register.txt', type: 'text/plain' })
    const { status } = await send({ receipt: receipt.id, is_company: true, register: register.id })
    expect(status).toBe(200)
    const { result } = await jobWith(context.workspace.client, job_id, 'completed')
    expect(result).toMatchObject({ text: 'Entry 7', file_name: 'register.txt' })
    const { body } = await context.workspace.client.get<FileView>(`/v1/files/${receipt.id}`)
    expect(body).toMatchObject({ job_id, file_name: 'receipt.png' })
  })

  test('requires the fields of a condition that applies, and no others', async () => {
    const { send } = await open()
    const receipt = await upload({ bytes: PNG, name: 'receipt.png', type: 'image/png' })
    const refused = await send({ receipt: receipt.id, is_company: true })
    expect([refused.status, (refused.body as unknown as Refused).details]).toEqual([
      400,
      expect.arrayContaining([{ pointer: '/input/data', message: 'must have the field "register"' }]),
    ])
  })

  test('limits a file only by the parts of the form that apply', async () => {
    const { send } = await open()
    const receipt = await upload({ bytes: '%PDF-1.4 words', name: 'receipt.pdf', type: 'application/pdf' })
    const register = await upload({ bytes: 'Entry 9', name: 'r.txt', type: 'text/plain' })
    const company = await send({ receipt: receipt.id, is_company: true, register: register.id })
    expect([company.status, (company.body as unknown as Refused).details]).toEqual([
      400,
      expect.arrayContaining([
        { pointer: '/input/data/receipt', message: 'must be a file of the type image/*, not application/pdf' },
      ]),
    ])
    expect((await send({ receipt: receipt.id })).status).toBe(200)
  })

  test.each([
    ['of another type', { bytes: 'words', name: 'a.txt', type: 'text/plain' }, 'must be a file of the type'],
    [
      'that is too large for the field',
      { bytes: Buffer.concat([PNG, Buffer.alloc(1_000)]), name: 'a.png', type: 'image/png' },
      'must be a file of at most 1000 bytes',
    ],
  ])('rejects a file %s, and the task stays open', async (_, part, message) => {
    const { send } = await open()
    const { id } = await upload(part)
    const { status, body } = await send({ receipt: id })
    const { details } = body as unknown as Refused
    expect([status, details]).toEqual([
      400,
      [{ pointer: '/input/data/receipt', message: expect.stringContaining(message) as string }],
    ])
    const unused = await context.workspace.client.get<FileView>(`/v1/files/${id}`)
    expect(unused.body.job_id).toBeUndefined()
  })

  test.each([
    ['no id', 'receipt.pdf', 'must be the id of an uploaded file'],
    ['the id of nothing', randomUUID(), 'must be the id of a file'],
  ])('rejects %s', async (_, receipt, message) => {
    const { send } = await open()
    const { status, body } = await send({ receipt })
    const { details } = body as unknown as Refused
    expect([status, details]).toEqual([
      400,
      [{ pointer: '/input/data/receipt', message: expect.stringContaining(message) as string }],
    ])
  })

  test("rejects a file that another person has uploaded, and another run's file", async () => {
    const { send } = await open()
    const bob = await context.workspace.as('user:bob')
    const foreign = await upload({ bytes: PNG, name: 'bob.png', type: 'image/png' }, bob)
    expect((await send({ receipt: foreign.id })).status).toBe(400)
    const other = await open()
    const used = await upload({ bytes: PNG, name: 'used.png', type: 'image/png' })
    const register = await upload({ bytes: 'Entry 8', name: 'r.txt', type: 'text/plain' })
    expect((await other.send({ receipt: used.id, is_company: true, register: register.id })).status).toBe(200)
    expect((await send({ receipt: used.id })).status).toBe(400)
  })
})

describe('the input of a run', () => {
  test('may contain files, which then belong to the run', async () => {
    const definition = {
      ...pathway(
        [
          {
            id: 'read',
            type: 'tool',
            with: { reflex: 'files', name: 'read_file', args: { file_id: '${input.paper}' } },
          },
          { id: 'done', type: 'end', output: '${nodes.read.output.text}' },
        ],
        'read > done',
      ),
      input: { type: 'object', properties: { paper: { type: 'string', format: 'file' } }, required: ['paper'] },
    }
    const { client } = context.workspace
    const file = await upload({ bytes: 'a,b\n1,2\n', name: 'table.csv', type: 'text/csv' })
    const jobId = await startRun(client, definition, { paper: file.id })
    const { result } = await jobWith(client, jobId, 'completed')
    expect(result).toBe('a: 1\nb: 2')
    const refused = await client.post<Refused>('/v1/jobs', { pathway: definition, input: { paper: file.id } })
    expect([refused.status, refused.body.details?.[0]?.pointer]).toEqual([400, '/input/paper'])
  })
})

describe('a fork', () => {
  const fork = async (jobId: string, body: object) => {
    const { status, body: started } = await context.workspace.client.post<{ job_id: string } & Refused>(
      `/v1/jobs/${jobId}/fork`,
      body,
    )
    return { status, ...started }
  }
  const completed = (jobId: string) => jobWith(context.workspace.client, jobId, 'completed')
  const findOwner = async (id: string) => (await context.workspace.client.get<FileView>(`/v1/files/${id}`)).body
  const findText = ({ nodes }: Awaited<ReturnType<typeof completed>>) =>
    nodes.find(({ key }) => key === 'step-1/read_file[0]')?.output

  test('of a conversation reads the files of its messages, also after the original was deleted', async () => {
    const { client } = context.workspace
    const topic = `forked ${randomUUID()}`
    const file = await upload({ bytes: 'The deposit is 300 euros.', name: 'deposit.txt', type: 'text/plain' })
    const look = { calls: [{ name: 'read_file', args: { file_id: file.id } }] }
    context.plays(topic, look, { tokens: ['300 euros.'] })
    const { job_id, trace_id } = await say({ message: topic, files: [file.id] })
    const unrelated = await upload({ bytes: 'later words', name: 'later.txt', type: 'text/plain' })
    await say({ message: 'later', files: [unrelated.id] }, trace_id)

    const forked = await completed((await fork(job_id, { from_node: 'step-1' })).job_id)
    const forkedTrace = forked.trace_id ?? ''
    expect(findText(forked)).toMatchObject({ text: 'The deposit is 300 euros.' })

    const { body: purge } = await client.del<{ job_id: string }>(`/v1/traces/${trace_id}`)
    await completed(purge.job_id)
    expect(await findOwner(file.id)).toMatchObject({ trace_id: forkedTrace })
    expect((await client.get(`/v1/files/${unrelated.id}`)).status).toBe(404)
    expect((await download(`/v1/files/${file.id}/content`)).text).toBe('The deposit is 300 euros.')

    const later = await completed((await say({ message: 'Is that still so?' }, forkedTrace)).job_id)
    expect(findText(later)).toMatchObject({ text: 'The deposit is 300 euros.' })

    const { body: last } = await client.del<{ job_id: string }>(`/v1/traces/${forkedTrace}`)
    const { result } = await completed(last.job_id)
    expect((result as { removed: object }).removed).toMatchObject({ files: 1, contents: 1 })
    expect((await client.get(`/v1/files/${file.id}`)).status).toBe(404)
  })

  test('of a run reads the files of its input, and of other input', async () => {
    const { client } = context.workspace
    const definition = {
      ...pathway(
        [
          { id: 'keep', type: 'transform', with: { value: '${input.paper}' } },
          {
            id: 'read',
            type: 'tool',
            with: { reflex: 'files', name: 'read_file', args: { file_id: '${input.paper}' } },
          },
          { id: 'done', type: 'end', output: '${nodes.read.output.text}' },
        ],
        'keep > read',
        'read > done',
      ),
      input: { type: 'object', properties: { paper: { type: 'string', format: 'file' } }, required: ['paper'] },
    }
    const file = await upload({ bytes: 'first words', name: 'first.txt', type: 'text/plain' })
    const jobId = await startRun(client, definition, { paper: file.id })
    await completed(jobId)
    const { job_id: forked } = await fork(jobId, { from_node: 'read' })
    expect((await completed(forked)).result).toBe('first words')

    const other = await upload({ bytes: 'other words', name: 'other.txt', type: 'text/plain' })
    const { job_id: corrected } = await fork(jobId, { from_node: 'keep', input: { paper: other.id } })
    expect((await completed(corrected)).result).toBe('other words')
    expect(await findOwner(other.id)).toMatchObject({ job_id: corrected })
    const refused = await fork(jobId, { from_node: 'keep', input: { paper: other.id } })
    expect([refused.status, refused.details?.[0]?.pointer]).toEqual([400, '/input/paper'])
  })
})

describe('an unused file', () => {
  test('is visible to its uploader only', async () => {
    const file = await upload({ bytes: 'draft', name: 'draft.txt', type: 'text/plain' })
    const bob = await context.workspace.as('user:bob')
    expect((await context.workspace.client.get(`/v1/files/${file.id}`)).status).toBe(200)
    for (const path of [`/v1/files/${file.id}`, `/v1/files/${file.id}/content`])
      expect((await bob.get(path)).status).toBe(404)
    const sent = await chat('new', { neuron: 'reader', message: 'take it', files: [file.id] }, bob)
    expect(sent.status).toBe(400)
  })
})

describe('an upload', () => {
  test.each([
    ['a program', { bytes: Buffer.from('\u007fELF\u0002\u0001\u0001\0', 'latin1'), name: 'run' }, 415],
    ['a text that claims to be an image', { bytes: '<svg onload="x"/>', name: 'a.png', type: 'image/png' }, 415],
    ['an empty file', { bytes: '', name: 'empty.txt', type: 'text/plain' }, 400],
    ['more than 20 MB', { bytes: Buffer.alloc(25_000_000, 'a'), name: 'large.txt', type: 'text/plain' }, 413],
  ])('of %s is rejected', async (_, part, status) => {
    const reply = await uploadTo(context.workspace.client, '/v1/files', part)
    expect([reply.status, reply.body.id]).toEqual([status, undefined])
  })

  test('keeps the name of the file without its folders', async () => {
    const { file_name } = await upload({ bytes: 'x', name: '../../etc/passwd.txt', type: 'text/plain' })
    expect(file_name).toBe('passwd.txt')
    const { status } = await context.workspace.client.post('/v1/files', { text: 'x', file_name: '../passwd' })
    expect(status).toBe(400)
  })

  test('of HTML is downloaded as a file that no browser opens as a page of the service', async () => {
    const { id } = await upload({ bytes: '<html><script>1</script></html>', name: 'a.html', type: 'text/html' })
    const { header } = await download(`/v1/files/${id}/content`)
    expect(header('content-disposition')).toContain('attachment')
    expect(header('content-security-policy')).toBe("sandbox; default-src 'none'")
  })
})

describe('a deleted thread', () => {
  test('takes its files along', async () => {
    const { client } = context.workspace
    const file = await upload({ bytes: `secret ${randomUUID()}`, name: 'secret.txt', type: 'text/plain' })
    const { trace_id } = await say({ message: 'read this', files: [file.id] })
    const { body } = await client.del<{ job_id: string }>(`/v1/traces/${trace_id}`)
    expect((await client.get(`/v1/files/${file.id}`)).status).toBe(404)
    const { result } = await jobWith(client, body.job_id, 'completed')
    expect((result as { removed: object }).removed).toMatchObject({ files: 1, contents: 1 })
    const { status } = await chat('new', { neuron: 'reader', message: 'again', files: [file.id] })
    expect(status).toBe(400)
  })
})

/** Stores the row of a large file that nothing uses. Returns its id. */
async function fillUnused(actor: string, minutesAgo = 0): Promise<string> {
  const row = { id: randomUUID(), actor, file_name: 'large.pdf', media_type: 'application/pdf', charset: null }
  await context.stack.database.db.inWorkspace(context.workspace.id, async tx => {
    await insertFile(tx, { ...row, size: 60 * 1_048_576, sha256: '0'.repeat(64) })
    await execute(tx, 'update files set created_at = now() - make_interval(mins => $2) where id = $1', [
      row.id,
      minutesAgo,
    ])
  })
  return row.id
}

describe('a member', () => {
  test('cannot upload more files while 100 MiB are unused', async () => {
    const bob = await context.workspace.as('user:bob')
    await fillUnused('user:bob')
    await fillUnused('user:bob')
    const { status, body } = await uploadTo(bob, '/v1/files', { bytes: 'one more', name: 'a.txt', type: 'text/plain' })
    expect([status, body.message]).toEqual([409, expect.stringContaining('at most 104857600 bytes')])
  })
})

describe('a visitor', () => {
  const open = async () => {
    const { client, slug: workspace } = context.workspace
    const slug = `desk-${randomUUID()}`
    await client.post('/v1/receptors', { slug, title: 'Desk', target: { type: 'neuron', ref: 'reader' } })
    const { body } = await client.post<{ id: string; share_token: string }>('/v1/share-tokens', {
      name: 'desk',
      target: { type: 'receptor', id: slug },
    })
    const t = body.share_token
    const visitor = createClient(context.stack.baseUrl)
    const invoke = (fields: object) =>
      visitor.post<{ job_id: string; trace_id: string } & Refused>(`/v1/public/receptors/${workspace}/${slug}/invoke`, {
        t,
        ...fields,
      })
    return { id: body.id, t, visitor, invoke }
  }

  test('attaches files to messages, and downloads those of the own thread only', async () => {
    const { t, visitor, invoke } = await open()
    const { status, body: file } = await uploadTo(visitor, `/v1/public/files?t=${t}`, {
      bytes: 'from outside',
      name: 'note.txt',
      type: 'text/plain',
    })
    expect(status).toBe(201)
    const { body: sent } = await invoke({ message: 'See my note', files: [file.id] })
    await jobWith(context.workspace.client, sent.job_id, 'completed')
    const { body: shared } = await visitor.get<{ messages: { files?: object[] }[] }>(
      `/v1/public/traces/${sent.trace_id}?t=${t}`,
    )
    expect(shared.messages[0]?.files).toEqual([expect.objectContaining({ id: file.id, file_name: 'note.txt' })])
    const { text } = await download(`/v1/public/traces/${sent.trace_id}/files/${file.id}/content`, t)
    expect(text).toBe('from outside')

    const { body: other } = await invoke({ message: 'Another thread' })
    const path = (traceId: string) => `/v1/public/traces/${traceId}/files/${file.id}/content`
    expect((await download(path(other.trace_id), t)).status).toBe(404)
    const stranger = await open()
    expect((await download(path(sent.trace_id), stranger.t)).status).toBe(404)
    expect((await stranger.invoke({ message: 'Give me that', files: [file.id] })).status).toBe(400)
  })

  test('cannot stop the uploads of others: the oldest unused files are deleted', async () => {
    const { id, t, visitor } = await open()
    const [newer, oldest] = [await fillUnused(`share:${id}`, 1), await fillUnused(`share:${id}`, 2)]
    const note = { bytes: 'small', name: 'note.txt', type: 'text/plain' }
    const { status, body: file } = await uploadTo(visitor, `/v1/public/files?t=${t}`, note)
    expect([status, file.message]).toEqual([201, undefined])
    const { db } = context.stack.database
    const left = await db.inWorkspace(context.workspace.id, tx => findFiles(tx, [oldest, newer, file.id]))
    expect(left.map(row => row.id)).toEqual([newer, file.id])
  })

  test('without the right to write cannot upload', async () => {
    const { trace_id } = await say({ message: 'a thread to show' })
    const { body } = await context.workspace.client.post<{ share_token: string }>('/v1/share-tokens', {
      name: 'reading',
      target: { type: 'trace', id: trace_id },
      rights: ['read'],
    })
    const visitor = createClient(context.stack.baseUrl)
    const reply = await uploadTo(visitor, `/v1/public/files?t=${body.share_token}`, { bytes: 'x', name: 'x.txt' })
    expect(reply.status).toBe(403)
  })
})

describe('a pathway that answers in a thread', () => {
  test('gets the ids of the files, and can read them', async () => {
    const { client } = context.workspace
    const definition = pathway(
      [
        {
          id: 'read',
          type: 'tool',
          with: { reflex: 'files', name: 'read_file', args: { file_id: '${input.files[0]}' } },
        },
        { id: 'done', type: 'end', output: { text: 'It says: ${nodes.read.output.text}' } },
      ],
      'read > done',
    )
    const { body: stored } = await client.post<{ id: string }>('/v1/pathways', { title: 'Files', definition })
    const file = await upload({ bytes: 'three words here', name: 'w.txt', type: 'text/plain' })
    const { body } = await chat('new', { pathway: stored.id, message: 'Read it', files: [file.id] })
    await jobWith(client, body.job_id, 'completed')
    const text = await waitUntil(async () => {
      const { body: read } = await client.get<z.output<typeof thread>>(`/v1/traces/${body.trace_id}`)
      return read.messages.find(({ role }) => role === 'assistant')?.text
    })
    expect(text).toBe('It says: three words here')
  })
})

test('two steps of a run that use the same new file at once both get it', async () => {
  const { workspace, stack } = context
  const file = await upload({ bytes: 'Shared.', name: 'shared.txt', type: 'text/plain' })
  const job_id = await startRun(workspace.client, pathway([{ id: 'hold', type: 'wait', duration: 'PT1H' }]))
  const job = { job_id, root_job_id: job_id, workspace_id: workspace.id, people: [], rights: [] }
  const inside = <T>(work: (tx: Tx) => Promise<T>) => stack.database.db.inWorkspace(workspace.id, work)
  const [isUsed, isWaiting] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
  const first = inside(async tx => {
    const files = await useFiles(tx, job, [file.id])
    isUsed.resolve()
    const pid = await isWaiting.promise
    await waitUntil(async () => (await inside(other => execute(other, BLOCKED, [pid]))) > 0)
    return files
  })
  await isUsed.promise
  const second = inside(async tx => {
    isWaiting.resolve(requireRow(await selectOne(tx, { pid: integer() }, 'select pg_backend_pid() as pid')).pid)
    return useFiles(tx, job, [file.id])
  })
  expect((await Promise.all([first, second])).map(files => files.map(({ id }) => id))).toEqual([[file.id], [file.id]])
  await workspace.client.post(`/v1/jobs/${job_id}/cancel`)
})

/** Matches if another transaction blocks the connection. */
const BLOCKED = 'select where cardinality(pg_blocking_pids($1)) > 0'
