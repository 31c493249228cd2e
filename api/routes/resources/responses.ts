import { errorBody } from '../../../contract/shared/error.ts'
import { deletedInUse, type ReferringResources } from '../../../contract/resources/reference.ts'
import { type Reply, noContent, ok } from '../../routing/reply.ts'

export const ABOUT_RESTORE =
  'Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.'

/** The response to a restore that would give two live resources one slug. */
export const slugTaken = { description: 'Another resource has the slug by now', schema: errorBody }
export const ABOUT_USERS =
  'Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.'

/** The responses to a deletion. */
export const deleted = {
  200: {
    description: 'Deleted, although resources refer to it: `used_by` has the newest 50 of `total`',
    schema: deletedInUse,
  },
  204: { description: 'Deleted; nothing refers to it' },
}

/** Replies to a deletion: with what still refers to the resource, if anything does. */
export const deletedReply = ({ data, total }: ReferringResources): Reply =>
  total === 0 ? noContent() : ok({ used_by: data, total })
