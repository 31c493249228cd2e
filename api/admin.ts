import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import { pino } from 'pino'
import { readConfig, type Config } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { PERMISSIONS, ROLE_NAMES, type Permission, type Role } from '../domain/access/permissions.ts'
import { Unavailable } from '../domain/errors.ts'
import { createIndexing } from '../services/indexing/indexing.ts'
import { applyCoreTo, coreDefinitions } from '../services/core/core.ts'
import { type ChainReport, verifyChain } from '../services/audit/verify-chain.ts'
import { openStores } from '../services/stores.ts'
import { createAccessAdmin } from '../services/access/admin.ts'
import { startPlan } from '../services/plans/start-plan.ts'
import { createApiKeys, type ApiKeysService } from '../services/access/api-keys.ts'
import { createMembers, type Member, type MembersService } from '../services/access/members.ts'
import { createSessions, type SessionsService } from '../services/access/sessions.ts'
import type { AccessAdmin } from '../services/access/types.ts'
import { createSecretEncryption } from '../services/secrets/encryption.ts'
import { reencryptSecrets } from '../services/secrets/reencrypt.ts'
import { createDataConverter } from '../services/payloads.ts'
import { createPayloadCodec } from '../services/payload-codec.ts'
import { openTemporal } from '../services/temporal.ts'
import { createTriggerFollower, type TriggerFollower } from '../services/triggers/follow-triggers.ts'
import { createTriggerSchedules } from '../services/triggers/schedules/sync.ts'
import { addDeployments } from './admin/deployments.ts'
import { type Output, say } from './admin/output.ts'

type Stores = ReturnType<typeof openStores>

/** Opens the stores for one command and closes them afterwards. */
async function withStores(pool: number, work: (stores: Stores, config: Config) => Promise<void>): Promise<void> {
  const config = { ...readConfig(readEnvironment()), DATABASE_POOL: pool }
  const stores = openStores(config)
  try {
    await work(stores, config)
  } finally {
    await stores.close()
  }
}

/** What the commands about access work with. */
interface Access {
  admin: AccessAdmin
  apiKeys: ApiKeysService
  members: MembersService
  sessions: SessionsService
}

const withAccess = (work: (access: Access, config: Config) => Promise<void>): Promise<void> =>
  withStores(1, ({ db }, config) => {
    const { API_KEY_SECRET: secret, SESSION_HOURS: hours } = config
    const access = {
      admin: createAccessAdmin({ db, secret }),
      apiKeys: createApiKeys({ db, secret }),
      members: createMembers({ db }),
      sessions: createSessions({ db, secret, hours }),
    }
    return work(access, config)
  })

const withTriggers = (work: (follower: TriggerFollower) => Promise<void>): Promise<void> =>
  withStores(2, async ({ db }, config) => {
    const temporal = openTemporal(config, {
      dataConverter: createDataConverter(db, config, createPayloadCodec(config)),
    })
    try {
      const schedules = createTriggerSchedules({ db, temporal })
      await work(createTriggerFollower({ db, temporal, schedules, log: pino({ level: 'silent' }) }))
    } finally {
      await temporal.close()
    }
  })

/** A list on the command line has this many rows at most. */
const ALL = { limit: 1_000, offset: 0 }

const CORE_FILE = fileURLToPath(new URL('../deploy/core.json', import.meta.url))

const readCore = (file: string) => coreDefinitions.parse(JSON.parse(readFileSync(file, 'utf8')))

const collect = (value: string, before: string[] = []) => [...before, value]

function collectPermission(value: string, before: Permission[] = []): Permission[] {
  const known = PERMISSIONS.find(permission => permission === value)
  if (!known) throw new InvalidArgumentError(`Allowed choices are ${PERMISSIONS.join(', ')}.`)
  return [...before, known]
}

const describeMember = ({ actor, role, groups }: Member) => `${actor}  ${role}  ${groups.join(', ') || 'no group'}`

