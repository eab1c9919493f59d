/**
 * Whether disk use stays a function of live data: tasks come and go for an hour, and every second
 * the bytes on disk are set beside those that are live.
 *
 * <p>{@link io.entroq.perf.disk.DiskOverTime} is the measurement; the same run is a test of the
 * long profile.
 */
package io.entroq.perf.disk;
