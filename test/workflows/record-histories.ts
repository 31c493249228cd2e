import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { startLedger } from '../support/ledger.ts'
import { modelEnvironment } from '../support/agents.ts'
import { startModelServer } from '../support/model-server.ts'
import { startSpeechServer } from '../support/speech-server.ts'
import { startStack } from '../support/stack.ts'
import { AGENT_SCENARIOS } from './agent-scenarios.ts'
import { SCENARIOS } from './scenarios.ts'

// Plays the scenarios that have no history yet on the running components, and keeps theirs:
//   node test/workflows/record-histories.ts
// Histories stay as they are once committed: they stand for runs that are still open when a new version is deployed.
const [models, speech, ledger] = await Promise.all([startModelServer(), startSpeechServer(), startLedger()])
// Neurons of the older scenarios ask the default model.
const env = { ...modelEnvironment(models), MODEL_DEFAULT: 'builtin:extractive', SPEECH_URL: speech.base_url }
const stack = await startStack({ env })
const home = await stack.workspace({ actor: 'user:ann' })
const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS })
const client = new Client({ connection, namespace: stack.env.TEMPORAL_NAMESPACE })

for (const [name, play] of Object.entries({ ...SCENARIOS, ...AGENT_SCENARIOS })) {
  if (existsSync(fileOf(name))) continue
  const jobIds = await play({ home, ledger, models })
  for (const [i, jobId] of jobIds.entries()) {
    const run = client.workflow.getHandle(jobId)
    // The job's end is known a moment before the workflow's own.
    await run.result().catch(() => undefined)
    const history = await run.fetchHistory()
    const file = fileOf(`${name}${i > 0 ? `-${i}` : ''}`)
    writeFileSync(file, `${JSON.stringify(JSON.parse(historyToJSON(history)), withoutTraces, 1)}\n`)
    console.log(file)
  }
}
await connection.close()
await stack.stop()
await Promise.all([models.close(), speech.close(), ledger.close()])

function fileOf(history: string): string {
  return join(import.meta.dirname, 'histories', `${history}.json`)
}

/** Stack traces name folders of the machine, and replay does not read them. */
function withoutTraces(key: string, value: unknown): unknown {
  return key === 'stackTrace' ? undefined : value
}
