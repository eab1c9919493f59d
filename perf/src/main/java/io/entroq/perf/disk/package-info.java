/**
 * Measures whether disk use stays a function of live data while tasks come and go for an hour.
 * {@link io.entroq.perf.disk.DiskOverTime} is the main class; the same run is a test of the long
 * profile. One thread changes tasks and one takes samples.
 */
package io.entroq.perf.disk;
