package io.entroq.api.worker;

/**
 * What a worker has done since it was started.
 *
 * @param claimed tasks claimed
 * @param done tasks whose work is committed as done or as a modification of the handler's
 * @param retried tasks put off to be tried again
 * @param moved tasks moved as the handler said
 * @param quarantined tasks moved to an error queue
 * @param released tasks given back without work on them, as when the worker closes
 * @param lost tasks whose lease was lost before their end was committed
 * @param unknown tasks of which nobody knows whether their end was committed
 * @param handlerFailures handlers that threw, and values that could not be decoded
 * @param queueFailures requests to the queue that failed and were tried again
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
