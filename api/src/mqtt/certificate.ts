import { readFile, stat } from 'node:fs/promises'
import type { Server } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'

/** Files with a certificate and its key, in PEM. */
export type CertificateFiles = { cert: string; key: string }

const CHECK_MS = 60_000

/** Reads a certificate with its key. @throws Error if one cannot be read */
export async function readCertificate(files: CertificateFiles): Promise<{ cert: Buffer; key: Buffer }> {
  const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)])
  return { cert, key }
}

/** Uses renewed files for new connections, within a minute; returns a function that stops this. */
export function watchCertificate(
  server: Server,
  files: CertificateFiles,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  checkMs = CHECK_MS,
): () => void {
  const versionOf = async () => {
    const states = await Promise.all([stat(files.cert), stat(files.key)])
    return states.map(({ mtimeMs, size }) => `${mtimeMs} ${size}`).join()
  }
  let known: string | undefined
  const check = async () => {
    const version = await versionOf()
    known ??= version
    if (version === known) return
    server.setSecureContext(await readCertificate(files))
    // Also if they were read between the writes of the two files: `setSecureContext` rejects a key of another certificate.
    known = version
    log.info('mqtt: the certificate was renewed')
  }
  const run = () => void check().catch((error) => log.error({ err: error }, 'mqtt: the certificate is not renewed'))
  run()
  const timer = setInterval(run, checkMs).unref()
  return () => clearInterval(timer)
}
