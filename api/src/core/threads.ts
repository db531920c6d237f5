/*
 * Threads for what would block: the disk, hashes of passwords, compression. Imported before all else: Node starts them
 * when the first one is needed, and then there are as many as there are to be.
 */
process.env.UV_THREADPOOL_SIZE ??= '12'
