import { CredentialEntity, BrainEntity, WorkspaceEntity } from './access.ts'
import { ResourceEntity, ResourceVersionEntity } from './resources.ts'

/** Entities of tables whose rows are read and written one by one. Stores write sets of rows in SQL. */
export const entities = [WorkspaceEntity, BrainEntity, CredentialEntity, ResourceEntity, ResourceVersionEntity]
