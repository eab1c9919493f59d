/** Where records of one size can be appended to: the engine's log, and what else takes bytes. */
package io.entroq.perf.jmh.record;
