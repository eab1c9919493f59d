package io.entroq.api.worker;

import io.entroq.api.EntroQ;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * How a worker works; see {@link WorkerBuilder} for what each means.
 *
 * @param <T> what values are decoded to
 */
record WorkerConfig<T>(
    EntroQ queue,
    WorkRules<T> rules,
    Handler<T> handler,
    int concurrency,
    Duration drainTimeout,
    ThreadFactory threads,
    Ticker ticker) {}
