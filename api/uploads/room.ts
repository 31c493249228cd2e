import { Unavailable } from '../../domain/errors.ts'

/** The bytes of uploads that are held in memory at the same time, by all requests of the process together. */
export interface Room {
  /** A share for one request: it takes as bytes come, and gives all back at its end. */
  open(): RoomShare
}

export interface RoomShare {
  /** Throws Unavailable when there is no room for so many more bytes. */
  take(bytes: number): void
  giveBack(): void
}

export function createRoom(size: number): Room {
  let taken = 0
  return {
    open() {
      let own = 0
      return {
        take(bytes) {
          if (taken + bytes > size) throw new Unavailable('Too many documents are coming in at the same time')
          taken += bytes
          own += bytes
        },
        giveBack() {
          taken -= own
          own = 0
        },
      }
    },
  }
}
