/**
 * How soon the feed shows what was done, how fast it catches up from the log, and how long the
 * state of the past takes. It has two types, because nothing else is measured with a reader of the
 * feed beside the work. One thread does the work of a benchmark, and one reads the feed.
 */
package io.entroq.perf.feed;
