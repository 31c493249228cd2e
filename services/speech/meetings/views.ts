import type { MeetingDocument } from '../../../domain/resources/kinds/meetings.ts'
import type { MeetingView } from './types.ts'
import type { ResourceView } from '../../../contract/resources/resource.ts'

export function presentMeeting({ document, ...head }: ResourceView): MeetingView {
  const { transcript: _, ...fields } = document as MeetingDocument
  return { ...head, type: 'meetings', ...fields }
}
