import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import type { DatabaseFaults } from './connections.ts'
import type { MailFaults } from './mail-server.ts'
import type { NetworkFaults } from './network.ts'
import type { SignFaults } from './signs.ts'
import type { TicketFaults } from './ticket-service.ts'

export type Feature = 'images' | 'signs' | 'tickets'

/** What a history is about, and how much goes wrong in it. Probabilities are of one request, statement or answer. */
export type Scenario = {
  features: Record<Feature, boolean>
  batches: number
  /** How many times a process dies at any moment, and how likely it does after a request to the outside took effect. */
  deaths: number
  deathsAfterRequest: number
  /** How often connections fail as a whole. */
  disconnections: number
  chaosMs: number
  database: DatabaseFaults
  network: NetworkFaults
  mail: MailFaults
  signs: SignFaults
  tickets: TicketFaults
  disk: number
}

/** How likely a part fails at all. The others hide what only its faults show: with a slow database few tickets are sent. */
const FAILING = { database: 0.6, network: 0.7, mail: 0.7, signs: 0.8, tickets: 0.8, disk: 1 }

/** A scenario of a seed: in some nothing fails, in some only one part does, as faults may hide each other. */
export function createScenario(random: Random): Scenario {
  const ratesOf = (part: keyof typeof FAILING) => {
    const isFailing = random.happens(FAILING[part])
    return (rates: readonly number[]) => (isFailing && random.happens(0.5) ? random.pick(rates) : 0)
  }
  const [database, network, mail] = [ratesOf('database'), ratesOf('network'), ratesOf('mail')]
  const [signs, tickets, disk] = [ratesOf('signs'), ratesOf('tickets'), ratesOf('disk')]
  const rare = [0.005, 0.02, 0.05]
  const frequent = [0.05, 0.2, 0.4]
  const features = { images: random.happens(0.5), signs: random.happens(0.4), tickets: random.happens(0.35) }
  return {
    features,
    batches: 1 + random.below(4),
    deaths: random.happens(0.5) ? 0 : 1 + random.below(3),
    deathsAfterRequest: random.happens(0.5) ? 0 : random.pick([0.05, 0.2]),
    disconnections: random.happens(0.5) ? 0 : 1 + random.below(3),
    // Tickets are sent once a minute.
    chaosMs: features.tickets && random.happens(0.6) ? 20_000 + random.below(160_000) : 2_000 + random.below(12_000),
    database: {
      lostBefore: database(rare),
      lostAfter: database(rare),
      failed: database(rare),
      silent: database([0.002, 0.005, 0.01]),
      slow: database(frequent),
      refused: database(frequent),
    },
    network: {
      lost: network(frequent),
      unanswered: network(frequent),
      repeated: network(frequent),
      slow: network(frequent),
    },
    mail: { refused: mail(frequent), unanswered: mail(frequent), slow: mail(frequent) },
    signs: { lost: signs(frequent), unanswered: signs(frequent), late: signs([0.05, 0.2]), rejected: signs(frequent) },
    tickets: {
      lost: tickets(frequent),
      unanswered: tickets(frequent),
      late: tickets(frequent),
      failed: tickets(frequent),
      slow: tickets(frequent),
    },
    disk: disk(frequent),
  }
}

/** What takes part in the history of a seed. */
export const featuresOf = (seed: number): Scenario['features'] => createScenario(seededRandom(seed)).features
