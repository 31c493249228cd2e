import { type Checked, checkEditable } from '../../domain/resources/checking.ts'
import { getResourceKind, type ResourceKind } from '../../domain/resources/kinds/index.ts'

/** A task of the validation thread. It names the kind, because definitions of kinds cannot be sent. */
export interface ValidationTask {
  document: unknown
  kind: string
}

export default ({ document, kind }: ValidationTask): Checked =>
  checkEditable(document, getResourceKind(kind as ResourceKind))
