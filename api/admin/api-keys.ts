import { InvalidArgumentError, Option, type Command } from 'commander'
import { PERMISSIONS, type Permission, type Role, ROLE_NAMES } from '../../domain/access/permissions.ts'
import { checkKeyFields } from '../../services/access/credentials/key-fields.ts'
import { ALL, collect } from './options.ts'
import { say, type Output } from './output.ts'
import { withAccess } from './stores.ts'

/** Adds the API key commands. */
export function addApiKeys(program: Command): void {
  const apiKey = program.command('api-key').description('Workspace API keys')
  apiKey
    .command('create')
    .description('Create an API key and print its text once')
    .requiredOption('--workspace <slug>', 'workspace that the key belongs to')
    .requiredOption('--name <name>', 'name that describes what the key is for')
    .option('--actor <actor>', 'person that the key acts as, such as user:ann; default: key:<name>')
    .option('--owner <person>', 'owner of a key that acts as itself, such as user:ann')
    .addOption(
      new Option('--role <role>', 'give the actor or owner this role first, as a member of the workspace').choices(
        ROLE_NAMES,
      ),
    )
    .option('--group <group>', 'group of the actor, such as group:finance; repeatable', collect)
    .addOption(
      new Option(
        '--permission <name>',
        'permission to grant; repeatable; default: all except access management',
      ).argParser(collectPermission),
    )
    .option('--brain <id>', 'brain that the key may access; repeatable; default: all', collect)
    .option('--default-brain <id>', "brain to use unless a request names one; default: the workspace's default brain")
    .option('--expires <time>', 'expiry as ISO 8601; default: never')
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
          checkKeyFields(fields)
          if (role && person) await members.save(await admin.manage(workspace), { actor: person, role })
          const createdKey = await admin.createApiKey(workspace, fields)
          say(
            options.json,
            createdKey,
            `${createdKey.api_key}\nStore the key now: it is not shown again. To revoke it, use its id ${createdKey.id}.`,
          )
        }),
    )

  apiKey
    .command('list')
    .description('List API keys, without their text')
    .requiredOption('--workspace <slug>', 'workspace')
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
          return `${key.id}  ${key.prefix}…  ${key.name}  acts as ${key.actor}${key.owner ? ` of ${key.owner}` : ''}  created by ${key.created_by ?? 'unknown'}  ${end}`
        })
        say(options.json, keys, lines.join('\n') || 'No keys yet.')
      }),
    )

  apiKey
    .command('revoke')
    .description('Revoke an API key; requests that use it fail within five seconds')
    .argument('<id>', 'id of the key')
    .requiredOption('--workspace <slug>', 'workspace of the key')
    .option('--json', 'print one JSON line')
    .action((id: string, options: { workspace: string } & Output) =>
      withAccess(async ({ admin, apiKeys }) => {
        await apiKeys.revoke(await admin.manage(options.workspace), id)
        say(options.json, { id, revoked: true }, `API key ${id} is revoked.`)
      }),
    )
}

function collectPermission(value: string, before: Permission[] = []): Permission[] {
  const knownPermission = PERMISSIONS.find(permission => permission === value)
  if (!knownPermission) throw new InvalidArgumentError(`Allowed choices are ${PERMISSIONS.join(', ')}.`)
  return [...before, knownPermission]
}
