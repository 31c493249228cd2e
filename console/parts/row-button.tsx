import { Button, type ButtonProps } from '@mantine/core'

interface RowButtonProps extends Pick<ButtonProps, 'loading' | 'children'> {
  /** Names the button where several are alike. */
  label?: string
  onClick: () => void
}

/** A small button beside what a row of a list says. */
export const RowButton = ({ label, ...props }: RowButtonProps) => (
  <Button size="compact-sm" fz="xs" variant="default" aria-label={label} {...props} />
)
