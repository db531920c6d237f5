/** Default of HEAP_MB: several times what the largest reports and the live window of a busy country take. */
const DEFAULT_HEAP_MB = 1024
/** Enough for the start. */
export const MIN_HEAP_MB = 128
/** Maximum size of each half of the young generation: V8's own would reserve more than an idle server uses in all. */
const YOUNG_HEAP_MB = 8
/** glibc otherwise has up to eight arenas per core, each of which keeps freed memory. */
const MALLOC_ARENAS = '2'

/**
 * Restarts this process in place, with the same process id, with options of V8 and of malloc that Node.js reads only at
 * the start. Options of the command line and NODE_OPTIONS have precedence. Does nothing on systems without `execve`.
 */
export function limitMemory(): void {
  const { env, execArgv, execPath, argv, execve } = process
  const present = `${execArgv.join(' ')} ${env.NODE_OPTIONS ?? ''}`.replaceAll('_', '-')
  const options = Object.entries({
    '--max-old-space-size': heapMb(env.HEAP_MB),
    '--max-semi-space-size': YOUNG_HEAP_MB,
  }).flatMap(([name, value]) => (present.includes(name) ? [] : [`${name}=${value}`]))
  if (options.length === 0 || !execve || process.platform === 'win32') return
  const variables = { MALLOC_ARENA_MAX: MALLOC_ARENAS, ...env }
  execve(execPath, [execPath, ...execArgv, ...options, ...argv.slice(1)], variables as Record<string, string>)
}

/** An invalid value is rejected later, with the other settings. */
const heapMb = (text: string | undefined) =>
  /^\d+$/.test(text ?? '') ? Math.max(MIN_HEAP_MB, Number(text)) : DEFAULT_HEAP_MB
