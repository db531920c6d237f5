/** The image store. Paths are relative, with `/` between their parts. */
export type Files = {
  /** Stores the bytes durably, and replaces an existing file atomically. */
  put: (path: string, bytes: Uint8Array) => Promise<void>
  /** Null if missing. */
  get: (path: string) => Promise<Buffer | null>
  remove: (path: string) => Promise<void>
  /** Deletes all files below the folder; no error if there are none. */
  removeFolder: (folder: string) => Promise<void>
}
