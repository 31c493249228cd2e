import { InitialSchema1795824000000 } from './1795824000000-initial-schema.ts'

/** All migrations, oldest first. The number in a name is its creation time in milliseconds. */
export const migrations = [InitialSchema1795824000000]
