import type { Database } from '../../../data/shared/database.ts'
import { findRun, listMeetingAudio } from '../../../data/speech/meetings-store.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { JobEvent } from '../../../domain/runs/events.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { MeetingSegment } from '../../../domain/resources/kinds/meetings.ts'
import { buildSegments } from '../../../domain/speech/meeting.ts'
import type { JobSnapshots } from '../../runs/snapshot.ts'

interface Deps {
  db: Database
  jobs: JobSnapshots
}

/** Builds snapshots for meeting streams: the transcript, and the job's snapshot if the job exists. */
export function createMeetingSnapshots({ db, jobs }: Deps): JobSnapshots {
  /** Before the first audio, a meeting has a stream but no job. */
  async function orWithoutJob<T>(work: Promise<T>, fallback: T): Promise<T> {
    return work.catch((error: unknown) => {
      if (error instanceof NotFound) return fallback
      throw error
    })
  }

  async function listSegmentEvents(principal: Principal, jobId: string): Promise<JobEvent[]> {
    const pieces = await db.inWorkspace(principal.workspace_id, async tx => {
      const run = await findRun(tx, { job_id: jobId })
      return run ? listMeetingAudio(tx, run.meeting_id) : []
    })
    return buildSegments(pieces, false).map(createSegmentEvent)
  }

  return {
    hasEnded: (principal, jobId) => orWithoutJob(jobs.hasEnded(principal, jobId), false),
    async snapshot(principal, jobId) {
      const [snapshot, segments] = await Promise.all([
        orWithoutJob(jobs.snapshot(principal, jobId), { events: [] }),
        listSegmentEvents(principal, jobId),
      ])
      return { ...snapshot, events: [...segments, ...snapshot.events] }
    },
    findEnded: (workspaceId, jobIds) => jobs.findEnded(workspaceId, jobIds),
  }
}

const createSegmentEvent = (segment: MeetingSegment): JobEvent => ({ type: 'segment', ...segment })
