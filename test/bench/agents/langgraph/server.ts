import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { findPython, pipIntoVenv } from '../../../../dev/machine/python.ts'
import { installOnce } from '../../../../dev/machine/cache.ts'
import { nextFree } from '../../../../dev/machine/ports.ts'
import { waitUntil } from '../../../support/stack/process.ts'
import { createHearing, type Heard } from '../heard.ts'
import { type Plan, planned } from '../plan.ts'

const PACKAGES = ['langgraph-cli[inmem]==0.4.40', 'langgraph==1.2.24', 'langchain-openai==1.7.4']
/** More jobs than agents in a round. With the default of 10, the other agents would wait. */
const JOBS = 250

interface LangGraph {
  pid: number
  /** Runs a plan without a thread and follows the run's stream. Throws unless the run completes. */
  run(plan: Plan): Promise<Heard>
  stop(): Promise<void>
}

/** Starts LangGraph's development server with the agent of graph.py. The packages are installed once. */
export async function startLangGraph(providerUrl: string): Promise<LangGraph> {
  const venv = await installOnce('langgraph-0.4.40-1.2.24', async target => {
    const python = await findPython(() => Promise.reject(new Error('Python 3.10 with pip and venv is needed')))
    await pipIntoVenv(python, target, PACKAGES)
  })
  const folder = await mkdtemp(join(tmpdir(), 'ganglion-langgraph-'))
  const graphs = { agent: `${join(import.meta.dirname, 'graph.py')}:agent` }
  await writeFile(join(folder, 'langgraph.json'), JSON.stringify({ dependencies: ['.'], graphs }))
  const port = await nextFree()
  const args = ['-m', 'langgraph_cli', 'dev', '--no-browser', '--no-reload', '--host', '127.0.0.1']
  const child = spawn(
    join(venv, 'bin/python'),
    [...args, '--port', String(port), '--n-jobs-per-worker', String(JOBS)],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        BENCH_PROVIDER_URL: `${providerUrl}/v1`,
        LANGSMITH_TRACING: 'false',
        LANGGRAPH_NO_VERSION_CHECK: 'true',
        LOG_LEVEL: 'ERROR',
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: 'ignore',
    },
  )
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`langgraph dev ended with ${child.exitCode}`)
    return fetch(`${url}/ok`).then(
      response => response.ok,
      () => false,
    )
  }
  await waitUntil(isReady).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const dispatcher = new Agent({ connections: null, keepAliveTimeout: 60_000 })
  return { pid: child.pid ?? 0, run: plan => runAgent(url, dispatcher, plan), stop }
}

async function runAgent(url: string, dispatcher: Agent, plan: Plan): Promise<Heard> {
  const hearing = createHearing()
  const response = await request(`${url}/runs/stream`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      assistant_id: 'agent',
      input: { messages: [{ role: 'user', content: planned(plan) }] },
      stream_mode: ['messages-tuple'],
    }),
  })
  if (response.statusCode !== 200) throw new Error(`langgraph dev answered ${response.statusCode}`)
  let rest = ''
  for await (const chunk of response.body.setEncoding('utf8')) {
    const text = rest + String(chunk)
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (text.includes('event: error')) throw new Error(text.slice(0, 500))
    hearing.take(text.slice(0, end))
  }
  return hearing.end()
}
