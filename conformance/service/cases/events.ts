import assert from 'node:assert/strict';
import type { StoredEvent } from '../../../core/index.js';
import { atSeam, type Case } from '../../case.js';
import { Driver, pipelineFixture } from '../driver.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const oneStep = pipelineFixture({ steps: [{ key: 'a', name: 'A', command: 'make' }] });

/** The expected event types of the scenario below, in order. */
const expectedTypes = [
  'agent.connected',
  ...['build.scheduled', 'job.scheduled', 'job.accepted', 'build.running', 'job.running', 'build.passed', 'job.passed'],
  ...['build.scheduled', 'job.scheduled', 'build.canceled', 'job.canceled'],
  'agent.stopped',
];

/** An agent connects, runs one build and disconnects. Another build is canceled. */
async function runScenario(service: Service): Promise<void> {
  const driver = new Driver(service);
  const agent = await driver.connect('one');
  await driver.create();
  await driver.runNextJob(agent);
  await driver.create();
  await driver.cancel(2);
  await driver.stop(agent);
}

const typesOf = (events: readonly StoredEvent[]): string[] => events.map(({ type }) => type);

const isIncreasing = (events: readonly StoredEvent[]): boolean =>
  events.every(({ sequence }, index) => sequence > (events[index - 1]?.sequence ?? 0));

/** A subscriber gets every event once, in order. */
const delivered: Case<ServiceHarness> = {
  id: 'events.each-once-in-order',
  cites: 'spec 3, storage: events',
  run: (harness) =>
    withService(harness, oneStep, async (service) => {
      const heard: StoredEvent[] = [];
      await service.api.events.subscribe((event) => void heard.push(event));
      await runScenario(service);
      await service.api.events.settled();
      assert.deepEqual(typesOf(heard), expectedTypes);
      assert.ok(isIncreasing(heard), 'sequence numbers increase');
    }),
};

/** A subscriber that resumes after any event gets all later ones. */
const resumed: Case<ServiceHarness> = {
  id: 'events.resume-anywhere',
  cites: 'spec 3, storage: events',
  run: (harness) =>
    withService(harness, oneStep, async (service) => {
      await runScenario(service);
      const all = await service.api.events.read(0, 100);
      assert.deepEqual(typesOf(all), expectedTypes);
      for (const [index, { sequence }] of all.entries()) {
        const heard: StoredEvent[] = [];
        const stop = await service.api.events.subscribe((event) => void heard.push(event), { after: sequence });
        await service.api.events.settled();
        stop();
        assert.deepEqual(heard, all.slice(index + 1), `after ${sequence}`);
      }
    }),
};

export const events: readonly Case<ServiceHarness>[] = atSeam('events', [delivered, resumed]);
