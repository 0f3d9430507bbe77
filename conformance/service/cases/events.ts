import assert from 'node:assert/strict';
import type { StoredEvent } from '../../../core/index.js';
import type { Case } from '../../case.js';
import { Crew, pipelineFixture } from '../crew.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const oneStep = pipelineFixture({ steps: [{ key: 'a', name: 'A', command: 'make' }] });

/** What the course of `course` has to say, in its order. */
const told = [
  'agent.connected',
  ...['build.scheduled', 'job.scheduled', 'job.accepted', 'build.running', 'job.running', 'build.passed', 'job.passed'],
  ...['build.scheduled', 'job.scheduled', 'build.canceled', 'job.canceled'],
  'agent.stopped',
];

/** An agent comes, runs one build and goes; another build is canceled. */
async function course(service: Service): Promise<void> {
  const crew = new Crew(service);
  const agent = await crew.connect('one');
  await crew.create();
  await crew.run(agent);
  await crew.create();
  await crew.cancel(2);
  await crew.stop(agent);
}

const typesOf = (events: readonly StoredEvent[]): string[] => events.map(({ type }) => type);

const rising = (events: readonly StoredEvent[]): boolean =>
  events.every(({ sequence }, place) => sequence > (events[place - 1]?.sequence ?? 0));

/** Who listens hears of every change once, in the order in which it happened. */
const delivered: Case<ServiceHarness> = {
  id: 'events.each-once-in-order',
  cites: 'spec 3, storage: events',
  run: (harness) =>
    withService(harness, oneStep, async (service) => {
      const heard: StoredEvent[] = [];
      await service.api.events.subscribe((event) => void heard.push(event));
      await course(service);
      await service.api.events.settled();
      assert.deepEqual(typesOf(heard), told);
      assert.ok(rising(heard), 'their numbers rise');
    }),
};

/** Who takes up where they left off, wherever that was, hears the rest of it. */
const resumed: Case<ServiceHarness> = {
  id: 'events.resume-anywhere',
  cites: 'spec 3, storage: events',
  run: (harness) =>
    withService(harness, oneStep, async (service) => {
      await course(service);
      const all = await service.api.events.read(0, 100);
      assert.deepEqual(typesOf(all), told);
      for (const [place, { sequence }] of all.entries()) {
        const heard: StoredEvent[] = [];
        const stop = await service.api.events.subscribe((event) => void heard.push(event), { after: sequence });
        await service.api.events.settled();
        stop();
        assert.deepEqual(heard, all.slice(place + 1), `after ${sequence}`);
      }
    }),
};

export const events: readonly Case<ServiceHarness>[] = [delivered, resumed];
