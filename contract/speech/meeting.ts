import { z } from 'zod'
import { description } from '../../domain/resources/fields.ts'
import { slug, title } from '../../domain/resources/names.ts'
import { expected, givenPath, givenScope, note, shownHead } from '../resources/head.ts'
import { pageSchema } from '../shared/page.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'
import { audioFields } from './transcription.ts'

const given = {
  description: description.unwrap().optional(),
  participants: z.array(line(500)).max(1_000).optional(),
  starts_at: z.iso.datetime({ offset: true }).optional(),
  path: givenPath,
  scope: givenScope,
}

export const meetingBody = z.strictObject({
  title,
  slug: slug.optional(),
  ...given,
  note,
})

export type NewMeeting = z.output<typeof meetingBody>

export const meetingChange = z.strictObject({ title: title.optional(), ...given, expected_version: expected, note })

export type MeetingChange = Omit<z.output<typeof meetingChange>, 'expected_version'>

export const audioBody = z
  .strictObject({
    ...audioFields,
    seq: z
      .int()
      .min(0)
      .max(1_000_000)
      .meta({ description: 'Sequence number of the piece. You can send pieces in any order.' }),
    speaker: line(500).optional().meta({ description: 'Speaker of this piece' }),
    start: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .meta({ description: 'Seconds from the start of the meeting. Default: the end of the previous piece.' }),
  })
  .meta({ id: 'MeetingAudio' })

const status = z.enum(['scheduled', 'live', 'ended'])

export const meeting = z
  .object({
    ...shownHead,
    type: z.literal('meetings'),
    description: z.string().nullable(),
    status,
    starts_at: timestamp.optional(),
    ended_at: timestamp.optional(),
    artifact_id: z
      .uuid()
      .optional()
      .meta({ description: 'Artifact with the transcript. Present after the meeting has ended.' }),
    participants: z.array(z.string()),
  })
  .meta({ id: 'Meeting' })

/** A meeting, without its transcript. */
export type MeetingView = z.output<typeof meeting>

export const meetingPage = pageSchema(meeting)

export const acceptedPiece = z
  .object({ meeting_id: z.uuid(), job_id: z.string(), seq: z.int(), sha256: z.string() })
  .meta({ id: 'AcceptedPiece' })

/** The response to a piece. Sending the piece again returns the same response. */
export type AcceptedPiece = z.output<typeof acceptedPiece>

export const meetingEnding = z
  .object({
    meeting,
    job_id: z
      .string()
      .nullable()
      .meta({ description: 'Job that transcribes the meeting. Null if the meeting had already ended.' }),
  })
  .meta({ id: 'MeetingEnding' })

export const meetingTranscript = z
  .object({
    meeting_id: z.uuid(),
    status,
    text: z.string(),
    segments: z.array(
      z.object({
        seq: z.int(),
        text: z.string(),
        speaker: z.string().optional(),
        start: z.number().optional().meta({ description: 'Seconds from the start of the meeting, if known' }),
        end: z.number().optional(),
      }),
    ),
    pending: z.int().meta({ description: 'Number of pieces not transcribed yet' }),
    /** Pieces that could not be transcribed. */
    failed: z.array(z.object({ seq: z.int(), code: z.string(), message: z.string() })),
    artifact_id: z.uuid().optional(),
  })
  .meta({ id: 'MeetingTranscript' })

export type MeetingTranscript = z.output<typeof meetingTranscript>
