import type { Creator } from '../model/index.js';
import { type Infer, strictObject, string, timestamp, url, uuid } from '../schema/schema.js';
import { graphqlId } from './links.js';

/** The user summary (spec 2.1). */
export const User = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    name: string(),
    email: string(),
    avatar_url: url(),
    created_at: timestamp(),
  },
  { title: 'User', description: 'A user, in short' },
);
export type User = Infer<typeof User>;

export const renderUser = (user: Creator): User => ({
  id: user.id,
  graphql_id: graphqlId('User', user.id),
  name: user.name,
  email: user.email,
  avatar_url: user.avatar_url,
  created_at: user.created_at,
});

export const renderUserOrNull = (user: Creator | null): User | null => (user ? renderUser(user) : null);

/** A row whose named relations are users with the fields of the summary. */
export type WithUsers<R, K extends keyof R> = Omit<R, K> & { readonly [P in K]: Creator | null };
