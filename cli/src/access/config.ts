import type { Command } from 'commander'
import { addGroup } from '../shared/command.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { renderTable } from '../shared/output.ts'
import {
  configFile,
  explainSettings,
  normalize,
  readConfig,
  saveProfile,
  resolveProfileName,
} from '../shared/settings.ts'

/** Adds the `config` commands for effective settings and profile settings. */
export function add(program: Command): void {
  addGroup(program, 'config', [
    {
      name: 'get [setting]',
      summary: 'Print the effective settings and their sources, or one value: profile, url, brain',
      example: 'config get\nconfig get url',
      run: async (context, [requestedName]) => {
        const all = explainSettings(context.options)
        if (requestedName === undefined)
          return context.print(all, settings =>
            renderTable(settings, [
              ['setting', setting => setting.name],
              ['value', setting => setting.value],
              ['from', setting => setting.from],
            ]),
          )
        const match = all.find(({ name }) => name === requestedName)
        if (!match) throw usageError(`Unknown setting. Use one of ${all.map(({ name }) => name).join(', ')}`)
        if (match.value === null) throw new CliError(EXIT.notFound, `${requestedName} is not set`)
        await context.print(match, ({ value }) => value ?? '')
      },
    },
    {
      name: 'set <setting> <value>',
      summary: 'Set a profile\'s url or brain; "" removes the brain, a new url removes the key',
      example: 'config set brain 0192f0c4-0000-7000-8000-0000000000b1 --profile work',
      run: (context, [setting = '', value = '']) => {
        const name = resolveProfileName(context.options)
        const { profiles, current } = readConfig()
        const profile = profiles[name]
        if (!profile) throw new CliError(EXIT.notFound, `Profile ${name} does not exist. Run "ganglion login"`)
        const updatedProfile = { ...profile, ...parseSetting(setting, value) }
        saveProfile(name, updatedProfile, {}, current)
        return context.print(
          { name, ...updatedProfile },
          () => `Profile ${name}: ${setting} is ${value === '' ? 'not set' : value}`,
        )
      },
    },
    {
      name: 'path',
      summary: 'Print the path of the profiles file',
      run: context => context.print({ path: configFile() }, ({ path }) => path),
    },
  ])
}

function parseSetting(setting: string, value: string): { url: string } | { brain?: string } {
  if (setting === 'brain') return { brain: value === '' ? undefined : value }
  if (setting !== 'url') throw usageError('Unknown setting. Use url or brain')
  if (!URL.canParse(value)) throw usageError(`${value} is not a valid URL`)
  return { url: normalize(value) }
}
