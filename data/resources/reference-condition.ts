import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/**
 * Builds the condition that a column contains the given resource id, or the id of the live resource with the given
 * slug. The placeholder is `?`.
 */
export function referenceCondition(column: string, kind: ResourceKind, idOrSlug = ''): string {
  if (isUuid(idOrSlug)) return `${column} = ?`
  return `${column} = (select id from resources where kind = '${kind}' and slug = ? and deleted_at is null)`
}