function readHead(text: string): { seq: number; hash: string } {
  const [, seq, hash = ''] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined) throw new InvalidArgumentError('Give it as printed: <number>:<hash>.')
  return { seq: Number(seq), hash }
}

function describeChain({ verified, expired, waiting, head, problem }: ChainReport): string {
  const counts = `${verified} entries are as they were sealed; ${expired} have expired, ${waiting} wait for their seal.`
  const last = head ? `\nHead: ${head.seq}:${head.hash}` : ''
  return problem ? `The log was changed: ${problem.message} (${problem.kind}).\n${counts}` : `${counts}${last}`
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Postgres gives no message of its own, search says what is missing. */
const findAway = (error: Unavailable) =>
  error.message === new Unavailable().message ? 'The database that DATABASE_URL names does not answer' : error.message

const program = new Command('ganglion-admin').description(
  'Workspaces, brains, members, API keys, secrets, the search index and the builds of workers of Ganglion',
)

const workspace = program.command('workspace').description('Workspaces')
workspace
  .command('create')
  .description('Create a workspace with its default brain and the built-in resources')
  .requiredOption('--name <name>', 'what people call it')
  .option('--slug <slug>', 'the name in URLs; by default built from the name')
  .option('--plan <plan>', 'one of PLANS; by default DEFAULT_PLAN')
  .option('--json', 'print one JSON line')
  .action(({ name, slug, plan: named, json }: { name: string; slug?: string; plan?: string } & Output) =>
    withAccess(async ({ admin }, config) => {
      const plan = startPlan(config, { plan: named })
      const made = await admin.createWorkspace({ name, slug, plan, core: readCore(CORE_FILE) })
      say(json, made, `Workspace ${made.slug} is ready.\n  id:    ${made.id}\n  brain: ${made.brain_id}`)
    }),
  )

workspace
  .command('set-plan')
  .description('Set the plan of a workspace; a trial begins now')
  .requiredOption('--workspace <slug>', 'the workspace')
  .option('--plan <plan>', 'one of PLANS; by default DEFAULT_PLAN')
  .option('--trial-ends <time>', 'when the trial ends, as ISO 8601; by default after the trial days of the plan')
  .option('--json', 'print one JSON line')
  .action((options: { workspace: string; plan?: string; trialEnds?: string } & Output) =>
    withAccess(async ({ admin }, config) => {
      const stored = startPlan(config, { plan: options.plan, trial_ends_at: options.trialEnds })
      await admin.setPlan(options.workspace, stored)
      const name = stored.plan ?? config.DEFAULT_PLAN
      const end = stored.trial_ends_at ? `until ${stored.trial_ends_at}` : 'without an end'
      say(options.json, { ...stored, plan: name }, `${options.workspace} has the plan ${name}, ${end}.`)
    }),
  )

const core = program.command('core').description('Built-in resources of every workspace')
core
  .command('apply')
  .description('Update the built-in neurons, reflexes, skills and receptors to their definitions; idempotent')
  .option('--file <file>', 'the file of definitions', CORE_FILE)
  .option('--workspace <slug>', 'the workspace; by default all')
  .option('--json', 'print one JSON line')
  .action(({ file, workspace: slug, json }: { file: string; workspace?: string } & Output) =>
    withStores(1, async ({ db }) => {
      const written = await applyCoreTo(db, readCore(file), slug)
      say(json, written, `${written.resources} resources written in ${written.workspaces} workspaces.`)
    }),
  )

const brain = program.command('brain').description('Brains of a workspace')
brain
  .command('create')
  .description('Create a brain')
  .requiredOption('--workspace <slug>', 'the workspace it belongs to')
  .requiredOption('--name <name>', 'what people call it')
  .option('--json', 'print one JSON line')
  .action((options: { workspace: string; name: string } & Output) =>
    withAccess(async ({ admin }) => {
      const made = await admin.createBrain(options.workspace, options)
      say(options.json, made, `Brain ${made.id} is ready.`)
    }),
  )

brain
  .command('list')
  .description('List the brains, oldest first')
  .requiredOption('--workspace <slug>', 'whose brains')
  .option('--json', 'print one JSON line')
  .action((options: { workspace: string } & Output) =>
    withAccess(async ({ admin }) => {
      const found = await admin.listBrains(options.workspace)
      const lines = found.map(({ id, name, is_default }) => `${id}  ${name}${is_default ? '  default' : ''}`)
      say(options.json, found, lines.join('\n'))
    }),
  )

brain
  .command('set-default')
  .description('Make a brain the default, in which credentials work that have no default brain of their own')
  .argument('<id>', 'the id of the brain')
  .requiredOption('--workspace <slug>', 'the workspace it belongs to')
  .option('--json', 'print one JSON line')
  .action((id: string, options: { workspace: string } & Output) =>
    withAccess(async ({ admin }) => {
      const made = await admin.setDefaultBrain(options.workspace, id)
      say(options.json, made, `${made.name} is the default brain of ${options.workspace}.`)
    }),
  )

const member = program.command('member').description('Members of a workspace')
member
  .command('set')
  .description('Set the role and the groups of a person')
  .requiredOption('--workspace <slug>', 'the workspace')
  .requiredOption('--actor <actor>', 'the person, such as user:ann')
  .addOption(
    new Option('--role <role>', 'what the person may do; by default builder, or unchanged').choices(ROLE_NAMES),
  )
  .option('--group <group>', 'a group, such as group:finance; repeatable', collect)
  .option('--json', 'print one JSON line')
  .action((options: { workspace: string; actor: string; role?: Role; group?: string[] } & Output) =>
    withAccess(async ({ admin, members }) => {
      const { workspace, actor, role, group: groups } = options
      const saved = await members.save(await admin.manage(workspace), { actor, role, groups })
      say(options.json, saved, describeMember(saved))
    }),
  )

member
  .command('list')
  .description('List the people with their roles and groups')
  .requiredOption('--workspace <slug>', 'whose members')
  .option('--json', 'print one JSON line')
  .action((options: { workspace: string } & Output) =>
    withAccess(async ({ admin, members }) => {
      const { data } = await members.list(await admin.manage(options.workspace), ALL)
      say(options.json, data, data.map(describeMember).join('\n') || 'No members yet.')
    }),
  )

member
  .command('remove')
  .description('Remove a person, and revoke its sessions and API keys')
  .requiredOption('--workspace <slug>', 'the workspace')
  .requiredOption('--actor <actor>', 'the person, such as user:ann')
  .option('--json', 'print one JSON line')
  .action((options: { workspace: string; actor: string } & Output) =>
    withAccess(async ({ admin, members }) => {
      await members.remove(await admin.manage(options.workspace), options.actor)
      say(options.json, { actor: options.actor, removed: true }, `${options.actor} is no longer a member.`)
    }),
  )

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

const apiKey = program.command('api-key').description('API keys of a workspace')
apiKey
  .command('create')
  .description('Create an API key; its text is shown only once')
  .requiredOption('--workspace <slug>', 'the workspace it opens')
  .requiredOption('--name <name>', 'what it is for')
  .option('--actor <actor>', 'the person it acts as, such as user:ann; by default key:<name>')
  .option('--owner <person>', 'the person behind a key that acts as itself, such as user:ann')
  .option('--group <group>', 'a group of the actor, such as group:finance; repeatable', collect)
  .addOption(
    new Option(
      '--permission <name>',
      'what it may do; repeatable; by default all but the management of access',
    ).argParser(collectPermission),
  )
  .option('--brain <id>', 'a brain it may access; repeatable; by default all', collect)
  .option('--default-brain <id>', 'the brain it works in unless a request names one; by default that of the workspace')
  .option('--expires <time>', 'when it expires, as ISO 8601; by default never')
  .option('--json', 'print one JSON line')
  .action(
    (
      options: {
        workspace: string
        name: string
        actor?: string
        owner?: string
        group?: string[]
        permission?: Permission[]
        brain?: string[]
        defaultBrain?: string
        expires?: string
      } & Output,
    ) =>
      withAccess(async ({ admin }) => {
        const { workspace, name, actor, owner, group: groups, brain: brain_ids, expires: expires_at } = options
        const { defaultBrain: default_brain_id, permission: permissions } = options
        const fields = { name, actor, owner, groups, permissions, brain_ids, default_brain_id, expires_at }
        const made = await admin.createApiKey(workspace, fields)
        say(
          options.json,
          made,
          `${made.api_key}\nKeep it now: it is not shown again. To revoke it, use its id ${made.id}.`,
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
        const end = key.revoked_at ? `revoked ${key.revoked_at}` : key.expires_at ? `until ${key.expires_at}` : 'no end'
        return `${key.id}  ${key.prefix}…  ${key.name}  acts as ${key.actor}${key.owner ? ` of ${key.owner}` : ''}  ${end}`
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

const triggers = program.command('triggers').description('Triggers of all workspaces')
triggers
  .command('repair')
  .description(
    'Write the schedules of all triggers to Temporal again, and delete those of triggers that are gone; idempotent',
  )
  .option('--json', 'print one JSON line')
  .action(({ json }: Output) =>
    withTriggers(async follower => {
      const repaired = await follower.repair({ all: true })
      const { schedules, written, removed } = repaired
      say(json, repaired, `${schedules} triggers have a schedule; ${written} were written, ${removed} deleted.`)
    }),
  )

const secret = program.command('secret').description('Secrets of workspaces')
secret
  .command('reencrypt')
  .description('Encrypt all secrets with SECRETS_ENCRYPTION_KEY_ID, so that former keys can be removed; idempotent')
  .option('--json', 'print one JSON line')
  .action(({ json }: Output) =>
    withStores(1, async ({ db }, config) => {
      const encryption = createSecretEncryption(config)
      if (!encryption) throw new Error('SECRETS_ENCRYPTION_KEYS is not set')
      const secrets = await reencryptSecrets(db, encryption)
      say(json, { secrets }, `${secrets} secrets are encrypted with the key ${encryption.keyId} now.`)
    }),
  )

program
  .command('audit')
  .description('The audit log of a workspace')
  .command('verify')
  .description('Compare the audit log with its seals; names the first entry that was changed, removed, moved or added')
  .requiredOption('--workspace <slug>', 'whose log')
  .addOption(
    new Option('--head <seq:hash>', 'a head that an earlier verification printed, which must be in it').argParser(
      readHead,
    ),
  )
  .option('--json', 'print one JSON line')
  .action((options: { workspace: string; head?: { seq: number; hash: string } } & Output) =>
    withStores(1, async ({ db }, { API_KEY_SECRET: secret }) => {
      const { workspace_id } = await createAccessAdmin({ db, secret }).manage(options.workspace)
      const report = await verifyChain(db, workspace_id, options.head)
      say(options.json, report, describeChain(report))
      if (report.problem) process.exitCode = 1
    }),
  )

program
  .command('reindex')
  .description('Rebuild the search index from Postgres, then replace the live one; searches continue meanwhile')
  .option('--json', 'print one JSON line')
  .action((options: Output) =>
    withStores(4, async ({ db, embedder, searchIndex: search }) => {
      const log = pino({ level: 'info', base: { process: 'cli' } }, pino.destination(2))
      const interrupted = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
      if (!search) throw new Error('ELASTICSEARCH_URL is not set: there is nothing to build')
      const made = await createIndexing({ db, search, embedder, log }).rebuild(interrupted.signal)
      say(options.json, made, `${made.index} is live, with ${made.resources} resources.`)
    }),
  )

addDeployments(program)

try {
  await program.parseAsync()
} catch (error) {
  // Neither what a person mistyped nor a database that is away needs a stack.
  console.error(error instanceof Unavailable ? findAway(error) : messageOf(error))
  process.exitCode = 1
}
