/** Where pictures lie. A path is relative, with `/` between its parts. */
export type Files = {
  /** Stores the bytes, durably once this returns; what lay at the path is replaced as a whole. */
  put: (path: string, bytes: Uint8Array) => Promise<void>
  /** Null where there is none. */
  get: (path: string) => Promise<Buffer | null>
  remove: (path: string) => Promise<void>
  /** Removes all below the folder; none there is no error. */
  removeFolder: (folder: string) => Promise<void>
}
