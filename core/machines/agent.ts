import { type Machine, takes } from './machine.js';

/** Connection states of an agent (spec 3.2, decisions 5). Only `connected` is named by the specification. */
export type AgentState = 'never_connected' | 'connected' | 'stopping' | 'stopped' | 'disconnected' | 'lost';

export type AgentEvent =
  | 'connect'
  /** A stop was requested, but the agent may finish its job. */
  | 'stop_after_job'
  /** Stopped by force, or after its last job. */
  | 'stop'
  | 'disconnect'
  /** No heartbeat for too long. */
  | 'lose';

export const agentMachine: Machine<AgentState, AgentEvent> = {
  never_connected: { connect: 'connected' },
  connected: { stop_after_job: 'stopping', stop: 'stopped', disconnect: 'disconnected', lose: 'lost' },
  stopping: { stop: 'stopped', disconnect: 'disconnected', lose: 'lost' },
  stopped: { connect: 'connected' },
  disconnected: { connect: 'connected' },
  lost: { connect: 'connected' },
};

export const agentStates = Object.keys(agentMachine) as AgentState[];

/** States of an agent that must send heartbeats. Agents in these states prevent the deletion of their cluster and queue. */
export const isConnected = (state: AgentState): boolean => takes(agentMachine, state, 'disconnect');

export const connectedStates: readonly AgentState[] = agentStates.filter(isConnected);
