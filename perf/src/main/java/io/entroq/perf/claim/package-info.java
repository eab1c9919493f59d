/**
 * How long a claim takes through the public interface when there is much else: pending tasks, other
 * queues. What is compared is measured in turns in one run, since the machine changes from minute
 * to minute.
 */
package io.entroq.perf.claim;
