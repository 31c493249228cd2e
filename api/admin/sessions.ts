import { Option, type Command } from 'commander'
import { ROLE_NAMES, type Role } from '../../domain/access/permissions.ts'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'

/** Adds the command about sessions. */
export function addSessions(program: Command): void {
  const session = program.command('session').description('Sessions of signed-in people')
  session
    .command('link')
    .description('Create a link that signs a person in once, within a quarter of an hour')
    .requiredOption('--workspace <slug>', 'the workspace')
    .requiredOption('--actor <actor>', 'the member, such as user:ann')
    .addOption(new Option('--role <role>', 'makes the person a member with this role first').choices(ROLE_NAMES))
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; actor: string; role?: Role } & Output) =>
      withAccess(async ({ admin, members, sessions }, { BASE_URL, HOST, PORT }) => {
        const { workspace, actor, role } = options
        const operator = await admin.manage(workspace)
        if (role) await members.save(operator, { actor, role })
        const { token, expires_at } = await sessions.createLink(operator, actor)
        const url = `${BASE_URL ?? `http://${HOST}:${PORT}`}/console/sign-in#${token}`
        say(options.json, { url, expires_at }, `${url}\nThe link works once, until ${expires_at}.`)
      }),
    )
}
