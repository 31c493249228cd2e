import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createSessions } from '../../../services/access/credentials/sessions.ts'
import { CLI, type CliFixture, createCli } from '../../support/clients/cli.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { asked, askThenEnd, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'

const context = useStack()

let cli: CliFixture
beforeAll(() => {
  cli = createCli({ GANGLION_URL: context.stack.baseUrl, GANGLION_API_KEY: context.workspace.api_key })
})
afterAll(() => cli.remove())

async function succeed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.run(args)
  if (code !== 0) throw new Error(`ganglion ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

const json = async <T>(...args: string[]) => JSON.parse(await succeed(...args, '--json')) as T

describe('resources as files', () => {
  test('a second apply changes nothing, a dry run lists the changes that an apply would make, and a pull keeps comments', async () => {
    await succeed('init', 'flows')
    const planned = await json<{ action: string }[]>('apply', '-f', 'flows', '--dry-run')
    const applied = await json<{ action: string; version: number }[]>('apply', '-f', 'flows')
    expect(applied.map(({ action }) => action)).toEqual(planned.map(({ action }) => action))
    expect(applied).toEqual([{ action: 'create', kind: 'pathways', slug: 'hello', version: 1 }])
    expect(await json('apply', '-f', 'flows')).toEqual([
      { action: 'unchanged', kind: 'pathways', slug: 'hello', version: 1 },
    ])
    const file = join(cli.folder, 'flows/pathways/hello.yaml')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace('title: Hello', 'title: Hello again'))
    const changed = await cli.run(['diff', '-f', 'flows'])
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('+title: Hello again')])
    expect(await json('apply', '-f', 'flows', '--dry-run')).toMatchObject([
      { action: 'update', changed: ['title'], version: 1 },
    ])
    expect(await json('apply', '-f', 'flows')).toMatchObject([{ action: 'update', changed: ['title'] }])
    expect((await cli.run(['pull', 'pathways/hello', '--out', 'flows'])).code).toBe(6)
    await succeed('pull', 'pathways/hello', '--out', 'flows', '--force')
    const pulled = readFileSync(file, 'utf8')
    expect(pulled).toContain('# A pathway (workflow) with an approval.')
    expect(pulled).toContain('scope: ')
    expect(await json('apply', '-f', 'flows')).toMatchObject([{ action: 'unchanged' }])
    expect(await succeed('diff', '-f', 'flows')).toBe('')
    expect(await json('pull', 'pathways/hello', '--out', 'flows')).toMatchObject([{ action: 'unchanged' }])
    expect(await json('pathways', 'restore', 'hello', '--version', '1')).toMatchObject({ slug: 'hello' })
    expect(await json('pathways', 'get', 'hello', '--version', '1')).toMatchObject({ title: 'Hello', version: 1 })
    expect(await json('pathways', 'validate', 'flows/pathways/hello.yaml')).toMatchObject({ valid: true })
    writeFileSync(file, before.replace('to: greeted', 'to: nowhere'))
    expect((await cli.run(['pathways', 'validate', 'flows/pathways/hello.yaml'])).stdout).toContain('"nowhere"')
    expect((await cli.run(['pathways', 'create', 'flows/pathways/hello.yaml'])).code).toBe(1)
  })

  test('a dry run validates the files on the service, and lists the files that it skips', async () => {
    const folder = join(cli.folder, 'checked')
    mkdirSync(folder)
    const files = {
      'README.md': '# Notes',
      'front.yaml': 'kind: receptor\nslug: dry-front\ntitle: Front\ntarget: { type: neuron, ref: dry-helper }\n',
      'helper.yaml': 'kind: neuron\nslug: dry-helper\ntitle: Helper\ninstructions: Be brief.\nskills: [dry-skill]\n',
      'skill.yaml': 'kind: skill\nslug: dry-skill\ntitle: Skill\ninstructions: Greet.\n',
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const dry = await cli.run(['apply', '-f', 'checked', '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('would create receptors/dry-front')])
    expect(dry.stderr).toContain('skipped checked/README.md')
    expect((await cli.run(['skills', 'get', 'dry-skill'])).code).toBe(5)
    writeFileSync(join(folder, 'skill.yaml'), 'kind: skill\nslug: dry-skill\ntitle: Skill\ninstruction: Greet.\n')
    const invalid = await cli.run(['apply', '-f', 'checked', '--dry-run'])
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('checked/skill.yaml) /instruction')])
    expect((await cli.run(['diff', '-f', 'checked'])).code).toBe(2)
    writeFileSync(join(folder, 'skill.yaml'), files['skill.yaml'])
    await succeed('apply', '-f', 'checked')
    expect(await succeed('diff', '-f', 'checked')).toBe('')
  })

  test('a resource is saved after the resources that it refers to, and only a confirmed --prune deletes resources', async () => {
    const folder = join(cli.folder, 'kinds')
    mkdirSync(folder)
    const files = {
      'a-receptor.yaml': 'kind: receptor\nslug: cli-front\ntitle: Front\ntarget: { type: neuron, ref: cli-helper }\n',
      'b-neuron.yaml':
        'kind: neuron\nslug: cli-helper\ntitle: Helper\ninstructions: Be brief.\nskills: [cli-skill]\n---\nkind: skill\nslug: cli-skill\ntitle: Skill\ninstructions: Greet.\n',
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const applied = await json<{ action: string; kind: string; slug: string; version: number }[]>(
      'apply',
      '-f',
      'kinds',
    )
    expect(applied.map(({ action }) => action)).toEqual(['create', 'create', 'create'])
    expect(await json<{ action: string }[]>('apply', '-f', 'kinds')).toEqual(
      applied.map(({ kind, slug, version }) => ({ action: 'unchanged', kind, slug, version })),
    )
    writeFileSync(join(folder, 'b-neuron.yaml'), 'kind: skill\nslug: cli-other\ntitle: Other\ninstructions: Greet.\n')
    expect(await succeed('apply', '-f', 'kinds/b-neuron.yaml')).toContain('created skills/cli-other')
    expect(await succeed('skills', 'list')).toContain('cli-skill')
    expect((await cli.run(['apply', '-f', 'kinds/b-neuron.yaml', '--prune'])).code).toBe(2)
    expect(await succeed('apply', '-f', 'kinds/b-neuron.yaml', '--prune', '--yes')).toContain(
      'deleted skills/cli-skill',
    )
    expect(await succeed('skills', 'list')).not.toContain('cli-skill')
  })
})

describe('runs', () => {
  test("a person at a terminal answers a run's questions; otherwise they stay open", async () => {
    await succeed('init', 'project')
    writeFileSync(
      join(cli.folder, 'project/pathways/hello.yaml'),
      readFileSync(join(cli.folder, 'project/pathways/hello.yaml'), 'utf8').replace('slug: hello', 'slug: cli-hello'),
    )
    await succeed('apply', '-f', 'project')
    const away = await cli.run(['run', 'cli-hello', '-i', 'name=Ann', '--yes'])
    expect(away.code).toBe(7)
    expect(away.stderr).toContain('Greet Ann?')
    const [, id = ''] = /inbox answer (\S+)/.exec(away.stderr) ?? []
    const [, job = ''] = /jobs follow (\S+)/.exec(away.stderr) ?? []
    expect((await cli.run(['inbox', 'answer', id])).code).toBe(7)
    expect(await succeed('inbox', 'answer', id, '--reject', '--comment', 'not now')).toContain('reject by user:ann')
    expect(await json('jobs', 'follow', job)).toEqual({ greeting: null })

    const { output, code } = await atTerminal(
      `"$NODE" "$CLI" run cli-hello -i name=Bob --json`,
      'Approve or reject?',
      'a\n',
      'Comment',
      'fine\n',
    )
    expect([code, output.includes('"greeting": "Hello Bob"')]).toEqual([0, true])
    expect(await json('run', 'cli-hello', '-i', 'name=Eve', '--answer', 'ask=approve')).toEqual({
      greeting: 'Hello Eve',
    })
  })

  test('the commands for the service, the key and the stream work', async () => {
    expect(await json('doctor')).toMatchObject({ ok: true })
    expect(await json('whoami')).toMatchObject({ workspace: { slug: context.workspace.slug } })
    expect(await succeed('api', 'GET', '/v1/session/nonsense').catch((error: Error) => error.message)).toContain(
      'ended with 5',
    )
  })
})

describe('operations', () => {
  const hold = (title: string) => ({ ...pathway([{ id: 'hold', type: 'wait', duration: 'PT1H' }]), run_title: title })

  test('a failed run can be diagnosed, continued with a corrected output, and retried', async () => {
    const url = `${context.ledger.url}/cli-pay?status=\${nodes.price.output == 7 ? 422 : 200}`
    const nodes = [
      { id: 'price', type: 'transform', with: { value: 7 } },
      { id: 'pay', type: 'http', with: { method: 'POST', url } },
    ]
    const job = await startRun(context.workspace.client, pathway(nodes, 'price > pay'))
    await jobWith(context.workspace.client, job, 'failed')
    expect(await succeed('jobs', 'diagnose', job)).toContain('Failed: ')
    expect(await succeed('jobs', 'causes', '--status', 'failed')).toMatch(/^\d+\tdone$/m)
    const dry = await succeed('jobs', 'fork', job, '--from', 'pay', '--output', 'price=8', '--dry-run')
    expect(dry.split('\n').filter(Boolean)).toEqual([
      'replaced\tprice',
      'runs\tpay\tfork point',
      'repeated\tpay\tfailed before',
    ])
    const forked = await json<{ job_id: string }>('jobs', 'fork', job, '--from', 'pay', '--output', 'price=8')
    expect(await json('jobs', 'result', forked.job_id)).toMatchObject({ status: 200 })
    const retried = await json<{ job_id: string }>('jobs', 'retry', job, '--output', 'price=9')
    expect(await json('jobs', 'result', retried.job_id)).toMatchObject({ status: 200 })
  })

  test('a bulk job pauses and cancels all runs that match a filter, after a preview', async () => {
    const ids = [
      await startRun(context.workspace.client, hold('CLI many')),
      await startRun(context.workspace.client, hold('CLI many')),
    ]
    for (const id of ids) await jobWith(context.workspace.client, id, 'waiting')
    const filter = ['--title', 'CLI many']
    expect(await succeed('jobs', 'bulk', 'pause', ...filter, '--dry-run')).toContain('pause applies to 2 of 2 runs')
    expect((await cli.run(['jobs', 'bulk', 'pause', ...filter])).code).toBe(2)
    const bulk = async (operation: string, ...more: string[]) => {
      const { job_id } = await json<{ job_id: string }>('jobs', 'bulk', operation, ...filter, '--yes', ...more)
      return json('jobs', 'follow', job_id)
    }
    expect(await bulk('pause', '--reason', 'an incident')).toMatchObject({ operation: 'pause', done: 2 })
    for (const id of ids) await jobWith(context.workspace.client, id, 'paused')
    expect((await cli.run(['jobs', 'bulk', 'cancel', '--yes'])).stderr).toContain('--everything')
    expect(await bulk('cancel')).toMatchObject({ operation: 'cancel', done: 2 })
    for (const id of ids) await jobWith(context.workspace.client, id, 'failed')
  })

  test('waiting runs can be moved to another version and back', async () => {
    const { post, patch } = context.workspace.client
    const { body } = await post<{ id: string }>('/v1/pathways', {
      title: 'CLI moved',
      slug: 'cli-moved',
      definition: askThenEnd('one'),
    })
    await patch(`/v1/pathways/${body.id}`, { definition: askThenEnd('two') })
    const { job_id: job } = (await post<{ job_id: string }>('/v1/jobs', { pathway_id: 'cli-moved@1' })).body
    await jobWith(context.workspace.client, job, 'waiting')
    const move = ['jobs', 'migrate', 'cli-moved', '--from', '1', '--to', '2', '--job', job]
    expect(await succeed(...move, '--dry-run')).toBe(`can move\t${job}\n`)
    expect(await succeed(...move, '--yes')).toBe(`moved\t${job}\n`)
    expect(await succeed('jobs', 'undo-migration', job)).toContain('uses version 1 again')
    expect(await json('jobs', 'get', job)).toMatchObject({ pathway_version: 1, status: 'waiting' })
    expect(await succeed('jobs', 'cancel', job)).toContain(`Cancelled ${job}`)
  })

  test('a task can be claimed, commented on, reassigned, decided and reopened, and its evidence can be saved', async () => {
    const definition = askThenEnd('done', { assignees: ['user:ann', 'user:bob'] })
    const job = await startRun(context.workspace.client, definition)
    const [question] = await asked(context.workspace.client, job)
    const id = question?.interventionId ?? ''
    const GANGLION_API_KEY = await context.workspace.newKey({ actor: 'user:bob' })
    const asBob = (...args: string[]) => cli.run(args, { env: { GANGLION_API_KEY } })
    await succeed('inbox', 'claim', id)
    expect((await asBob('inbox', 'answer', id, '--approve')).stderr).toContain('user:ann')
    await succeed('inbox', 'comment', id, 'asking Acme')
    await succeed('inbox', 'release', id)
    await succeed('inbox', 'delegate', id, '--to', 'user:bob')
    await succeed('inbox', 'reassign', id, '--to', 'user:bob')
    expect((await asBob('inbox', 'answer', id, '--approve')).code).toBe(0)
    await jobWith(context.workspace.client, job)
    const evidence = await json<{ document: object }>('inbox', 'evidence', id)
    expect(evidence.document).toMatchObject({ votes: [{ statement: { vote: { by: 'user:bob', action: 'approve' } } }] })
    const reopened = await asBob('inbox', 'reopen', id, '--reason', 'new facts', '--json')
    const { job_id: again } = JSON.parse(reopened.stdout) as { job_id: string }
    await asked(context.workspace.client, again)
    await succeed('jobs', 'cancel', again)
  })
})

test('a signed-in person can manage API keys, but a key cannot', async () => {
  expect((await cli.run(['keys', 'list'])).code).toBe(4)
  const { db } = context.stack.database
  const operator = { workspace_id: context.workspace.id, ...OPERATOR }
  await createMembers({ db }).save(operator, { actor: 'user:olga', role: 'owner' })
  const secret = context.stack.env['API_KEY_SECRET'] ?? ''
  const { token } = await createSessions({ db, secret, hours: 1 }).createLink(operator, 'user:olga')
  const own = createCli()
  const input = `${context.stack.baseUrl}/console/sign-in#${token}\n`
  const login = await own.run(['login', '--session', '--with-key-stdin', '--json'], { input })
  expect([login.code, JSON.parse(login.stdout)]).toMatchObject([0, { actor: 'user:olga', profile: 'default' }])
  expect((await own.run(['login', '--session', '--with-key-stdin'], { input })).code).toBe(4)

  const made = await own.run(['keys', 'create', 'reports', '--permissions', 'jobs:read', '--json'])
  const { id, api_key } = JSON.parse(made.stdout) as { id: string; api_key: string }
  const withKey = { GANGLION_API_KEY: api_key }
  expect((await own.run(['jobs', 'list'], { env: withKey })).code).toBe(0)
  expect((await own.run(['search', 'x'], { env: withKey })).code).toBe(4)
  const listed = await own.run(['keys', 'list', '--json'])
  expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id, permissions: ['jobs:read'] }))
  expect((await own.run(['keys', 'rotate', id])).stdout).toMatch(/^gng_\S+\n$/)
  expect((await own.run(['keys', 'revoke', id])).code).toBe(2)
  expect((await own.run(['keys', 'revoke', id, '--yes'])).code).toBe(0)
  await own.run(['logout'])
  expect((await own.run(['keys', 'list'])).code).toBe(4)
  own.remove()
})

