import { formatProblems } from '../../domain/shared/json/json.ts'
import type { Logger } from 'pino'
import type { ReflexDocument, ReflexTool } from '../../domain/resources/kinds/reflexes.ts'
import type { Evaluator } from '../../services/pathways/evaluation/evaluator.ts'
import type { Outbound } from '../../services/tools/outbound/client.ts'
import type { Secrets } from '../tools/secrets.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { buildPrincipal } from '../tools/principal.ts'
import { toToolFailure, statusError } from '../tools/errors.ts'
import { listMcpTools } from '../tools/mcp/list.ts'
import type { DiscoverActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'
import type { ResourcesService } from '../../services/resources/resources.ts'
import type { ResourceView } from '../../contract/resources/resource.ts'
import { cut } from '../../domain/shared/text/shorten.ts'

export interface DiscoverDeps {
  resources: Pick<ResourcesService, 'read' | 'edit'>
  evaluator: Evaluator
  outbound: Outbound
  secrets: Secrets
  timeoutMs: number
  log: Logger
}

type Input = Parameters<DiscoverActivities['discover']>[0]

/**
 * Creates the `discover` activity, which reads the tools from a reflex's source and saves them if they have changed.
 */
export function createDiscoverActivity(deps: DiscoverDeps): DiscoverActivities['discover'] {
  const { resources, log } = deps

  async function discover(
    { job, reflex_id, requester }: Input,
    signal: AbortSignal,
  ): ReturnType<DiscoverActivities['discover']> {
    const principal = buildPrincipal({ job, requester })
    const head = await resources.read(principal, 'reflexes', reflex_id)
    const { document, version } = head
    const reflex = document as ReflexDocument
    const tools = await toolsAt(deps, head, job.workspace_id, signal)
    signal.throwIfAborted()
    if (JSON.stringify(tools) === JSON.stringify(reflex.tools)) return { reflex_id, version, tools: tools.length }
    const savedReflex = await resources.edit(
      principal,
      'reflexes',
      reflex_id,
      before => {
        const { url, source } = before.document as ReflexDocument
        if (url !== reflex.url || source !== reflex.source)
          throw new StepError('REFLEX_CHANGED', 'The reflex was changed in the meantime', { retryable: true })
        return { ...before, document: { ...before.document, tools } }
      },
      { note: `Tools as listed at ${new URL(reflex.url ?? '').host}` },
    )
    return { reflex_id, version: savedReflex.version, tools: tools.length }
  }

  const logFields = ({ reflex_id }: Input) => ({ reflex_id })
  return withHeartbeat({ log, subject: 'listing tools', logFields }, async (input: Input, { signal }) => {
    try {
      return await discover(input, signal)
    } catch (error) {
      throw toToolFailure(error)
    }
  })
}

async function toolsAt(
  deps: DiscoverDeps,
  head: ResourceView,
  workspace_id: string,
  signal: AbortSignal,
): Promise<ReflexTool[]> {
  const { source, url, secrets } = head.document as ReflexDocument
  if (url === undefined) throw new StepError('NOTHING_TO_LIST', 'The reflex has no url to list tools from')
  if (source === 'mcp') return listMcpTools(deps, { url, secrets, workspace_id }, signal)
  if (source === 'openapi') return describedTools(deps, head, { url, secrets, workspace_id }, signal)
  throw new StepError('NOTHING_TO_LIST', `A reflex with source ${source} cannot list tools`)
}

/** Reads the tools from an OpenAPI description, using the secrets that are permitted for its URL. */
async function describedTools(
  { outbound, secrets, evaluator }: DiscoverDeps,
  { title, slug, path, scope, brain_id, is_active, document }: ResourceView,
  { url, secrets: names, workspace_id }: { url: string; secrets: ReflexDocument['secrets']; workspace_id: string },
  signal: AbortSignal,
): Promise<ReflexTool[]> {
  const { headers: requestHeaders, redactor } = await secrets.permittedFor({ names, url, workspace_id })
  const accept = 'application/json, application/yaml;q=0.9, text/*;q=0.8'
  const headers = { 'user-agent': 'ganglion', accept, ...requestHeaders }
  const { status, headers: responseHeaders, body } = await outbound.request({ method: 'GET', url, headers, signal })
  if (status < 200 || status > 299)
    throw statusError(
      { host: new URL(url).host, status, headers: responseHeaders },
      body.subarray(0, 2_000).toString('utf8'),
      redactor,
    )
  // The description is validated in the same way as on a save.
  const openapi = body.toString('utf8')
  const fields = { title, slug, path, scope, brain_id, is_active, document: { ...document, openapi } }
  const read = await evaluator.evaluate(workspace_id, 'checkEditable', fields, 'reflexes')
  if ('value' in read) return (read.value.document as ReflexDocument).tools
  const problems = read.problems.map(({ pointer, message }) => ({ pointer: pointer.replace(DESCRIPTION, ''), message }))
  throw new StepError('OPENAPI_INVALID', cut(redactor.text(formatProblems(problems)), 1_000))
}

const DESCRIPTION = /^\/document\/openapi/
