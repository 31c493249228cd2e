import type { Command } from 'commander'
import { NotFound } from '../../domain/shared/errors.ts'
import { toSlug } from '../../domain/shared/text/slug.ts'
import { checkActor } from '../../services/access/credentials/key-fields.ts'
import { CORE_FILE, readCore } from './core-file.ts'
import { createSignInLink } from './sessions.ts'
import { withAccess } from './stores.ts'
import type { AccessAdmin } from '../../services/access/admin.ts'

/** Adds the command that prepares a new installation. */
export function addWelcome(program: Command): void {
  program
    .command('welcome')
    .description('Create the first workspace and its owner if they are missing, and print the next steps')
    .option('--workspace <name>', 'display name of the first workspace')
    .option('--owner <actor>', 'owner of the first workspace, such as user:ann')
    .action(({ workspace: name, owner }: { workspace?: string; owner?: string }) =>
      withAccess(async ({ admin, members, sessions }, config) => {
        if (!name || !owner) return console.log(describeSteps())
        checkActor(owner)
        // The same in each run, so that the next run finds the workspace.
        const slug = toSlug(name) || 'workspace'
        if (!(await hasWorkspace(admin, slug))) await admin.createWorkspace({ name, slug, core: readCore(CORE_FILE) })
        const operator = await admin.manage(slug)
        if (await members.hasOwner(operator)) return console.log(describeLink(slug, owner))
        await members.save(operator, { actor: owner, role: 'owner' })
        const { url, expires_at } = await createSignInLink({ sessions, config, operator, actor: owner })
        console.log(
          `Workspace ${slug} is ready. To sign in as ${owner}, open this link:\n\n  ${url}\n\n` +
            `The link works once and expires at ${expires_at}.\n${describeLink(slug, owner)}`,
        )
      }),
    )
}

async function hasWorkspace(admin: AccessAdmin, slug: string): Promise<boolean> {
  try {
    await admin.manage(slug)
    return true
  } catch (error) {
    if (error instanceof NotFound) return false
    throw error
  }
}

const describeLink = (slug: string, actor: string): string =>
  `For a new link: ganglion-admin session link --workspace ${slug} --actor ${actor}`

const describeSteps = (): string =>
  'To create a workspace: ganglion-admin workspace create --name <name>\n' +
  'To add its owner and get a sign-in link: ' +
  'ganglion-admin session link --workspace <slug> --actor <person> --role owner'
