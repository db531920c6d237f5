import { reference } from './reference.ts'
import * as shifts from './shifts.ts'

export const shiftsReference = reference('Shifts', shifts, {
  report: {
    errors: { 400: ['value-too-large', 'value-too-small'] },
    query: { at: '2026-10-20T08:00:00Z' },
    response: {
      from: '2026-10-20T04:00:00.000Z',
      to: '2026-10-20T12:00:00.000Z',
      previous: '2026-10-19T20:00:00.000Z',
      next: '2026-10-20T12:00:00.000Z',
      asOf: '2026-10-20T12:00:00.000Z',
      hits: {
        content: [
          {
            id: 7696581394433,
            createdAt: '2026-10-20T07:59:58.000Z',
            location: { id: 7, shortName: 'S8 Emilianów' },
            laneNumber: 1,
            plateLpr: 'WGM4K281',
            nationality: 'PL',
            checkpointTime: '2026-10-20T08:03:18.000Z',
            entries: [{ id: 1, plateLpr: 'WGM4K281', description: 'Kradzież' }],
            outcome: 'taken',
            taken: { by: { id: 100, username: 'j.kowalska' }, at: '2026-10-20T08:00:27.000Z' },
            closed: null,
          },
        ],
        totalCount: 1,
        counts: { approaching: 0, untaken: 0, late: 0, taken: 1, closed: 0, false: 0 },
      },
      alarms: {
        raised: { high: 2, medium: 1, low: 0 },
        missed: 1,
        acknowledged: 2,
        shelved: [
          {
            at: '2026-10-20T08:10:00.000Z',
            by: { id: 100, username: 'j.kowalska' },
            kind: 'station-silent',
            subject: 'S8 Emilianów',
            until: '2026-10-20T10:00:00.000Z',
            reason: 'Serwis na miejscu',
          },
        ],
        shelvedCount: 1,
        open: [],
        openCount: 0,
      },
      tickets: {
        content: [
          {
            id: 3,
            number: '12/2026',
            title: 'Zgłoszenie z systemu WIM',
            status: 'open',
            location: { id: 7, shortName: 'S8 Emilianów' },
            createdAt: '2026-10-20T08:12:00.000Z',
            closedAt: null,
          },
        ],
        totalCount: 1,
        opened: 1,
        closed: 0,
      },
      commands: {
        content: [
          {
            id: 5,
            at: '2026-10-20T08:00:31.000Z',
            by: { id: 100, username: 'j.kowalska' },
            location: { id: 7, shortName: 'S8 Emilianów' },
            sign: { id: 1, number: 1, roadNumber: 'S8', chainage: '412+300' },
            kind: 'plate',
            variant: null,
            plateLpr: 'WGM4K281',
            allTrucks: false,
            done: true,
            error: null,
          },
        ],
        totalCount: 1,
        failed: 0,
      },
      inspections: {
        content: [
          {
            id: 1,
            number: 'K/7/2026/ZAB',
            state: 'takenOver',
            location: { id: 7, shortName: 'S8 Emilianów' },
            plateLpr: 'WPR8K47M',
            nationality: 'PL',
            announced: { by: { id: 100, username: 'j.kowalska' }, at: '2026-10-20T08:15:00.000Z' },
            takenOver: { by: { id: 101, username: 'm.nowak' }, at: '2026-10-20T08:19:12.000Z' },
            closed: null,
            withdrawn: null,
            passedBy: null,
          },
        ],
        totalCount: 1,
        announced: 1,
        takenOver: 1,
        closed: 0,
        withdrawn: 0,
        passedBy: 0,
      },
    },
  },
})