describe('files for messages', () => {
  const readFiles = async (traceId: string) => {
    const { body } = await context.workspace.client.get<{ messages: { files?: { file_name: string }[] }[] }>(
      `/v1/traces/${traceId}`,
    )
    return body.messages.map(({ files = [] }) => files.map(({ file_name }) => file_name))
  }

  test('are uploaded, and can be input of a run', async () => {
    writeFileSync(join(cli.folder, 'lease.txt'), 'The rent is 900 euros.')
    const id = (await succeed('files', 'upload', 'lease.txt')).trim()
    expect(await json('files', 'cat', id)).toMatchObject({ id, content: 'The rent is 900 euros.' })
    const definition = {
      ...pathway([{ id: 'z', type: 'end', output: '${input.paper}' }]),
      input: { type: 'object', properties: { paper: { type: 'string', format: 'file' } }, required: ['paper'] },
    }
    writeFileSync(join(cli.folder, 'review.yaml'), JSON.stringify({ kind: 'pathway', title: 'Review', definition }))
    expect(await json('run', '--file', 'review.yaml', '-i', `paper=${id}`)).toBe(id)
    const { body } = await context.workspace.client.get<{ job_id?: string }>(`/v1/files/${id}`)
    expect(body.job_id).toContain('inline')
    expect((await cli.run(['files', 'cat', '01a22693-2adb-70dd-8443-640fd3459e20'])).code).toBe(5)
  })

  test('are attached to a message of a chat, or to a single message', async () => {
    const neuron = { title: 'Reader', slug: 'cli-reader', neuron_type: 'completion', model: 'builtin:extractive' }
    await context.workspace.client.post('/v1/neurons', neuron)
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(cli.folder, name), `Text of ${name}.`)
    const files = ['--file', 'a.txt', '--file', 'b.txt']
    const chat = await cli.run(['chat', 'cli-reader', '--message', 'What is this?', ...files])
    const [, traceId = ''] = /thread (\S+)/.exec(chat.stderr) ?? []
    expect((await readFiles(traceId))[0]).toEqual(['a.txt', 'b.txt'])
    await succeed('neurons', 'invoke', 'cli-reader', 'And this?', '--trace', traceId, '--file', 'a.txt')
    expect(await readFiles(traceId)).toEqual([['a.txt', 'b.txt'], [], ['a.txt'], []])
  })

  test.each([
    ['does not exist', 'missing.txt'],
    ['is not a file', '.'],
  ])('are not sent if a path %s', async (message, path) => {
    const { code, stderr } = await cli.run(['neurons', 'invoke', 'cli-reader', 'Read', '--file', path])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} ${message}`)])
    expect((await cli.run(['files', 'upload', path])).code).toBe(2)
  })
})

test('an interrupted folder ingest resumes, and each file is one document', async () => {
  const folder = join(cli.folder, 'documents')
  mkdirSync(join(folder, 'inner'), { recursive: true })
  const FILES = 12
  for (let i = 0; i < FILES; i++) writeFileSync(join(folder, i % 2 ? 'inner' : '.', `cli-${i}.txt`), `text ${i}`)
  const killed = spawn(
    process.execPath,
    [CLI, 'docs', 'ingest', 'documents', '--path', '/cli', '--concurrency', '1', '--json=lines'],
    { cwd: cli.folder, env: cli.env },
  )
  let sent = 0
  killed.stdout.on('data', () => (sent += 1))
  await waitUntil(() => sent >= 3)
  killed.kill('SIGKILL')
  const outcomes = await json<{ status: string; asset_id: string }[]>('docs', 'ingest', 'documents', '--path', '/cli')
  expect(outcomes).toHaveLength(FILES)
  expect(outcomes.filter(({ status }) => status === 'done before').length).toBeGreaterThanOrEqual(3)
  expect(outcomes.filter(({ status }) => status === 'failed')).toEqual([])
  const assets = await json<{ path: string; source_key: string; version: number }[]>('docs', 'list', '--all')
  const own = assets.filter(({ path }) => path.startsWith('/cli'))
  expect(own).toHaveLength(FILES)
  expect(own.every(({ version }) => version === 1)).toBe(true)
  expect(own.filter(({ path }) => path === '/cli/inner')).toHaveLength(FILES / 2)
})

test('files with the same name in two folders are two documents, and the output shows the outcome for each', async () => {
  const [name, other] = ['form.csv', join(cli.folder, 'case-b')]
  for (const folder of ['case-a', 'case-b']) {
    mkdirSync(join(cli.folder, folder))
    writeFileSync(join(cli.folder, folder, name), Buffer.from([0xd6, 0xd0, 0x2c, 0x31, 0x0a]))
  }
  type Outcome = { status: string; asset_id: string }
  const send = async (...args: string[]) => {
    const [outcome] = await json<Outcome[]>('docs', 'ingest', ...args, '--charset', 'gbk')
    return outcome as Outcome
  }
  const [one, two] = [await send('case-a'), await send('case-b')]
  expect([one.status, two.status, one.asset_id === two.asset_id]).toEqual(['created', 'created', false])
  expect(await send(join('case-a', name))).toEqual({ ...one, status: 'unchanged' })
  writeFileSync(join(other, name), Buffer.from([0xce, 0xc4, 0x2c, 0x31, 0x0a]))
  expect(await send('case-b')).toMatchObject({ status: 'new version', asset_id: two.asset_id })
  expect(await json('docs', 'get', two.asset_id)).toMatchObject({ charset: 'gbk', media_type: 'text/csv', version: 2 })
  const [planned] = await json<{ path: string; source_key: string }[]>('docs', 'ingest', 'case-b', '--dry-run')
  expect(planned).toMatchObject({ path: '/', source_key: expect.stringMatching(/\/case-b\/form\.csv$/) })
})

/** Runs a command in a pseudo-terminal, and types each text once the output before it has appeared. */
function atTerminal(command: string, ...dialog: string[]): Promise<{ output: string; code: number }> {
  const env = { ...cli.env, NODE: process.execPath, CLI, CI: '' }
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: cli.folder, env })
  const left = [...dialog]
  let [output, read] = ['', 0]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const [shown = '', typed = ''] = left
    if (shown === '' || !output.slice(read).includes(shown)) return
    read = output.length
    left.splice(0, 2)
    child.stdin.write(typed)
  })
  return new Promise(resolve => child.on('close', code => resolve({ output, code: code ?? -1 })))
}
