import type { Save } from '../../data/resources/resources-store.ts'
import type { Principal } from '../../domain/access/principal.ts'

/** The author of a version, with what the author can do at the save. */
export const getAuthorFields = ({ actor, permissions }: Principal): Pick<Save, 'author' | 'author_permissions'> => ({
  author: actor,
  author_permissions: [...permissions],
})
