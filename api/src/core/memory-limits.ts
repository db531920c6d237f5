/** Default of HEAP_MB: several times what the largest reports and the live window of a busy country take. */
const DEFAULT_HEAP_MB = 1024
/** Enough for the start. */
export const MIN_HEAP_MB = 128
/** glibc otherwise has up to eight arenas per core, each of which keeps freed memory. */
const MALLOC_ARENAS = '2'

/**
 * Restarts this process in place, with the same process id, with limits of V8 and of malloc that are read only at the
 * start. Does nothing if the command line or NODE_OPTIONS limits the heap, nor on systems without `execve`.
 */
export function limitMemory(): void {
  const { env, execArgv, execPath, argv, execve } = process
  const present = `${execArgv.join(' ')} ${env.NODE_OPTIONS ?? ''}`.replaceAll('_', '-')
  if (present.includes('--max-old-space-size') || !execve || process.platform === 'win32') return
  const heap = `--max-old-space-size=${heapMb(env.HEAP_MB)}`
  const variables = { MALLOC_ARENA_MAX: MALLOC_ARENAS, ...env } as Record<string, string>
  execve(execPath, [execPath, ...execArgv, heap, ...argv.slice(1)], variables)
}

/** An invalid value is rejected later, with the other settings. */
const heapMb = (text: string | undefined) =>
  /^\d+$/.test(text ?? '') ? Math.max(MIN_HEAP_MB, Number(text)) : DEFAULT_HEAP_MB
