/**
 * The file store does not respond, refuses or is full: the API returns 503 `storage-unavailable`, clients may retry.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
