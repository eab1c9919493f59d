/**
 * Measures how long claims take in large engines: many pending tasks, or many queues. The sides
 * take turns in one run, since the machine changes from minute to minute. One thread runs it.
 */
package io.entroq.perf.claim;
