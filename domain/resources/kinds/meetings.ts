import { z } from 'zod'
import { ValidationError } from '../../shared/errors.ts'
import { description, shortText } from '../fields.ts'
import { defineKind, joinParagraphs } from '../kind.ts'

/** Large enough for the longest audio: several hours of speech. */
const MAX_SEGMENT_CHARS = 1_000_000

const segment = z.strictObject({
  /** Sequence number. A segment with the same number replaces the earlier one. */
  seq: z.int().min(0),
  text: z.string().max(MAX_SEGMENT_CHARS),
  speaker: shortText.optional(),
  /** Seconds from the start of the meeting. */
  start: z.number().min(0).optional(),
  end: z.number().min(0).optional(),
})

const document = z.strictObject({
  description,
  status: z.enum(['scheduled', 'live', 'ended']).default('scheduled'),
  starts_at: z.iso.datetime({ offset: true }).optional(),
  ended_at: z.iso.datetime({ offset: true }).optional(),
  /** Id of the transcript artifact, once the meeting has ended. */
  artifact_id: z.uuid().optional(),
  participants: z.array(shortText).max(1_000).default([]),
  transcript: z.array(segment).max(100_000).default([]),
})

export type MeetingSegment = z.output<typeof segment>
export type MeetingDocument = z.output<typeof document>

const delta = z.strictObject({ segments: z.array(segment).min(1).max(10_000) })

export const meetings = defineKind({
  kind: 'meetings',
  singular: 'meeting',
  document,
  isDocument: true,
  runFields: ['status', 'ended_at', 'artifact_id', 'transcript'],
  text: ({ description, participants, transcript }) =>
    joinParagraphs(
      description,
      participants.join(', '),
      ...transcript.map(({ speaker, text }) => (speaker ? `${speaker}: ${text}` : text)),
    ),
  metadata: ({ status }) => ({ status }),
  delta: {
    shape: delta,
    apply(meeting, change) {
      if (meeting.status === 'ended')
        throw new ValidationError('The meeting has ended, so its transcript cannot change')
      const bySeq = new Map(
        [...meeting.transcript, ...(change as z.output<typeof delta>).segments].map(s => [s.seq, s]),
      )
      return { ...meeting, transcript: [...bySeq.values()].sort((a, b) => a.seq - b.seq) }
    },
  },
})
