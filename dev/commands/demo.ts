import { join } from 'node:path'
import { isRunning } from '../machine/process.ts'
import { nextSteps } from '../demo/next-steps.ts'
import { Ganglion, type Job } from '@ganglion/client'
import { runAgent } from '../demo/agent.ts'
import { runSample } from '../demo/run.ts'
import { runTrigger } from '../demo/trigger.ts'
import { answers, startApps } from '../stack/apps.ts'
import { demoCredentials, makeSignInLink } from '../stack/state/credentials.ts'
import { openStateDir } from '../stack/state/state-dir.ts'
import { STATE_DIR, startStack } from '../stack/stack.ts'
import { logLine } from '../stack/log.ts'
import { readState } from '../stack/state/state.ts'
import type { Command } from './command.ts'
import { untilInterrupted } from './interrupt.ts'

/** Exit code of an interrupted command. */
const INTERRUPTED = 130

/**
 * `npm run demo [-- --yes]`: starts the stack if needed, and runs the sample pathway with the sample invoice. An
 * agent then writes a note based on the sample handbook, and a request fires a trigger. The started components keep
 * running, so that you can continue. If `npm start` is running, they stop when it stops.
 */
export const demo: Command = async args => {
  const stateDir = openStateDir(STATE_DIR)
  const stays = !readState(STATE_DIR).leases.some(isRunning)
  const interrupted = untilInterrupted()
  const stack = await startStack({ stays, interrupted })
  interrupted.addEventListener('abort', () => process.exit(INTERRUPTED))
  const credentials = await demoCredentials(STATE_DIR, stack)
  const payUrl = `http://127.0.0.1:${stack.ports.payments}/payments`
  const env = { PORT: String(stack.ports.payments), PAYMENTS_FILE: join(STATE_DIR, 'payments.jsonl') }
  const payments = { name: 'payments', script: 'dev/demo/payments-main.ts', env, check: () => answers(payUrl) }
  await startApps([payments], { stateDir, log: logLine, stays })
  const ganglion = new Ganglion({ baseUrl: credentials.base_url, apiKey: credentials.api_key })
  const attended = { ganglion, yes: args.includes('--yes') || args.includes('-y') }
  const paid = await runSample({ ...attended, payUrl })
  process.stdout.write(`\n${outcome(paid)}\n`)
  const report = await runAgent(attended)
  process.stdout.write(`\n${outcome(report)}\n`)
  await runTrigger(ganglion, credentials.base_url)
  const signInLink = await makeSignInLink(stack, credentials)
  process.stdout.write(nextSteps({ paid, report }, credentials, { payUrl, signInLink }))
  return [paid, report].every(({ status }) => status === 'completed') ? 0 : 1
}

function outcome(job: Job): string {
  if (job.status === 'completed') return `Result:\n${JSON.stringify(job.result, null, 2)}`
  if (job.status === 'failed') return `The run failed: ${job.failedReason}`
  return `The run is ${job.status}. It continues after you answer it.`
}
