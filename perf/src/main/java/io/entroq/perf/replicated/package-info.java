/**
 * Measures a replicated queue: three members, each in a process of its own, and beside them three
 * whose service is a bare echo with the same settings. Whoever asks is in the process of a member,
 * as it is for users. {@link io.entroq.perf.replicated.ReplicatedQueue} is the main method.
 */
package io.entroq.perf.replicated;
