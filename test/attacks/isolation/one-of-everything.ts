import { audioBody } from '../../support/speech/audio.ts'
import { type ApiClient, sendUntilTaken } from '../../support/clients/client.ts'
import { readAsset } from '../../support/documents/documents.ts'
import { piece } from '../../support/speech/meetings.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import type { InterventionView } from '../../../contract/people/intervention.ts'
import type { JobSummaryView } from '../../../contract/runs/job.ts'
import type { SpeechServer } from '../../support/speech/speech-server.ts'

/** Ids and slugs by API collection: `{neurons: [id, slug], jobs: [id, ...], ...}`. */
export type Owned = Record<string, string[]>

interface Sources {
  /** A word in the titles and in the document, which requests may contain. */
  marker: string
  /** A word in all other texts, which no request contains. */
  secret: string
  speech: SpeechServer
  /** URL of an OpenAPI document. */
  openapi_url: string
}

interface Named {
  id: string
  slug: string
  job_id: string
  trace_id: string
}

/** The source key of the ingested document. */
export const SOURCE_KEY = 'crm/4417'
export const documentOf = (marker: string): string => `The ${marker} merges with Nimbus in May.`

/** Creates a resource of every kind with one key, each with two versions, and a job of every kind. */
export async function createOneOfEverything(client: ApiClient, sources: Sources): Promise<Owned> {
  const { marker, secret, speech, openapi_url } = sources
  const post = (path: string, body: object) => accepted(client, path, body)
  const create = async (collection: string, fields: object): Promise<string[]> => {
    const body = { title: `${marker} ${collection}`, path: `/${marker}`, ...fields }
    const { id, slug } = await post(`/v1/${collection}`, body)
    return [id, slug]
  }
  const say = pathway([{ id: 'say', type: 'transform', with: { value: secret } }])
  const pathways = await create('pathways', { definition: say })
  const neurons = await create('neurons', { model: 'builtin:extractive', instructions: `Know the ${secret}.` })
  const [neuron = ''] = neurons
  const target = { type: 'neuron', ref: neuron }
  const receptors = await create('receptors', { target, greeting: secret })
  const reflexes = await create('reflexes', { source: 'openapi', url: openapi_url })
  const skills = await create('skills', { instructions: secret })
  const artifacts = await create('artifacts', { content: `${documentOf(marker)} ${secret}` })
  const meetings = await create('meetings', {})
  const person = { id: 'eve', name: `${secret} Eve` }
  const maps = await create('resources/stakeholder_maps', { snapshot: { stakeholders: [person] } })
  const timed = { trigger_type: 'schedule', schedule: { cron: '0 0 1 1 *' }, input: { message: secret } }
  const triggers = await create('resources/triggers', { document: { description: secret, target, ...timed } })
  const { id: recollection } = await post('/v1/recollections', { neuron, text: `${marker} ${secret} likes tea` })
  const document = {
    title: `${marker} assets`,
    text: `<p>${documentOf(marker)}</p>`,
    mime_type: 'text/html',
    description: secret,
    source_key: SOURCE_KEY,
    path: `/${marker}`,
  }
  const { asset } = await accepted<{ asset: Named & { brain_id: string | null } }>(
    client,
    '/v1/assets/ingest',
    document,
  )
  await readAsset(client, asset.id)
  const assets = [asset.id, asset.slug]
  const [gone = ''] = await create('resources/skills', { document: { instructions: secret } })
  const { body: purge } = await client.del<Named>(`/v1/resources/skills/${gone}?purge=true`)
  const hooked = { trigger_type: 'webhook', webhook: { signature: { scheme: 'github' } } }
  const yearly = { trigger_type: 'schedule', schedule: { cron: '0 0 1 1 *' } }
  for (const settings of [hooked, yearly])
    triggers.push(
      ...(await create('resources/triggers', {
        document: { description: secret, target, input: { message: 'hello' }, ...settings },
      })),
    )
  const firing = await post(`/v1/triggers/${triggers[0]}/fire`, { input: { message: secret } })
  const resources = { pathways, neurons, receptors, reflexes, skills, artifacts, meetings, assets, triggers }
  for (const [kind, [id]] of Object.entries({ ...resources, stakeholder_maps: maps })) {
    const delta = { stakeholders: { add: [{ id: 'bo', name: `${secret} Bo` }] } }
    await post(
      `/v1/resources/${kind}/${id}/patch`,
      kind === 'stakeholder_maps' ? { delta } : { merge: { title: `${marker} again` } },
    )
  }

  const hook = { url: openapi_url, event_types: ['webhook.*'], description: secret }
  const { id: webhook } = await post('/v1/webhooks', hook)
  const { id: delivery } = await post(`/v1/webhooks/${webhook}/test`, {})
  const human = { id: 'ask', type: 'human', kind: 'approval', title: `Approve the ${secret}?`, context: secret }
  const ask = pathway([human, { id: 'done', type: 'end' }], 'ask.approve > done', 'ask.reject > done')
  const late = { ...human, due: 'PT0.1S' }
  const done = { id: 'done', type: 'end' }
  const tooLate = pathway([late, done], 'ask.approve > done', 'ask.reject > done', 'ask.timeout > done')
  const wait = pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }])
  const { id: file } = await post('/v1/files', { text: `${secret} in a file`, file_name: `${marker}.txt` })
  const started = await Promise.all([
    post('/v1/jobs', { pathway: say }),
    post('/v1/jobs', { pathway: tooLate }),
    post('/v1/jobs', { pathway: pathway([{ id: 'fail', type: 'transform', with: { value: '${int(input.text)}' } }]) }),
    post(`/v1/neurons/${neuron}/invoke`, { message: `What is ${marker}, ${secret}?`, stream: true, files: [file] }),
    post('/v1/tools/read_resource/call', { arguments: { type: 'artifacts', id: artifacts[0] } }),
    post(`/v1/reflexes/${reflexes[0]}/refresh`, {}),
    post('/v1/jobs/bulk', { operation: 'pause', filter: { error_code: 'NONE' }, reason: secret }),
  ])
  const found = await client.get<Named>(`/v1/search?query=${marker}&mode=keyword`)
  speech.script({ text: `${secret} was said` })
  const transcription = await post('/v1/transcribe', audioBody('mp3'))
  const over = [...started, firing, found.body, transcription, purge].map(({ job_id }) => job_id)
  await Promise.all(over.map(id => jobWith(client, id)))
  speech.script({ text: `${secret} was said in a meeting` })
  await post(`/v1/meetings/${meetings[0]}/audio`, piece(0))
  await waitUntil(async () => mentions(await client.get(`/v1/meetings/${meetings[0]}/transcript`), 'in a meeting'))
  for (const definition of [ask, wait, wait]) {
    const { job_id } = await post('/v1/jobs', { pathway: definition, input: { text: secret } })
    await jobWith(client, job_id, 'waiting')
  }
  await waitUntil(async () => mentions(await client.get(`/v1/webhooks/${webhook}/deliveries`), 'succeeded'))
  for (const query of ['merges', 'Bo']) await waitUntil(async () => mentions(await findByWord(client, query), secret))
  return {
    ...resources,
    stakeholder_maps: maps,
    recollections: [recollection],
    webhooks: [webhook],
    deliveries: [delivery],
    files: [file],
    firings: [firing.id],
    ...(await listRuns(client, asset.brain_id)),
  }
}

const findByWord = (client: ApiClient, query: string) => client.post('/v1/search', { query, mode: 'keyword' })

const mentions = ({ body }: { body: unknown }, word: string): boolean =>
  JSON.stringify(body).toLowerCase().includes(word.toLowerCase())

/** Lists the jobs in the brain, with their interventions and threads. */
async function listRuns(client: ApiClient, brainId: string | null): Promise<Owned> {
  const { body: found } = await client.get<{ jobs: JobSummaryView[] }>('/v1/jobs?limit=200')
  const jobs = found.jobs.filter(({ brain_id }) => brain_id === brainId)
  const ids = new Set(jobs.map(({ job_id }) => job_id))
  const { body: interventions } = await client.get<{ data: InterventionView[] }>('/v1/interventions?limit=200')
  return {
    jobs: [...ids],
    interventions: interventions.data
      .filter(({ job_id }) => ids.has(job_id))
      .map(({ interventionId }) => interventionId),
    traces: jobs.flatMap(({ trace_id }) => trace_id ?? []),
  }
}

async function accepted<T = Named>(client: ApiClient, path: string, body: object): Promise<T> {
  const reply = await sendUntilTaken(() => client.post<T>(path, body))
  if (reply.status > 202) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}
