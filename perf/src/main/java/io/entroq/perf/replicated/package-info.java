/**
 * Measures a replicated queue: three members, each in a process, compared with three whose service
 * is an echo with the same settings. The caller is inside a member, as it is for users. {@link
 * io.entroq.perf.replicated.ReplicatedQueue} is the main class, and one thread runs it.
 */
package io.entroq.perf.replicated;
