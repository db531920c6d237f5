import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { MigrationBuilder } from 'node-pg-migrate'
import { buildIndex, parseIndexBuild } from './index-build.ts'
import { followsRules } from './migration-order.ts'

/** Maximum time that a migration waits for a lock, and that others queue behind it, and how long it retries. */
export type LockLimits = { waitMs: number; retryMs: number }

/**
 * Maximum time of a statement, during which others may wait for its locks: less than the timeout of a request.
 * A migration can set another one for itself.
 */
const STATEMENT_TIMEOUT_MS = 30_000

/**
 * Loads migrations for the runner. Each runs in a transaction with time limits, except the build of an index without
 * locks. `onStart` is called before the first statement of each.
 */
export const createLoader =
  ({ waitMs }: LockLimits, onStart: (name: string) => void) =>
  (paths: string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const name = basename(path, '.sql')
        const content = await readFile(path, 'utf8')
        const up = async (steps: MigrationBuilder) => {
          onStart(name)
          const index = parseIndexBuild(content)
          if (index) {
            steps.noTransaction()
            return buildIndex(steps.db, index, waitMs)
          }
          steps.sql(`set local lock_timeout = ${waitMs}`)
          if (followsRules(name)) steps.sql(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
          steps.sql(content)
        }
        return { id: path, filePaths: [path], actions: { up, down: false as const } }
      }),
    )
