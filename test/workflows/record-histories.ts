import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { startLedger } from '../support/shared/ledger.ts'
import { modelEnvironment } from '../support/agents/scripted-providers.ts'
import { startModelServer } from '../support/agents/model-server.ts'
import { startSpeechServer } from '../support/speech/speech-server.ts'
import { startStack } from '../support/stack/stack.ts'
import { AGENT_SCENARIOS } from './agent-scenarios.ts'
import { SCENARIOS } from './scenarios.ts'

// Runs the scenarios that have no history yet on the running components, and records their histories: node
// test/workflows/record-histories.ts A committed history is never changed, because it represents runs that are open
// when a new version is deployed.
const [models, speech, ledger] = await Promise.all([startModelServer(), startSpeechServer(), startLedger()])
// Some scenarios use the default model.
const env = { ...modelEnvironment(models), MODEL_DEFAULT: 'builtin:extractive', SPEECH_URL: speech.base_url }
const stack = await startStack({ env })
const workspace = await stack.workspace({ actor: 'user:ann' })
const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS })
const client = new Client({ connection, namespace: stack.env.TEMPORAL_NAMESPACE })

for (const [name, runScenario] of Object.entries({ ...SCENARIOS, ...AGENT_SCENARIOS })) {
  if (existsSync(toHistoryFile(name))) continue
  const jobIds = await runScenario({ workspace, ledger, models })
  for (const [i, jobId] of jobIds.entries()) {
    const run = client.workflow.getHandle(jobId)
    // The job ends shortly before its workflow.
    await run.result().catch(() => undefined)
    const history = await run.fetchHistory()
    const file = toHistoryFile(`${name}${i > 0 ? `-${i}` : ''}`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(JSON.parse(historyToJSON(history)), omitStackTrace, 1)}\n`)
    console.log(file)
  }
}
await connection.close()
await stack.stop()
await Promise.all([models.close(), speech.close(), ledger.close()])

function toHistoryFile(history: string): string {
  return join(import.meta.dirname, 'histories', `${history}.json`)
}

/** Omits stack traces, because they contain local paths and replay does not read them. */
function omitStackTrace(key: string, value: unknown): unknown {
  return key === 'stackTrace' ? undefined : value
}
