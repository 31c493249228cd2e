import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Says that there is nothing, and what would be here. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <Text fw={600}>{title}</Text>
    {children && (
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
    )}
  </div>
)
