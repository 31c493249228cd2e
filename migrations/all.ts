import { initialSchema } from './1795824000000-initial-schema.ts'
import type { Migration } from './migration.ts'

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [initialSchema]
