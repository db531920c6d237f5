import './core/threads.ts'
import { keepCompiled } from './core/compile-cache.ts'
import { limitMemory } from './core/memory-limits.ts'

/* Starts the server, whose many modules are only loaded once the process has its memory limits. */

limitMemory()
keepCompiled()
await import('./server.ts')
