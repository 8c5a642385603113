/** What goes into operations and what comes out of them: plain carriers without behaviour. */
package io.runtimestate.data;
