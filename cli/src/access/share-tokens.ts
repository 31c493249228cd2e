import type { Command } from 'commander'
import { addGroup, required } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'
import { openOwnClient as client } from './session.ts'

/**
 * Adds the `share-tokens` commands for links to receptors and threads. They need a signed-in user, or a key with
 * permission to manage share tokens.
 */
export const add = (program: Command): Command =>
  addGroup(program, 'share-tokens', [
    operation('shareTokens.list', {
      name: 'list',
      client,
      columns: [
        'id',
        'name',
        ['target', one => `${one.target.type}/${one.target.id}`],
        ['rights', one => one.rights.join(',')],
        ['uses', one => one.uses],
        ['expires', 'expires_at'],
        ['revoked', 'revoked_at'],
      ],
    }),
    operation('shareTokens.create', {
      name: 'create <name>',
      summary: 'Create a share token and print it once',
      example: 'share-tokens create website --target receptor/support --rights read,write --max-uses 100',
      client,
      options: {
        rights: '--rights <rights>',
        expires_at: '--expires <time>',
        max_uses: '--max-uses <number>',
        allowed_origins: '--allowed-origins <origins>',
      },
      further: [required('--target <type/id>', 'receptor or thread to share: receptor/<id or slug> or trace/<id>')],
      fields: ({ target }: { target: string }) => ({ target: readTarget(target) }),
      say: ({ id }) => `Store the token for ${id} now: it is not shown again`,
      text: ({ share_token }) => share_token,
    }),
    operation('shareTokens.revoke', {
      name: 'revoke <id>',
      example: 'share-tokens revoke 0192f0c4-0000-7000-8000-0000000000d1 --yes',
      client,
      confirm: ([id]) => `Revoke share token ${id}?`,
      done: 'revoked',
    }),
  ])

function readTarget(text: string): { type: string; id: string } {
  const [type = '', id] = text.split('/')
  if (!id || !['receptor', 'trace'].includes(type))
    throw usageError('Enter the target as receptor/<id or slug> or trace/<id>')
  return { type, id }
}
