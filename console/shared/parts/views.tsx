import { SegmentedControl } from '@mantine/core'

interface ViewsProps<Value extends string> {
  label: string
  value: Value
  /** The label of each view. */
  views: Partial<Record<Value, string>>
  onChange: (value: Value) => void
}

/** Switches between views of the same things. */
export const Views = <Value extends string>({ label, views, ...props }: ViewsProps<Value>) => (
  <SegmentedControl
    className="views"
    aria-label={label}
    data={(Object.keys(views) as Value[]).map(value => ({ value, label: views[value] }))}
    {...props}
  />
)
