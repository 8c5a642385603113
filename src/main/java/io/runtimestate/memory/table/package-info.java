/**
 * Pure data structures of the memory backend: no Vert.x, no threads, no clock of their own. Whoever
 * owns a table is its only user, and tells it the time.
 */
package io.runtimestate.memory.table;
