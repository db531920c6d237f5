export type PutOptions = {
  /** Default true. Without it a file is also stored atomically, but the crash of a machine may lose or truncate it. */
  flush?: boolean
}

/** The image store. Paths are relative, with `/` between their parts. */
export type Files = {
  /**
   * Stores the bytes durably, and replaces an existing file atomically. A new file may be incomplete until the promise
   * resolves: store its row afterwards.
   */
  put: (path: string, bytes: Uint8Array, options?: PutOptions) => Promise<void>
  /** Null if missing. */
  get: (path: string) => Promise<Buffer | null>
  /** Up to `length` bytes from `offset`, below the size of the file; null if it is missing. */
  getPart: (path: string, offset: number, length: number) => Promise<Buffer | null>
  remove: (path: string) => Promise<void>
  /** Deletes all files below the folder; no error if there are none. */
  removeFolder: (folder: string) => Promise<void>
}
