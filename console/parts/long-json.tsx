import { Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { ActionButton } from './action-button.tsx'
import { CopyText } from './copy-text.tsx'
import { download } from './download.ts'
import { Empty } from './empty.tsx'
import { Json } from './value.tsx'

/** What is shown of a long value, in characters. The rest is downloaded. */
const MAX_SHOWN = 65_536

/** A value as JSON, to copy or to download. */
export function LongJson({ value, name }: { value: unknown; name: string }) {
  if (value === undefined) return <Empty title="Nothing was recorded" />
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const isLong = text.length > MAX_SHOWN
  return (
    <>
      <Json value={isLong ? text.slice(0, MAX_SHOWN) : text} />
      <Group mt="xs" gap="xs">
        <CopyText text={text} label="Copy" />
        {isLong && (
          <ActionButton icon={IconDownload} onClick={() => download(text, `${name}.json`)}>
            Download all
          </ActionButton>
        )}
      </Group>
    </>
  )
}
