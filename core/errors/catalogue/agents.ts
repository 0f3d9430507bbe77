import type { ErrorEntry } from './entry.js';

/** Agents and the tokens of agents and users (decisions 2, 5 and 8). */
export const agentErrors = {
  agentNotStoppable: {
    code: 'agent.not_stoppable',
    status: 400,
    message: 'Can only stop connected agents',
    when: 'The agent to be stopped is not connected.',
    whatToDo: 'Nothing: the agent takes no more jobs.',
  },
  agentNotConnected: {
    code: 'agent.not_connected',
    status: 422,
    message: 'Only connected agents can accept jobs',
    when: 'An agent that is not connected, or is stopping, asks for a job.',
    whatToDo: 'Connect the agent first; let one that is stopping end.',
  },
  agentBusy: {
    code: 'agent.busy',
    status: 422,
    message: 'Agent has a job already',
    when: 'An agent that has a job asks for another.',
    whatToDo: 'Finish or release the job first.',
  },
  agentNotConnectable: {
    code: 'agent.not_connectable',
    status: 422,
    message: 'Agent is {state} already',
    when: 'An agent connects that is connected or stopping.',
    whatToDo: 'Disconnect the agent first, or connect without its id.',
  },
  agentRegistered: {
    code: 'agent.already_registered',
    status: 422,
    message: 'Agent is registered already',
    when: 'An agent is registered with the id of one that exists.',
    whatToDo: 'Connect the agent, or register it without an id.',
  },
  agentNotDisconnectable: {
    code: 'agent.not_disconnectable',
    status: 422,
    message: "Agent can't be disconnected because it's {state}",
    when: 'The agent to be disconnected is not connected.',
    whatToDo: 'Nothing.',
  },
  agentAddressNotAllowed: {
    code: 'agent.address_not_allowed',
    status: 403,
    message: 'Agents may not connect from {address} with this token',
    when: 'An agent connects from an address outside the `allowed_ip_addresses` of its token.',
    whatToDo: 'Add the address to the agent token.',
  },
  agentTokenUnknown: {
    code: 'agent_token.unknown',
    status: 401,
    message: 'No agent token found',
    when: 'An agent connects with a token that is malformed, unknown or revoked.',
    whatToDo: 'Use a token of the cluster.',
  },
  agentTokenInvalidAddresses: {
    code: 'agent_token.invalid_addresses',
    status: 422,
    message: 'Validation failed: Allowed ip addresses must be IPv4 addresses or CIDR blocks',
    when: 'An entry of `allowed_ip_addresses` is neither an IPv4 address nor a CIDR block.',
    whatToDo: 'Separate the entries with white space, and correct those that are malformed.',
  },
  accessTokenNotAMember: {
    code: 'access_token.not_a_member',
    status: 422,
    message: 'Validation failed: User is not a member of {organization}',
    when: 'An access token is issued for an organization that its user is not a member of.',
    whatToDo: 'Make the user a member first, or leave the organization out.',
  },
} as const satisfies Record<string, ErrorEntry>;
