/**
 * The backend on a Redis or Valkey server.
 *
 * <p>From the outside in: {@code RedisBackend} is the door; {@code Commands} finds the table line
 * of an operation; {@code Call} carries its deadline through every round trip; a {@code Lane} is
 * one logical connection with its backlog, deadlines and reconnects; a {@code Link} is one physical
 * connection and what was sent on it. {@code Keyspace} alone builds keys, {@code Replies} alone
 * reads replies, {@code ServerErrors} alone translates refusals.
 */
package io.runtimestate.redis;
