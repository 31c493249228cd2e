import { installChartTools } from '../machine/chart-tools.ts'
import { logLine } from '../stack/log.ts'
import type { Command } from './command.ts'
import { test } from './test.ts'

/** `npm run test:chart [-- jest arguments]`: checks the Helm chart. Needs Helm and kubeconform, or Go to build them. */
export const testChart: Command = async args => {
  Object.assign(process.env, await installChartTools(message => logLine('chart', message)))
  return test(['test/chart/', ...args])
}
