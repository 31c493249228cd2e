import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { logLine } from '../stack/log.ts'
import { restartOnChange } from '../stack/watch/restart-on-change.ts'
import { STATE_DIR } from '../stack/stack.ts'
import { openStateDir } from '../stack/state/state-dir.ts'
import { serve } from './start.ts'

const FOLDERS = [
  'activities',
  'api',
  'config',
  'contract',
  'data',
  'domain',
  'observability',
  'search',
  'services',
  'streams',
  'workflows',
]

/** `npm run dev`: serves like `npm start`, and restarts the API or a worker when one of its source files changes. */
export const dev = serve((stack, interrupted) =>
  restartOnChange(
    FOLDERS.map(folder => join(CHECKOUT, folder)),
    stack.apps,
    { stateDir: openStateDir(STATE_DIR), log: logLine, stays: false },
    interrupted,
  ),
)
