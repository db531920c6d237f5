/*
 * Thread pool for blocking work: disk, password hashing, compression. Imported first: Node fixes its size when the
 * first thread is used.
 */
process.env.UV_THREADPOOL_SIZE ??= '12'
