/**
 * Looks at all queues: {@link io.entroq.service.insight.sweep.QueueSweep} now and then, {@link
 * io.entroq.service.insight.sweep.QueueWalk} once. What was seen is in {@link
 * io.entroq.service.insight.sweep.SweepColumns}, sorted and searched there, or with the queues of
 * pools summed in {@link io.entroq.service.insight.sweep.PoolFold}. Any thread.
 */
package io.entroq.service.insight.sweep;
