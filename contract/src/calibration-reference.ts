import * as calibration from './calibration.ts'
import { reference } from './reference.ts'

export const calibrationReference = reference('Calibration', calibration, {
  correctFinish: {
    errors: {
      404: ['calibration-not-found'],
      409: [
        'calibration-already-recorded',
        'calibration-already-revoked',
        'calibration-reference-lost',
        'changed-meanwhile',
      ],
      422: ['calibration-in-the-future'],
    },
    body: {
      lanes: [701],
      versions: [1],
      finishedAt: '2026-10-01T22:00:00.000Z',
      time: '2026-10-06T02:00:00.000Z',
      reason: 'zły dzień',
    },
  },
  deviation: {
    errors: { 404: ['location-not-found'], 422: ['start-after-end', 'too-many-periods'] },
    query: {
      dateTimeStart: '2026-10-20T07:00:00.000Z',
      dateTimeEnd: '2026-10-20T09:00:00.000Z',
      locations: '7',
      graphType: 'linePlot',
    },
    response: [],
  },
  finish: {
    errors: {
      404: ['lane-not-found', 'location-not-found'],
      409: ['calibration-already-recorded'],
      422: ['calibration-in-the-future', 'required-parameter-missing'],
    },
    query: { locations: '7', lanes: '701', time: '2026-10-01T21:00:00.000Z' },
  },
  finishDates: {
    errors: { 404: ['location-not-found'] },
    query: { locations: '7' },
    response: [
      {
        location: { id: 7, shortName: 'S8 Emilianów' },
        lane: { id: 701, laneNumber: 1 },
        finishedAt: '2026-10-06T02:00:00.000Z',
        version: 2,
        enteredAt: '2026-10-20T08:00:00.000Z',
        enteredBy: 'm.nowak',
        inForce: false,
        reference: { firstAxleAvg: 7700, counter: 200 },
        collected: 200,
        corrected: {
          at: '2026-10-20T08:00:00.000Z',
          by: 'm.nowak',
          reason: 'zła godzina',
          from: '2026-10-06T12:00:00.000Z',
        },
        revoked: { at: '2026-10-20T08:00:00.000Z', by: 'a.lipa', reason: 'pomyłka w dacie' },
      },
    ],
  },
  finishDatesReport: {
    errors: { 404: ['location-not-found'] },
    query: { locations: '7', reportType: 'pdf' },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  list: {
    errors: {
      400: ['unsupported-resolution'],
      404: ['location-not-found'],
      422: ['start-after-end', 'too-many-periods'],
    },
    query: {
      dateTimeStart: '2026-10-01T22:00:00.000Z',
      dateTimeEnd: '2026-10-15T22:00:00.000Z',
      statResolutionUnit: 'hour',
      statResolutionValue: 24,
      locations: '7',
      addGraph: false,
    },
    response: [
      {
        location: { id: 7, shortName: 'S8 Emilianów' },
        lanes: [
          {
            lane: { id: 701, laneNumber: 1 },
            graphBase64: null,
            reference: {
              firstAxleAvg: 7700,
              counter: 200,
              provisional: false,
              collected: 200,
              finishedAt: '2026-10-06T02:00:00.000Z',
              finishedBy: 'm.nowak',
            },
            finishes: ['2026-10-01T22:00:00.000Z', '2026-10-06T02:00:00.000Z'],
            sections: [
              {
                firstPeriod: 0,
                reference: {
                  firstAxleAvg: 6900,
                  counter: 200,
                  provisional: false,
                  collected: 200,
                  finishedAt: '2026-10-01T22:00:00.000Z',
                  finishedBy: 'a.lipa',
                },
              },
            ],
            periods: [
              {
                dateTime: '2026-10-01T22:00:00.000Z',
                firstAxleAvg: 6900,
                firstAxleCov: 1.45,
                counter: 200,
                deviationFromReference: 0,
                confidence: 0,
              },
            ],
          },
        ],
      },
    ],
  },
  report: {
    errors: {
      400: ['unsupported-resolution'],
      404: ['location-not-found'],
      422: ['report-too-large', 'start-after-end', 'too-many-periods'],
    },
    query: {
      dateTimeStart: '2026-10-20T07:00:00.000Z',
      dateTimeEnd: '2026-10-20T09:00:00.000Z',
      locations: '7',
      statResolutionValue: 2,
      graphType: 'linePlot',
      reportType: 'pdf',
    },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  restoreFinish: {
    errors: { 404: ['calibration-not-found'], 409: ['changed-meanwhile'] },
    body: { lanes: [701], finishedAt: '2026-10-02T08:00:00.000Z' },
  },
  revokeFinish: {
    errors: { 404: ['calibration-not-found'], 409: ['calibration-already-revoked', 'changed-meanwhile'] },
    body: { lanes: [701, 702], finishedAt: '2026-10-06T02:00:00.000Z', reason: ' pomyłka w dacie ' },
  },
})
