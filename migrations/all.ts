import { Access1795255200000 } from './1795255200000-access.ts'
import { Resources1795255260000 } from './1795255260000-resources.ts'
import { Runs1795255320000 } from './1795255320000-runs.ts'
import { Interventions1795255380000 } from './1795255380000-interventions.ts'
import { Spine1795255440000 } from './1795255440000-spine.ts'
import { Documents1795255500000 } from './1795255500000-documents.ts'
import { Neurons1795255560000 } from './1795255560000-neurons.ts'
import { Speech1795255620000 } from './1795255620000-speech.ts'
import { ParentJobs1795255680000 } from './1795255680000-parent-jobs.ts'

/** Every migration, oldest first. One that has landed is never edited. */
export const migrations = [
  Access1795255200000,
  Resources1795255260000,
  Runs1795255320000,
  Interventions1795255380000,
  Spine1795255440000,
  Documents1795255500000,
  Neurons1795255560000,
  Speech1795255620000,
  ParentJobs1795255680000,
]
