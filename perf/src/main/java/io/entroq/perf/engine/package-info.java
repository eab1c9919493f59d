/**
 * What an embedded engine costs its users apart from throughput: memory per pending task, time to
 * open, pauses for snapshots, claims beside a listing, and the wake-up of a waiting claim. One main
 * method each, which one thread runs.
 */
package io.entroq.perf.engine;
