import { SegmentedControl } from '@mantine/core'

interface ViewsProps<Value extends string> {
  label: string
  value: Value
  /** Label of each view. */
  views: Partial<Record<Value, string>>
  onChange: (value: Value) => void
}

/** A switch between views of the same data. */
export const Views = <Value extends string>({ label, views, ...props }: ViewsProps<Value>) => (
  <SegmentedControl
    className="views"
    aria-label={label}
    data={(Object.keys(views) as Value[]).map(value => ({ value, label: views[value] }))}
    {...props}
  />
)
