import type { Command } from 'commander'
import { addCommand, addGroup, option } from '../command.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import {
  configFile,
  normalize,
  readConfig,
  readKeys,
  removeProfile,
  saveConfig,
  saveProfile,
  toProfileName,
} from '../settings.ts'
import { openAsking, readStdin } from '../terminal.ts'
import type { Context } from '../command.ts'

/** Signing in, and the profiles that remember where. */
export function addAccess(program: Command): void {
  addCommand<{ withKeyStdin?: boolean }>(program, {
    name: 'login',
    example:
      'login --url https://ganglion.example.com --profile work\ncat key.txt | ganglion login --url https://ganglion.example.com --with-key-stdin',
    options: [option('--with-key-stdin', 'read the key from stdin')],
    run: login,
  })
  addCommand(program, {
    name: 'logout',
    example: 'logout --profile work',
    run: context => {
      const name = toProfileName(context.options)
      removeProfile(name, { keepsProfile: true })
      return context.print({ profile: name, signed_in: false }, () => `The key of ${name} is forgotten`)
    },
  })
  addCommand(program, {
    name: 'whoami',
    example: 'whoami',
    run: async context => {
      const client = await context.client()
      const { version, workspace, brain } = await client.health.get()
      if (!workspace) throw new CliError(EXIT.denied, `The key is not one of ${context.settings.url}`)
      const { profile = null, url } = context.settings
      const shown = { profile, url, version, workspace, brain: brain?.id ?? null }
      await context.print(
        shown,
        () => `${workspace.slug} at ${url}${profile ? ` (profile ${profile})` : ''}\nbrain ${brain?.id ?? 'none'}`,
      )
    },
  })
  addProfiles(addGroup(program, 'profile'))
  const config = addGroup(program, 'config')
  addCommand(config, {
    name: 'path',
    summary: 'Print where the profiles are',
    example: 'config path',
    run: context => context.print({ path: configFile() }, ({ path }) => path),
  })
}

function addProfiles(group: Command): void {
  addCommand(group, {
    name: 'list',
    summary: 'List the profiles',
    example: 'profile list',
    run: context => {
      const { profiles, current } = readConfig()
      const keys = readKeys()
      const shown = Object.entries(profiles).map(([name, { url, brain }]) => ({
        name,
        url,
        brain,
        is_current: name === current,
        signed_in: name in keys,
      }))
      return context.print(shown, all =>
        all
          .map(one => `${one.is_current ? '*' : ' '} ${one.name}\t${one.url}${one.signed_in ? '' : '\tsigned out'}\n`)
          .join(''),
      )
    },
  })
  addCommand(group, {
    name: 'use <name>',
    summary: 'Make a profile the current one',
    example: 'profile use work',
    run: (context, [name = '']) => {
      const config = readConfig()
      if (!config.profiles[name]) throw new CliError(EXIT.notFound, `There is no profile ${name}`)
      saveConfig({ ...config, current: name })
      return context.print({ name, ...config.profiles[name] }, ({ url }) => `${name} is the current profile: ${url}`)
    },
  })
  addCommand(group, {
    name: 'show [name]',
    summary: 'Show a profile; by default the current one',
    example: 'profile show work --json',
    run: (context, [given]) => {
      const name = given ?? toProfileName(context.options)
      const profile = readConfig().profiles[name]
      if (!profile) throw new CliError(EXIT.notFound, `There is no profile ${name}`)
      return context.print(
        { name, ...profile, signed_in: name in readKeys() },
        shown => `${shown.name}\t${shown.url}${shown.signed_in ? '' : '\tsigned out'}`,
      )
    },
  })
  addCommand(group, {
    name: 'delete <name>',
    summary: 'Delete a profile with its key',
    example: 'profile delete work',
    run: (context, [name = '']) => {
      if (!readConfig().profiles[name]) throw new CliError(EXIT.notFound, `There is no profile ${name}`)
      removeProfile(name)
      return context.print({ name, deleted: true }, () => `${name} is deleted`)
    },
  })
}

async function login(context: Context, _: string[], { withKeyStdin }: { withKeyStdin?: boolean }): Promise<void> {
  if (!withKeyStdin && !context.canAsk)
    throw usageError('Nobody can be asked for the key here: give it with --with-key-stdin, or set GANGLION_API_KEY')
  const { url, apiKey } = withKeyStdin
    ? { url: context.options.url, apiKey: (await readStdin()).trim() }
    : await askForAccess(context.options.url)
  const address = url || process.env['GANGLION_URL']
  if (!address || !URL.canParse(address)) throw usageError('The address of the service is missing: --url https://...')
  if (!apiKey) throw usageError('The key is empty')
  const { Ganglion } = await import('@ganglion/client')
  const { workspace } = await new Ganglion({ baseUrl: address, apiKey, maxRetries: 0 }).health.get()
  if (!workspace) throw new CliError(EXIT.denied, `The key is not one of ${address}`)
  const name = context.options.profile ?? 'default'
  const profile = { url: normalize(address), ...(context.options.brain && { brain: context.options.brain }) }
  saveProfile(name, profile, apiKey)
  await context.print(
    { profile: name, ...profile, workspace },
    () => `Signed in to ${workspace.slug} at ${profile.url} (profile ${name})`,
  )
}

async function askForAccess(given: string | undefined): Promise<{ url: string; apiKey: string }> {
  const asking = openAsking()
  try {
    const url = given ?? (await asking.ask('Address of the service: ')).trim()
    return { url, apiKey: (await asking.askSecret('API key (not shown): ')).trim() }
  } finally {
    asking.close()
  }
}
