import type { Save } from '../../data/resources/resources-store.ts'
import type { Principal } from '../../domain/access/principal.ts'

/** Returns the author of a version, with the author's permissions at the time of the save. */
export const getAuthorFields = ({ actor, permissions }: Principal): Pick<Save, 'author' | 'author_permissions'> => ({
  author: actor,
  author_permissions: [...permissions],
})
