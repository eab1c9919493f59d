/**
 * Measures a server over loopback, compared with an echo on the same stack. The clients are in this
 * process; the server and the echo each have their own. {@link io.entroq.perf.served.ServedQueue}
 * is the main class, and one thread runs it.
 */
package io.entroq.perf.served;
