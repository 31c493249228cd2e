import { InvalidArgumentError, Option, type Command } from 'commander'
import { PERMISSIONS, type Permission, type Role, ROLE_NAMES } from '../../domain/access/permissions.ts'
import { ALL, collect } from './options.ts'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'

/** Adds the commands about API keys. */
export function addApiKeys(program: Command): void {
  const apiKey = program.command('api-key').description('API keys of a workspace')
  apiKey
    .command('create')
    .description('Create an API key; its text is shown only once')
    .requiredOption('--workspace <slug>', 'the workspace it opens')
    .requiredOption('--name <name>', 'what it is for')
    .option('--actor <actor>', 'the person it acts as, such as user:ann; by default key:<name>')
    .option('--owner <person>', 'the person behind a key that acts as itself, such as user:ann')
    .addOption(
      new Option('--role <role>', 'makes the actor or owner a member with this role first').choices(ROLE_NAMES),
    )
    .option('--group <group>', 'a group of the actor, such as group:finance; repeatable', collect)
    .addOption(
      new Option(
        '--permission <name>',
        'what it may do; repeatable; by default all but the management of access',
      ).argParser(collectPermission),
    )
    .option('--brain <id>', 'a brain it may access; repeatable; by default all', collect)
    .option(
      '--default-brain <id>',
      'the brain it works in unless a request names one; by default that of the workspace',
    )
    .option('--expires <time>', 'when it expires, as ISO 8601; by default never')
    .option('--json', 'print one JSON line')
    .action(
      (
        options: {
          workspace: string
          name: string
          actor?: string
          owner?: string
          role?: Role
          group?: string[]
          permission?: Permission[]
          brain?: string[]
          defaultBrain?: string
          expires?: string
        } & Output,
      ) =>
        withAccess(async ({ admin, members }) => {
          const { workspace, name, actor, owner, role, group: groups, brain: brain_ids, expires: expires_at } = options
          const { defaultBrain: default_brain_id, permission: permissions } = options
          const fields = { name, actor, owner, groups, permissions, brain_ids, default_brain_id, expires_at }
          const person = actor ?? owner
          if (role && person) await members.save(await admin.manage(workspace), { actor: person, role })
          const createdKey = await admin.createApiKey(workspace, fields)
          say(
            options.json,
            createdKey,
            `${createdKey.api_key}\nKeep it now: it is not shown again. To revoke it, use its id ${createdKey.id}.`,
          )
        }),
    )

  apiKey
    .command('list')
    .description('List the keys, without their text')
    .requiredOption('--workspace <slug>', 'whose keys')
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string } & Output) =>
      withAccess(async ({ admin, apiKeys }) => {
        const { data: keys } = await apiKeys.list(await admin.manage(options.workspace), ALL)
        const lines = keys.map(key => {
          const end = key.revoked_at
            ? `revoked ${key.revoked_at}`
            : key.expires_at
              ? `until ${key.expires_at}`
              : 'no end'
          return `${key.id}  ${key.prefix}…  ${key.name}  acts as ${key.actor}${key.owner ? ` of ${key.owner}` : ''}  made by ${key.created_by ?? 'unknown'}  ${end}`
        })
        say(options.json, keys, lines.join('\n') || 'No keys yet.')
      }),
    )

  apiKey
    .command('revoke')
    .description('Revoke a key; requests with it fail within five seconds')
    .argument('<id>', 'the id of the key')
    .requiredOption('--workspace <slug>', 'the workspace it opens')
    .option('--json', 'print one JSON line')
    .action((id: string, options: { workspace: string } & Output) =>
      withAccess(async ({ admin, apiKeys }) => {
        await apiKeys.revoke(await admin.manage(options.workspace), id)
        say(options.json, { id, revoked: true }, `The key ${id} is revoked.`)
      }),
    )
}

function collectPermission(value: string, before: Permission[] = []): Permission[] {
  const knownPermission = PERMISSIONS.find(permission => permission === value)
  if (!knownPermission) throw new InvalidArgumentError(`Allowed choices are ${PERMISSIONS.join(', ')}.`)
  return [...before, knownPermission]
}
