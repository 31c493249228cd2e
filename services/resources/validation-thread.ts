import { type Checked, checkEditable } from '../../domain/resources/checking.ts'
import { getResourceKind, type ResourceKind } from '../../domain/resources/kinds/index.ts'

/** What the thread is asked: kinds are functions, so they go by their name. */
export interface ValidationTask {
  document: unknown
  kind: string
}

export default ({ document, kind }: ValidationTask): Checked =>
  checkEditable(document, getResourceKind(kind as ResourceKind))
