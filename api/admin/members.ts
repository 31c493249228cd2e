import { Option, type Command } from 'commander'
import { ROLE_NAMES, type Role } from '../../domain/access/permissions.ts'
import type { MemberView } from '../../services/access/members.ts'
import { ALL, collect } from './options.ts'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'
import type { Departure } from '../../contract/access/departure.ts'

/** Adds the member commands. */
export function addMembers(program: Command): void {
  const member = program.command('member').description('Workspace members')
  member
    .command('set')
    .description("Set a person's role and groups")
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--actor <actor>', 'person, such as user:ann')
    .addOption(
      new Option('--role <role>', 'role of the person; default: builder for a new member, otherwise unchanged').choices(
        ROLE_NAMES,
      ),
    )
    .option('--group <group>', 'group of the person, such as group:finance; repeatable', collect)
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; actor: string; role?: Role; group?: string[] } & Output) =>
      withAccess(async ({ admin, members }) => {
        const { workspace, actor, role, group: groups } = options
        const savedMember = await members.save(await admin.manage(workspace), { actor, role, groups })
        say(options.json, savedMember, describeMember(savedMember))
      }),
    )

  member
    .command('list')
    .description('List members with their roles and groups')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string } & Output) =>
      withAccess(async ({ admin, members }) => {
        const { data } = await members.list(await admin.manage(options.workspace), ALL)
        say(options.json, data, data.map(describeMember).join('\n') || 'No members yet.')
      }),
    )

  member
    .command('remove')
    .description('Remove a member, revoke their credentials and disable their triggers')
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--actor <actor>', 'person, such as user:ann')
    .option('--dry-run', 'list what would end, without changing anything')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; actor: string; dryRun?: true } & Output) =>
      withAccess(async ({ admin, members }) => {
        const { workspace, actor, dryRun: dry_run = false } = options
        const departure = await members.remove(await admin.manage(workspace), actor, { dry_run })
        const head = dry_run
          ? `${actor} is still a member. Removing them would end:`
          : `${actor} is no longer a member.`
        say(options.json, { ...departure, removed: !dry_run }, `${head}\n${describeDeparture(departure)}`)
      }),
    )
}

function describeDeparture({ revoked, switched_off, open }: Departure): string {
  const { tasks, claims, delegations, absences, receptors } = open
  return [
    ...revoked.map(({ kind, name, id }) => `revoked      ${kind}  ${name}  ${id}`),
    ...switched_off.map(({ slug, title }) => `disabled     trigger  ${slug}  ${title}`),
    ...[...new Map([...tasks, ...claims, ...delegations].map(task => [task.id, task])).values()].map(
      ({ id, title }) => `open         task  ${title}  ${id}`,
    ),
    ...absences.map(({ actor, substitute }) => `open         absence  ${actor}, substitute ${substitute}`),
    ...receptors.map(({ slug, title }) => `open         receptor  ${slug}  ${title}`),
  ].join('\n')
}

const describeMember = ({ actor, role, groups }: MemberView) => `${actor}  ${role}  ${groups.join(', ') || 'no group'}`
