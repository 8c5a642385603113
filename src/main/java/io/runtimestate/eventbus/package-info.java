/**
 * The door, reachable over the event bus: {@link io.runtimestate.eventbus.StateService} turns
 * addresses into calls of a door, {@link io.runtimestate.eventbus.RemoteBackend} turns calls into
 * messages and is therefore a door itself.
 *
 * <p>Everything is derived from the catalogue. An operation's address is {@code
 * <base>.<family>.<verb>}, its body the JSON object of its record, its answer {@code {"result": …}}
 * with the JSON of its result type. Nobody writes a codec: {@code RecordJson} reads the shape of
 * the records once and converts by method handles, so that a new operation is on the bus as soon as
 * it is in the catalogue. Decoding checks the shape only (names, JSON types, integers that are
 * integers); the rules about values stand in the records' constructors, which decoding calls like
 * everybody else.
 *
 * <p>A client in the Vert.x instance that serves the base hands the records over as they are, and
 * gets its answers without a message. Records are immutable, so this changes nothing but the cost,
 * and it is decided anew for every call: a shared entry says whether this instance serves the base
 * right now. Everything else travels as JSON, and no type of this library is ever put on a wire.
 *
 * <p>A failure crosses the bus as the number of its code and its message, whose ending says whether
 * a write may have been applied. What the bus itself reports (nobody listens, no answer in time, an
 * answer nobody understands) is told in the same codes.
 */
package io.runtimestate.eventbus;
