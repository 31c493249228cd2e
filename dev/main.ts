import { logLine } from './stack/log.ts'
import type { Command } from './commands/command.ts'

const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).start,
  dev: async () => (await import('./commands/dev.ts')).dev,
  stop: async () => (await import('./commands/stop.ts')).stop,
  status: async () => (await import('./commands/status.ts')).status,
  logs: async () => (await import('./commands/logs.ts')).logs,
  test: async () => (await import('./commands/test.ts')).test,
  'test:chart': async () => (await import('./commands/chart.ts')).testChart,
  'test:stacks': async () => (await import('./commands/test.ts')).testStacks,
  'test:compose': async () => (await import('./commands/compose.ts')).testCompose,
  'test:docs': async () => (await import('./commands/test.ts')).testDocs,
  'test:faults': async () => (await import('./commands/test.ts')).testFaults,
  'test:restore': async () => (await import('./commands/test.ts')).testRestore,
  'test:long': async () => (await import('./commands/test.ts')).testLong,
  'test:upgrade': async () => (await import('./commands/test.ts')).testUpgrade,
  'test:random-runs': async () => (await import('./commands/test.ts')).testRandomRuns,
  'test:triggers': async () => (await import('./commands/test.ts')).testTriggers,
  'test:image': async () => (await import('./commands/image.ts')).testImage,
  'test:mail': async () => (await import('./commands/mail.ts')).testMail,
  demo: async () => (await import('./commands/demo.ts')).demo,
  bench: async () => (await import('./commands/bench.ts')).bench,
  'bench:agents': async () => (await import('./commands/bench.ts')).benchAgents,
  'test:isolation': async () => (await import('./commands/bench.ts')).testIsolation,
  'test:attacks': async () => (await import('./commands/bench.ts')).testAttacks,
  'test:generators': async () => (await import('./commands/bench.ts')).testGenerators,
  fuzz: async () => (await import('./commands/bench.ts')).fuzz,
  'bench:console': async () => (await import('./commands/bench.ts')).benchConsole,
  'bench:costs': async () => (await import('./commands/bench.ts')).benchCosts,
  'bench:growth': async () => (await import('./commands/bench.ts')).benchGrowth,
  'bench:search': async () => (await import('./commands/bench.ts')).benchSearch,
  'bench:spine': async () => (await import('./commands/bench.ts')).benchSpine,
  check: async () => (await import('./commands/check.ts')).check,
  docs: async () => (await import('./commands/docs.ts')).buildDocs,
  'client:generate': async () => (await import('./commands/client.ts')).generateClient,
  'client:build': async () => (await import('./commands/client.ts')).buildClient,
  'cli:build': async () => (await import('./commands/client.ts')).buildCli,
  'test:client': async () => (await import('./commands/client.ts')).testClient,
  'console:build': async () => (await import('./commands/console.ts')).buildConsoleCommand,
  'test:console': async () => (await import('./commands/test.ts')).testConsole,
  'release:version': async () => (await import('./commands/release.ts')).releaseVersion,
  'release:notes': async () => (await import('./commands/release.ts')).releaseNotes,
  admin: async () => (await import('./commands/admin.ts')).admin,
}

const [name = '', ...args] = process.argv.slice(2)
const load = COMMANDS[name]

if (!load) {
  process.stderr.write(`Usage: npm run <command>. Commands: ${Object.keys(COMMANDS).join(', ')}\n`)
  process.exitCode = 2
} else {
  try {
    const command = await load()
    process.exitCode = await command(args)
  } catch (error) {
    logLine(name, (error as Error).message)
    if (process.env['GANGLION_DEBUG']) process.stderr.write(`${(error as Error).stack}\n`)
    process.exitCode = 1
  }
  // Exits explicitly, because a connection that a client library left open must not keep a completed command running.
  process.exit()
}
