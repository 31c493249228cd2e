import type { Database } from '../../../data/shared/database.ts'
import { browse } from './browse.ts'
import { children, childrenOfEach } from './children.ts'
import { move } from './move.ts'
import { folders, rows } from './tree.ts'
import type { DiscoveryService } from './types.ts'

interface Deps {
  db: Database
  /** Maximum number of resources of one move. The default stays well below the statement limit. */
  maxMoved?: number
}

export function createDiscovery({ db, maxMoved = 20_000 }: Deps): DiscoveryService {
  return {
    browse: (principal, query) => browse(db, principal, query),
    children: (principal, key, page) => children(db, principal, key, page),
    childrenOfEach: (principal, keys, page) => childrenOfEach(db, principal, keys, page),
    rows: (principal, query) => rows(db, principal, query),
    folders: (principal, query) => folders(db, principal, query),
    move: (principal, request) => move({ db, maxMoved }, principal, request),
  }
}
