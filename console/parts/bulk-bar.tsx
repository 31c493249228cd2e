import { Button } from '@mantine/core'

interface BulkBarProps<Action extends string> {
  label: string
  count: number
  /** Said after the number. */
  note?: string
  actions: Action[]
  toLabel: (action: Action) => string
  isDisabled?: boolean
  className?: string
  onAction: (action: Action) => void
  onNone: () => void
}

/** What can be done with the chosen rows of a list. Nothing is shown while none is chosen. */
export const BulkBar = <Action extends string>(props: BulkBarProps<Action>) =>
  props.count === 0 ? null : (
    <div className={`bulk ${props.className ?? ''}`.trim()} role="group" aria-label={props.label}>
      <span>
        {props.count} chosen{props.note}
      </span>
      {props.actions.map(action => (
        <Button
          key={action}
          size="xs"
          variant="default"
          disabled={props.isDisabled}
          onClick={() => props.onAction(action)}
        >
          {props.toLabel(action)}…
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={props.onNone}>
        Choose none
      </Button>
    </div>
  )
