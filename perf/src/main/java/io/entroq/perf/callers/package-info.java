/**
 * Measures how much callers of an engine with a thread of its own get from it, alone and together,
 * one task at a time and in batches, beside what the disk and the engine can give. A main method
 * each; one thread runs it, the load generator makes the callers.
 */
package io.entroq.perf.callers;
