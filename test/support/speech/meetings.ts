import type { JobEvent } from '../../../domain/runs/events.ts'
import type { AudioFormat } from '../../../domain/speech/audio.ts'
import { audioBody } from './audio.ts'
import type { ApiClient, Answer, CallOptions } from '../clients/client.ts'
import { PATIENCE_MS } from '../stack/process.ts'
import type { SseMessage } from '../clients/sse.ts'
import type { MeetingTranscript, MeetingView, AcceptedPiece } from '../../../contract/speech/meeting.ts'

interface RefusalBody {
  code: string
  message: string
}

export async function plan(client: ApiClient, fields: object = {}): Promise<MeetingView> {
  const { status, body } = await client.post<MeetingView>('/v1/meetings', { title: 'Stand-up', ...fields })
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

/** Returns an audio piece. Pieces in the same format differ only in bytes after their end, which readers ignore. */
export function piece(seq: number, { tag = seq, format = 'mp3', ...more }: PieceOptions = {}) {
  const { audio_base64, mime_type } = audioBody(format)
  const bytes = Buffer.concat([Buffer.from(audio_base64, 'base64'), Buffer.from([tag])])
  return { audio_base64: bytes.toString('base64'), mime_type, seq, ...more }
}

interface PieceOptions {
  tag?: number
  format?: AudioFormat
  speaker?: string
  start?: number
}

export const send = (client: ApiClient, id: string, body: object): Promise<Answer<AcceptedPiece & RefusalBody>> =>
  client.post(`/v1/meetings/${id}/audio`, body)

export const endMeeting = (
  client: ApiClient,
  id: string,
): Promise<Answer<{ meeting: MeetingView; job_id: string | null } & RefusalBody>> =>
  client.post(`/v1/meetings/${id}/end`, undefined, { signal: AbortSignal.timeout(PATIENCE_MS) })

export async function getTranscript(client: ApiClient, id: string): Promise<MeetingTranscript> {
  return (await client.get<MeetingTranscript>(`/v1/meetings/${id}/transcript`)).body
}

/** Reads a meeting's stream up to an event of this type, or to its end. */
export async function followUntil(
  stream: AsyncGenerator<SseMessage<JobEvent>>,
  until: (event: JobEvent) => boolean = () => false,
): Promise<{ id: string; data: JobEvent }[]> {
  const events: { id: string; data: JobEvent }[] = []
  for (;;) {
    const { value, done } = await stream.next()
    if (done) return events
    if (value.data) events.push({ id: value.id, data: value.data })
    if (value.data && until(value.data)) return events
  }
}

export const follow = (client: ApiClient, id: string, query = '', options: CallOptions = {}) =>
  client.sse(`/v1/meetings/${id}/stream${query}`, { signal: AbortSignal.timeout(PATIENCE_MS), ...options })
