import { Access1795255200000 } from './1795255200000-access.ts'
import { Resources1795255260000 } from './1795255260000-resources.ts'
import { Runs1795255320000 } from './1795255320000-runs.ts'
import { Interventions1795255380000 } from './1795255380000-interventions.ts'

/** Every migration, oldest first. One that has landed is never edited. */
export const migrations = [Access1795255200000, Resources1795255260000, Runs1795255320000, Interventions1795255380000]
