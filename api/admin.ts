#!/usr/bin/env node
import { Command } from 'commander'
import { Unavailable } from '../domain/shared/errors.ts'
import { addApiKeys } from './admin/api-keys.ts'
import { addAudit } from './admin/audit.ts'
import { addBrains } from './admin/brains.ts'
import { addCore } from './admin/core.ts'
import { addMembers } from './admin/members.ts'
import { addMigrate } from './admin/migrate.ts'
import { addReconcile } from './admin/reconcile.ts'
import { addSearch } from './admin/search.ts'
import { addSecrets } from './admin/secrets.ts'
import { addSessions } from './admin/sessions.ts'
import { addTemporal } from './admin/temporal.ts'
import { addTriggers } from './admin/triggers.ts'
import { addWelcome } from './admin/welcome.ts'
import { addWorkspaces } from './admin/workspaces.ts'
import { addDeployments } from './admin/deployments.ts'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Postgres connection errors have no message; search errors name the missing component. */
const findAway = (error: Unavailable) =>
  error.message === new Unavailable().message ? 'The database at DATABASE_URL does not respond' : error.message

const program = new Command('ganglion-admin').description(
  'Set up and operate an installation: database, Temporal, workspaces, access, search index and worker builds',
)

const subjects = [
  addMigrate,
  addWelcome,
  addWorkspaces,
  addCore,
  addBrains,
  addMembers,
  addSessions,
  addApiKeys,
  addTriggers,
  addSecrets,
  addAudit,
  addSearch,
  addReconcile,
  addDeployments,
  addTemporal,
]
for (const add of subjects) add(program)

try {
  await program.parseAsync()
} catch (error) {
  // A mistyped argument or an unavailable database doesn't need a stack trace.
  console.error(error instanceof Unavailable ? findAway(error) : messageOf(error))
  process.exitCode = 1
}
