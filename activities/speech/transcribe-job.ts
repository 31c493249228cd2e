import type { Logger } from 'pino'
import type { Database } from '../../data/shared/database.ts'
import { readContent } from '../../services/documents/contents.ts'
import type { JobPublisher } from '../../streams/job-publisher.ts'
import type { ProjectionWriter } from '../runs/projection-writer.ts'
import type { TranscribeActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'
import type { Transcription } from './transcription.ts'

export interface TranscribeJobDeps {
  db: Database
  transcription: Transcription
  writer: Pick<ProjectionWriter, 'recordStart'>
  publisher: Pick<JobPublisher, 'publish'>
  log: Logger
}

/** A job has a single audio recording. */
const KEY = 'audio'

/**
 * Creates the activities for a transcription job. Bytes and answers stay in Postgres. The history contains only
 * numbers.
 */
export function createTranscribeActivities(deps: TranscribeJobDeps): TranscribeActivities {
  const { db, transcription, writer, publisher, log } = deps
  const settings = { log, subject: 'transcription' }
  return {
    splitAudio: withHeartbeat(settings, async ({ job, audio }, { signal }) => {
      const bytes = await readContent(db, job.workspace_id, audio, signal)
      return transcription.split({ job, key: KEY }, { bytes, format: audio.format }, signal)
    }),

    transcribePiece: withHeartbeat(settings, async ({ job, ordinal, language }, { signal }) => {
      const progress = await transcription.transcribePiece({ job, key: KEY, language }, ordinal, signal)
      writer.recordStart({ job, status: 'running', progress, nodes: [], interventions: [] })
      publisher.publish(job.job_id, { type: 'progress', ...progress })
    }),

    joinTranscript: withHeartbeat(settings, ({ job }) => transcription.join({ job, key: KEY })),
    deleteAudio: withHeartbeat(settings, ({ job }) => transcription.drop({ job, key: KEY })),
  }
}
