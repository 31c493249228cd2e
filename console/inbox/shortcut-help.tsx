import { Kbd, Modal, Table } from '@mantine/core'

const KEYS = [
  ['j', 'the next one'],
  ['k', 'the one before'],
  ['x', 'choose it, to answer several at once'],
  ['Enter', 'to the answer'],
  ['a', 'approve: write a comment or not, then Enter'],
  ['r', 'reject: write a comment or not, then Enter'],
  ['?', 'these keys'],
]

export const ShortcutHelp = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Modal opened={isOpen} onClose={onClose} title="Keys of the inbox">
    <Table>
      <Table.Tbody>
        {KEYS.map(([key, meaning]) => (
          <Table.Tr key={key}>
            <Table.Td>
              <Kbd>{key}</Kbd>
            </Table.Td>
            <Table.Td>{meaning}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Modal>
)
