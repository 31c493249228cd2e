import type { MeetingDocument } from '../../../domain/resources/kinds/meetings.ts'
import type { ResourceView } from '../../../contract/resources/resource.ts'
import type { MeetingView } from '../../../contract/speech/meeting.ts'

export function presentMeeting({ document, ...head }: ResourceView): MeetingView {
  const { transcript: _, ...fields } = document as MeetingDocument
  return { ...head, type: 'meetings', ...fields }
}
