/** What a backend must do, and the small helpers every backend needs. */
package io.runtimestate.spi;
