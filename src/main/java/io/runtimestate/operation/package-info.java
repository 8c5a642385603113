/**
 * Every operation as an immutable, valid value, and the catalogue that lists them once.
 *
 * <p>An operation that exists is valid: its constructor checks and normalises the arguments, and
 * nothing behind it checks again. Components are exactly the fields on the wire.
 */
package io.runtimestate.operation;
