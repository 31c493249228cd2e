import { BUILTIN_TOOLS } from '../tools/builtin.ts'
import type { RunTool } from './run-spec.ts'

/** The tool with which an agent reads the files of its conversation. */
export const READ_FILE: RunTool = {
  alias: 'read_file',
  name: 'read_file',
  ...BUILTIN_TOOLS.read_file,
  source: 'builtin',
  reflex: { id: '', slug: 'files', version: 0 },
  approval: ['never'],
}
