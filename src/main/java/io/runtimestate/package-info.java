/**
 * Runtime coordination state for Vert.x applications, behind one API that returns futures.
 *
 * <p>{@link io.runtimestate.RuntimeState} is the way in: embed it, deploy {@link
 * io.runtimestate.RuntimeStateVerticle}, or connect to the event-bus addresses of one that is
 * deployed elsewhere.
 */
package io.runtimestate;
