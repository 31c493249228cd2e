import { Option, type Command } from 'commander'
import { ROLE_NAMES, type Role } from '../../domain/access/permissions.ts'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'
import type { Config } from '../../config/config.ts'
import type { SessionsService } from '../../services/access/credentials/sessions.ts'
import type { Manager } from '../../services/access/manager.ts'

/** Adds the session command. */
export function addSessions(program: Command): void {
  const session = program.command('session').description('Sign-in sessions')
  session
    .command('link')
    .description('Create a one-time sign-in link, valid for 15 minutes')
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--actor <actor>', 'member, such as user:ann')
    .addOption(new Option('--role <role>', 'add the person as a member with this role first').choices(ROLE_NAMES))
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; actor: string; role?: Role } & Output) =>
      withAccess(async ({ admin, members, sessions }, config) => {
        const { workspace, actor, role } = options
        const operator = await admin.manage(workspace)
        if (role) await members.save(operator, { actor, role })
        const { url, expires_at } = await createSignInLink({ sessions, config, operator, actor })
        say(options.json, { url, expires_at }, `${url}\nThe link works once and expires at ${expires_at}.`)
      }),
    )
}

/** Creates a one-time link that opens the console as the member. */
export async function createSignInLink(options: {
  sessions: SessionsService
  config: Config
  operator: Manager
  actor: string
}): Promise<{ url: string; expires_at: string }> {
  const { BASE_URL, HOST, PORT } = options.config
  const { token, expires_at } = await options.sessions.createLink(options.operator, options.actor)
  return { url: `${BASE_URL ?? `http://${HOST}:${PORT}`}/console/sign-in#${token}`, expires_at }
}
