package io.entroq.api.worker;

/**
 * Counts of a worker since its start.
 *
 * @param claimed tasks claimed
 * @param done tasks committed as {@link Outcome#done()} or {@link Outcome#modify}
 * @param retried tasks postponed for a retry
 * @param moved tasks moved by {@link Outcome#moveTo(String)}
 * @param quarantined tasks moved to an error queue
 * @param released tasks released, for example because the worker was closing
 * @param lost tasks whose lease was lost before their commit
 * @param unknown tasks whose commit may or may not have been applied
 * @param handlerFailures handlers that threw, and values that could not be decoded
 * @param queueFailures requests to the queue that failed and were retried
 * @param running handlers running now
 */
public record WorkerMetrics(
    long claimed,
    long done,
    long retried,
    long moved,
    long quarantined,
    long released,
    long lost,
    long unknown,
    long handlerFailures,
    long queueFailures,
    int running) {}
