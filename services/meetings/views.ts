import type { MeetingDocument } from '../../domain/resources/kinds/meetings.ts'
import type { ResourceView } from '../resources/types.ts'
import type { MeetingView } from './types.ts'

export function presentMeeting(resource: ResourceView): MeetingView {
  const { id, slug, title, path, brain_id, version, created_at, updated_at } = resource
  const { transcript: _, ...fields } = resource.document as MeetingDocument
  return { id, slug, title, path, brain_id, version, ...fields, created_at, updated_at }
}
