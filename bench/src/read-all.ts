import { get } from 'node:http'

/** Reads a response to its end and drops it. */
export const readAll = (url: string, headers: Record<string, string>) =>
  new Promise<void>((resolve, reject) => {
    get(url, { headers }, (answer) => {
      answer.on('end', resolve).on('error', reject).resume()
    }).on('error', reject)
  })
