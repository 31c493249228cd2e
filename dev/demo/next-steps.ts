import { relative } from 'node:path'
import type { Job } from '@ganglion/client'
import { CHECKOUT } from '../machine/folders.ts'
import { credentialsFile } from '../stack/state/credentials.ts'
import type { Credentials } from '../stack/state/credentials.ts'
import { STATE_DIR } from '../stack/stack.ts'
import { INVOICE_FILE } from './pathway.ts'

interface Runs {
  paid: Job
  report: Job
}

interface Addresses {
  payUrl: string
  /** One-time sign-in link for a browser. */
  signInLink: string
}

/** Builds the final message of the demo, with links and commands that contain real ids and addresses. */
export function nextSteps(
  { paid: job, report }: Runs,
  credentials: Credentials,
  { payUrl, signInLink }: Addresses,
): string {
  const file = `./${relative(CHECKOUT, credentialsFile(STATE_DIR))}`
  const invoice = relative(CHECKOUT, INVOICE_FILE)
  const input = `{input: {text: fs.readFileSync("${invoice}", "utf8"), pay_url: "${payUrl}"}}`
  return `
Runs in the Temporal UI:
  ${job.temporal_url}
  ${report.temporal_url}

Sign in with a browser as the owner of the workspace (the link works once, within 15 minutes):
  ${signInLink}

Continue on the command line (everything keeps running until "npm stop"):
  node -p 'require("${file}").api_key' | npx ganglion login --url ${credentials.base_url} --with-key-stdin
  npx ganglion jobs get ${job.job_id}
  npx ganglion run invoice-approval -i text=@${invoice} -i pay_url=${payUrl}
  npx ganglion inbox list
  npx ganglion search "parental leave" --path /handbook
  npx ganglion chat handbook-editor
  npx ganglion --help

Try the chat for visitors on a website:
  examples/web-chat/run.sh

Or use curl:
  BASE=${credentials.base_url}
  AUTH="Authorization: Bearer $(node -p 'require("${file}").api_key')"

  # Read the job with its nodes, then replay its stream
  curl -s $BASE/v1/jobs/${job.job_id} -H "$AUTH"
  curl -sN $BASE/v1/jobs/${job.job_id}/stream -H "$AUTH"

  # Start another run, list open tasks, answer one
  curl -s $BASE/v1/pathways/invoice-approval/execute -H "$AUTH" -H 'Content-Type: application/json' \\
    -d "$(node -p 'JSON.stringify(${input})')"
  curl -s "$BASE/v1/interventions?status=open" -H "$AUTH"
  curl -s $BASE/v1/jobs/JOB_ID/input -H "$AUTH" -H 'Content-Type: application/json' \\
    -d '{"workspace_id": "${credentials.workspace_id}", "input": {"type": "intervention_response", "interventionId": "INTERVENTION_ID", "action": "approve"}}'

  # List payments, then the messages and artifacts of the agent
  curl -s ${payUrl}
  curl -s $BASE/v1/traces/${report.trace_id} -H "$AUTH"
  curl -s $BASE/v1/artifacts -H "$AUTH"
`
}
