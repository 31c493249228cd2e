import type { Command } from 'commander'
import { addCommand, addGroup, type CommandSpec, option } from '../shared/command.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { createSessionClient, openPersonClient, openSession } from './session.ts'
import {
  forgetSecrets,
  normalize,
  readConfig,
  readKeys,
  removeProfile,
  saveConfig,
  saveProfile,
  resolveProfileName,
} from '../shared/settings.ts'
import { openPrompt, readStdin } from '../shared/terminal.ts'
import type { Context } from '../shared/command.ts'

/** Adds the sign-in and profile commands. */
export function add(program: Command): void {
  addCommand<LoginOptions>(program, {
    name: 'login',
    example:
      'login --url https://ganglion.example.com --profile work\ncat key.txt | ganglion login --url https://ganglion.example.com --with-key-stdin\nlogin --session',
    options: [
      option('--with-key-stdin', 'read the API key, or with --session the sign-in link, from stdin'),
      option('--session', 'sign a person in with a sign-in link or session token; required for "keys"'),
    ],
    run: login,
  })
  addCommand(program, {
    name: 'logout',
    example: 'logout --profile work',
    run: async context => {
      const name = resolveProfileName(context.options)
      await endSession(context)
      forgetSecrets(name)
      await context.print({ profile: name, signed_in: false }, () => `Removed the key of ${name}`)
    },
  })
  addCommand(program, {
    name: 'whoami',
    run: async context => {
      const client = await context.client()
      const { version, workspace, brain } = await client.health.get()
      if (!workspace) throw new CliError(EXIT.denied, `The key is not valid for ${context.settings.url}`)
      const { profile = null, url } = context.settings
      const access = { profile, url, version, workspace, brain: brain?.id ?? null }
      await context.print(
        access,
        () => `${workspace.slug} at ${url}${profile ? ` (profile ${profile})` : ''}\nbrain ${brain?.id ?? 'none'}`,
      )
    },
  })
  addGroup(program, 'profile', profileCommands)
}

const profileCommands: CommandSpec<never>[] = [
  {
    name: 'list',
    summary: 'List profiles',
    run: context => {
      const { profiles, current } = readConfig()
      const keys = readKeys()
      const profileList = Object.entries(profiles).map(([name, { url, brain }]) => ({
        name,
        url,
        brain,
        is_current: name === current,
        signed_in: name in keys,
      }))
      return context.print(profileList, all =>
        all
          .map(
            profile =>
              `${profile.is_current ? '*' : ' '} ${profile.name}\t${profile.url}${profile.signed_in ? '' : '\tsigned out'}\n`,
          )
          .join(''),
      )
    },
  },
  {
    name: 'use <name>',
    summary: 'Switch to a profile',
    example: 'profile use work',
    run: (context, [name = '']) => {
      const config = readConfig()
      if (!config.profiles[name])
        throw new CliError(EXIT.notFound, `Profile ${name} does not exist. Run "ganglion profile list"`)
      saveConfig({ ...config, current: name })
      return context.print({ name, ...config.profiles[name] }, ({ url }) => `Switched to profile ${name}: ${url}`)
    },
  },
  {
    name: 'show [name]',
    summary: 'Show a profile; default: the current one',
    example: 'profile show work --json',
    run: (context, [profileName]) => {
      const name = profileName ?? resolveProfileName(context.options)
      const profile = readConfig().profiles[name]
      if (!profile) throw new CliError(EXIT.notFound, `Profile ${name} does not exist. Run "ganglion profile list"`)
      return context.print(
        { name, ...profile, signed_in: name in readKeys() },
        view => `${view.name}\t${view.url}${view.signed_in ? '' : '\tsigned out'}`,
      )
    },
  },
  {
    name: 'delete <name>',
    summary: 'Delete a profile and its key',
    example: 'profile delete work',
    run: (context, [name = '']) => {
      if (!readConfig().profiles[name])
        throw new CliError(EXIT.notFound, `Profile ${name} does not exist. Run "ganglion profile list"`)
      removeProfile(name)
      return context.print({ name, deleted: true }, () => `Deleted profile ${name}`)
    },
  },
]

interface LoginOptions {
  withKeyStdin?: boolean
  session?: boolean
}

async function login(context: Context, _: string[], { withKeyStdin, session }: LoginOptions): Promise<void> {
  const method = session ? 'link' : 'key'
  if (!withKeyStdin && !context.canAsk)
    throw usageError(
      `No terminal to enter the ${method}. Use --with-key-stdin${session ? '' : ' or set GANGLION_API_KEY'}`,
    )
  const { url, secret } = withKeyStdin
    ? { url: context.options.url, secret: (await readStdin()).trim() }
    : await askForAccess(context.options.url, session === true)
  if (!secret) throw usageError(`The ${method} is empty`)
  const address = url || process.env['GANGLION_URL']
  const { Ganglion } = await import('@ganglion/client')
  const name = context.options.profile ?? 'default'
  const brain = context.options.brain && { brain: context.options.brain }
  if (session) {
    const openedSession = await openSession(secret, address)
    const { signedIn } = await createSessionClient(Ganglion, openedSession)
    const { actor, workspace } = signedIn
    saveProfile(
      name,
      { ...readConfig().profiles[name], url: openedSession.url, ...brain },
      { session: openedSession.session },
    )
    await context.print(
      { profile: name, url: openedSession.url, actor, workspace },
      () => `Signed in to ${workspace.slug} at ${openedSession.url} as ${actor} (profile ${name})`,
    )
    return
  }
  if (!address || !URL.canParse(address)) throw usageError('Service address missing. Use --url https://...')
  const { workspace } = await new Ganglion({ baseUrl: address, apiKey: secret, maxRetries: 0 }).health.get()
  if (!workspace) throw new CliError(EXIT.denied, `The key is not valid for ${address}`)
  const profile = { url: normalize(address), ...brain }
  saveProfile(name, profile, { apiKey: secret })
  await context.print(
    { profile: name, ...profile, workspace },
    () => `Signed in to ${workspace.slug} at ${profile.url} (profile ${name})`,
  )
}

/** Also ends the session on the service, if the service is reachable. */
async function endSession(context: Context): Promise<void> {
  try {
    await (await openPersonClient(context)).session.end()
  } catch {
    // The service is unreachable. The session expires there later.
  }
}

async function askForAccess(input: string | undefined, isSession: boolean): Promise<{ url?: string; secret: string }> {
  const prompt = openPrompt()
  try {
    if (isSession) return { url: input, secret: (await prompt.askSecret('Sign-in link (hidden): ')).trim() }
    const url = input ?? (await prompt.ask('Service address: ')).trim()
    return { url, secret: (await prompt.askSecret('API key (hidden): ')).trim() }
  } finally {
    prompt.close()
  }
}
