import type { Transcript } from '../../../domain/speech/transcript.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import type { ApiClient, CallOptions } from '../clients/client.ts'
import { waitUntil } from '../stack/process.ts'

/** A small machine transcribes roughly in real time. */
const PATIENCE_MS = 300_000

interface TranscribeReply {
  job_id: string
  status: string
  /** The error code of a refusal. */
  code: string
  message: string
  details?: { pointer: string; message: string }[]
}

export const transcribe = (client: ApiClient, body: object, options?: CallOptions) =>
  client.post<TranscribeReply>('/v1/transcribe', body, options)

/** Sends audio. Returns the job once it has finished. */
export async function transcribed(
  client: ApiClient,
  body: object,
): Promise<JobDetail & { transcript: Transcript | undefined }> {
  const response = await transcribe(client, body)
  if (response.status !== 202) throw new Error(`${response.status}: ${JSON.stringify(response.body)}`)
  const job = await waitUntil(
    async () => {
      const { body } = await client.get<JobDetail>(`/v1/jobs/${response.body.job_id}`)
      return (body.status === 'completed' || body.status === 'failed') && body
    },
    PATIENCE_MS,
    () => 'the audio is not written down',
  )
  return { ...job, transcript: job.result as Transcript | undefined }
}
