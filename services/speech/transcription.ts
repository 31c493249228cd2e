import type { Config } from '../../config/config.ts'
import { saveContent } from '../../data/documents/contents-store.ts'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { AudioRef } from '../../domain/speech/audio.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { TRANSCRIBE_WORKFLOW, type TranscribeRunInput } from '../../workflows/speech/transcribe-messages.ts'
import { type JobStart, type JobStarter, acceptJob } from '../runs/start/job-starter.ts'
import type { Idempotency } from '../shared/idempotency.ts'
import { inspectAudio, type ReceivedAudio } from './inspect-audio.ts'

export interface TranscriptionService {
  /**
   * Starts a job that transcribes audio and returns a Transcript. Throws Unavailable without a speech service,
   * ValidationError or PayloadTooLarge for unusable audio, and Conflict if a different request used the idempotency
   * key.
   */
  start(
    principal: Principal,
    audio: ReceivedAudio,
    idempotency?: Idempotency,
  ): Promise<{ job_id: string; status: 'pending' }>
}

interface Deps {
  jobStarter: JobStarter
  config: Pick<Config, 'SPEECH_URL' | 'SPEECH_TIMEOUT_SECONDS' | 'SPEECH_CONCURRENCY' | 'AUDIO_MAX_BYTES'>
}

/** Transcribes audio. One transaction stores the audio bytes and the job's row. */
export function createTranscriptionService({ jobStarter, config }: Deps): TranscriptionService {
  const limits = { time_limit_ms: config.SPEECH_TIMEOUT_SECONDS * 1_000, concurrency: config.SPEECH_CONCURRENCY }
  return {
    async start(principal, received, idempotency) {
      requireSpeech(config)
      const audio = await inspectAudio(received, config.AUDIO_MAX_BYTES)
      return jobStarter.start(principal, idempotency, async (tx, claimJob) => {
        await saveContent(tx, received.content)
        const { job, requester } = await claimJob('transcribe')
        return acceptJob(buildTranscribeJob({ job, audio, requester, ...limits }))
      })
    },
  }
}

/** Throws Unavailable if no speech service is configured. */
export function requireSpeech({ SPEECH_URL }: Pick<Config, 'SPEECH_URL'>): void {
  if (!SPEECH_URL) throw new Unavailable('No speech service is configured', { retryAfter: undefined })
}

function buildTranscribeJob(run: TranscribeRunInput): JobStart {
  const { job, audio, requester } = run
  const title = `Transcription of ${formatSize(audio)} ${audio.format.toUpperCase()}`
  const details = `Audio in ${audio.format}, sent by ${requester}. Job \`${job.job_id}\`.`
  const workflow = { type: TRANSCRIBE_WORKFLOW, args: [run], details }
  return { job, kind: 'transcribe', title, requester, input: audio as unknown as JsonValue, workflow }
}

const formatSize = ({ size }: AudioRef): string =>
  size < 1_000_000 ? `${Math.ceil(size / 1_000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`
