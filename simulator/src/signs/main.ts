import { createInterface } from 'node:readline'
import { startAgent } from './agent.ts'
import { createSign, type FaultInjection, type SimulatedSign } from './sign.ts'

/*
 * Simulated signs on loopback, controlled by lines of JSON on stdin: `{"signs":[{"id","port","community"}]}` starts signs,
 * `{"trouble":{"id":…,"lateMs":…}}` injects faults, `{"restart":id}` simulates a power loss, and `{"ask":id}` writes the
 * shown text to stdout. The process exits when stdin closes.
 */
type ParentMessage = {
  signs?: { id: number; port: number; community: string }[]
  trouble?: FaultInjection & { id: number }
  restart?: number
  ask?: number
}

const signs = new Map<number, SimulatedSign>()
const respond = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const message = JSON.parse(line) as ParentMessage
  for (const { id, ...address } of message.signs ?? []) {
    const sign = createSign()
    startAgent(sign, address)
    signs.set(id, sign)
  }
  if (message.signs) respond({ started: message.signs.map(({ id }) => id) })
  if (message.trouble) {
    const { id, ...injection } = message.trouble
    signs.get(id)?.injectFaults(injection)
    respond({ troubled: id })
  }
  if (message.restart !== undefined) {
    signs.get(message.restart)?.restart()
    respond({ restarted: message.restart })
  }
  if (message.ask !== undefined) {
    const sign = signs.get(message.ask)
    respond({ id: message.ask, shows: sign?.shows(), owner: sign?.owner() })
  }
})
const exit = () => process.exit(0)
lines.on('close', exit)
process.on('SIGTERM', exit)
process.on('SIGINT', exit)
process.stdout.on('error', exit)
