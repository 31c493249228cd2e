import { type Checked, checkEditable } from '../../domain/resources/checking.ts'
import { kindOf, type ResourceKind } from '../../domain/resources/kinds/index.ts'

/** What the thread is asked: kinds are functions, so they go by their name. */
export interface CheckTask {
  wanted: unknown
  kind: string
}

export default ({ wanted, kind }: CheckTask): Checked => checkEditable(wanted, kindOf(kind as ResourceKind))
