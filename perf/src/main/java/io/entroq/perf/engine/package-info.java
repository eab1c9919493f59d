/**
 * Measures the costs of an embedded engine other than throughput: memory per pending task, time to
 * open, pauses for snapshots, claims beside a listing, and the wake-up of a waiting claim. One main
 * class each, which one thread runs.
 */
package io.entroq.perf.engine;
