import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import * as endpoints from '@rogatka/contract/imports.ts'
import { sql } from '../core/statement.ts'
import type { Client, TestApi } from '../testing/test-api.ts'

export const uploadFile = (
  client: Client,
  content: string | Buffer | Readable,
  fileName = 'file.csv',
  mappingId?: number,
) =>
  client.call(endpoints.upload, {
    query: { fileName, ...(mappingId !== undefined && { mappingId }) },
    payload: content instanceof Readable ? content : Buffer.from(content as string),
    headers: { 'content-type': 'application/octet-stream' },
  })

export const compressed = (content: string) => gzipSync(content)

export const detailOf = async (client: Client, id: number) =>
  (await client.call(endpoints.detail, { params: { id } })).body

/** Uploads a file and tries it. */
export async function tryFile(api: TestApi, client: Client, content: string | Buffer, fileName?: string) {
  const { id } = (await uploadFile(client, content, fileName)).body
  await api.runJobs()
  return detailOf(client, id)
}

/** Tries a file with other options. */
export async function tryAgain(api: TestApi, client: Client, id: number, change: object) {
  const { options, revision } = await detailOf(client, id)
  const answer = await client.call(endpoints.changeOptions, {
    params: { id },
    query: { revision },
    body: { ...options, ...change },
  })
  if (answer.status === 200) await api.runJobs()
  return answer
}

/** Starts the run of an import as it is now. */
export async function startRun(client: Client, id: number) {
  const { revision } = await detailOf(client, id)
  return client.call(endpoints.run, { params: { id }, query: { revision } })
}

/** Runs a tried import to its end. */
export async function runImport(api: TestApi, client: Client, id: number) {
  const answer = await startRun(client, id)
  if (answer.status === 200) await api.runJobs()
  return answer.status === 200 ? detailOf(client, id) : answer.body
}

/** Code and number of rows of each reason, the most frequent first. */
export const reasonsOf = ({ trial }: { trial: { reasons: { code: string; rows: number }[] } | null }) =>
  trial?.reasons.map(({ code, rows }) => `${rows} ${code}`)

export const vehicleCount = async ({ db }: TestApi) =>
  (await db.query<{ count: number }>(sql`select count(*)::int as count from vehicle`))[0]?.count
