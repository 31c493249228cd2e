import { ApiKeyEntity, BrainEntity, WorkspaceEntity } from './access.ts'
import { ResourceEntity, ResourceVersionEntity } from './resources.ts'

/** Tables whose rows are read and written one by one; sets of rows are written in SQL by their stores. */
export const entities = [WorkspaceEntity, BrainEntity, ApiKeyEntity, ResourceEntity, ResourceVersionEntity]
