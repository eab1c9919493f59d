/**
 * What measurements have in common: a backlog, cycles of tasks through the public interface, a
 * place on the disk.
 */
package io.entroq.perf.load;
