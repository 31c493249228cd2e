import type { Answer, ApiClient, CallOptions } from '../clients/client.ts'
import { waitUntil } from '../stack/process.ts'
import type { ArtifactView } from '../../../contract/documents/artifact.ts'
import type { AssetView } from '../../../contract/documents/asset.ts'
import type { FileView } from '../../../contract/documents/file.ts'

export interface IngestReply {
  asset: AssetView
  job_id: string | null
  updated: string[]
  /** The error code of a refusal. */
  code: string
  message: string
  details?: { pointer: string; message: string }[]
}

export type { ArtifactView, AssetView }

export const ingest = (client: ApiClient, body: object, options?: CallOptions): Promise<Answer<IngestReply>> =>
  client.post('/v1/assets/ingest', body, options)

export interface FilePart {
  bytes: Uint8Array | string
  name?: string
  type?: string
}

/** Encodes a form as a browser does. Returns its bytes and its type with the boundary. */
export async function encodeForm(
  fields: Record<string, string | FilePart>,
): Promise<{ raw: Uint8Array; type: string }> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(key, value)
    else form.append(key, new Blob([Buffer.from(value.bytes)], { type: value.type }), value.name ?? '')
  }
  const response = new Response(form)
  return { raw: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' }
}

export async function ingestFile(
  client: ApiClient,
  file: FilePart,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer<IngestReply>> {
  const { raw, type } = await encodeForm({ ...fields, file })
  return client.post('/v1/assets/ingest', undefined, { raw, headers: { 'Content-Type': type, ...headers } })
}

/** Waits until the asset's document has been read, or has failed. */
export const readAsset = (client: ApiClient, id: string): Promise<AssetView> =>
  waitUntil(
    async () => {
      const { body } = await client.get<AssetView>(`/v1/assets/${id}`)
      return body.extraction.status !== 'processing' && body
    },
    undefined,
    () => `the document of ${id} is not read`,
  )

/** Uploads a file for a message, a form or a run. */
export async function uploadFile(client: ApiClient, file: FilePart): Promise<FileView> {
  const { raw, type } = await encodeForm({ file })
  const { status, body } = await client.post<FileView>('/v1/files', undefined, {
    raw,
    headers: { 'Content-Type': type },
  })
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

/** A PNG with one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
