package io.entroq.api.worker;

import io.entroq.api.EntroQ;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * Configuration of a worker; see {@link WorkerBuilder}.
 *
 * @param <T> the type of the decoded values
 */
record WorkerConfig<T>(
    EntroQ queue,
    WorkRules<T> rules,
    Handler<T> handler,
    int concurrency,
    Duration drainTimeout,
    ThreadFactory threads,
    Ticker ticker) {}
