import { errorBody } from '../../../contract/shared/error.ts'
import { deletedInUse, type ReferringResources } from '../../../contract/resources/reference.ts'
import { type Reply, noContent, ok } from '../../routing/reply.ts'

export const ABOUT_RESTORE =
  "Undoes a deletion. With `version`, the title and document from that version become a new version. Slug, folder, scope, brain and `is_active` don't change."

/** The response to a restore that would give two live resources the same slug. */
export const slugTaken = { description: 'Another resource now uses the slug', schema: errorBody }
export const ABOUT_USERS =
  'Live resources whose latest version refers to this resource by id or slug: pathways, neurons, receptors, triggers and reflexes. Newest first.'

/** The responses to a deletion. */
export const deleted = {
  200: {
    description:
      'Deleted, although other resources refer to the deleted resource. `used_by` contains the newest 50 of `total` references.',
    schema: deletedInUse,
  },
  204: { description: 'Deleted. No other resource refers to the deleted resource.' },
}

/** Builds the response to a deletion, with the resources that still refer to the deleted one. */
export const deletedReply = ({ data, total }: ReferringResources): Reply =>
  total === 0 ? noContent() : ok({ used_by: data, total })
