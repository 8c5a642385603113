/** Servers, proxies, clocks and waiting: what the tests stand on. */
package io.runtimestate.support;
