/** The file store does not answer, refuses or is full: the API answers 503 `storage-unavailable`, clients may retry. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
