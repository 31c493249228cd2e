import type { UserPage } from '../../../services/resources/types.ts'
import { noContent, ok, type Reply } from '../../routing/reply.ts'

/** Replies to a deletion: with what still refers to the resource, if anything does. */
export const deletedReply = ({ data, total }: UserPage): Reply =>
  total === 0 ? noContent() : ok({ used_by: data, total })
